"""Cards as plain data: merged, checked as a whole, counted (sections 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.config.words import did_you_mean
from balance.games.krosmaster_blast.vocabulary import (
    Fault,
    Path,
    key_faults,
    mapping_faults,
    passive_faults,
    row_faults,
    whole_faults,
)

SECTIONS = ("krosmasters", "minions", "favors", "challenges")
NUMBERS = ("mp", "hp", "ap")
CARD_FIELDS = (*NUMBERS, "spells", "powers")
# What the records of the kernels have room for.
MOST = {"figures": 64, "spells": 16, "favors": 64, "bonuses": 64, "challenges": 64}
MOST_ROWS, MOST_EFFECTS, MOST_PASSIVES = 512, 1024, 256


def merged(base: Any, change: Any) -> Any:
    """A row with another merged into it, mapping by mapping; the rest is replaced, null changes nothing."""
    if change is None:
        return base
    if not isinstance(change, Mapping):
        return list(change) if isinstance(change, tuple) else change
    out = dict(base) if isinstance(base, Mapping) else {}
    for key, value in change.items():
        new = merged(out.get(key), value)
        if new is not None:
            out[key] = new
    return out


def card_faults(data: Mapping[str, Any]) -> list[Fault]:
    """Every fault of a complete set of cards, with its path."""
    found = [fault for section in SECTIONS for fault in mapping_faults(data[section], (section,))]
    if found:
        return found
    for section in ("krosmasters", "minions"):
        for name, card in data[section].items():
            found += figure_faults(card, (section, name))
    for name, row in data["favors"].items():
        found += row_faults(row, "favor", ("favors", name))
    for name, card in data["challenges"].items():
        found += challenge_faults(card, ("challenges", name))
    return found or [*_names(data), *_minions(data), *_sizes(data)]


def figure_faults(card: Any, path: Path) -> Iterator[Fault]:
    """Faults of a Krosmaster or minion."""
    yield from key_faults(card, CARD_FIELDS, path)
    if not isinstance(card, Mapping):
        return
    for key in NUMBERS:
        if key not in card:
            yield path, f"the key '{key}' is missing", ""
        else:
            yield from whole_faults(card[key], (*path, key), int(key == "hp"))
    for key in ("spells", "powers"):
        rows = card.get(key, {})
        faults = list(mapping_faults(rows, (*path, key)))
        yield from faults
        for name, row in rows.items() if not faults else ():
            where = (*path, key, name)
            yield from (
                row_faults(row, "spell", where) if key == "spells" else passive_faults(row, False, where)
            )


def challenge_faults(card: Any, path: Path) -> Iterator[Fault]:
    """Faults of a divine challenge."""
    yield from key_faults(card, ("passive", "active"), path)
    for key in ("passive", "active") if isinstance(card, Mapping) else ():
        rows = card.get(key, {})
        faults = list(mapping_faults(rows, (*path, key)))
        yield from faults
        for name, row in rows.items() if not faults else ():
            where = (*path, key, name)
            yield from (
                passive_faults(row, True, where) if key == "passive" else row_faults(row, "bonus", where)
            )


def _names(data: Mapping[str, Any]) -> Iterator[Fault]:
    for name in data["minions"]:
        if name in data["krosmasters"]:
            yield ("minions", name), f"a Krosmaster is called {name}, too", "give one another name"
    seen = set(data["favors"])
    for challenge, card in data["challenges"].items():
        for name in card.get("active", {}):
            if name in seen:
                path: Path = ("challenges", challenge, "active", name)
                yield path, f"another favor or active bonus is called {name}, too", "give one another name"
            seen.add(name)


def rows_of(data: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Every spell, favor and active bonus with its path."""
    for section in ("krosmasters", "minions"):
        for name, card in data[section].items():
            for spell, row in card.get("spells", {}).items():
                yield (section, name, "spells", spell), row
    for name, row in data["favors"].items():
        yield ("favors", name), row
    for name, card in data["challenges"].items():
        for bonus, row in card.get("active", {}).items():
            yield ("challenges", name, "active", bonus), row


def _minions(data: Mapping[str, Any]) -> Iterator[Fault]:
    for path, row in rows_of(data):
        for place, effect in enumerate(row.get("effects", [])):
            minion = effect.get("minion")
            if minion is not None and minion not in data["minions"]:
                where = (*path, "effects", place, "minion")
                yield where, f"unknown minion '{minion}'", did_you_mean(minion, data["minions"])


def _sizes(data: Mapping[str, Any]) -> Iterator[Fault]:
    figures = {**data["krosmasters"], **data["minions"]}
    bonuses = sum(len(card.get("active", {})) for card in data["challenges"].values())
    counts: list[tuple[Path, str, int]] = [
        (("krosmasters",), "figures", len(figures)),
        (("favors",), "favors", len(data["favors"])),
        (("challenges",), "bonuses", bonuses),
        (("challenges",), "challenges", len(data["challenges"])),
    ]
    for section in ("krosmasters", "minions"):
        for name, card in data[section].items():
            counts.append(((section, name, "spells"), "spells", len(card.get("spells", {}))))
    for path, what, count in counts:
        if count > MOST[what]:
            yield path, f"{count} {what}; there is room for {MOST[what]}", ""
    rows = [row for _, row in rows_of(data)]
    effects = sum(len(row.get("effects", [])) for row in rows)
    passives = sum(len(card.get("powers", {})) for card in figures.values())
    passives += sum(len(card.get("passive", {})) for card in data["challenges"].values())
    if len(rows) > MOST_ROWS or effects > MOST_EFFECTS or passives > MOST_PASSIVES:
        yield (), "more rows than there is room for", f"at most {MOST_ROWS} rows, {MOST_EFFECTS} effects"


def pool_of(data: Mapping[str, Any], values: Mapping[str, Any]) -> list[str]:
    """Favors of the deck under some parameters, sorted (section 3)."""
    names = []
    for name, row in data["favors"].items():
        kinds = {effect["kind"] for effect in row.get("effects", []) if effect["do"] == "tile"}
        if (values["superior_favors"] or not row.get("superior", False)) and kinds <= set(
            values["tile_kinds"]
        ):
            names.append(name)
    return sorted(names)
