"""The command line over the fake kernel: ``python -m tests.play.fake_cli run PLAN ...``."""

from __future__ import annotations

import os
import sys

from balance.__main__ import leave
from balance.cli.app import run_app
from balance.kernel import cache
from balance.play import run
from tests.play.fakes import FakeKernel


def main() -> None:
    cache.source_hash = lambda sources=None: "0123456789abcdef0123"
    run.real_kernel = lambda: FakeKernel(seconds=float(os.environ.get("FAKE_SECONDS", "0")))
    leave(run_app(sys.argv[1:]))


if __name__ == "__main__":
    main()
