"""What must not be in a file that is given away: places on one machine, addresses of registries."""

from __future__ import annotations

import re

import pytest

from tests.house.sources import ROOT, tracked_files

FOLDERS = ("root", "work", "home", "Users", "mnt", "opt", "srv")
PLACE = re.compile(r"(?<![\w.:/)}~$-])/(?:" + "|".join(FOLDERS) + r")/\w")
HOSTS = (
    "py" + r"pi\.org",
    "python" + r"hosted\.org",
    "npm" + r"js\.(?:org|com)",
    r"[\w-]+\.art" + "ifactory",
)
HOST = re.compile("|".join(HOSTS) + r"|--(?:extra-)?index-" + r"url\b|\bind" + r"ex-url\s*=")
KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY|\bgh[pousr]_\w{20}|\bAKIA[0-9A-Z]{16}\b")
LARGEST = 500_000  # bytes


def texts():
    for path in tracked_files():
        try:
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            assert path.suffix in (".png", ".parquet", ".npz"), f"{path} is no text"


@pytest.mark.parametrize("pattern", [PLACE, HOST, KEY], ids=["place", "host", "key"])
def test_no_file_names_a_machine(pattern):
    found = [f"{name}: {match.group()}" for name, text in texts() for match in pattern.finditer(text)]
    assert found == []


def test_the_patterns_find_what_they_look_for():
    assert PLACE.search("open('/" + "root/x')")
    assert PLACE.search("path /" + "home/me/x")
    assert not PLACE.search("https://example.com/" + "home/me")
    assert HOST.search("https://py" + "pi.org/simple")


def test_no_file_is_large():
    sizes = {path.relative_to(ROOT).as_posix(): path.stat().st_size for path in tracked_files()}
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}


def test_reports_stay_out_of_the_repository():
    kept = [name for name, _ in texts() if name.startswith("reports/")]
    assert kept == ["reports/README.md"]
