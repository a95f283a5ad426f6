"""Parts and chunks cover every pair once."""

from __future__ import annotations

import pytest

from balance.config.agents import AgentSpec
from balance.play.cells import expand
from balance.play.chunk import Task, group, part_pairs, split
from tests.play.fakes import FakePlan


@pytest.mark.parametrize("pairs", [1, 3, 4, 5, 8, 101])
@pytest.mark.parametrize("size", [1, 4, 100, None])
def test_parts_cover_every_pair_once(pairs, size):
    cells = expand(FakePlan({"pairs": pairs}))
    tasks = split(cells, size)
    for cell in cells:
        mine = [task for task in tasks if task.cell == cell.number]
        assert [task.part for task in mine] == list(range(len(mine)))
        covered = [pair for task in mine for pair in range(task.first_pair, task.first_pair + task.pairs)]
        assert covered == list(range(pairs))


def test_the_slowest_agent_sets_the_size():
    random, greedy = (expand(FakePlan({"agents": [kind]}))[0] for kind in ("random", "greedy"))
    assert (part_pairs(random.agents, None), part_pairs(greedy.agents, None)) == (1000, 100)
    assert part_pairs(expand(FakePlan({"agents": ["oracle"]}))[0].agents, None) == 20
    assert part_pairs(greedy.agents, 7) == 7
    searching = [AgentSpec("mcts", budget) for budget in (16.0, 64.0, 256.0, 1024.0)]
    assert [part_pairs([agent], None) for agent in searching] == [20, 10, 2, 1]
    assert part_pairs([AgentSpec("random"), AgentSpec("flat", 256.0)], None) == 2


@pytest.mark.parametrize("workers", [1, 2, 64])
def test_chunks_keep_order_and_stay_inside_a_cell(workers):
    cells = expand(FakePlan({"pairs": 100_000}))
    tasks = split(cells, None)
    chunks = list(group(tasks, cells, workers))
    assert tuple(task for chunk in chunks for task in chunk) == tasks
    assert all(len({task.cell for task in chunk}) == 1 for chunk in chunks)
    assert len(chunks) >= min(len(tasks), 4 * workers)


def test_chunks_of_cheap_parts_are_about_a_second():
    cells = expand(FakePlan({"pairs": 1_000_000}))
    sizes = {len(chunk) for chunk in group(split(cells, None), cells, 2)}
    assert sizes == {5}  # 5 parts x 1000 pairs x 2 games x 0.1 ms
    greedy = expand(FakePlan({"pairs": 10_000, "agents": ["greedy"]}))
    assert {len(chunk) for chunk in group(split(greedy, None), greedy, 2)} == {1}


def test_parts_that_are_there_are_left_out():
    cells = expand(FakePlan({"pairs": 10}))
    tasks = split(cells, 4)
    chunks = group(tasks, cells, 1, skip={(0, 1), (1, 0)})
    assert [task for chunk in chunks for task in chunk] == [
        Task(0, 0, 0, 4),
        Task(0, 2, 8, 2),
        Task(1, 1, 4, 4),
        Task(1, 2, 8, 2),
    ]
