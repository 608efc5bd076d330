"""Test a bot on facts of your own.

What it shows: rows of questions and right answers, for what your bot should know; and test sets, TOML files such as
those of examples/own_facts/testsets/qa/, for what a user tells it and asks later.

Run it: python examples/05_own_facts.py
"""

from pathlib import Path

import pandas as pd

import chattest

KNOWN = {
    "sundays": "We open at ten on Sundays.",
    "ticket": "A ticket for a student is 5 euros.",
    "coat": "You can leave your coat in the cloakroom by the stairs.",
}
ROWS = [  # several right answers are a list
    {"question": "When does the museum open on Sundays?", "answers": ["at ten", "10 o'clock"]},
    {"question": "How much is a ticket for a student?", "answers": ["4 euros"]},
    {"question": "Where can I leave my coat?", "answers": ["in the cloakroom"]},
    {"question": "Is the museum closed on Mondays?", "answers": ["yes"]},
]


def museum_desk(history: list[str]) -> str:
    """Answer from what the desk knows, or from the last statement of the visitor that shares a long word."""
    question = history[-1].lower().strip("?.")
    for word, answer in KNOWN.items():
        if word in question:
            return answer
    if not history[-1].endswith("?"):
        return "Thank you, I have noted that."
    long_words = [word for word in question.split() if len(word) > 4]
    for statement in history[-3::-2]:
        if any(word in statement.lower() for word in long_words) and not statement.endswith("?"):
            return f"You told me: {statement}"
    return "Please ask at the desk."


if __name__ == "__main__":
    print("What the bot should know:")
    report = chattest.check(museum_desk, ["accuracy.judged"], check_files=pd.DataFrame(ROWS))
    for row in report.to_pandas().itertuples():
        print(f'  {row.verdict:5} "{row.prompt}" - "{row.reply}" (right: {row.expected})')

    print("\nWhat a visitor told it:")
    facts = Path(__file__).parent / "own_facts"
    report = chattest.run(
        museum_desk, root=facts, testsets=["qa/*"], cases=["ML-I4"], conversations=4, rounds=10, density=1.0
    )
    print(report.rates().loc[["ML-I4"], ["name", "passed", "total"]].to_string())
    for row in report.to_pandas().query("check == 'ML-I4'").head(3).itertuples():
        print(f'  {row.verdict:5} "{row.prompt}" - "{row.reply}" (right: {row.expected})')
