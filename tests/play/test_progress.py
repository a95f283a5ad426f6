"""What is said while a run goes on."""

from __future__ import annotations

import sys

import pytest

from balance.cli import progress
from balance.cli.progress import Bar, Plain, Quiet, progress_of, span
from balance.errors import UsageError


class Terminal:
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("terminal", "environ", "kind"),
    [
        (True, {"TERM": "xterm"}, Bar),
        (True, {"TERM": "dumb"}, Plain),
        (True, {"TERM": "xterm", "CI": "true"}, Plain),
        (False, {"TERM": "xterm"}, Plain),
    ],
)
def test_auto_looks_at_the_terminal(monkeypatch, terminal, environ, kind):
    monkeypatch.delenv("CI", raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    if terminal:
        monkeypatch.setattr(sys, "stderr", Terminal())
    assert type(progress_of("auto", quiet=False)) is kind


@pytest.mark.parametrize(
    ("kind", "quiet", "found"), [("bar", False, Bar), ("none", False, Quiet), ("bar", True, Quiet)]
)
def test_kinds(kind, quiet, found):
    assert type(progress_of(kind, quiet)) is found


def test_an_unknown_kind():
    with pytest.raises(UsageError, match="loud"):
        progress_of("loud", quiet=False)


def test_plain_prints_a_line_every_ten_seconds(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    shown = Plain()
    shown.start(1000, 200)
    for _ in range(25):
        now[0] += 1.0
        shown.advance(20)
    shown.finish()
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "400 of 1,000 games (40 %), 20 games/s, 30 s left",
        "600 of 1,000 games (60 %), 20 games/s, 20 s left",
    ]


def test_bar_writes_to_stderr_only(monkeypatch, capsys):
    shown = progress_of("bar", quiet=False)
    shown.compiling("chess")
    shown.start(100, 0)
    shown.advance(50)
    shown.note("a part is damaged")
    shown.finish()
    out, err = capsys.readouterr()
    assert out == ""
    assert "compiling the rules of chess, usually 1-2 minutes, once per rules edit" in err
    assert "note: a part is damaged" in err


def test_a_bar_that_never_started_can_finish():
    Bar().finish()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"), (7500, "2 h 5 min")],
)
def test_spans(seconds, text):
    assert span(seconds) == text
