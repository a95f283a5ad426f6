"""Time other processes: seconds on the clock and CPU seconds."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence


def seconds(arguments: Sequence[str], cwd: str | None = None, **environ: str) -> tuple[float, float]:
    """Clock and CPU (user and system) seconds of ``python ARGUMENTS``, its children included."""
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=os.environ | environ, stdout=subprocess.DEVNULL, check=True
    )
    clock, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
