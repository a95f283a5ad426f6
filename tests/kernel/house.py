"""A copy of the kernel layer in a folder of its own, with a toy module that compiles in a second.

The copy is named ``balance`` as well, so that what looks for the package's sources finds the copy's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "balance"

LAYOUT = "LIMIT = 40\n"
VALUE = """from balance.kernel.jit import kernel
from balance.toy import layout


@kernel
def worth(number):
    return number * 2 + layout.LIMIT
"""
RULES = """from balance.kernel import jit
from balance.toy.value import worth


def total(number):
    return worth(number) + 1


TOTAL = jit.compiled(total, None if jit.PURE_PYTHON else jit.types.int64(jit.types.int64))
"""
ASK = """
from balance.kernel import cache, jit
from balance.toy.rules import TOTAL
stats = getattr(TOTAL, "stats", None)
print(TOTAL(1), cache.cache_folder(), sum(stats.cache_misses.values()) if stats else "pure")
"""


class House:
    """A package ``balance`` with the real kernel layer and one toy, under `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.package = root / "source" / "balance"
        self.caches = root / "caches"
        copied = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE / "kernel", self.package / "kernel", ignore=copied)
        for name, text in {"__init__": "", "layout": LAYOUT, "value": VALUE, "rules": RULES}.items():
            self.write(f"toy/{name}.py", text)
        shutil.copy(PACKAGE / "__init__.py", self.package)

    def write(self, name: str, text: str) -> None:
        """Write a source file of the package."""
        path = self.package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def ask(self, **flags: str) -> tuple[int, Path, str]:
        """Result, cache folder and number of compilations of a fresh process."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
        environ = (
            kept | {"BALANCE_CACHE_DIR": str(self.caches), "PYTHONPATH": str(self.package.parent)} | flags
        )
        command = [sys.executable, "-W", "error::UserWarning", "-c", ASK]
        done = subprocess.run(
            command, cwd=self.root, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        result, folder, compiled = done.stdout.split()
        return int(result), Path(folder), compiled
