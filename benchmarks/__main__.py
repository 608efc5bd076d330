"""Runs every benchmark in a process of its own, and prints a table: `make bench`."""

import json
import subprocess
import sys

from benchmarks.measuring import MARK, ROOT, machine, seconds

EVERY = ("startup", "turns", "many", "lockstep", "workers", "judging", "batches", "again", "accelerator")


def main(names: list[str]) -> int:
    figures = []
    failed = []

    def run(name: str) -> None:
        with subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.{name}"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as running:
            assert running.stdout is not None
            for line in running.stdout:
                if line.startswith(MARK):
                    figures.append(json.loads(line.removeprefix(MARK)))
                else:
                    print(line, end="", flush=True)
        if running.returncode:
            failed.append(name)

    for name in names or EVERY:
        print(f"-- {name}", flush=True)
        print(f"   {seconds(lambda name=name: run(name)):.0f} s\n", flush=True)
    print(f"{machine()}\n\n| what | measured | should be | |\n|---|---:|---|---|")
    for figure in figures:
        verdict = "met" if figure["met"] else "**missed**"
        print(f"| {figure['what']} | {figure['value']:.3g} {figure['unit']} | {figure['bar']} | {verdict} |")
    if failed:
        print(f"\nNot measured because they failed: {', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
