"""The cache of compiled kernels: never stale, heals by itself, does not grow without end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from balance.kernel import cache
from tests.kernel.house import House


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def kernels(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc"))


def test_a_second_process_loads_what_the_first_compiled(house):
    assert house.ask()[::2] == (43, "1")
    assert house.ask()[::2] == (43, "0")


def test_an_edit_in_one_file_reaches_the_kernel_of_another(house):
    before, first, _ = house.ask()
    house.write("toy/layout.py", "LIMIT = 41\n")
    after, second, compiled = house.ask()
    assert (before, after, compiled) == (43, 44, "1")
    assert first != second


def test_an_edit_that_keeps_size_and_time_is_seen(house):
    layout = house.package / "toy" / "layout.py"
    written = layout.stat()
    assert house.ask()[0] == 43
    layout.write_text("LIMIT = 90\n")
    os.utime(layout, ns=(written.st_atime_ns, written.st_mtime_ns))
    assert layout.stat().st_size == written.st_size
    # Python itself trusts size and time of a source; a reader of this cache must not.
    for stale in house.package.rglob("*.pyc"):
        stale.unlink()
    assert house.ask()[0] == 93


def test_an_undone_edit_gives_the_first_result_again(house):
    first = house.ask()
    house.write("toy/layout.py", "LIMIT = 41\n")
    house.ask()
    house.write("toy/layout.py", "LIMIT = 40\n")
    again = house.ask()
    assert again[0] == first[0]
    assert again[1].name[:20] == first[1].name[:20]


def test_an_edit_of_what_no_kernel_uses_compiles_nothing(house):
    house.ask()
    house.write("cli/words.py", "HELLO = 'hello'\n")
    assert house.ask()[2] == "0"


@pytest.mark.parametrize("flag", ["NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_ANYTHING_AT_ALL"])
def test_every_flag_of_the_compiler_has_a_folder_of_its_own(flag):
    plain = cache.fingerprint([], {})
    assert cache.fingerprint([], {flag: "1"}) != plain
    assert cache.fingerprint([], {flag: "1"}) != cache.fingerprint([], {flag: "0"})
    assert cache.fingerprint([], {cache.FOLDER_FLAG: "elsewhere", "HOME": "elsewhere"}) == plain


def test_bounds_checked_and_plain_kernels_do_not_meet(house):
    plain = house.ask()
    checked = house.ask(NUMBA_BOUNDSCHECK="1")
    assert plain[0] == checked[0]
    assert plain[1] != checked[1]
    assert checked[2] == "1"


def test_pure_python_gives_the_same_and_compiles_nothing(house):
    result, folder, compiled = house.ask(NUMBA_DISABLE_JIT="1")
    assert (result, compiled) == (43, "pure")
    assert kernels(folder) == []


def cut_to_nothing(content: bytes) -> bytes:
    return b""


def cut_in_half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def cut_the_end(content: bytes) -> bytes:
    return content[:-1]


def cut_to_one(content: bytes) -> bytes:
    return content[:1]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A house with a compiled kernel; every test leaves it healed."""
    house = House(tmp_path_factory.mktemp("filled"))
    house.ask()
    return house


CUTS = [cut_to_nothing, cut_to_one, cut_in_half, cut_the_end]
TRUNCATED = [((suffix,), cut) for suffix in (".nbi", ".nbc") for cut in CUTS]


@pytest.mark.parametrize(("suffixes", "cut"), [*TRUNCATED, ((".nbi", ".nbc"), cut_in_half)])
def test_truncated_files_heal(filled, suffixes, cut):
    (folder,) = filled.caches.iterdir()
    damaged = [path for path in kernels(folder) if path.suffix in suffixes]
    assert damaged
    for path in damaged:
        path.write_bytes(cut(path.read_bytes()))
    assert filled.ask()[::2] == (43, "1")
    assert filled.ask()[::2] == (43, "0")


def test_a_missing_body_is_compiled_again(house):
    _, folder, _ = house.ask()
    for path in kernels(folder):
        if path.suffix == ".nbc":
            path.unlink()
    assert house.ask()[::2] == (43, "1")


