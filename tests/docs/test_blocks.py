"""Every code block of README and docs/ is run, page by page in a folder of its own, in the order of the page.

Languages: ``sh`` must end well; lines after ``$`` must print exactly what stands below them; ``yaml`` is
written to the file that the page tells the reader to write; ``python`` is run; ``text`` and ``json`` show
something. Two things differ from what a reader does, and a comment above the block says so:
``<!-- test: games=N -->`` plays N games where the page plays thousands, and ``<!-- test: set-up ... -->``
marks the two lines that install everything: they are the first things that ``.ci/run`` does, the second of
them with this test in it, so that a whole ``balance demo`` is played there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Block, as_script, blocks, file_name, sessions

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
WITH_BLOCKS = [name for name in PAGES if "```" in (ROOT / name).read_text(encoding="utf-8")]
SHOWN = {"text", "json"}
RUN = {"sh", "", "python", "yaml"}


def of_page(name: str) -> list[Block]:
    return list(blocks((ROOT / name).read_text(encoding="utf-8")))


def environment(folder: Path) -> dict[str, str]:
    """`balance` first in the path: that of this interpreter's installation, with this checkout's sources."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    script = tools / "balance"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m balance "$@"\n')
    script.chmod(0o755)
    paths = os.pathsep.join([str(tools), os.environ.get("PATH", "")])
    sources = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return os.environ | {"PATH": paths, "PYTHONPATH": sources}


def run(command: list[str], folder: Path, place: str) -> str:
    """Output of a command that must end well."""
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{place} leaves with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def use(block: Block, folder: Path, place: str) -> None:
    """Do with a block what its reader would do."""
    if block.language == "yaml":
        (folder / file_name(block)).write_text(block.text)
    elif block.language == "python":
        run([sys.executable, "-c", block.text], folder, place)
    elif sessions(block.text):
        for command, shown in sessions(block.text):
            assert run(["bash", "-euo", "pipefail", "-c", command], folder, place) == shown, place
    else:
        run(["bash", "-euo", "pipefail", "-c", as_script(block)], folder, place)


@pytest.mark.parametrize("name", WITH_BLOCKS)
def test_every_block_does_what_the_page_says(name, tmp_path):
    for block in of_page(name):
        place = f"{name}:{block.line}"
        assert block.language in SHOWN | RUN, f"{place}: language {block.language!r}"
        if block.language in RUN and "set-up" not in block.notes:
            use(block, tmp_path, place)


def test_the_two_set_up_lines_are_what_ci_runs():
    lines = [block.text.strip() for block in of_page("README.md") if "set-up" in block.notes]
    assert len(lines) == 2
    assert lines[0].startswith(
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/balance demo"
    )
    assert lines[1].endswith(".venv/bin/pip install -q '.[test]' && .venv/bin/python -m pytest -q")
    # .ci/run takes the lines from the README itself: look that it finds these two and no others.
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert 'bash -euo pipefail -c "$line"' in script
    taken = subprocess.run(
        ["bash", "-c", "grep '^python3 -m venv' README.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "grep '^python3 -m venv' README.md" in script
    assert taken.stdout.strip().splitlines() == lines


def test_the_readme_plays_fewer_games_only_where_it_plays_thousands():
    for name in PAGES:
        for block in of_page(name):
            if "games" in block.notes:
                assert "balance run" in block.text or "balance ladder" in block.text, f"{name}:{block.line}"
                # A game of a search costs as much as hundreds of others.
                least = 200 if "balance ladder" in block.text else 400
                assert int(block.notes["games"]) >= least, f"{name}:{block.line}"


def links(text: str) -> list[str]:
    """Targets of links and pictures that lie in the repository."""
    import re

    found = re.findall(r"\]\(([^)#\s]+)", text)
    return [target for target in found if "://" not in target]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    page = ROOT / name
    for target in links(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{name}: {target}"


def test_blocks_are_found_with_their_notes():
    page = "a\n<!-- test: games=5 -->\n```sh\nbalance run x.yaml -q\necho\n```\n\n```\n$ echo 1\n1\n```\n"
    one, two = blocks(page)
    assert (one.language, one.line, one.notes) == ("sh", 3, {"games": "5"})
    assert as_script(one) == "balance run x.yaml -q --games 5\necho\n"
    assert sessions(two.text) == [("echo 1", "1\n")]


def test_a_block_that_fails_is_found(tmp_path):
    if shutil.which("bash") is None:
        pytest.skip("no bash")
    with pytest.raises(AssertionError, match="page:7 leaves with 3"):
        use(Block("sh", "true\nexit 3\n", 7), tmp_path, "page:7")
    with pytest.raises(AssertionError):
        use(Block("", "$ echo 1\n2\n", 7), tmp_path, "page:7")
