"""Values with provenance: ``{value: 4, source: assumed}``, or the bare value."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import GetJsonSchemaHandler, create_model, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from balance.config.fields import Frozen, Kind, Word

#: Where a number may come from: printed in the rulebook; read off a photo; assumed, as nobody printed it;
#: a reading where the rulebook is silent or two-faced; an addition of ours; fitted by our own play.
SOURCES = ("printed", "photo", "assumed", "reading", "ours", "fitted")
CHANGED = "changed"  # what a value is called that differs from the shipped one

Source = Annotated[str, Word(SOURCES)]


class Sourced(Frozen):
    """A value and where it comes from; made by :func:`sourced`."""

    value: Any
    source: Source | None = None

    @model_validator(mode="before")
    @classmethod
    def bare(cls, data: Any) -> Any:
        """A bare value stands for a value without a source."""
        return data if isinstance(data, dict | cls) else {"value": data}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        whole = handler.resolve_ref_schema(handler(core))
        return {"anyOf": [whole["properties"]["value"], dict(whole)]}


def sourced(name: str, kind: Kind) -> type[Sourced]:
    """A model of a value of this kind with its source."""
    return create_model(name, __base__=Sourced, value=(Annotated[Any, kind], ...))
