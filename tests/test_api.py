"""The Python interface: plan, run, rows, statistics, page."""

from __future__ import annotations

import balance

PLAN = """
game: jump_masters
arenas: [pillars]
draft: {format: blind}
agents: [random]
pairs: 40
seed: 5
"""


def test_from_plan_to_page(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(PLAN)

    plan = balance.load_plan(path, sets=["rules.hill_vp=2"])
    result = balance.run(plan, tmp_path / "run", workers=2)
    games = balance.scan(result.folder).collect()
    heroes = balance.scan(result.folder, "heroes").collect()
    analysis = balance.fit(result.folder)
    page = balance.write_report(result.folder)

    assert games["weight"].sum() == 80
    assert heroes.height == 8 * games.height
    assert analysis is not None
    assert page.read_text().startswith("<!doctype html>")


def test_two_runs_are_compared(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(PLAN)
    for name, sets in (("a", []), ("b", ["rules.hill_vp=3"])):
        balance.run(balance.load_plan(path, sets=sets), tmp_path / name)
    found = balance.compare(tmp_path / "a", tmp_path / "b")
    assert [(c.path, c.before, c.after) for c in found.changed] == [("rules.hill_vp", 1, 3)]
    assert found.sizes.common == 40 and found.sizes.altered > 0
    assert len(found.of("heroes", 0)) == 10


def test_workers_change_nothing(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(PLAN)
    plan = balance.load_plan(path)
    digests = {balance.run(plan, tmp_path / str(workers), workers=workers).digest for workers in (1, 2)}
    assert len(digests) == 1
