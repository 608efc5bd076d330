"""The command `chattest`, and `python -m chattest`: the project is the current folder."""

import sys
from pathlib import Path


def main() -> None:
    """Run the command line on the project in the current folder, whose own modules can be imported."""
    root = Path.cwd()
    if str(root) not in sys.path:  # as `python main.py` has it
        sys.path.insert(0, str(root))
    from chattest.cli.commands import main as run

    run(root, "chattest")


if __name__ == "__main__":
    main()
