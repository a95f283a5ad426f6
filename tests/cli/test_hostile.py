"""What people and machines do to a command line: one clear message, the right exit code, nothing lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from balance.cli.app import MOST_SHOWN, WIDEST, run_app
from balance.store import manifest as manifests
from balance.store.manifest import Manifest

PLAN = "game: jump_masters\nteams: {a: [hopper], b: [unni]}\narenas: [mill]\npairs: 1\n"
CASE = """
- id: a
  position: {game: jump_masters, arena: pillars, to_move: A, zones: {A: sw, B: ne},
    heroes: {A: [hopper c2 3], B: [unni e5 1]}}
  ask: outcomes
  action: step hopper c3
  expect:
"""
FULL = Path("/dev/full")  # a device that is always full
full_device = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


@pytest.fixture
def refused(tmp_path, capsys):
    """Run a command that must be refused; returns what it says on stderr."""

    def run(*arguments, text=PLAN):
        file = tmp_path / "file.yaml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        began = time.monotonic()
        code = run_app([str(file) if one == "FILE" else str(one) for one in arguments])
        out, err = capsys.readouterr()
        assert (code, out) == (2, "")
        assert "internal error" not in err and "Traceback" not in err
        assert time.monotonic() - began < 60
        return err

    return run


def finished(*arguments, **streams):
    """A command in a process of its own; BrokenPipe and closed streams cannot be had otherwise."""
    command = [sys.executable, "-m", "balance", *map(str, arguments)]
    return subprocess.run(command, text=True, timeout=300, check=False, **streams)


# ---- files


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (f"configs: {'x' * 900}\n", "there is no folder"),
        ("seed: 0x" + "f" * 5000 + "\n", "this number is too long"),
        ("seed: 0o" + "7" * 5000 + "\n", "this number is too long"),
        ("seed: " + "9" * 5000 + "\n", "this number is too long"),
        ("part_pairs: 1000000000\n", "from 1 to 10000, not 1000000000"),
        ("parts:\n", "unknown key 'parts'"),
        ("agents: [greedy:0, greedy:-0.0]\n", "the agent greedy:0 stands twice"),
        ('note: "\\ud800"\n', "holds the character U+D800"),
        ('note: "\\e[31m"\n', "holds the character U+001B"),
        ('"a\\e[31m": 1\n', "unknown key 'a?[31m'"),
    ],
)
def test_bad_plans(refused, change, words):
    assert words in refused("validate", "FILE", text=PLAN + change)
    assert words in refused("run", "FILE", "--dry-run", text=PLAN + change)


def test_a_plan_that_would_never_end(refused):
    text = PLAN.replace("pairs: 1\n", "pairs: 1000000000\n")
    for err in (refused("validate", "FILE", text=text), refused("run", "FILE", "--dry-run", text=text)):
        assert "2,000,000,000 games are 1,000,000 parts; 100,000 are the most" in err
    for games in ("99999999999999", "1" + "0" * 400):
        assert "are the most" in refused("run", "FILE", "--dry-run", "--games", games)


def test_thousands_of_faults_are_cut(refused):
    err = refused("validate", "FILE", text=PLAN + "".join(f"k{place}: 1\n" for place in range(20_000)))
    assert err.count("unknown key") == MOST_SHOWN
    assert err.rstrip().endswith("more")


def test_a_long_line_is_shown_around_the_fault(refused):
    err = refused("validate", "FILE", text=PLAN + "note: [" + "1, " * 5000 + "@]\n")
    source, caret = err.splitlines()[1:3]
    assert len(source) <= WIDEST + 2
    assert source[caret.index("^")] == "@"


def test_a_shown_line_does_not_steer_the_terminal(refused):
    assert "\x1b" not in refused("validate", "FILE", text=PLAN + "note: \x1b[31mred\n")


# ---- options


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set", "rule.hill_vp=2"], "--set rule.hill_vp=2: error: unknown key 'rule'"),
        (["--set", "heroes.hopper.maximum.x=2"], "--set heroes.hopper.maximum.x=2: error"),
        (["--set", "a="], "--set a=: error: unknown key 'a'"),
        (["-j", "100000"], "--workers"),
        (["-j", "0"], "--workers"),
    ],
)
def test_bad_options(refused, options, words):
    assert words in refused("run", "FILE", "--dry-run", *options)


@pytest.mark.parametrize("group", [[], ["rules"]])
def test_a_group_alone_shows_its_help(refused, group):
    assert refused(*group).startswith("Usage: balance")


@pytest.mark.parametrize("command", [["show"], ["report"], ["verify"], ["resume"], ["init", "jump_masters"]])
def test_a_folder_with_too_long_a_name(refused, command):
    assert "too long" in refused(*command, "x" * 300)


# ---- case files


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ("[{p: 1, position: [a]}]", "a position is a canonical text, not a list"),
        ("[{p: 1, position: {a: 1}}]", "a position is a canonical text, not a mapping"),
        ("[{p: 1, position: 3}]", "a position is a canonical text, not 3"),
        ('{x: "1e999999999"}', "is no probability"),
        ('{x: "1/1e999999999"}', "is no probability"),
        ('{x: "-1/2"}', "is no probability"),
        ('{x: "1/0"}', "is no probability"),
    ],
)
def test_bad_outcomes_of_a_case(refused, expect, words):
    assert words in refused("rules", "check", "FILE", text=CASE.rstrip("\n") + f" {expect}\n")


# ---- streams


@full_device
@pytest.mark.parametrize("command", [["games"], ["--help"], ["games", "jump_masters", "--json"]])
def test_output_that_cannot_be_written(command):
    with FULL.open("w") as full:
        done = finished(*command, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.count("\n")) == (5, 1)
    assert done.stderr.startswith("error: cannot write the output: ")


@full_device
def test_messages_that_cannot_be_written_change_no_exit_code():
    with FULL.open("w") as full:
        assert finished("show", "nowhere", stdout=subprocess.PIPE, stderr=full).returncode == 2
        assert finished("nonsense", stdout=subprocess.PIPE, stderr=full).returncode == 2


def test_a_reader_that_leaves():
    reader, writer = os.pipe()
    os.close(reader)
    done = finished("games", "jump_masters", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("command", "code"), [("games >&- 2>&-", 0), ("nonsense >&- 2>&-", 2), ("validate - <&-", 2)]
)
def test_closed_streams(command, code):
    line = f'"{sys.executable}" -m balance {command}'
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == code
    assert "internal error" not in done.stderr


def test_a_file_opened_without_standard_streams_does_not_get_their_numbers(tmp_path):
    code = "import sys; from balance.__main__ import main\ntry: main()\nexcept SystemExit: pass\n"
    code += f"file = open({str(tmp_path / 'x')!r}, 'w'); sys.exit(file.fileno() > 2)"
    line = f'"{sys.executable}" -c "$1" games <&- >&- 2>&-'
    done = subprocess.run(["sh", "-c", line, "sh", code], timeout=300, check=False)
    assert done.returncode == 1


def test_names_that_are_no_text_can_be_printed(tmp_path):
    file = os.fsencode(tmp_path) + b"/a\xff.yaml"
    with open(file, "w") as plan:  # noqa: PTH123
        plan.write(PLAN)
    done = finished(
        "validate",
        os.fsdecode(file),
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "a\\udcff.yaml: ok" in done.stdout


# ---- disks


def test_a_disk_full_from_the_start_is_no_run_to_resume(tmp_path, monkeypatch):
    def full(path, content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    manifest = Manifest(tmp_path, {"format": 1})
    with monkeypatch.context() as patch:
        patch.setattr(manifests, "write_atomic", full)
        with pytest.raises(manifests.EnvironmentFault) as caught:
            manifest.write()
    assert "run again" in caught.value.hint and "resume" not in caught.value.hint
    manifest.write()
    monkeypatch.setattr(manifests, "write_atomic", full)
    with pytest.raises(manifests.EnvironmentFault, match="disk is full") as caught:
        manifest.write()
    assert "balance resume" in caught.value.hint
