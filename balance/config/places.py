"""Where shipped configuration lives: inside the wheel, or beside the package in a checkout."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def shipped(*names: str) -> Traversable:
    """A folder or file of the shipped ``configs/``, from a wheel or from a source checkout."""
    inside = files("balance") / "configs"
    root = inside if inside.is_dir() else files("balance").joinpath("..", "configs")
    return root.joinpath(*names)
