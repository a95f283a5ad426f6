"""``agents.yaml`` of a game: weights of its evaluation, and settings of agents that suit it.

    game: connect_four
    weights:
      lead: {value: 1.0, source: ours}
    agents:
      mcts: {tree: atoms, exploration: 1.4}

A game without the file plays with the house's defaults (``config.agents.DEFAULTS``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, create_model

from balance.config.agents import AGENTS, SCALE, SCALE_NAME, SETTINGS, SETTINGS_OF, WEIGHT, setting
from balance.config.fields import Frozen, Kind, Real, Word, refusal
from balance.config.sourced import Sourced, sourced
from balance.config.words import as_text


@dataclass(frozen=True)
class SettingOf(Kind):
    """A value of one setting of one kind of agent."""

    agent: str
    name: str

    def check(self, value: Any) -> str | float:
        """See :class:`Kind`."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise refusal(f"must be a number or a word, not {as_text(value)}")
        return setting(self.agent, self.name, str(value))

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        known = SETTINGS.get(self.name)
        if isinstance(known, tuple):
            return {"enum": list(known)}
        taken = known or WEIGHT
        return {"type": "number", "minimum": taken.low, "maximum": taken.high}


def agents_file(game: str, weights: Iterable[str]) -> type[Frozen]:
    """The model of a game's ``agents.yaml``.

    Parameters
    ----------
    game : str
        Slug of the game.
    weights : iterable of str
        Names of the weights that its evaluation reads.
    """
    names = tuple(weights)
    ranges = {name: SCALE if name == SCALE_NAME else WEIGHT for name in names}
    weights_of = {name: sourced(f"Weight_{name}", Real(held.low, held.high)) for name, held in ranges.items()}
    table = _optional("WeightTable", weights_of)
    kinds = {kind: _kind_table(kind, names) for kind in AGENTS}
    name: Any = Annotated[str, Word((game,), "game")]
    return create_model(
        "AgentsFile",
        __base__=Frozen,
        game=(name, ...),
        weights=(table, table()),
        agents=(_optional("AgentTable", kinds), Field(None)),
    )


def _kind_table(kind: str, weights: tuple[str, ...]) -> type[Frozen]:
    allowed = (*SETTINGS_OF[kind], *weights) if AGENTS[kind] is not None else ()
    fields = {name: sourced(f"Setting_{kind}_{name}", SettingOf(kind, name)) for name in allowed}
    return _optional(f"Settings_{kind}", fields)


def _optional(name: str, fields: dict[str, Any]) -> type[Frozen]:
    return create_model(name, __base__=Frozen, **{key: (model, None) for key, model in fields.items()})  # type: ignore[call-overload, no-any-return]


def weights_in(model: Any, shipped: Any = None) -> dict[str, float]:
    """Weights of a file by name, those it leaves out from the shipped one."""
    return {**(weights_in(shipped) if shipped is not None else {}), **_values(model.weights)}


def settings_in(model: Any, shipped: Any = None) -> dict[str, dict[str, str | float]]:
    """Settings of a file by kind of agent, those it leaves out from the shipped one."""
    found = settings_in(shipped) if shipped is not None else {}
    if model.agents is None:
        return found
    for kind in type(model.agents).model_fields:
        table = getattr(model.agents, kind)
        if table is not None:
            found[kind] = {**found.get(kind, {}), **_values(table)}
    return found


def _values(table: Any) -> dict[str, Any]:
    items = {name: getattr(table, name) for name in type(table).model_fields}
    return {name: item.value for name, item in items.items() if isinstance(item, Sourced)}
