"""Manifests: readable, atomic, refused in clear words when damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.errors import EnvironmentFault, RunError, UsageError
from balance.store import manifest as manifests
from balance.store.manifest import Manifest, as_text, load, locked

HEAD = {"format": 1, "game": "g", "plan": {}, "config_hash": "c", "kernel_hash": "k", "seed": 1, "cells": []}


def entry(cell, part):
    counts = {"cell": cell, "part": part, "first_pair": 0, "pairs": 1, "played": 2}
    return counts | {"checksums": {}, "sizes": {}, "sum": "0"}


def written(**changes):
    """The text of a manifest, with some of its keys changed afterwards."""
    data = Manifest(Path("nowhere"), HEAD).data()
    return json.dumps(data | changes)


def test_round_trip(tmp_path):
    manifest = Manifest(tmp_path, HEAD)
    manifest.add(entry(1, 0))
    manifest.add(entry(0, 5))
    manifest.write()
    again = load(tmp_path)
    assert (again.head, again.parts, again.digest) == (HEAD, manifest.parts, None)
    again.digest = "d"
    again.write()
    assert load(tmp_path).digest == "d"
    assert json.loads((tmp_path / "manifest.json").read_text())["complete"] is True


def test_parts_stand_in_order_whoever_came_first(tmp_path):
    one, two = Manifest(tmp_path, HEAD), Manifest(tmp_path, HEAD)
    for cell, part in ((0, 0), (0, 1), (1, 0)):
        one.add(entry(cell, part))
    for cell, part in ((1, 0), (0, 1), (0, 0)):
        two.add(entry(cell, part))
    assert as_text(one.data()) == as_text(two.data())


def test_it_is_written_every_few_seconds_not_at_every_part(tmp_path, monkeypatch):
    now, writes = [100.0], []
    monkeypatch.setattr(manifests.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(manifests, "write_atomic", lambda path, content: writes.append(now[0]))
    manifest = Manifest(tmp_path, HEAD)
    manifest.write()
    for part in range(100):
        now[0] += 0.1
        manifest.add(entry(0, part))
    assert 4 <= len(writes) <= 6


@pytest.mark.parametrize("value", [[], {}, 'ü\n"', [1, 2], [{"a": 1}, {"b": [None, True]}], None, 2**63])
def test_the_text_is_json(value):
    data = {"one": value, "two": "x"}
    assert json.loads(as_text(data)) == data


def test_one_line_a_part():
    text = as_text({"parts": [entry(0, part) for part in range(5)]})
    assert sum('"part":' in line for line in text.splitlines()) == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "broken JSON"),
        ('{"format": 1, "game"', "manifest.json:1:21: broken JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "no manifest"),
        ("{}", "has no 'game'"),
        (written(format=99), "format 99, not 1"),
        (written(seed=2), "does not fit its hash"),
        (written(cells=[{"cell": 0}]), "does not fit its hash"),
        (written(versions=3), "does not fit its hash"),
        (written(head_checksum=None), "does not fit its hash"),
        (written(parts=7), "list of parts"),
        (written(parts=[{"cell": 1}]), "list of parts"),
        (written(parts=[entry("0", 0)]), "list of parts"),
        (written(parts=[entry(0, 1.0)]), "list of parts"),
        (written(parts=[entry(0, -1)]), "list of parts"),
        (written(parts=[entry(0, 0) | {"sum": "x"}]), "list of parts"),
        (written(parts=[entry(0, 0) | {"sizes": {"games": 5}}]), "list of parts"),
        (written(parts=[entry(0, 0) | {"checksums": None}]), "list of parts"),
    ],
)
def test_damage_in_words(tmp_path, text, words):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(RunError) as caught:
        load(tmp_path)
    assert words in caught.value.message
    assert caught.value.hint


def test_a_name_too_long_for_a_folder(tmp_path):
    with pytest.raises(RunError, match="too long"):
        load(tmp_path / ("x" * 300))


def test_a_folder_in_place_of_the_manifest(tmp_path):
    (tmp_path / "manifest.json").mkdir()
    with pytest.raises(EnvironmentFault, match="cannot read"):
        load(tmp_path)


def test_the_lock_keeps_others_out_and_goes_away(tmp_path):
    with locked(tmp_path):
        with pytest.raises(UsageError, match="another balance"), locked(tmp_path):
            pass
        assert (tmp_path / ".lock").exists()
    assert not (tmp_path / ".lock").exists()
    with locked(tmp_path):
        pass


def test_a_lock_of_a_dead_process_does_not_count(tmp_path):
    (tmp_path / ".lock").write_text("")
    with locked(tmp_path):
        pass


def test_no_lock_where_nothing_can_be_written(tmp_path):
    with pytest.raises(EnvironmentFault, match="balance resume|cannot write"), locked(tmp_path / "nowhere"):
        pass
