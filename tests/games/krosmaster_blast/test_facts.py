"""Facts of section 14 of the rules specification, by play."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from balance.agents import playout
from balance.config.agents import parse_agent
from balance.games import get_game
from balance.games.krosmaster_blast.enums import Phase, Termination
from balance.study import oracle
from tests.conformance.playing import begin, walk
from tests.games.krosmaster_blast.placing import position

GAME = get_game("krosmaster_blast")
ARENAS = ("fields_north", "fields_west", "grove_north", "grove_west")
SPREAD = 4.0  # standard errors, over both samples, that an average may be off


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
        rows[-1].hero["row"] += sum(len(row.results) for row in rows[:-1])  # a part counts its own games
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


# ---- facts 5 and 6: averages of play. The specification measured 550 games of random play and 150 of greedy
# play a level; its own error is that of so many games, ours that of our mirrored pairs. Seeds are fixed.


def in_pairs(values: np.ndarray) -> np.ndarray:
    """Means of the two games of each mirrored pair, which share their deal and so are one observation."""
    return np.asarray(values, dtype=float).reshape(-1, 2).mean(axis=1)


def check_share(found: np.ndarray, expected: float, games: int) -> None:
    """A share of our games agrees with one that the specification counted in `games` games."""
    pairs = in_pairs(found)
    error = np.hypot(pairs.std() / np.sqrt(len(pairs)), np.sqrt(expected * (1 - expected) / games))
    assert abs(pairs.mean() - expected) < SPREAD * error + 0.005, (pairs.mean(), expected, error)


def check_mean(found: np.ndarray, expected: float, games: int, rounding: float) -> None:
    """The same for a mean, whose spread in the specification's games is taken to be as in ours."""
    pairs, spread = in_pairs(found), np.std(found)
    error = np.hypot(pairs.std() / np.sqrt(len(pairs)), spread / np.sqrt(games))
    assert abs(pairs.mean() - expected) < SPREAD * error + rounding, (pairs.mean(), expected, error)


def check_seats(results: np.ndarray, shares: tuple[float, float, float], games: int) -> None:
    """Shares of games that A wins, that B wins, and that nobody wins."""
    first, second = results["score"][:, 0], results["score"][:, 1]
    for found, expected in zip((first == 1, second == 1, first == second), shares, strict=True):
        check_share(found, expected, games)


RANDOM = [("advanced", 142, (0.37, 0.34, 0.29)), ("basic", 140, (0.34, 0.32, 0.35))]


def check_random_play(level: str, decisions: float, shares: tuple[float, float, float], pairs: int) -> None:
    """Fact 5 without branching: decisions a game, who wins, and hardly any knock-out."""
    results = games("random", level, pairs)["results"]
    check_mean(results["plies"], decisions, 550, 0.5)
    check_seats(results, shares, 550)
    assert (results["plies"].min() >= 40) and (results["plies"].max() <= 230)
    assert (results["termination"] != Termination.GLYPHS).mean() < 0.01 + SPREAD * np.sqrt(
        0.01 / len(results)
    )


@pytest.mark.parametrize(("level", "decisions", "shares"), RANDOM)
def test_uniform_random_play(level: str, decisions: float, shares: tuple[float, float, float]) -> None:
    check_random_play(level, decisions, shares, 300)


@pytest.mark.slow
@pytest.mark.parametrize(("level", "decisions", "shares"), RANDOM)
def test_uniform_random_play_at_full_size(
    level: str, decisions: float, shares: tuple[float, float, float]
) -> None:
    check_random_play(level, decisions, shares, 20_000)


def test_random_teams_of_three_take_longer() -> None:
    results = games("random", "advanced", 100, team_size=3)["results"]
    check_mean(results["plies"], 203, 550, 0.5)


def branching(level: str, number: int) -> list[list[int]]:
    """How many actions were legal at each decision of some random games, the four fields in turn."""
    found = []
    for seed in range(number):
        arena, rules = ARENAS[seed % len(ARENAS)], {"rules": {"level": level}}
        first = oracle.start(GAME, "duel", arena, "random", seed=seed, overrides=rules)
        places = [place for place, action in walk(first, seed) if action >= 0]
        found.append([len(oracle.actions(place)) for place in places])
    return found


