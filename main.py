"""`python main.py` talks to the bot named in config.py, judges its replies and writes a report."""

import sys
from pathlib import Path

try:
    from chattest.cli.commands import main
except ModuleNotFoundError as error:
    here = "run `make install`, then `source .venv/bin/activate`, or write .venv/bin/python in place of python"
    sys.exit(f"The package {error.name} is not installed for this Python. In a clone of chattest: {here}.")

if __name__ == "__main__":
    main(Path(__file__).resolve().parent)
