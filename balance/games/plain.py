"""Configuration of a game that has parameters and arenas only: no heroes, no ready-made teams.

Such a game's ``schema.py`` is a list of :class:`Parameter` and one :class:`PlainSchema`, whose attributes are
what the house asks of the module: ``KINDS``, ``Overrides``, ``OVERRIDES``, ``load_ruleset``, ``check_file``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, create_model

from balance.config.fields import Frozen, Kind, Name, Text, Word, refusal
from balance.config.sourced import CHANGED, Source, Sourced, sourced
from balance.config.validate import check, faults, in_order
from balance.config.words import as_text
from balance.config.yaml_lines import Document, join_path
from balance.errors import ConfigError, Problem
from balance.games.folder import read_folder
from balance.games.game import ArenaInfo, Number, Ruleset

OVERRIDES = "overrides"  # stands for a file in problems of overrides, whose places only the caller knows


@dataclass(frozen=True)
class Parameter:
    """One number or choice of the rules: its kind with the range, and what it means."""

    name: str
    kind: Kind
    text: str


class MapText(Kind):
    """A map as text or as a list of rows; blanks between the characters do not matter."""

    def check(self, value: Any) -> tuple[str, ...]:
        """See :class:`Kind`; gives the rows, top row first."""
        rows = value.splitlines() if isinstance(value, str) else value
        if not isinstance(rows, list | tuple) or not all(isinstance(row, str) for row in rows):
            raise refusal(f"must be a map, not {as_text(value)}", "write `map: |` and the rows below it")
        return tuple("".join(row.split()) for row in rows if row.strip())

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


class ArenaCard(Frozen):
    """One arena."""

    title: Annotated[str, Text(60)] | None = None
    text: Annotated[str, Text(300, empty=True)] = ""
    source: Source | None = None
    map: Annotated[tuple[str, ...], MapText()]


class NoHeroes(Frozen):
    """What a plan may change about heroes of a game that has none."""


@dataclass(frozen=True)
class Files:
    """The two files of a folder: their documents, and the models made of them."""

    documents: Mapping[str, Document]
    arenas: Mapping[str, ArenaCard]
    rules: Mapping[str, Sourced | None]


class PlainSchema:
    """The schema of one game.

    Parameters
    ----------
    slug : str
    configs : Traversable
        Folder with the shipped ``arenas.yaml`` and ``rules.yaml``.
    parameters : sequence of Parameter
        Every one stands in the shipped ``rules.yaml``.
    map_fault : callable
        What is wrong with the rows of a map, or empty text.

    Attributes
    ----------
    OVERRIDES : str
        Stands for a file in problems of overrides.
    KINDS : dict of str to model
        Models of the files; the file is called ``<kind>.yaml``.
    Overrides : model
        What a plan's ``rules`` and ``heroes`` may change.
    """

    OVERRIDES = OVERRIDES

    def __init__(
        self,
        slug: str,
        configs: Traversable,
        parameters: Sequence[Parameter],
        map_fault: Callable[[tuple[str, ...]], str],
    ) -> None:
        self.slug, self.configs, self.map_fault = slug, configs, map_fault
        self.parameters = {parameter.name: parameter for parameter in parameters}
        game = Annotated[str, Word((slug,), "game")]
        written = {name: (sourced(name, one.kind), Field(None)) for name, one in self.parameters.items()}
        given = {
            name: (Annotated[Any, one.kind], Field(None, description=one.text))
            for name, one in self.parameters.items()
        }
        rules = create_model("Rules", __base__=Frozen, **written)  # type: ignore[call-overload]
        changes = create_model("RuleOverrides", __base__=Frozen, **given)  # type: ignore[call-overload]
        arenas = dict[Annotated[str, Name("arena")], ArenaCard]
        self.KINDS: dict[str, type[Frozen]] = {
            "arenas": create_model("ArenasFile", __base__=Frozen, game=(game, ...), arenas=(arenas, ...)),
            "rules": create_model("RulesFile", __base__=Frozen, game=(game, ...), rules=(rules, rules())),
        }
        self.Overrides = create_model(
            "Overrides", __base__=Frozen, rules=(changes, changes()), heroes=(NoHeroes, NoHeroes())
        )

    @cached_property
    def shipped(self) -> Files:
        """The shipped configuration, read once."""
        return self.read(self.configs)

    def check_file(self, kind: str, document: Document) -> Any:
        """One document as a file of this kind; ConfigError with every fault and its place."""
        model: Any = check(self.KINDS[kind], document)
        problems = []
        if kind == "arenas":
            if not model.arenas:
                problems.append(document.problem("arenas", "names no arena", "one is needed to play"))
            for name, arena in model.arenas.items():
                if fault := self.map_fault(arena.map):
                    problems.append(document.problem(("arenas", name, "map"), fault))
        if problems:
            raise ConfigError(in_order(problems))
        return model

    def read(self, folder: Traversable | Path) -> Files:
        """Both files of a folder, checked; ConfigError with the faults of both."""
        documents, models = read_folder(folder, self.KINDS, self.check_file)
        rules = models["rules"].rules
        return Files(
            documents, models["arenas"].arenas, {name: getattr(rules, name) for name in self.parameters}
        )

    def load_ruleset(
        self,
        folder: Traversable | Path | None = None,
        overrides: Mapping[str, Any] | None = None,
        mode: str | None = None,
    ) -> Ruleset:
        """The ruleset of a configuration folder (None: the shipped one) with overrides applied.

        Raises
        ------
        ConfigError
            Every fault of the files with its place; faults of overrides have the file :data:`OVERRIDES` and
            the dotted path of the value.
        """
        files = self.shipped if folder is None else self.read(folder)
        given = {key: value for key, value in (overrides or {}).items() if value is not None}
        wrong = faults(self.Overrides, given)
        if wrong:
            raise ConfigError([Problem(OVERRIDES, 0, 0, join_path(path), *words) for path, *words in wrong])
        numbers = [self._rule(files, name, given.get("rules", {})) for name in self.parameters]
        values = {number.path.removeprefix("rules."): number.value for number in numbers}
        arenas = [self._arena(files, name) for name in files.arenas]
        return Ruleset(
            game=self.slug,
            heroes={},
            arenas={arena.slug: arena for arena, _ in arenas},
            teams={},
            values=values,
            numbers=(*numbers, *(number for _, number in arenas)),
        )

    def changed(self, ruleset: Ruleset) -> dict[str, Any]:
        """The parameters of a ruleset that differ from the shipped ones, by name."""
        usual = self.load_ruleset().values
        return {name: value for name, value in ruleset.values.items() if value != usual[name]}

    def _rule(self, files: Files, name: str, given: Mapping[str, Any]) -> Number:
        parameter, known = self.parameters[name], self.shipped.rules[name]
        if known is None:
            raise ConfigError([self.shipped.documents["rules"].problem("rules", f"lacks {name}")])
        written = files.rules[name] or known
        value = parameter.kind.check(given[name]) if given.get(name) is not None else written.value
        source = (written.source or known.source) if value == known.value else CHANGED
        words = parameter.kind.words()
        return Number(f"rules.{name}", value, source or CHANGED, words, parameter.text, known.value)

    def _arena(self, files: Files, name: str) -> tuple[ArenaInfo, Number]:
        card, known = files.arenas[name], self.shipped.arenas.get(name)
        same = known is not None and known.map == card.map
        source = (card.source or (known.source if known else None) if same else CHANGED) or CHANGED
        rows = "\n".join(card.map)
        before = "\n".join(known.map) if known else None
        info = ArenaInfo(name, card.title or name, card.map, source)
        return info, Number(f"arenas.{name}", rows, source, "a map of this game", card.text, before)
