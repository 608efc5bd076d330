"""Memory and time from 10 to 10,000 conversations of 50 rounds, scripted bots, judging off; each in a fresh process."""

import json
import math
import sys

from benchmarks.measuring import apart, peak, seconds, tell
from benchmarks.turns import talk


def slope(numbers: list[int], times: list[float]) -> float:
    """Slope of log time over log number, by least squares."""
    xs, ys = [math.log(number) for number in numbers], [math.log(time) for time in times]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def main(most: int = 10_000) -> None:
    numbers = [number for number in (10, 100, 1000, 10_000) if number <= most]
    figures_of = {number: apart("many", "once", str(number)) for number in numbers}
    for number, figures in figures_of.items():
        print(f"{number} conversations: {figures['seconds']:.2f} s, {figures['megabytes']:.0f} MB")
    growth = figures_of[numbers[-1]]["megabytes"] / figures_of[100]["megabytes"]
    rise = slope(numbers, [figures["seconds"] for figures in figures_of.values()])
    tell(
        f"memory of {numbers[-1]:,} conversations beside 100",
        growth,
        "times",
        "at most 1.3",
        growth <= 1.3,
        runs=figures_of,
    )
    tell(f"log time over log number, 10 to {numbers[-1]:,}", rise, "slope", "at most 1.05", rise <= 1.05)


def once(number: int) -> None:
    """One run in this process; the imports and the first conversation are not counted in its time."""
    talk(1)
    print(json.dumps({"seconds": seconds(lambda: talk(number)), "megabytes": peak()}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["once"]:
        once(int(sys.argv[2]))
    else:
        main(*map(int, sys.argv[1:]))