def check_branching(level: str, mean: float, number: int) -> list[int]:
    """The mean over all decisions; all of them, for more questions. Games are the observations."""
    found = branching(level, number)
    totals, lengths = np.array([sum(one) for one in found]), np.array([len(one) for one in found])
    ours = totals.sum() / lengths.sum()
    spread = np.std(totals - ours * lengths) / lengths.mean()
    error = spread * np.hypot(1 / np.sqrt(number), 1 / np.sqrt(550))
    assert abs(ours - mean) < SPREAD * error + 0.05, (ours, mean, error)
    return sum(found, [])


def test_branching_of_random_play() -> None:
    options = check_branching("advanced", 6.5, 40)
    assert np.median(options) == 4
    assert 19 <= np.quantile(options, 0.95) <= 23
    check_branching("basic", 6.2, 40)


@pytest.mark.slow
def test_branching_of_random_play_at_full_size() -> None:
    options = check_branching("advanced", 6.5, 550)
    assert np.median(options) == 4
    assert 20 <= np.quantile(options, 0.95) <= 22
    assert 60 <= max(options) <= 72  # placing a tile: plain cells without a tile or a Fighter
    check_branching("basic", 6.2, 550)


def hero_scores(found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Scores of each Krosmaster, one a game in which it stood on a team."""
    results, hero = found["results"], found["hero"]
    scores = results["score"][hero["row"], hero["seat"]]
    names = sorted(GAME.part("schema").load_ruleset().heroes)
    return {name: scores[hero["hero"] == number] for number, name in enumerate(names)}


GREEDY = [
    ("advanced", 147, 7.9, 0.73, (0.45, 0.51, 0.04)),
    ("basic", 177, 9.4, 0.31, (0.39, 0.44, 0.17)),  # draws: what the other two leave
]


def check_greedy_play(
    level: str, decisions: float, turns: float, kos: float, shares: tuple[float, float, float], pairs: int
) -> None:
    """Fact 6: decisions, turns, knock-outs, who wins; Ronimo first, Martine Gale low when advanced."""
    found = games("greedy:0", level, pairs)
    results = found["results"]
    check_mean(results["plies"], decisions, 150, 0.5)
    check_mean(results["turns"], turns, 150, 0.05)
    check_share(np.isin(results["termination"], (Termination.KO, Termination.DOUBLE_KO)), kos, 150)
    check_seats(results, shares, 150)
    check_heroes(found, level)


def check_heroes(found: dict[str, np.ndarray], level: str) -> None:
    """Ronimo scores highest, 0.7 to 0.8; Martine Gale about 0.33 when advanced, in some 100 games of 150."""
    scores = hero_scores(found)
    means = {name: one.mean() for name, one in scores.items()}
    errors = {name: one.std() / np.sqrt(len(one) / 2) for name, one in scores.items()}  # of pairs
    assert max(means, key=means.__getitem__) == "ronimo"
    rest = max(mean for name, mean in means.items() if name != "ronimo")
    assert means["ronimo"] - rest > SPREAD * errors["ronimo"]
    assert abs(means["ronimo"] - 0.75) < 0.05 + SPREAD * errors["ronimo"]
    if level == "advanced":
        error = np.hypot(errors["martine_gale"], np.sqrt(0.33 * 0.67 / 100))
        assert abs(means["martine_gale"] - 0.33) < SPREAD * error
        assert means["martine_gale"] < 0.5


@pytest.mark.parametrize(("level", "decisions", "turns", "kos", "shares"), GREEDY)
def test_greedy_play(
    level: str, decisions: float, turns: float, kos: float, shares: tuple[float, float, float]
) -> None:
    check_greedy_play(level, decisions, turns, kos, shares, 100)


@pytest.mark.slow
@pytest.mark.parametrize(("level", "decisions", "turns", "kos", "shares"), GREEDY)
def test_greedy_play_at_full_size(
    level: str, decisions: float, turns: float, kos: float, shares: tuple[float, float, float]
) -> None:
    check_greedy_play(level, decisions, turns, kos, shares, 2_000)


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
