"""The machine that a measurement was made on, and how busy it was."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

LIBRARIES = ("numpy", "numba", "llvmlite", "polars")


def processor() -> str:
    """Model name of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def facts() -> dict[str, Any]:
    """Processor, cores, versions and load averages over 1, 5 and 15 minutes."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "load": [round(one, 2) for one in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }
