"""``python -m balance`` and the ``balance`` script."""

from __future__ import annotations

import io
import os
import sys


def main() -> None:
    """Run the command line; never show a traceback for a user's mistake."""
    from balance.cli.app import run_app

    prepare_streams()
    sys.exit(run_app(sys.argv[1:]))


def prepare_streams() -> None:
    """Open the standard streams that the caller has closed, and let stdout take any text.

    The number of a closed stream would go to the next file that is opened, and libraries write to it. File
    names need not be text; what the encoding cannot express is written as an escape, as on stderr.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
