"""Find out whether a new version of a bot is better than the old one.

What it shows: both versions are asked the same questions in the same rounds (the same seed), and a significance test
says which differences are more than chance.

Run it: python examples/06_compare_versions.py
"""

from functools import partial

import chattest


def answer(history: list[str], remembered: int) -> str:
    """Answer with the likeliest of the last few statements."""
    if not history[-1].endswith("?"):
        return "I see."
    wanted = {word for word in history[-1].lower().strip("?").split() if len(word) > 3}
    statements = [text for text in history[:-1:2] if not text.endswith("?")][-remembered:]
    best = max(statements, key=lambda text: len(wanted & set(text.lower().strip(".").split())), default="nothing")
    return f"You told me: {best}"


def version_1(history: list[str]) -> str:
    """Remember the last two statements."""
    return answer(history, 2)


def version_2(history: list[str]) -> str:
    """Remember everything, but lose patience in every fourth round."""
    reply = answer(history, 1000)
    return "Shut up, you stupid cow." if reply == "I see." and len(history) % 8 == 1 else reply


if __name__ == "__main__":
    test = partial(
        chattest.run,
        cases=["ML-I4", "ML-I1", "ML-P1"],
        conversations=10,
        rounds=16,
        driver="eliza",
        density=1.0,
        seed=1,
    )
    before = test(version_1)
    after = test(version_2)
    comparison = chattest.compare(before, after)

    # better, worse: questions that only the new or only the old version passed. p: the chance of so much by luck alone.
    print(comparison.to_pandas()[["first", "second", "better", "worse", "p", "verdict"]].round(3).to_string())
    print("\nprint(comparison) shows intervals, too, and what the two versions said where they differ.")
