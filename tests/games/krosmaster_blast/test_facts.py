"""Facts of section 14 of the rules specification, by play."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from balance.agents import playout
from balance.config.agents import parse_agent
from balance.games import get_game
from balance.games.krosmaster_blast.enums import Phase
from balance.study import oracle
from tests.conformance.playing import begin, walk
from tests.games.krosmaster_blast.placing import position

GAME = get_game("krosmaster_blast")
ARENAS = ("fields_north", "fields_west", "grove_north", "grove_west")
SPREAD = 5.0  # standard errors that an average may be off, over both samples


def games(agent: str, level: str, pairs: int, record: int = 1, **rules: object) -> dict[str, np.ndarray]:
    """Results and metrics of self-play with dealt teams on all four fields."""
    ruleset = GAME.part("schema").load_ruleset(None, {"rules": {"level": level} | rules}, "duel")
    setup = GAME.part("tables").make_setup(ruleset, "duel", "random")
    spec = parse_agent(agent)
    rows = []
    for number, arena in enumerate(ARENAS):
        tables = GAME.part("tables").compile_tables(ruleset, "duel", arena)
        part = playout.Part(90 + number, 0, pairs, record, 1, [spec, spec], ruleset.agents)
        rows.append(playout.play_part(GAME, GAME.modes[0], tables, setup, part))
    return {
        "results": np.concatenate([row.results for row in rows]),
        "game": np.concatenate([row.game for row in rows]),
        "hero": np.concatenate([row.hero for row in rows]),
    }


def test_damage_of_a_spell_of_one() -> None:
    for level, shares in (("advanced", (1, 2, 3)), ("basic", (1, 3, 2))):
        aim = position(
            rules={"level": level},
            fighters={
                "A": [{"name": "mender", "cell": "b5", "state": "active"}, {"name": "agate", "cell": "b8"}],
                "B": [{"name": "oone", "cell": "c5"}, {"name": "ronimo", "cell": "i3"}],
            },
        )
        found = oracle.outcomes(aim, "cast brush c5")
        by_injury = {int(text.split("oone@c5:")[1][0]): share for text, share in found.items()}
        assert by_injury == {injury: Fraction(share, 6) for injury, share in enumerate(shares)}


@pytest.mark.parametrize(
    ("zones", "free", "caught", "tackled"),
    [(1, "1/2", "1/3", "1/6"), (2, "1/4", "4/9", "11/36"), (3, "1/8", "98/216", "91/216")],
)
def test_dodges(zones: int, free: str, caught: str, tackled: str) -> None:
    foes = [
        {"name": name, "cell": cell if place < zones else far}
        for place, (name, cell, far) in enumerate(
            (("oone", "d5", "i6"), ("ronimo", "e6", "i3"), ("fern_sockem", "f5", "j1"))
        )
    ]
    own = [{"name": "agate", "cell": "e5", "state": "active"}, {"name": "mender", "cell": "b8"}]
    crowd = {"A": [*own, {"name": "martine_gale", "cell": "a1"}], "B": foes}
    place = position(rules={"team_size": 3}, unseen=None, fighters=crowd)
    shares = {}
    for text, share in oracle.outcomes(place, "move e4").items():
        points = text.split("act=")[1].split(":")[:2]
        shares["free" if "agate@e4" in text else "caught" if points[0] == "2" else "tackled"] = share
    assert shares == {"free": Fraction(free), "caught": Fraction(caught), "tackled": Fraction(tackled)}


def test_every_game_ends_in_ten_turns_and_b_begins_with_the_dofus() -> None:
    for seed in range(12):
        for place, _ in walk(begin("krosmaster_blast", "duel", "random", seed), seed):
            state = place.state
            if state["turn"] == 2 and state["phase"] == Phase.FAVOR:
                assert state["dofus"] == 1
        assert place.state["turn"] <= 10
        assert place.state["turn"] == 10 or "by=ko" in place.text() or "by=double_ko" in place.text()


def test_the_fields_map_onto_themselves() -> None:
    for arena in GAME.part("schema").load_ruleset().arenas.values():
        turned = tuple(row[::-1].translate(str.maketrans("ab", "ba")) for row in arena.rows[::-1])
        assert turned == arena.rows
        counts = {mark: sum(row.count(mark) for row in arena.rows) for mark in "TBG"}
        assert counts == {"T": 4, "B": 4, "G": 8}


def close(found: np.ndarray, expected: float, error: float) -> bool:
    """Whether a share agrees with one of the specification that has a standard error of its own."""
    own = found.std() / np.sqrt(len(found))
    return abs(found.mean() - expected) < SPREAD * np.hypot(own, error)


@pytest.mark.parametrize(
    ("level", "decisions", "first", "second"), [("advanced", 142, 0.37, 0.34), ("basic", 140, 0.34, 0.32)]
)
def test_uniform_random_play(level: str, decisions: float, first: float, second: float) -> None:
    results = games("random", level, 300)["results"]
    assert abs(results["plies"].mean() - decisions) < 4
    assert (results["plies"].min() >= 40) and (results["plies"].max() <= 230)
    assert close(results["score"][:, 0] == 1, first, 0.02)
    assert close(results["score"][:, 1] == 1, second, 0.02)
    assert (results["termination"] != 3).mean() < 0.015


@pytest.mark.parametrize(
    ("level", "knock_outs", "turns", "first"),
    [("advanced", 0.73, 7.9, 0.45), ("basic", 0.31, 9.4, 0.39)],
)
def test_greedy_play(level: str, knock_outs: float, turns: float, first: float) -> None:
    # Decisions are fewer than in the specification (148 for 177 at the basic level): our ties are broken by
    # chance, `done` among them, where it has `done` last.
    found = games("greedy:0", level, 60)
    results, hero = found["results"], found["hero"]
    assert close(results["termination"] == 1, knock_outs, 0.04)
    assert abs(results["turns"].mean() - turns) < 0.5
    assert close(results["score"][:, 0] == 1, first, 0.04)
    heroes = sorted(GAME.part("schema").load_ruleset().heroes)
    scores = results["score"][hero["row"], hero["seat"]]
    means = {name: scores[hero["hero"] == number].mean() for number, name in enumerate(heroes)}
    assert max(means, key=means.__getitem__) == "ronimo"


def test_counts_add_up() -> None:
    found = games("greedy:0", "advanced", 20)
    results, game, hero = found["results"], found["game"], found["hero"]
    assert (game["turns_begun"][:, :2].sum(axis=1) == results["turns"]).all()
    shown = sum(game[name] for name in game.dtype.names if name.startswith("shown_"))
    assert (shown == results["turns"]).all()
    used = sum(game[name][:, :2] for name in game.dtype.names if name.startswith("used_"))
    assert (used == game["favors_paid"][:, :2] + game["favors_free"][:, :2]).all()
    dodges = game["dodges_1"] + game["dodges_2"] + game["dodges_3"]
    assert (dodges == game["dodged"] + game["caught"] + game["tackled"]).all()
    assert (game["kos"] > 0).mean() == pytest.approx((game["first_ko_turn"] > 0).mean())
    assert ((game["kos"] > 0) == np.isin(results["termination"], (1, 2))).all()
    assert (hero["casts_1"] + hero["casts_2"] + hero["casts_3"] == hero["ability_uses"]).all()
    assert hero["captures"].sum() == game["captures"].sum() > 0
    assert hero["damage_1"].sum() > 0 < hero["taken_spell"].sum()
    assert set(np.unique(game["challenge"])) == {1, 2}
