"""The commands that show and check configuration: validate, schema, init, games."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from balance.cli.app import run_app
from balance.config.places import shipped
from balance.games.jump_masters.schema import load_ruleset
from balance.play.plan import load_plan

HEAVY = ("numba", "polars", "scipy", "plotly")


@pytest.fixture
def folder(tmp_path, capsys):
    assert run_app(["init", "jump_masters", str(tmp_path / "mine")]) == 0
    capsys.readouterr()
    return tmp_path / "mine"


def test_init_copies_everything_and_says_what_next(tmp_path, capsys):
    folder = tmp_path / "a" / "mine"
    assert run_app(["init", "jump_masters", str(folder)]) == 0
    out = capsys.readouterr().out
    assert f"balance run {folder}/plans/quickstart.yaml" in out
    for name in ("cards", "arenas", "rules"):
        text = (folder / f"{name}.yaml").read_text()
        assert text.startswith(f"# yaml-language-server: $schema=schema/{name}.json\n")
        assert text.endswith(shipped("jump_masters", f"{name}.yaml").read_text())
    for file in [*folder.glob("*.yaml"), *folder.glob("plans/*.yaml")]:
        schema = file.read_text().splitlines()[0].partition("$schema=")[2]
        assert json.loads((file.parent / schema).read_text())["$schema"]
    assert "\nconfigs: ..\n" in (folder / "plans" / "quickstart.yaml").read_text()


def test_init_overwrites_nothing(folder, tmp_path, capsys):
    before = (folder / "cards.yaml").read_text()
    assert run_app(["init", "jump_masters", str(folder)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert (folder / "cards.yaml").read_text() == before
    file = tmp_path / "file"
    file.write_text("x")
    assert run_app(["init", "jump_masters", str(file)]) == 2
    assert run_app(["init", "jump_masters", str(file / "below")]) == 2
    assert "cannot write to" in capsys.readouterr().err
    assert run_app(["init", "jumpmasters", str(tmp_path / "new")]) == 2
    assert "did you mean 'jump_masters'?" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_validate_recognises_files_by_content(folder, tmp_path, capsys):
    for name in ("cards", "arenas", "rules", "agents"):
        (tmp_path / f"my_{name}.yaml").write_text((folder / f"{name}.yaml").read_text())
    files = [tmp_path / f"my_{name}.yaml" for name in ("cards", "arenas", "rules", "agents")]
    files.append(folder / "plans" / "recommended_teams.yaml")
    assert run_app(["validate", *map(str, files)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{files[0]}: ok (cards, 10 heroes, 4 teams)",
        f"{files[1]}: ok (arenas, 5 arenas)",
        f"{files[2]}: ok (rules, 35 rules)",
        f"{files[3]}: ok (agents, 9 weights, 1 agent)",
        f"{files[4]}: ok (plan, 60 cells, {60 * 2 * pairs_of(files[4])} games)",
    ]


def test_a_file_of_agents_may_say_little_or_be_missing(folder, capsys):
    plan = str(folder / "plans" / "quickstart.yaml")
    digests = []
    for text in ("game: jump_masters\n", None):
        path = folder / "agents.yaml"
        path.unlink() if text is None else path.write_text(text)
        assert run_app(["validate", str(folder)]) == 0
        ruleset = load_plan(plan).ruleset
        digests.append((ruleset.weights, ruleset.agents))
    shipped = load_ruleset()
    assert digests == [(shipped.weights, shipped.agents)] * 2
    (folder / "agents.yaml").write_text("game: jump_masters\nweights: {scale: 0}\n")
    assert run_app(["validate", str(folder)]) == 2
    assert "scale" in capsys.readouterr().err


def pairs_of(path):
    return int(next(line for line in path.read_text().splitlines() if line.startswith("pairs:")).split()[1])


@pytest.mark.parametrize(
    "text",
    [
        "teams: {a: [unni], b: [hopper]}\nheroes: {unni: {maximum: 6}}\n",
        "teams: recommended\nrules: {hill_vp: 2}\narenas: [mill]\n",
        "draft: {format: free}\n",
    ],
)
def test_small_plans_are_plans(tmp_path, capsys, text):
    (tmp_path / "x.yaml").write_text(f"game: jump_masters\n{text}")
    assert run_app(["validate", str(tmp_path / "x.yaml")]) == 0
    assert "ok (plan, " in capsys.readouterr().out


def test_validate_shows_every_fault_of_every_file(folder, tmp_path, capsys):
    (folder / "rules.yaml").write_text("game: jump_masters\nrules:\n  hil_vp: 2\n  turn_cap: 0\n")
    (tmp_path / "bad.yaml").write_text("game: jump_masters\ngame: x\n")
    files = [folder / "rules.yaml", folder / "cards.yaml", tmp_path / "bad.yaml", tmp_path / "none.yaml"]
    assert run_app(["validate", *map(str, files)]) == 2
    out, err = capsys.readouterr()
    assert out == f"{folder / 'cards.yaml'}: ok (cards, 10 heroes, 4 teams)\n"
    assert f"{folder / 'rules.yaml'}:3:3: error: unknown key 'hil_vp'\n    hil_vp: 2\n    ^\n" in err
    assert "hint: did you mean 'hill_vp'?" in err
    assert f"{folder / 'rules.yaml'}:4:13: error: must be a whole number from 1 to 100000, not 0" in err
    assert f"{tmp_path / 'bad.yaml'}:2:1: error: the key 'game' stands twice, in lines 1 and 2" in err
    assert f"{tmp_path / 'none.yaml'}: error: no such file" in err


def test_validate_as_json(folder, capsys):
    (folder / "rules.yaml").write_text("game: jump_masters\nrules: {hill_vp: 9}\n")
    assert run_app(["validate", "--json", str(folder / "rules.yaml"), str(folder / "cards.yaml")]) == 2
    bad, good = json.loads(capsys.readouterr().out)
    assert (good["ok"], good["problems"]) == (True, [])
    assert (bad["ok"], bad["problems"][0]["line"], bad["problems"][0]["column"]) == (False, 2, 18)
    assert bad["problems"][0]["path"] == "rules.hill_vp"


def test_validate_can_be_told_the_kind(folder, capsys):
    assert run_app(["validate", "--kind", "rules", str(folder / "cards.yaml")]) == 2
    assert "unknown key 'heroes'" in capsys.readouterr().err
    assert run_app(["validate", "--kind", "ruls", str(folder / "cards.yaml")]) == 2
    assert "did you mean 'rules'?" in capsys.readouterr().err


def test_validate_checks_a_folder(folder, tmp_path, capsys):
    (folder / "plans" / "more").mkdir()
    head = "game: jump_masters\nconfigs: ../..\nteams: recommended\n"
    (folder / "plans" / "more" / "mine.yaml").write_text(f"{head}pairs: 5\n")
    assert run_app(["validate", str(folder)]) == 0
    shown = [line.split(": ok")[0] for line in capsys.readouterr().out.splitlines()]
    own = [folder / f"{name}.yaml" for name in ("cards", "arenas", "rules", "agents")]
    assert shown == [*map(str, own), *map(str, sorted((folder / "plans").rglob("*.yaml")))]
    assert len(shown) >= 6
    (folder / "plans" / "more" / "mine.yaml").write_text(f"{head}pairs: 0\n")
    (folder / "arenas.yaml").unlink()
    assert run_app(["validate", str(folder)]) == 2
    err = capsys.readouterr().err
    assert f"{folder / 'arenas.yaml'}: error: no such file" in err
    assert f"{folder / 'plans' / 'more' / 'mine.yaml'}:4:8: error: must be at least 1" in err
    (tmp_path / "empty").mkdir()
    assert run_app(["validate", str(tmp_path / "empty")]) == 2
    assert "is a folder without YAML files" in capsys.readouterr().err


def test_validate_checks_a_folder_of_plans(folder, capsys):
    assert run_app(["validate", str(folder / "plans")]) == 0
    assert f"{folder / 'plans' / 'quickstart.yaml'}: ok (plan, " in capsys.readouterr().out


@pytest.mark.parametrize("name", ["cards", "arenas", "rules"])
def test_run_says_in_one_sentence_what_is_no_plan(folder, capsys, name):
    (folder / f"my_{name}.yaml").write_text((folder / f"{name}.yaml").read_text())
    for file in (folder / f"{name}.yaml", folder / f"my_{name}.yaml"):
        assert run_app(["run", str(file), "--dry-run"]) == 2
        article = "an" if name == "arenas" else "a"
        assert capsys.readouterr().err.splitlines() == [
            f"{file}: error: this is {article} {name} file, not a plan",
            f"  hint: try `balance run {folder / 'plans' / 'quickstart.yaml'}`; "
            f"`balance validate {file}` checks this file",
        ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules: {hil_vp: 2}\nteams: recommended", ":2:9: error: unknown key 'hil_vp'"),
        ("heroes: {uni: {maximum: 6}}", ":2:10: error: unknown key 'uni'"),
        ("arenas: [mil]", ":2:10: error: unknown arena 'mil'"),
    ],
)
def test_faults_of_small_plans_are_still_shown(tmp_path, capsys, text, words):
    (tmp_path / "x.yaml").write_text(f"game: jump_masters\n{text}\n")
    assert run_app(["run", str(tmp_path / "x.yaml"), "--dry-run"]) == 2
    assert f"{tmp_path / 'x.yaml'}{words}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("hopper.maximum=5", "heroes.hopper.maximum"),
        ("hill_vp=2", "rules.hill_vp"),
        ("format=snake", "draft.format"),
        ("rules.hil_vp=2", "hill_vp"),
        ("seeed=2", "seed"),
    ],
)
def test_an_override_without_its_beginning(folder, capsys, option, hint):
    plan = folder / "plans" / "quickstart.yaml"
    assert run_app(["run", str(plan), "--dry-run", "--set", option]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"--set {option}: error: unknown key")
    assert f"  hint: did you mean '{hint}'?" in err


@pytest.mark.parametrize("text", ["a: 1\n", "- a\n", "word\n", "game: chess\n", "game: [x]\n", "game: 3\n"])
def test_files_of_no_game(tmp_path, capsys, text):
    (tmp_path / "x.yaml").write_text(text)
    assert run_app(["validate", str(tmp_path / "x.yaml")]) == 2
    assert f"{tmp_path / 'x.yaml'}:1:" in capsys.readouterr().err


def test_standard_input():
    command = [sys.executable, "-m", "balance", "validate", "-"]
    text = b"game: jump_masters\nteams: recommended\npairs: 10\n"
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"-: ok (plan, 30 cells, 600 games)\n")
    done = subprocess.run(command, input=b"game: jump_masters\npairs: 0\n", capture_output=True, check=False)
    assert done.returncode == 2
    assert b"-:2:8: error: must be at least 1" in done.stderr


def test_schema_prints_json(capsys):
    for arguments in ([], ["jump_masters"], ["jump_masters", "--kind", "cards"]):
        assert run_app(["schema", *arguments]) == 0
        assert json.loads(capsys.readouterr().out)["$schema"]
    assert run_app(["schema", "jump_masters", "--kind", "card"]) == 2
    assert run_app(["schema", "--kind", "cards"]) == 2
    assert run_app(["schema", "jumpmasters"]) == 2


def test_games_lists_and_shows(capsys):
    assert run_app(["games"]) == 0
    assert "jump_masters  Jump Masters" in capsys.readouterr().out
    assert run_app(["games", "jump_masters"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    for words in (
        "AC against BD",
        "snake",
        "maximum 6 (assumed)",
        "steppers_and_stealers",
        ". . . # . * . .",
    ):
        assert words in out
    assert "fire_step_path       straight  reading  straight, bent" in out
    assert "60 numbers and maps: 23 printed, 8 reading, 4 ours, 25 assumed." in out
    assert run_app(["games", "chess"]) == 2


def test_games_as_json(capsys):
    assert run_app(["games", "--json"]) == 0
    assert "jump_masters" in [game["game"] for game in json.loads(capsys.readouterr().out)]
    assert run_app(["games", "jump_masters", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    numbers = {number["path"]: number for number in data["numbers"]}
    assert numbers["rules.hill_vp"]["value"] == 1
    assert numbers["heroes.hopper.maximum"]["source"] == "assumed"
    assert data["teams"]["starters"]["heroes"] == ["burnny", "hopper", "pinkbeary", "torturn"]
    assert [mode["name"] for mode in data["modes"]] == ["duel", "team", "ffa3", "ffa4"]


@pytest.mark.parametrize("arguments", [["games", "jump_masters"], ["schema", "jump_masters"]])
def test_nothing_heavy_is_loaded(arguments):
    code = (
        "import sys; from balance.cli.app import run_app; run_app(sys.argv[1:]); "
        f"sys.exit(','.join(name for name in {HEAVY} if name in sys.modules) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
