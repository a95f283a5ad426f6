"""Compilation: `@kernel` for helpers, `compiled` for functions with a fixed signature.

With ``NUMBA_DISABLE_JIT=1`` both leave the Python function as it is: the same source runs in pure Python.
"""

from __future__ import annotations

import gc
import os
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from balance.kernel import cache

# Numba reads the variable when it is first imported, and resets the setting whenever another
# NUMBA_* variable changes later: only the environment variable is safe.
os.environ["NUMBA_CACHE_DIR"] = str(cache.cache_folder())

import numba  # noqa: E402
from numba import types  # noqa: E402
from numba.core.errors import NumbaExperimentalFeatureWarning  # noqa: E402

from balance.kernel.helpers import HelperCompiler  # noqa: E402

PURE_PYTHON = bool(getattr(numba.config, "DISABLE_JIT", False))
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": None}
HELPER: dict[str, Any] = OPTIONS | {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": HelperCompiler,
}
DAMAGED = (EOFError, pickle.UnpicklingError, IndexError, UnicodeDecodeError)

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)
if PURE_PYTHON:
    # 64-bit products wrap on purpose in the random streams; NumPy scalars would warn each time.
    np.seterr(over="ignore")


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A helper that is compiled together with whoever calls it.

    It is not cached on its own and, compiled, cannot be called from Python: the wrapper that this would
    need costs a third of all compilation time. Its code is optimised once, with its outermost caller (see
    `helpers`). Give what Python calls a signature (`typed`).
    """
    return function if PURE_PYTHON else numba.njit(**HELPER)(function)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A helper that becomes a part of its caller: for those called in one place with many arguments.

    A bundle of arrays is handed over field by field, fifty words and more, which costs more than a small
    helper does.
    """
    return function if PURE_PYTHON else numba.njit(**HELPER, forceinline=True)(function)


def typed(signature: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A helper with one fixed signature, ``typed(lambda types: types.int64(types.int64))``.

    Arguments are cast to it; without, a helper is compiled anew for every mixture of integer types.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        return function if PURE_PYTHON else compiled(function, signature(types))

    return decorate


def compiled(function: Callable[..., Any], signature: Any) -> Callable[..., Any]:
    """Compile `function` now for one signature, or load it from the disk cache.

    Each call makes a dispatcher of its own: generic loops are instantiated once a game this way.
    A damaged cache file makes the whole folder go, once.
    """
    if PURE_PYTHON:
        return function
    try:
        return _compile(function, signature)
    except DAMAGED:
        cache.empty(cache.cache_folder())
        return _compile(function, signature)


def _compile(function: Callable[..., Any], signature: Any) -> Callable[..., Any]:
    """Compile or load; the compiler's millions of objects live on, so collecting garbage only costs time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return numba.njit(signature, cache=True, **OPTIONS)(function)
    finally:
        if collecting:
            gc.enable()


def record_type(dtype: np.dtype) -> Any:
    """The compiler's type of one record of `dtype`."""
    return numba.from_dtype(dtype)


def function_type(signature: Any) -> Any:
    """The type of a compiled function passed as an argument."""
    return types.FunctionType(signature)


def new_record(dtype: np.dtype) -> Any:
    """A zeroed record with attribute access, usable both in kernels and in pure Python."""
    return np.zeros(1, np.dtype((np.record, dtype)))[0]


def new_records(count: int, dtype: np.dtype) -> Any:
    """`count` zeroed records in one array with attribute access on its items."""
    return np.zeros(count, np.dtype((np.record, dtype)))
