"""A plan file with its game: what it means, what is refused where, and that a manifest can rebuild it."""

from __future__ import annotations

import json

import pytest

from balance.config.agents import AgentSpec
from balance.errors import RunError, UsageError
from balance.games import get_game
from balance.play.editor import copy_game
from balance.play.matchups import round_robin
from balance.play.plan import LoadedPlan, load_plan, load_plan_text
from tests.config.faulty import one, places, problems

GAME = get_game("jump_masters")
HEAD = "game: jump_masters\n"
TEAMS = HEAD + "teams: recommended\n"
NAMES = ("starters", "steppers_and_stealers", "crowd_control", "big_hitters")


def plan(text, *sets, **flags):
    return load_plan_text(text, "x.yaml", sets, **flags)


@pytest.mark.parametrize(
    ("name", "cells", "matchups"), [("quickstart", 8, 0), ("recommended_teams", 60, 6)], ids=str
)
def test_shipped_plans(name, cells, matchups):
    loaded = load_plan(GAME.plans / f"{name}.yaml")
    assert loaded.cells == cells
    assert len(loaded.matchups) == matchups
    assert loaded.games == cells * loaded.plan.pairs * 2
    assert [level[0].kind for level in loaded.levels] == ["random", "greedy"]
    assert loaded.name == name


def test_defaults():
    loaded = plan(TEAMS)
    assert (loaded.mode.name, loaded.plan.pairs, loaded.plan.seed, loaded.plan.record) == (
        "duel",
        1000,
        1,
        "basic",
    )
    assert loaded.arenas == ("pillars", "pillars_b", "ruins", "divide", "mill")
    assert loaded.levels == ((AgentSpec("random"), AgentSpec("random")),)
    assert loaded.rosters["starters"] == ("burnny", "hopper", "pinkbeary", "torturn")
    assert loaded.matchups[0] == ("starters", "steppers_and_stealers")
    assert loaded.source == "x.yaml"


@pytest.mark.parametrize(
    ("mode", "mirror", "count"),
    [("duel", False, 6), ("duel", True, 10), ("ffa3", False, 4), ("ffa4", False, 1), ("team", False, 3)],
)
def test_round_robins(mode, mirror, count):
    loaded = plan(TEAMS + f"mode: {mode}\nmirror: {str(mirror).lower()}\n")
    assert len(loaded.matchups) == count == len(set(loaded.matchups))
    assert all(len(matchup) == loaded.mode.seats for matchup in loaded.matchups)


def test_team_round_robins_pair_teams_into_sides_in_every_way():
    pairings = {
        frozenset((frozenset((a, c)), frozenset((b, d))))
        for a, b, c, d in round_robin("wxyz", GAME.mode("team"), mirror=False, ordered=False)
    }
    assert len(pairings) == 3
    two_teams = list(round_robin("xy", GAME.mode("team"), mirror=True, ordered=False))
    assert ("x", "y", "x", "y") in two_teams
    assert any(sorted(matchup[::2]) == ["x", "y"] for matchup in two_teams)


def test_different_agents_make_every_order_a_matchup():
    loaded = plan(TEAMS + "agents: {A: greedy, B: random}\n")
    assert len(loaded.matchups) == 12
    assert loaded.levels == ((AgentSpec("greedy", 0.05), AgentSpec("random")),)


def test_crowded_matchups_are_left_out_and_said_so():
    loaded = plan(HEAD + "teams: {a: [unni, unni], b: [unni], c: [hopper]}\n")
    assert loaded.matchups == (("a", "c"), ("b", "c"))
    assert loaded.notes == ("1 of 3 matchups with more than 2 copies of a hero are left out",)


def test_named_matchups_and_smaller_teams():
    loaded = plan(HEAD + "teams: {a: [unni], b: [unni, hopper]}\nmatchups: [[a, b], [a, a]]\n")
    assert loaded.matchups == (("a", "b"), ("a", "a"))


def test_drafts():
    loaded = plan(HEAD + "draft: {format: pass}\nmode: ffa4\narenas: [mill]\n")
    assert (loaded.matchups, loaded.rosters, loaded.cells, loaded.games) == ((), {}, 1, 4000)


