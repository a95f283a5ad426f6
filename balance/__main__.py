"""``python -m balance`` and the ``balance`` script."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; never show a traceback for a user's mistake."""
    from balance.cli.app import run_app

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller: its number would go to the next file opened
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    sys.exit(run_app(sys.argv[1:]))


if __name__ == "__main__":
    main()
