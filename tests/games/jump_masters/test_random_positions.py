"""Kernels equal the slow reference on random positions, in all modes and under random parameters."""

from __future__ import annotations

import random

import numpy as np
import pytest

from balance.study import oracle
from tests.conformance.playing import sampled
from tests.games.jump_masters.comparing import differences, naive_positions, report
from tests.naive import jump_masters as naive


def compare(seed: int, count: int) -> None:
    for slow in naive_positions(random.Random(seed), count):
        found = differences(slow)
        assert not found, report(slow, found)


@pytest.mark.parametrize("seed", range(4))
def test_engines_agree_on_a_sample(seed: int) -> None:
    compare(seed, 90)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(1000, 1200), 4))
def test_engines_agree(seed: int) -> None:
    compare(seed, 510)


def test_the_fullest_known_position() -> None:
    # Two Burnnys with bent Fire Steps of four nodes among twelve opposing heroes: what the buffer must hold.
    upper = [".....**...", "...*.*.*..", ".**.*.**..", ".*....*.*.", "*..*.***.*"]
    lower = [".*.**...**", ".**..*.*.*", "*..**.*.*.", "..*.****..", "...*.**..."]
    heroes = {
        "A": "burnny d6, burnny.2 f6",
        "B": "freeda d5, freeda.2 g5, hopper c6, hopper.2 e7",
        "C": "katula e4, katula.2 e6, parena c5, parena.2 d7",
        "D": "pinkbeary g6, roara f5, torturn g7, wuffryder f7",
    }
    rules = {"fire_step_path": "bent", "fire_step_steps": 4, "fire_step_cost": 0, "stalwart_mode": "absorbs"}
    document = {
        "game": "jump_masters",
        "mode": "ffa4",
        "arena": upper + lower,
        "to_move": "A",
        "rules": rules | {"hero_max": dict.fromkeys(naive.HEROES, 9)},
        "zones": {"A": "sw", "B": "ne", "C": "nw", "D": "se"},
        "heroes": {seat: [f"{hero} 1" for hero in names.split(", ")] for seat, names in heroes.items()},
    }
    position = oracle.load(document)
    buffer = np.full(4 * position.game.max_actions, -7, np.int64)
    count = oracle.rule(position.game, "legal")(position.state, position.tables, buffer)
    assert count == len(naive.legal(naive.load(document))) == 1941
    assert count <= position.game.max_actions // 2 - 64  # bent paths keep their outcomes in the upper half
    assert oracle.legal(position) == naive.legal(naive.load(document))
