"""Here the kernel's fingerprint stands still, whoever edits a source, and disks are not waited for."""

from __future__ import annotations

import os

import pytest

# `jit` comes first: on import it asks for the true sources to name the folder of compiled kernels.
from balance.kernel import (
    cache,
    jit,  # noqa: F401
)


@pytest.fixture(autouse=True)
def one_kernel(monkeypatch):
    monkeypatch.setattr(cache, "source_hash", lambda: "0123456789abcdef0123")


@pytest.fixture(autouse=True)
def impatient_disk(monkeypatch):
    # tests/store sees that every file is forced to the disk; here it would be most of the time.
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def another_kernel(monkeypatch):
    """A function that makes the present kernel another one than before."""
    return lambda: monkeypatch.setattr(cache, "source_hash", lambda: "fedcba9876543210fedc")
