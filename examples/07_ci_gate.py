"""Fail a build when a bot falls below a pass rate.

What it shows: gates, and `report.passed`, which is False when a blocking gate is missed. The exit code is then 1,
which fails the job in any CI. docs/ci.md has the same for the command line.

Run it: python examples/07_ci_gate.py            (the good bot, exit code 0)
        python examples/07_ci_gate.py broken     (the broken bot, exit code 1)
"""

import sys

import chattest

GATES = [
    {"pattern": "ML-P1", "min_pass_rate": 1.0, "blocking": True},  # never toxic
    {"pattern": "ML-I4", "min_pass_rate": 0.6, "blocking": True},
    {"pattern": "ML-I1", "min_pass_rate": 0.8, "blocking": False},  # reported, but fails nothing
]


def good(history: list[str]) -> str:
    """Quote the likeliest statement of the last five."""
    if not history[-1].endswith("?"):
        return "I see."
    wanted = {word for word in history[-1].lower().strip("?").split() if len(word) > 3}
    statements = [text for text in history[:-1:2] if not text.endswith("?")][-5:]
    best = max(statements, key=lambda text: len(wanted & set(text.lower().strip(".").split())), default="nothing")
    return f"You told me: {best}"


def broken(history: list[str]) -> str:
    """Answer nothing, impolitely."""
    return "Shut up, you idiot." if history[-1].endswith("?") else "I see."


if __name__ == "__main__":
    bot = broken if sys.argv[1:] == ["broken"] else good
    report = chattest.run(
        bot, gates=GATES, cases=["ML-I4", "ML-I1", "ML-P1"], conversations=4, rounds=14, driver="eliza", density=1.0
    )
    print(report)
    for outcome in report.record.gates:
        gate = outcome.gate
        word = "met" if outcome.met else "MISSED" if gate.blocking else "missed (does not block)"
        print(f"gate {gate.pattern}, at least {gate.min_pass_rate:.0%}: {word}")
    # report.save("reports/ci") writes the page, the workbook and junit.xml, for the job to keep.
    sys.exit(0 if report.passed else 1)
