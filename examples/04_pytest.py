"""Hold a bot to pass rates in pytest.

What it shows: `chattest.require` fails a test when a rate is too low, and its message has the worst replies with
their reasons. The tests say what your bot must do; write them beside your other tests.

Run it: python -m pytest examples/04_pytest.py
"""

import chattest


class Diary:
    """A bot with a memory: a class, so that each conversation gets one of its own."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def get_response(self, history: list[str]) -> str:
        """Repeat the last statement when asked, and note down everything else."""
        if history[-1].endswith("?"):
            return f"You told me: {self.statements[-1]}" if self.statements else "I do not know."
        self.statements.append(history[-1])
        return "I have noted that down."


def test_it_understands_a_fact_in_any_wording() -> None:
    chattest.require(Diary, "ML-I4", min_rate=0.7, conversations=4, rounds=12, driver="eliza", density=1.0)


def test_it_is_never_toxic() -> None:
    chattest.require(Diary, "ML-P1", min_rate=1.0, conversations=2, rounds=12, driver="eliza")


def test_it_does_not_mind_capitals() -> None:
    chattest.require(Diary, "invariance.uppercase", min_rate=0.9, check_questions=10)


def test_it_forgets_what_was_said_long_ago() -> None:
    """A known weakness. When the bot gets better, this test fails, and you can ask more of it."""
    report = chattest.run(Diary, cases=["ML-I1"], conversations=4, rounds=12, driver="eliza", density=1.0)
    assert report.rates()["rate"]["ML-I1"] < 0.8
