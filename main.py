"""`python main.py` talks to the bot named in config.py, judges its replies and writes a report."""

from pathlib import Path

from chattest.cli.commands import main

if __name__ == "__main__":
    main(Path(__file__).resolve().parent)
