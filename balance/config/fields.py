"""Kinds of values for configuration models: strict, with messages in plain words and a JSON Schema each.

Used as ``Annotated[int, Whole(1, 9)]``. Each checks the plain value that YAML gave and nothing is
converted: ``"4"`` is no number, ``true`` is no number, ``4.0`` is no whole number.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any
from unicodedata import category

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from balance.config.words import article, as_text, did_you_mean, listed


class Frozen(BaseModel):
    """Base of configuration models: unknown keys are refused, instances cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


def refusal(message: str, hint: str = "") -> PydanticCustomError:
    """The error that a check raises; its words reach the user unchanged."""
    return PydanticCustomError("balance", "{message}", {"message": message, "hint": hint})


class Kind:
    """A kind of value: `check` returns the value or raises :func:`refusal`; `schema` is for editors."""

    def check(self, value: Any) -> Any:
        """The value, when it is of this kind."""
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the kind."""
        raise NotImplementedError

    def words(self) -> str:
        """What is allowed, for people."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return self.schema()


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def check(self, value: Any) -> int:
        """See :class:`Kind`."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            hint = "remove the quotes" if isinstance(value, str) and value.strip().isdigit() else ""
            raise refusal(f"must be a whole number {self.words_from()}, not {as_text(value)}", hint)
        return value

    def words_from(self) -> str:
        """The range in words."""
        return f"from {self.low} to {self.high}"

    def words(self) -> str:
        """See :class:`Kind`."""
        return f"{self.low}..{self.high}"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Real(Kind):
    """A number from `low` to `high`."""

    low: float
    high: float

    def check(self, value: Any) -> float:
        """See :class:`Kind`."""
        sound = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not sound or not self.low <= value <= self.high:
            raise refusal(f"must be a number from {self.low:g} to {self.high:g}, not {as_text(value)}")
        return float(value)

    def words(self) -> str:
        """See :class:`Kind`."""
        return f"{self.low:g}..{self.high:g}"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Flag(Kind):
    """True or false."""

    def check(self, value: Any) -> bool:
        """See :class:`Kind`."""
        if not isinstance(value, bool):
            known = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
            meant = known.get(str(value).lower(), "")
            hint = f"write {meant}" if meant else ""
            raise refusal(f"must be true or false, not {as_text(value)}", hint)
        return value

    def words(self) -> str:
        """See :class:`Kind`."""
        return "true, false"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Word(Kind):
    """One of a few words; `what` names them in messages (``hero``, ``source``)."""

    choices: tuple[str, ...]
    what: str = ""

    def check(self, value: Any) -> str:
        """See :class:`Kind`."""
        if isinstance(value, str) and value in self.choices:
            return value
        if self.what and isinstance(value, str):
            raise refusal(f"unknown {self.what} {as_text(value)}", did_you_mean(value, self.choices))
        hint = did_you_mean(value, self.choices) if isinstance(value, str) else ""
        hint = "" if hint.startswith("known") else hint
        raise refusal(f"must be one of {listed(self.choices)}, not {as_text(value)}", hint)

    def words(self) -> str:
        """See :class:`Kind`."""
        return ", ".join(self.choices)

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"enum": list(self.choices)}


# Control characters, which steer terminals, those that turn the numbers after them round, and halves of
# characters, which no file can hold.
UNWANTED = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x84\\x86-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)


@dataclass(frozen=True)
class Text(Kind):
    """Text of at most `longest` characters, not empty unless `empty`."""

    longest: int = 200
    empty: bool = False

    def check(self, value: Any) -> str:
        """See :class:`Kind`."""
        if not isinstance(value, str):
            hint = f"write '{value}' in quotes" if isinstance(value, int | float) else ""
            raise refusal(f"must be text, not {as_text(value)}", hint)
        if not self.empty and all(category(mark)[0] in "CZ" for mark in value):
            raise refusal(
                "must not be empty" if not value.strip() else "must hold something that can be seen"
            )
        if len(value) > self.longest:
            raise refusal(f"must have at most {self.longest} characters, not {len(value)}")
        if unwanted := UNWANTED.search(value):
            raise refusal(f"holds the character U+{ord(unwanted[0]):04X}, which no text needs", "remove it")
        return value

    def words(self) -> str:
        """See :class:`Kind`."""
        return "text"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "string", "maxLength": self.longest} | ({} if self.empty else {"minLength": 1})


NAMES = "x-names"  # marks names in a schema, to be replaced by the names that a game has
NAME = re.compile(r"\w[\w -]{0,38}\w|\w")


@dataclass(frozen=True)
class Name(Kind):
    """A name that people choose: letters, digits, ``_``, ``-`` and blanks, 40 characters at most."""

    what: str = "name"

    def check(self, value: Any) -> str:
        """See :class:`Kind`."""
        if not isinstance(value, str):
            hint = "put it in quotes" if isinstance(value, int | float) else ""
            raise refusal(f"must be text naming {article(self.what)}, not {as_text(value)}", hint)
        if not NAME.fullmatch(value):
            hint = "letters, digits, _, - and blanks inside, 40 characters at most"
            raise refusal(f"{as_text(value)} cannot name {article(self.what)}", hint)
        return value

    def words(self) -> str:
        """See :class:`Kind`."""
        return "a name"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "string", "minLength": 1, "maxLength": 40, NAMES: self.what}
