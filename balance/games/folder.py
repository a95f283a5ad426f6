"""Reading the YAML files of a game's configuration folder, with the faults of all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from balance.config.validate import in_order
from balance.config.yaml_lines import Document, decode, load_yaml, load_yaml_text
from balance.errors import ConfigError, Problem

Folder = Traversable | Path


def read_folder(
    folder: Folder,
    kinds: Iterable[str],
    check_file: Callable[[str, Document], Any],
    instead: Mapping[str, Folder] | None = None,
) -> tuple[dict[str, Document], dict[str, Any]]:
    """Documents and checked models of the files ``<kind>.yaml`` of a folder, by kind.

    Parameters
    ----------
    folder : Traversable or Path
    kinds : iterable of str
    check_file : callable
        From kind and document to the model; raises ConfigError.
    instead : mapping of str to Traversable or Path
        Folders that stand in for a kind whose file `folder` does not have.

    Raises
    ------
    ConfigError
        Every fault of every file, with its place.
    """
    problems: list[Problem] = []
    documents: dict[str, Document] = {}
    models: dict[str, Any] = {}
    for kind in kinds:
        name, place = f"{kind}.yaml", folder
        if instead and kind in instead and not folder.joinpath(name).is_file():
            place = instead[kind]
        try:
            documents[kind] = read_document(place, name)
            models[kind] = check_file(kind, documents[kind])
        except ConfigError as error:
            problems += error.problems
    if problems:
        raise ConfigError(in_order(problems))
    return documents, models


def read_document(folder: Folder, name: str) -> Document:
    """One file of a folder, which may lie in an installed package; raises ConfigError."""
    place = folder.joinpath(name)
    if isinstance(place, Path):
        return load_yaml(place)
    return load_yaml_text(decode(place.read_bytes(), str(place)), str(place))
