"""``python -m balance`` and the ``balance`` script."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from typing import NoReturn


def main() -> None:
    """Run the command line; never show a traceback for a user's mistake."""
    from balance.cli.app import run_app

    prepare_streams()
    leave(run_app(sys.argv[1:]))


def leave(code: int) -> NoReturn:
    """End with a code: at once when playouts that nobody waits for any more are still at work.

    The interpreter would wait for their threads, and a compiled game ends when it ends.
    """
    if any(thread.name.startswith("balance_") for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


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