def test_only_the_last_few_folders_are_kept(tmp_path):
    names = [f"{number:020x}-{number:010x}" for number in range(6)]
    for number, name in enumerate(names):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (number, number))
    (tmp_path / "notes").mkdir()
    (tmp_path / "0123.txt").write_text("mine")
    os.utime(tmp_path / "notes", (0, 0))
    cache.prune(tmp_path, keep=2)
    assert {path.name for path in tmp_path.iterdir()} == {*names[4:], "notes", "0123.txt"}


def test_a_folder_in_use_is_the_newest(house):
    for number in range(cache.KEPT_FOLDERS + 3):
        old = house.caches / f"{number:020x}-{number:010x}"
        old.mkdir(parents=True)
        os.utime(old, (number, number))
    _, folder, _ = house.ask()
    left = [path for path in house.caches.iterdir() if cache.FOLDER_NAME.fullmatch(path.name)]
    assert len(left) == cache.KEPT_FOLDERS
    assert folder in left


def test_a_root_that_cannot_be_written_falls_back(house, tmp_path):
    (tmp_path / "file").write_text("in the way")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    result, folder, _ = house.ask(BALANCE_CACHE_DIR=str(tmp_path / "file" / "cache"), TMPDIR=str(temporary))
    assert result == 43
    assert temporary in folder.parents


def test_a_folder_that_others_can_write_is_not_trusted(monkeypatch, tmp_path):
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(cache.tempfile, "mkdtemp", lambda prefix: str(tmp_path / (prefix + "fresh")))
    own = cache.private_folder()
    assert own.parent == tmp_path and own.is_dir()
    assert cache.private_folder() == own

    own.chmod(0o777)
    assert cache.private_folder() == tmp_path / "tabletop-balance-fresh"


def test_the_users_cache_is_the_default(monkeypatch, tmp_path):
    monkeypatch.delenv("BALANCE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_root() == tmp_path / "tabletop-balance"


def test_the_fingerprint_covers_every_kernel_and_what_they_import():
    found = {str(path.relative_to(cache.PACKAGE)) for path in cache.compiled_sources()}
    games = {path.parent.name for path in cache.PACKAGE.glob("games/*/rules.py")}
    assert games
    for game in games:
        assert {f"games/{game}/rules.py", f"games/{game}/layout.py"} <= found
    assert {"agents/loop.py", "agents/workspace.py", "kernel/rng.py", "store/schema.py"} <= found
    assert not [name for name in found if name.startswith(("cli/", "report/", "stats/", "study/"))]


def test_the_kernels_name_does_not_depend_on_where_the_sources_lie(tmp_path):
    one, two = House(tmp_path / "one"), House(tmp_path / "two")
    hashes = [cache.source_hash(cache.compiled_sources(house.package)) for house in (one, two)]
    assert hashes[0] == hashes[1]
    two.write("toy/value.py", "# " + (two.package / "toy" / "value.py").read_text())
    assert cache.source_hash(cache.compiled_sources(two.package)) != hashes[0]


@pytest.mark.slow
@pytest.mark.sample
def test_an_edit_of_the_evaluation_changes_real_games(tmp_path):
    """The whole package: greedy that wants to be behind in points plays otherwise, at once."""
    source = tmp_path / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(cache.PACKAGE, source / "balance", ignore=ignored)
    shutil.copytree(cache.PACKAGE.parent / "configs", source / "configs", ignore=ignored)
    plan = source / "configs" / "plans" / "jump_masters" / "quickstart.yaml"
    environ = os.environ | {"BALANCE_CACHE_DIR": str(tmp_path / "caches"), "PYTHONPATH": str(source)}

    def digest(folder: str) -> str:
        options = [
            "--set",
            "agents=[greedy]",
            "--pairs",
            "3",
            "--no-report",
            "-q",
            "-o",
            str(tmp_path / folder),
        ]
        command = [sys.executable, "-m", "balance", "run", str(plan), *options]
        subprocess.run(command, cwd=tmp_path, env=environ, check=True, capture_output=True)
        return str(json.loads((tmp_path / folder / "manifest.json").read_text())["digest"])

    first = digest("first")
    assert digest("again") == first
    value = source / "balance" / "games" / "jump_masters" / "value.py"
    text = value.read_text()
    ahead, behind = "(state.vp[side] - best)", "(best - state.vp[side])"
    assert ahead in text
    value.write_text(text.replace(ahead, behind))
    assert digest("edited") != first