def test_options_and_overrides():
    loaded = plan(TEAMS, "rules.hill_vp=2", "heroes.hopper.maximum=6", "arenas=[mill]", seed=9, pairs=None)
    assert loaded.ruleset.values["hill_vp"] == 2
    assert loaded.ruleset.values["hero_max"]["hopper"] == 6
    assert loaded.arenas == ("mill",)
    assert (loaded.plan.seed, loaded.plan.pairs) == (9, 1000)
    drafted = plan(TEAMS, "teams=null", "draft.format=snake")
    assert drafted.plan.draft.format == "snake"


@pytest.mark.parametrize(("games", "pairs"), [(1, 1), (60, 1), (61, 2), (600, 10)])
def test_games_are_rounded_up_to_pairs(games, pairs):
    loaded = plan(TEAMS, games=games)  # 5 arenas x 6 matchups x 2 seatings
    assert loaded.plan.pairs == pairs
    assert loaded.games >= games


def test_zero_games_are_refused():
    with pytest.raises(UsageError, match="zero games"):
        plan(TEAMS, games=0)
    assert "zero games" in one(plan, TEAMS, pairs=0).message


@pytest.mark.parametrize(
    ("text", "line", "column", "path", "message", "hint"),
    [
        (
            "game: jumpmasters\nteams: recommended\n",
            1,
            7,
            "game",
            "unknown game 'jumpmasters'",
            "'jump_masters'",
        ),
        (TEAMS + "mode: dual\n", 3, 7, "mode", "unknown mode 'dual'", "'duel'"),
        (TEAMS + "arenas: [mill, pilars]\n", 3, 16, "arenas.1", "unknown arena 'pilars'", "'pillars'"),
        (TEAMS + "arenas: [mill, mill]\n", 3, 16, "arenas.1", "the arena mill stands twice", ""),
        (TEAMS + "arenas: []\n", 3, 9, "arenas", "names no arena", "leave the key out"),
        (HEAD + "teams: [starter, big_hitters]\n", 2, 9, "teams.0", "unknown ready-made team", "'starters'"),
        (HEAD + "teams: [starters, starters]\n", 2, 19, "teams.1", "the team starters stands twice", ""),
        (HEAD + "teams: {}\n", 2, 8, "teams", "names no team", "ready-made: starters"),
        (HEAD + "teams: {a: [hoper], b: [unni]}\n", 2, 13, "teams.a.0", "unknown hero 'hoper'", "'hopper'"),
        (HEAD + "teams: {a: [], b: [unni]}\n", 2, 12, "teams.a", "the team a has no heroes", "name some"),
        (
            HEAD + "teams: {a: [unni, unni, unni], b: [hopper]}\n",
            2,
            25,
            "teams.a.2",
            "there are only 2 copies of unni",
            "",
        ),
        (
            HEAD + "teams:\n  a: [unni, hopper, roara, freeda, parena]\n  b: [unni]\n",
            3,
            6,
            "teams.a",
            "has 5 heroes; team_size allows 1 to 4",
            "",
        ),
        (
            HEAD + "teams:\n  a: [unni, hopper, roara]\n  b: [unni]\nrules: {team_size: 2}\n",
            3,
            6,
            "teams.a",
            "has 3 heroes; team_size allows 1 to 2",
            "",
        ),
        (HEAD + "teams: {a: [unni]}\n", 2, 8, "teams", "needs 2 teams; one is named", "mirror: true"),
        (HEAD + "teams: {a: [unni, unni], b: [unni]}\n", 2, 8, "teams", "every matchup", "different heroes"),
        (TEAMS + "matchups: []\n", 3, 11, "matchups", "names no matchup", "round robin"),
        (TEAMS + "matchups: [[starters]]\n", 3, 12, "matchups.0", "names 1 teams; mode duel has 2 seats", ""),
        (
            TEAMS + "matchups: [[starters, starter]]\n",
            3,
            23,
            "matchups.0.1",
            "unknown team 'starter'",
            "'starters'",
        ),
        (
            TEAMS + "matchups: [[starters, big_hitters], [starters, big_hitters]]\n",
            3,
            37,
            "matchups.1",
            "this matchup stands twice",
            "",
        ),
        (
            TEAMS + "mode: ffa3\nmatchups: [[starters, starters, big_hitters]]\n",
            4,
            12,
            "matchups.0",
            "has 3 copies of pinkbeary; there are 2 in all",
            "",
        ),
        (TEAMS + "matchups: [[starters, starters]]\nmirror: true\n", 4, 1, "mirror", "round robin only", ""),
        (TEAMS + "agents: []\n", 3, 9, "agents", "names no agent", "[random, greedy]"),
        (
            TEAMS + "agents: [greedy, 'greedy:0.05']\n",
            3,
            18,
            "agents.1",
            "the agent greedy:0.05 stands twice",
            "",
        ),
        (TEAMS + "agents: {A: random}\n", 3, 9, "agents", "names no agent for seat B", ""),
        (
            TEAMS + "agents: {A: random, B: random, C: random}\n",
            3,
            32,
            "agents.C",
            "there is no seat C in mode duel",
            "seats: A, B",
        ),
        (HEAD + "draft: {format: snaek}\n", 2, 17, "draft.format", "unknown draft format 'snaek'", "'snake'"),
        (HEAD + "draft: {format: fixed}\n", 2, 17, "draft.format", "fixed is no draft", "teams"),
        (HEAD + "draft: {format: free}\nmirror: true\n", 3, 1, "mirror", "mirror needs teams", ""),
        (HEAD + "draft: {format: free}\nmatchups: [[a, b]]\n", 3, 1, "matchups", "matchups need teams", ""),
        (HEAD, 1, 1, "", "neither teams nor a draft", "teams: recommended"),
        (TEAMS + "rules: {hil_vp: 2}\n", 3, 9, "rules.hil_vp", "unknown key 'hil_vp'", "'hill_vp'"),
        (TEAMS + "rules: {hill_vp: 6}\n", 3, 18, "rules.hill_vp", "from 0 to 5, not 6", ""),
        (TEAMS + "rules: {hero_max: {unni: 0}}\n", 3, 26, "rules.hero_max.unni", "from 1 to 9, not 0", ""),
        (TEAMS + "heroes: {hoper: {maximum: 3}}\n", 3, 10, "heroes.hoper", "unknown key 'hoper'", "'hopper'"),
        (TEAMS + "heroes: {unni: {max: 3}}\n", 3, 17, "heroes.unni.max", "unknown key 'max'", "'maximum'"),
        (TEAMS + "heroes: {unni: {lowest: 6}}\n", 3, 25, "heroes.unni.lowest", "above its maximum (5)", ""),
        (
            TEAMS + "mode: ffa3\nrules: {pass_hand: 7}\n",
            4,
            20,
            "rules.pass_hand",
            "21 cards; there are 20",
            "",
        ),
        (
            TEAMS + "configs: nowhere\n",
            3,
            10,
            "configs",
            "there is no folder nowhere",
            "balance init jump_masters",
        ),
        ("- a\n", 1, 1, "", "a plan is a mapping", ""),
    ],
)
def test_faults_and_their_places(text, line, column, path, message, hint):
    problem = one(plan, text)
    assert (problem.file, problem.line, problem.column, problem.path) == ("x.yaml", line, column, path)
    assert message in problem.message
    assert hint in problem.hint


