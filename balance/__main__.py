"""``python -m balance`` and the ``balance`` script."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; never show a traceback for a user's mistake."""
    from balance.cli.app import run_app

    sys.exit(run_app(sys.argv[1:]))


if __name__ == "__main__":
    main()
