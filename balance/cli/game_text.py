"""A game as plain text, at most 80 columns wide."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from balance.games.game import Game, Mode, Number, Ruleset

WIDTH = 80
LONG = 20  # characters of a value that stand in a table; longer ones stand under it


def listing(games: Iterable[Game]) -> str:
    """All games, one paragraph each."""
    lines = []
    for game in games:
        lines += [f"{game.slug}  {game.title}", *_wrapped(game.summary, "  ")]
    return "\n".join([*lines, "", "One in full: balance games GAME"])


def page(game: Game, ruleset: Ruleset) -> str:
    """One game in full."""
    by_path = {number.path: number for number in ruleset.numbers}
    parts = [
        [f"{game.title} ({game.slug}, version {game.version})", *_wrapped(game.summary)],
        _section("Modes", flat(table([_mode(mode) for mode in game.modes]))),
        _section("Drafts", [", ".join(game.drafts)]),
        _section("Heroes", _heroes(ruleset, by_path)),
        _section("Cards", _cards(ruleset)),
        _section("What an agent can be forbidden (restrict)", _restrictions(game)),
        _section("Teams", _teams(ruleset)),
        _section("Arenas", _arenas(ruleset, by_path)),
        _section("Parameters", _parameters(ruleset)),
        _sources(ruleset),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def table(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines of each row, in aligned columns; the last column wraps under itself."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)] if rows else []
    lines = []
    for row in rows:
        start = "  " + "".join(cell.ljust(width + 2) for cell, width in zip(row, widths, strict=False))
        lines.append(_wrapped(row[-1], start, " " * len(start)))
    return lines


def flat(lines: Iterable[list[str]]) -> list[str]:
    """All lines of all rows."""
    return [line for row in lines for line in row]


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, *(line if line.startswith("  ") else f"  {line}" for line in lines)] if lines else []


def _mode(mode: Mode) -> tuple[str, str, str]:
    sides = " against ".join(mode.side_name(side) for side in range(mode.sides))
    return mode.name, f"{mode.seats} seats", sides


def _heroes(ruleset: Ruleset, by_path: dict[str, Number]) -> list[str]:
    rows = []
    for slug, hero in ruleset.heroes.items():
        energies = "  ".join(
            f"{word} {value} ({by_path[f'heroes.{slug}.{word}'].source})"
            for word, value in hero.numbers.items()
        )
        rows += [(slug, energies), ("", hero.text)]
    return flat(table(rows))


def _restrictions(game: Game) -> list[str]:
    kinds: dict[str, list[str]] = {}
    for name in game.restrictions:
        kind, _, what = name.partition(":")
        kinds.setdefault(f"{kind}:", []).append(what)
    lines = flat(table([(kind, " ".join(names)) for kind, names in kinds.items()]))
    return lines + [
        line for name, one in game.passives.items() for line in _wrapped(f"not {name}: {one.hint}", "  ")
    ]


def _teams(ruleset: Ruleset) -> list[str]:
    rows = [(team.slug, f"{', '.join(team.heroes)} ({team.source})") for team in ruleset.teams.values()]
    return flat(table(rows))


def _arenas(ruleset: Ruleset, by_path: dict[str, Number]) -> list[str]:
    lines: list[str] = []
    for slug, arena in ruleset.arenas.items():
        text = by_path[f"arenas.{slug}"].text
        lines += flat(table([(slug, f"({arena.source}) {text}".strip())]))
        lines += [f"    {' '.join(row)}" for row in arena.rows]
    return lines


def _parameters(ruleset: Ruleset) -> list[str]:
    rules = [number for number in ruleset.numbers if number.path.startswith("rules.")]
    rows = [
        (
            number.path.removeprefix("rules."),
            value if len(value := _value(number.value)) <= LONG else "(below)",
            number.source,
            number.allowed,
        )
        for number in rules
    ]
    head, *lines = table([("name", "value", "source", "allowed"), *rows])
    meanings = [_below(_value(number.value)) + _wrapped(number.text, "      ") for number in rules]
    return head + flat(row + meaning for row, meaning in zip(lines, meanings, strict=True))


def _below(value: str) -> list[str]:
    return _wrapped(value, "      ") if len(value) > LONG else []


def _cards(ruleset: Ruleset) -> list[str]:
    """Every number deeper in a card than those of the heroes' own lines, with its value and source."""
    told = {f"heroes.{slug}.{word}" for slug, hero in ruleset.heroes.items() for word in hero.numbers}
    return flat(
        _wrapped(f"{number.path}  {_value(number.value)} ({number.source})", "  ", "      ")
        for number in ruleset.numbers
        if number.path not in told and number.path.partition(".")[0] not in ("rules", "arenas", "teams")
    )


def _sources(ruleset: Ruleset) -> list[str]:
    counted = Counter(number.source for number in ruleset.numbers)
    words = ", ".join(f"{count} {source}" for source, count in counted.items())
    return _wrapped(f"{len(ruleset.numbers)} numbers and maps: {words}.")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_value(one)}' for key, one in value.items())}}}"
    return str(value)


def _wrapped(text: str, start: str = "", later: str | None = None) -> list[str]:
    after = start if later is None else later
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=after) or [start.rstrip()]