def test_faults_of_shape_and_of_meaning_come_together():
    text = TEAMS + "rules: {hil_vp: 2}\npairs: 0\narenas: [pilars]\nseed: x\n"
    assert places(problems(plan, text)) == [
        (3, 9, "rules.hil_vp"),
        (4, 8, "pairs"),
        (5, 10, "arenas.0"),
        (6, 7, "seed"),
    ]


def test_a_fault_of_teams_is_not_called_a_lack_of_them():
    assert places(problems(plan, HEAD + "teams: 3\n")) == [(2, 8, "teams")]


@pytest.mark.parametrize(
    ("option", "message", "hint"),
    [
        ("rules.hil_vp=2", "unknown key 'hil_vp'", "did you mean 'hill_vp'?"),
        ("rules.hero_max.hoper=2", "unknown key 'hoper'", "did you mean 'hopper'?"),
        ("heroes.hopper.maxium=2", "unknown key 'maxium'", "did you mean 'maximum'?"),
        ("rules.friendly_fire=no", "must be true or false, not 'no'", "write false"),
        ("arenas=[pilars]", "unknown arena 'pilars'", "did you mean 'pillars'?"),
        ("agents=[greeedy]", "unknown agent 'greeedy'", "did you mean 'greedy'?"),
        ("pair=3", "unknown key 'pair'", "did you mean 'pairs'?"),
    ],
)
def test_faults_of_overrides_name_the_option(option, message, hint):
    problem = one(plan, TEAMS, option)
    assert (problem.place(), problem.message, problem.hint) == (f"--set {option}", message, hint)


