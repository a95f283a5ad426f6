"""The files of Jump Masters say what the rules specification says, and refuse what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from balance.config.places import shipped
from balance.games import get_game
from balance.games.jump_masters import layout, parameters
from balance.games.jump_masters.schema import (
    OVERRIDES,
    SEATS,
    check_map,
    load_ruleset,
    map_rows,
    validate_rules,
)
from tests.config.faulty import one, problems

# Section 13 of the rules specification: name, default, source, allowed.
SECTION_13 = """
vp_to_win 20 printed 1..200
vp_to_win_team 30 printed 1..200
hill_vp 1 printed 0..5
team_hill player printed player,team
team_size 4 printed 1..4
both_copies true reading flag
pass_hand 5 printed 1..10
energize_gain 1 printed 0..3
power_gain 1 printed 0..3
disabled_abilities [] ours heroes
fire_step_cost 1 printed 0..3
fire_step_steps 3 printed 1..4
fire_step_min_steps 1 reading 1..3
fire_step_damage 1 printed 1..3
fire_step_path straight reading straight,bent
aura_gain 1 printed 1..3
frog_bow_range 2 printed 1..9
frog_bow_damage 1 printed 1..3
friendly_fire true printed flag
blood_boon_steal 1 printed 1..3
windstorm_gain 1 printed 1..3
ensnare_range 2 printed 2..9
missile_go_cost 1 printed 0..3
missile_go_range 4 printed 1..9
missile_go_damage 1 printed 1..3
swipe_out_steal 1 printed 1..3
stalwart_prevention 1 printed 0..3
stalwart_mode blocks reading blocks,absorbs
run_end path reading path,distance
end_in_zone true reading flag
return_to_zone true reading flag
allow_pass false ours flag
ffa_turn_order corners reading corners,seats
turn_cap 400 ours 1..100000
cap_result score ours score,draw
"""
ROWS = [line.split() for line in SECTION_13.split("\n") if line]
MAXIMUM = dict(zip(parameters.HEROES, (4, 4, 4, 4, 5, 6, 4, 5, 5, 5), strict=True))
PLAIN = ["." * 6] * 6


@pytest.fixture
def folder(tmp_path):
    """A copy of the shipped files."""
    for kind in ("cards", "arenas", "rules"):
        (tmp_path / f"{kind}.yaml").write_text(shipped("jump_masters", f"{kind}.yaml").read_text())
    return tmp_path


def edit(folder: Path, name: str, old: str, new: str) -> int:
    """Replace text in a file; returns the line where it stood."""
    text = (folder / name).read_text()
    assert text.count(old) == 1
    (folder / name).write_text(text.replace(old, new))
    return text[: text.index(old)].count("\n") + 1


def test_every_parameter_of_the_specification_has_its_value_and_source():
    ruleset = load_ruleset()
    numbers = {number.path: number for number in ruleset.numbers}
    assert set(ruleset.values) == {name for name, *_ in ROWS} | {"hero_max", "hero_min"}
    for name, default, source, _ in ROWS:
        value = yaml.safe_load(default)
        assert ruleset.values[name] == value, name
        assert type(ruleset.values[name]) is type(value), name
        assert numbers[f"rules.{name}"].source == source
        assert numbers[f"rules.{name}"].text
        assert numbers[f"rules.{name}"].allowed


def test_energies_are_those_of_the_specification_and_assumed():
    ruleset = load_ruleset()
    assert ruleset.values["hero_max"] == MAXIMUM
    assert set(ruleset.values["hero_min"].values()) == {1}
    assert dict(ruleset.heroes["pinkbeary"].numbers) == {"lowest": 1, "maximum": 6}
    assumed = [number.path for number in ruleset.assumed()]
    assert len([path for path in assumed if path.startswith("heroes.")]) == 20
    assert len([path for path in assumed if path.startswith("arenas.")]) == 5
    assert ruleset.changed() == ()


def test_teams_and_heroes():
    ruleset = load_ruleset()
    assert tuple(ruleset.heroes) == parameters.HEROES == layout.HERO_NAMES
    assert {name: team.heroes for name, team in ruleset.teams.items()} == {
        "starters": ("burnny", "hopper", "pinkbeary", "torturn"),
        "steppers_and_stealers": ("burnny", "katula", "roara", "wuffryder"),
        "crowd_control": ("hopper", "katula", "parena", "torturn"),
        "big_hitters": ("parena", "pinkbeary", "unni", "wuffryder"),
    }
    assert {team.source for team in ruleset.teams.values()} == {"printed"}
    assert all(hero.title and hero.text for hero in ruleset.heroes.values())


def test_arenas_look_the_same_after_half_a_turn():
    arenas = load_ruleset().arenas
    assert list(arenas) == ["pillars", "pillars_b", "ruins", "divide", "mill"]
    for arena in arenas.values():
        assert tuple(row[::-1] for row in arena.rows[::-1]) == arena.rows
    for name in ("pillars_b", "ruins", "mill"):
        rows = arenas[name].rows
        assert tuple("".join(column) for column in zip(*rows[::-1], strict=True)) == rows
    terrain = {
        name: [sum(row.count(mark) for row in arena.rows) for mark in "#=*"] for name, arena in arenas.items()
    }
    assert terrain == {
        "pillars": [2, 0, 2],
        "pillars_b": [4, 0, 4],
        "ruins": [4, 8, 0],
        "divide": [0, 8, 4],
        "mill": [0, 8, 0],
    }


def bounds(allowed: str) -> tuple[list, list]:
    """Values that a column of section 13 allows, and values that it does not."""
    if ".." in allowed:
        low, high = map(int, allowed.split(".."))
        return [low, high], [low - 1, high + 1, str(low), True, float(low), None, [low]]
    if allowed == "flag":
        return [True, False], ["true", "yes", 1, 0, None]
    if allowed == "heroes":
        return [[], ["unni"], list(parameters.HEROES)], [["unny"], "unni", ["unni", "unni"], None, [1], {}]
    return allowed.split(","), ["other", 1, None, True, ""]


@pytest.mark.parametrize(("name", "default", "source", "allowed"), ROWS, ids=[row[0] for row in ROWS])
def test_ranges_are_those_of_the_specification(name, default, source, allowed):
    good, bad = bounds(allowed)
    beside = {"team_size": 1} if name == "pass_hand" else {}
    for value in good:
        assert validate_rules({name: value, **beside}) == []
        assert load_ruleset(None, {"rules": {name: value, **beside}}).values[name] == value
    for value in bad:
        assert validate_rules({name: value, **beside}), (name, value)


@pytest.mark.parametrize("name", ["hero_max", "hero_min"])
def test_energy_maps_list_only_what_they_change(name):
    values = load_ruleset(None, {"rules": {"hero_max": {"unni": 9}, name: {"unni": 9}}}).values
    assert values[name]["unni"] == 9
    assert values["hero_max"]["hopper"] == 4
    for bad in (0, 10, "4", True, None):
        assert validate_rules({name: {"unni": bad}})
    assert validate_rules({name: {"unnni": 4}})[0][2] == "did you mean 'unni'?"
    assert validate_rules({name: 4})


@pytest.mark.parametrize(
    ("rules", "mode", "path", "words"),
    [
        ({"hil_vp": 1}, None, "rules.hil_vp", "unknown key 'hil_vp'"),
        (
            {"hero_max": {"unni": 2}, "hero_min": {"unni": 3}},
            None,
            "rules.hero_min.unni",
            "is above its maximum",
        ),
        ({"hero_min": {"hopper": 5}}, None, "rules.hero_min.hopper", "is above its maximum"),
        ({"fire_step_min_steps": 4}, None, "rules.fire_step_min_steps", "is above fire_step_steps (3)"),
        ({"fire_step_steps": 1, "fire_step_min_steps": 2}, None, "rules.fire_step_min_steps", "is above"),
        ({"pass_hand": 3}, None, "rules.pass_hand", "is smaller than team_size"),
        ({"pass_hand": 6}, "team", "rules.pass_hand", "4 seats x pass_hand 6 are 24 cards"),
        ({"pass_hand": 7}, "ffa3", "rules.pass_hand", "3 seats x pass_hand 7 are 21 cards"),
        ([1], None, "rules", "must be a mapping"),
    ],
)
def test_faults_between_parameters(rules, mode, path, words):
    (fault,) = validate_rules(rules, mode)
    assert fault[0] == path
    assert words in fault[1]


@pytest.mark.parametrize(
    ("rules", "mode"), [({"pass_hand": 10}, "duel"), ({"pass_hand": 6}, "ffa3"), ({}, "ffa4")]
)
def test_hands_that_the_cards_suffice_for(rules, mode):
    assert validate_rules(rules, mode) == []


def test_rules_of_all_handed_cases_are_accepted():
    files = sorted((Path(__file__).parents[2] / "cases" / "jump_masters").glob("*.yaml"))
    cases = [
        case["position"] for file in files for case in yaml.safe_load(file.read_text()) if "position" in case
    ]
    with_rules = [case for case in cases if case.get("rules")]
    assert len(with_rules) > 10
    for case in with_rules:
        assert validate_rules(case["rules"], case.get("mode")) == []


def test_overrides_reach_values_heroes_and_provenance():
    overrides = {"rules": {"hill_vp": 2, "energize_gain": 1}, "heroes": {"hopper": {"maximum": 6}}}
    ruleset = load_ruleset(None, overrides, "duel")
    assert ruleset.heroes["hopper"].numbers["maximum"] == ruleset.values["hero_max"]["hopper"] == 6
    changed = {number.path: (number.value, number.shipped) for number in ruleset.changed()}
    assert changed == {"rules.hill_vp": (2, 1), "heroes.hopper.maximum": (6, 4)}
    assert load_ruleset().values["hill_vp"] == 1


def test_faults_of_overrides_carry_their_paths():
    overrides = {"rules": {"hil_vp": 2, "team_size": 9}, "heroes": {"hoper": {"maximum": 5}}}
    found = problems(load_ruleset, None, overrides)
    assert {(problem.file, problem.path) for problem in found} == {
        (OVERRIDES, "rules.hil_vp"),
        (OVERRIDES, "rules.team_size"),
        (OVERRIDES, "heroes.hoper"),
    }
    both = {"rules": {"hero_max": {"unni": 6}}, "heroes": {"unni": {"maximum": 7}}}
    assert "given twice" in one(load_ruleset, None, both).message


def test_a_copied_folder_is_the_shipped_ruleset(folder):
    assert load_ruleset(folder) == load_ruleset()


def test_edits_are_called_changed(folder):
    edit(folder, "cards.yaml", "maximum: {value: 6, source: assumed}", "maximum: 7")
    edit(folder, "rules.yaml", "hill_vp: {value: 1, source: printed}", "hill_vp: {value: 3, source: ours}")
    edit(folder, "rules.yaml", "power_gain: {value: 1, source: printed}", "power_gain: 1")
    edit(folder, "arenas.yaml", ". . . # . * . .", ". . . # . . . .")
    ruleset = load_ruleset(folder)
    assert {number.path: number.value for number in ruleset.changed() if "arenas" not in number.path} == {
        "heroes.pinkbeary.maximum": 7,
        "rules.hill_vp": 3,
    }
    assert [number.path for number in ruleset.changed()][-1] == "arenas.pillars"
    assert ruleset.arenas["pillars"].source == "changed"
    assert {number.path: number.source for number in ruleset.numbers}["rules.power_gain"] == "printed"


def test_parameters_left_out_keep_their_shipped_values(folder):
    (folder / "rules.yaml").write_text("game: jump_masters\nrules: {hill_vp: 2}\n")
    values = load_ruleset(folder).values
    assert (values["hill_vp"], values["vp_to_win"]) == (2, 20)


def test_arenas_and_teams_of_ones_own(folder):
    with (folder / "arenas.yaml").open("a") as file:
        file.write("  tiny:\n    map: ['......', '......', '......', '......', '......', '......']\n")
    with (folder / "cards.yaml").open("a") as file:
        file.write("  twins: {heroes: [unni, unni]}\n")
    ruleset = load_ruleset(folder)
    assert ruleset.arenas["tiny"].rows == tuple(PLAIN)
    assert ruleset.arenas["tiny"].source == ruleset.teams["twins"].source == "changed"


@pytest.mark.parametrize(
    ("name", "old", "new", "column", "words"),
    [
        (
            "cards.yaml",
            "maximum: {value: 6, source: assumed}",
            "maximum: {value: 60}",
            22,
            "from 1 to 9, not 60",
        ),
        ("cards.yaml", "maximum: {value: 6, source: assumed}", "maximum: '6'", 14, "from 1 to 9, not '6'"),
        (
            "cards.yaml",
            "maximum: {value: 6, source: assumed}",
            "maximum: {vaule: 6}",
            15,
            "unknown key 'vaule'",
        ),
        ("cards.yaml", "  unni:\n", "  uni:\n", 3, "unknown key 'uni'"),
        ("cards.yaml", "[parena, pinkbeary, unni,", "[parena, pinkbeary, uni,", 33, "unknown hero 'uni'"),
        (
            "cards.yaml",
            "[burnny, hopper, pink",
            "[burnny, burnny, burnny, pink",
            13,
            "a team has 1 to 4 heroes",
        ),
        (
            "cards.yaml",
            "[burnny, hopper, pinkbeary,",
            "[burnny, burnny, burnny,",
            13,
            "there are 2 cards of burnny",
        ),
        ("cards.yaml", "game: jump_masters", "game: chess", 7, "unknown game 'chess'"),
        ("cards.yaml", "title: Starters", "title: [x]", 12, "must be text, not a list"),
        ("rules.yaml", "hill_vp: {value: 1, source: printed}", "hill_vp: 9", 12, "from 0 to 5, not 9"),
        ("rules.yaml", "hill_vp: {value: 1, source: printed}", "hill_vp:", 11, "from 0 to 5, not nothing"),
        ("rules.yaml", "hill_vp: {value: 1, source: printed}", "hil_vp: 1", 3, "unknown key 'hil_vp'"),
        (
            "rules.yaml",
            "{value: 1, source: printed}  # victory",
            "{value: 1, source: prin}  # v",
            31,
            "one of printed",
        ),
        (
            "rules.yaml",
            "stalwart_mode: {value: blocks",
            "stalwart_mode: {value: block",
            26,
            "blocks, absorbs",
        ),
        ("rules.yaml", "pass_hand: {value: 5", "pass_hand: {value: 2", 14, "smaller than team_size"),
        ("arenas.yaml", "title: Mill", "titel: Mill", 5, "unknown key 'titel'"),
        ("arenas.yaml", "  . . . # . * . .", "  . . . # . * . x", 1, "h6 (row 3): 'x' is no kind of node"),
        ("arenas.yaml", "  . . = . = = . .", "  . . = . = . . .", 10, "must be even"),
    ],
)
def test_bad_files_are_refused_at_line_and_column(folder, name, old, new, column, words):
    line = edit(folder, name, old, new)
    found = problems(load_ruleset, folder)
    hits = [problem for problem in found if words in problem.message]
    assert hits, found
    assert hits[0].file == str(folder / name)
    assert hits[0].column == column
    if "even" not in words:
        assert hits[0].line == line


def test_a_missing_hero_is_missed(folder):
    text = (folder / "cards.yaml").read_text()
    start, end = text.index("  roara:"), text.index("  torturn:")
    (folder / "cards.yaml").write_text(text[:start] + text[end:])
    messages = [problem.message for problem in problems(load_ruleset, folder)]
    assert "the key 'roara' is missing" in messages


def test_faults_of_all_files_come_at_once(folder):
    edit(folder, "cards.yaml", "maximum: {value: 6, source: assumed}", "maximum: 60")
    edit(folder, "rules.yaml", "hill_vp: {value: 1, source: printed}", "hill_vp: 9")
    (folder / "arenas.yaml").unlink()
    found = problems(load_ruleset, folder)
    assert [Path(problem.file).name for problem in found] == ["arenas.yaml", "cards.yaml", "rules.yaml"]
    assert found[0].message == "no such file"


def test_a_file_that_breaks_what_overrides_would_mend(folder):
    edit(folder, "rules.yaml", "fire_step_min_steps: {value: 1", "fire_step_min_steps: {value: 4")
    problem = one(load_ruleset, folder)
    assert Path(problem.file).name == "rules.yaml"
    assert "fire_step_min_steps (4) is above" in problem.message
    assert load_ruleset(folder, {"rules": {"fire_step_steps": 4}}).values["fire_step_min_steps"] == 4
    blamed = one(load_ruleset, folder, {"rules": {"fire_step_steps": 2}})
    assert (blamed.file, blamed.path) == (OVERRIDES, "rules.fire_step_steps")


def put(rows, row, column, mark):
    changed = [list(line) for line in rows]
    changed[row][column] = mark
    return ["".join(line) for line in changed]


@pytest.mark.parametrize("width", [6, 8, 10])
@pytest.mark.parametrize("height", [6, 8, 10])
def test_maps_of_all_allowed_sizes(width, height):
    rows = ["." * width] * height
    for row, column in ((0, 0), (1, width - 1), (height - 2, 1), (height - 1, width - 2)):
        rows = put(rows, row, column, "z")
    for row, column in ((height // 2 - 1, width // 2 - 1), (height // 2, width // 2)):
        rows = put(rows, row, column, "h")
    assert check_map(rows) == []


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "the map is empty"),
        (["." * 7] * 6, "7 nodes wide"),
        (["." * 6] * 12, "12 nodes high"),
        ([*PLAIN[:5], "....."], "row 6 has 5 nodes, the first has 6"),
        (put(PLAIN, 2, 2, "?"), "'?' is no kind of node"),
        (put(PLAIN, 0, 0, "#"), "a6 (row 1): a corner zone cannot hold '#'"),
        (put(PLAIN, 5, 4, "*"), "e1 (row 6): a corner zone cannot hold '*'"),
        (put(PLAIN, 1, 1, "h"), "a corner zone cannot hold 'h'"),
        (put(PLAIN, 2, 2, "z"), "z is no corner-zone node here"),
        (put(PLAIN, 2, 1, "h"), "h is no Hill node here"),
        (put(PLAIN, 2, 2, "="), "1 wall nodes"),
    ],
)
def test_maps_that_cannot_be_played(rows, words):
    assert any(words in fault for fault in check_map(rows))
    assert any(words in fault for fault in check_map("\n".join(rows)))


def test_the_hill_may_hold_terrain_and_blanks_do_not_matter():
    rows = put(put(PLAIN, 2, 2, "#"), 3, 3, "*")
    assert check_map(rows) == []
    assert map_rows("\n. . . . . .  \n......\n") == ("......", "......")
    assert check_map("\n\n".join([" ".join(row) for row in rows])) != []


def test_the_descriptor_agrees_with_the_files():
    game = get_game("jump_masters")
    assert game.roster_size == load_ruleset().values[game.roster_parameter]
    assert {mode.name: mode.seats for mode in game.modes} == SEATS
    assert {slug: len(hero.numbers) for slug, hero in load_ruleset().heroes.items()} == dict.fromkeys(
        MAXIMUM, 2
    )
