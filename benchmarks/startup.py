"""Time of the two commands that need no model: `main.py --help` and `main.py plan`."""

import subprocess
import sys

from benchmarks.measuring import ROOT, in_turn, tell


def command(*words: str) -> None:
    subprocess.run([sys.executable, "main.py", *words], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


def main() -> None:
    command("plan")  # the first call compiles, and reads the files into memory
    help_, plan = in_turn(5, lambda: command("--help"), lambda: command("plan"))
    tell("`python main.py --help`", help_, "s", "under 0.4", help_ < 0.4)
    tell("`python main.py plan`", plan, "s", "under 1.5", plan < 1.5)


if __name__ == "__main__":
    main()