@pytest.mark.parametrize(
    "text",
    [
        TEAMS
        + "rules: {hill_vp: 2, disabled_abilities: [unni]}\nheroes: {hopper: {maximum: 6}}\nmirror: true\n",
        HEAD + "draft: {format: pass}\nmode: ffa3\nagents: ['greedy:0.1', random]\npart_pairs: 7\n",
        HEAD + "teams: {a: [unni, unni], b: [unni], c: [hopper]}\nname: Mein Plan\nnote: x\n",
    ],
)
def test_a_manifest_rebuilds_the_plan(text):
    loaded = plan(text)
    data = json.loads(json.dumps(loaded.resolved()))
    again = LoadedPlan.from_resolved(data)
    assert again == loaded
    assert again.resolved() == loaded.resolved()
    assert again.config_hash == loaded.config_hash
    assert again.mode is loaded.mode


@pytest.mark.parametrize("missing", ["plan", "ruleset", "levels", "arenas"])
def test_damaged_manifests_are_refused(missing):
    data = plan(TEAMS).resolved()
    del data[missing]
    with pytest.raises(RunError, match="damaged"):
        LoadedPlan.from_resolved(data)


def test_the_hash_moves_with_what_is_played_only():
    base = plan(TEAMS).config_hash
    assert plan(TEAMS + "name: other\nnote: hello\n").config_hash == base
    assert load_plan_text(TEAMS, "y.yaml").config_hash == base
    changes = [
        "rules.hill_vp=2",
        "seed=2",
        "pairs=5",
        "arenas=[mill]",
        "heroes.unni.maximum=6",
        "agents=[greedy]",
    ]
    hashes = {plan(TEAMS, change).config_hash for change in changes}
    assert len(hashes | {base}) == len(changes) + 1


def test_an_edited_copy_is_played_and_survives_its_files(tmp_path):
    folder = tmp_path / "mine"
    copy_game(GAME, folder)
    shipped = load_plan(GAME.plans / "quickstart.yaml")
    copied = load_plan(folder / "plans" / "quickstart.yaml")
    assert copied.config_hash == shipped.config_hash
    cards = folder / "cards.yaml"
    cards.write_text(cards.read_text().replace("maximum: {value: 6, source: assumed}", "maximum: 7"))
    edited = load_plan(folder / "plans" / "quickstart.yaml")
    assert edited.ruleset.values["hero_max"]["pinkbeary"] == 7
    assert [number.path for number in edited.ruleset.changed()] == ["heroes.pinkbeary.maximum"]
    assert edited.config_hash != shipped.config_hash
    data = edited.resolved()
    cards.unlink()
    assert LoadedPlan.from_resolved(data).ruleset.values["hero_max"]["pinkbeary"] == 7
    missing = one(load_plan, folder / "plans" / "quickstart.yaml")
    assert missing.file.endswith("cards.yaml")
    assert missing.message == "no such file"


def test_faults_of_an_edited_copy_stand_in_its_files(tmp_path):
    copy_game(GAME, tmp_path / "mine")
    rules = tmp_path / "mine" / "rules.yaml"
    rules.write_text(rules.read_text().replace("hill_vp: {value: 1, source: printed}", "hill_vp: 6"))
    problem = one(load_plan, tmp_path / "mine" / "plans" / "quickstart.yaml")
    assert problem.file.endswith("rules.yaml")
    assert (problem.line > 5, problem.column) == (True, 12)
