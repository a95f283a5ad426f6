"""The code blocks of a page of documentation, as a reader would use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

BLOCK = re.compile(
    r"(?:<!-- test: (?P<notes>[^>]*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """One block: its language, its text, its line in the page, and the notes of the comment above it.

    Notes are ``set-up`` (the two lines that install: `.ci/run` runs them), ``games=N`` (so many games are
    played in place of thousands) and ``file=NAME`` (the text of a file that the reader is told to write).
    """

    language: str
    text: str
    line: int
    notes: dict[str, str] = field(default_factory=dict)


def blocks(page: str) -> Iterator[Block]:
    """All blocks in order."""
    for match in BLOCK.finditer(page):
        words = re.split(r",\s*", match["notes"] or "")
        notes = dict((*word.split("=", 1), "")[:2] for word in words if word)
        yield Block(match["language"], match["text"], page[: match.start("text")].count("\n"), notes)


def as_script(block: Block) -> str:
    """A shell block as a script; with fewer games where its note says so."""
    if "games" not in block.notes:
        return block.text
    return re.sub(
        r"^(balance (?:run|demo|ladder)\b[^\n#]*)",
        rf"\1 --games {block.notes['games']}",
        block.text,
        flags=re.M,
    )


def sessions(text: str) -> list[tuple[str, str]]:
    """Commands after ``$`` with the output that is shown below each; empty when the block has no ``$``."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


def file_name(block: Block) -> str:
    """The file a YAML block stands for: by its note, else ``position.yaml``, or ``cases.yaml`` for a list."""
    usual = "cases.yaml" if block.text.startswith("- ") else "position.yaml"
    return block.notes.get("file", usual)
