"""What many positions are worth under many sets of weights: for fitting weights to results."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.games.game import Game
from balance.kernel import jit
from balance.kernel.contract import SEATS, Contract, bundle
from balance.kernel.unowned import unowned

_lock = threading.Lock()
_kernels: dict[str, Any] = {}


def estimate_all(functions, states, outlooks, scores, found):
    """Fill `found` with the estimate of every position under every outlook, shape (m, n, sides)."""
    rules = bundle(functions)
    positions, views, taken = unowned(states), unowned(outlooks), unowned(scores)
    for view in range(views.shape[0]):
        for place in range(positions.shape[0]):
            rules.evaluate(positions[place], views[view], taken)
            for side in range(found.shape[2]):
                found[view, place, side] = taken[side]


def estimates(
    game: Game, tables: Any, states: np.ndarray, names: Sequence[str], weights: np.ndarray, sides: int
) -> np.ndarray:
    """Estimates of positions of one arena.

    Parameters
    ----------
    game : Game
    tables : record
        Of the arena; weights that are not named stay as they are in it.
    states : records, shape (n,)
    names : sequence of str
        Names of k weights.
    weights : ndarray, shape (m, k)
    sides : int

    Returns
    -------
    ndarray, shape (m, n, sides)
    """
    contract: Contract = game.part("rules").CONTRACT
    outlooks = jit.new_records(len(weights), contract.tables)
    for view, row in enumerate(weights):
        outlooks[view] = tables
        for name, value in zip(names, row, strict=True):
            outlooks[view]["weights"][name] = value
    found = np.zeros((len(weights), len(states), sides))
    _kernel(game, contract)(contract.rules(), states, outlooks, np.zeros(SEATS), found)
    return found


def _kernel(game: Game, contract: Contract) -> Any:
    with _lock:
        if game.slug not in _kernels:
            _kernels[game.slug] = jit.compiled(estimate_all, _signature(contract))
        return _kernels[game.slug]


def _signature(contract: Contract) -> Any:
    if jit.PURE_PYTHON:
        return None
    t = jit.types
    states, tables = jit.record_type(contract.state)[::1], jit.record_type(contract.tables)[::1]
    return t.void(contract.rules_type(), states, tables, t.float64[::1], t.float64[:, :, ::1])
