"""``balance report`` and ``balance show``."""

import json
import subprocess
import sys

from balance.cli.app import run_app
from tests.stats.planted import Truth, planted_run


def test_report_prints_the_path_of_every_page(drafted, teams, patched, capsys):
    assert run_app(["report", str(drafted), str(teams)]) == 0
    assert capsys.readouterr().out.split() == [str(drafted / "report.html"), str(teams / "report.html")]


def test_show_prints_tables(drafted, patched, capsys):
    assert run_app(["show", str(drafted)]) == 0
    out = capsys.readouterr().out
    assert "HERO STRENGTH" in out and "robust" in out


def test_show_json_is_the_summary(drafted, patched, capsys):
    assert run_app(["show", str(drafted), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((drafted / "summary.json").read_text())


def test_a_folder_without_a_run_is_a_user_error(tmp_path, capsys):
    assert run_app(["show", str(tmp_path)]) == 2
    assert run_app(["report", str(tmp_path / "none")]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "error:" in captured.err and "Traceback" not in captured.err


def test_a_game_that_is_not_installed_still_gives_a_report(tmp_path):
    folder = planted_run(tmp_path / "run", Truth(), 100)
    command = [sys.executable, "-m", "balance", "report", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(folder / "report.html")
    assert "Planted Game" in (folder / "report.html").read_text()


def test_show_loads_no_figure_library(tmp_path):
    folder = planted_run(tmp_path / "run", Truth(), 50)
    code = (
        f"import sys; from balance.cli.app import run_app; run_app(['show', {str(folder)!r}]); "
        "print([m for m in ('plotly', 'jinja2', 'scipy.stats') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_run_is_analysed_once_for_page_summary_and_headlines(drafted, patched, monkeypatch):
    from balance.cli import playing
    from balance.stats import analysis

    calls, real = [], analysis.analyse

    def counted(*arguments):
        calls.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(analysis, "analyse", counted)
    (drafted / "summary.json").unlink()
    lines = playing.report(drafted)
    assert len(calls) == 1 and len(lines) == 3
    assert (drafted / "summary.json").is_file()
