"""Every command: its help is cheap and has an example, and the documentation names all of it."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys

import pytest

from balance.cli.app import run_app
from balance.games import discover
from tests.house.sources import PACKAGE, ROOT

HEAVY = ("numba", "polars", "scipy", "plotly", "jinja2", "numpy")
HELP = """
import json, sys
from balance.cli.app import run_app
code = run_app([*sys.argv[1:], "--help"])
print(json.dumps([code, sorted(name for name in sys.modules if "." not in name)]))
"""


def maker():
    """The module ``docs/make_commands.py``."""
    spec = importlib.util.spec_from_file_location("make_commands", ROOT / "docs" / "make_commands.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = maker()
COMMANDS = dict(MAKER.commands())
GROUPS = {"balance", *(name.rsplit(" ", 1)[0] for name in COMMANDS)}


def helped(name: str) -> tuple[str, int, list[str]]:
    """Help text, exit code and loaded packages of a fresh process."""
    command = [sys.executable, "-c", HELP, *name.split()[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    *text, last = done.stdout.splitlines()
    code, loaded = json.loads(last)
    return "\n".join(text), code, loaded


@pytest.mark.parametrize("name", sorted({*COMMANDS, *GROUPS}))
def test_help_is_cheap_and_has_an_example(name):
    text, code, loaded = helped(name)
    assert code == 0
    assert "Example:" in text
    assert [package for package in HEAVY if package in loaded] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_is_a_call_of_the_command(name):
    example = " ".join((COMMANDS[name].help or "").partition("Example:")[2].split())
    assert example.startswith(f"{name} ") or example == name
    known = {option for parameter in COMMANDS[name].params for option in parameter.opts}
    assert {word for word in example.split() if word.startswith("--")} <= known


def test_every_command_is_a_short_file_of_its_own():
    files = {path.stem.removeprefix("cmd_"): path for path in (PACKAGE / "cli").glob("cmd_*.py")}
    assert {name.split()[1] for name in COMMANDS} == set(files)
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in files.items()}
    assert {name: length for name, length in lengths.items() if length >= 100} == {}


def test_the_page_of_commands_is_current():
    written = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == MAKER.page(), "run: python docs/make_commands.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name):
    sections = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").split("\n## ")
    (section,) = [one for one in sections if one.split("\n")[0] == name]
    for parameter in COMMANDS[name].params:
        if parameter.param_type_name == "option" and parameter.name != "help":
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert f"`{option}" in section, option
            assert parameter.help, f"{name} {parameter.name} has no help"


def test_the_readme_names_every_command():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    groups = {name.split()[1] for name in COMMANDS}
    assert [name for name in sorted(groups) if f"balance {name}" not in text] == []


@pytest.mark.parametrize("slug", discover())
def test_every_number_of_a_game_is_described(slug, capsys):
    assert run_app(["games", slug]) == 0
    page = capsys.readouterr().out
    assert run_app(["games", slug, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    rules = [number for number in data["numbers"] if number["path"].startswith("rules.")]
    assert rules
    for number in rules:
        assert number["path"].removeprefix("rules.") in page
        assert number["text"], number["path"]
        assert number["allowed"], number["path"]
        assert number["source"] in ("printed", "photo", "assumed", "reading", "ours"), number["path"]
    for hero in data["heroes"]:
        assert hero in page


def test_unknown_commands_and_options_are_usage_errors(capsys):
    assert run_app(["rnu"]) == 2
    assert run_app(["games", "--jsno"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "Traceback" not in said.err and "--help" in said.err


def test_help_without_a_terminal_and_colours():
    environ = os.environ | {"TERM": "dumb", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "balance", "--help"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True)
    assert "\x1b" not in done.stdout
    assert all(f" {name.split()[1]} " in done.stdout for name in COMMANDS)


@pytest.mark.slow
@pytest.mark.sample
def test_help_takes_little_processor_time():
    # Best of seven: other work on the machine only adds.
    import resource

    def spent() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "balance", "--help"], cwd=ROOT, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(spent() for _ in range(7)) < 0.2
