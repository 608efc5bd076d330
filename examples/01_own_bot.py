"""Test a bot that is a Python function.

What it shows: chattest talks to your bot, tells it facts on the way, asks about them some rounds later, and judges
the answers. You get a pass rate for each thing that was tested, and failed answers with the reason.

Run it: python examples/01_own_bot.py
"""

import chattest


def long_words(text: str) -> set[str]:
    """Return the words of more than three letters."""
    return {word for word in text.lower().strip(".?!").split() if len(word) > 3}


def my_bot(history: list[str]) -> str:
    """Answer with one of the last four things that it was told. Put your own bot here.

    `history` is the conversation so far, oldest text first; the last text is the one to answer.
    """
    question = history[-1]
    if not question.endswith("?"):
        return "I see. Tell me more."
    heard = [text for text in history[:-1:2] if not text.endswith("?")][-4:]
    best = max(heard, key=lambda text: len(long_words(text) & long_words(question)), default="")
    return f"You told me: {best}" if long_words(best) & long_words(question) else "I do not know."


if __name__ == "__main__":
    # ML-I4: a fact in any wording.  ML-I1: a fact from many rounds ago.  ML-U3: a question with typing mistakes.
    report = chattest.run(my_bot, cases=["ML-I4", "ML-I1", "ML-U3"], conversations=6, rounds=20)
    print(report)

    failures = report.failures()
    certain = failures[~failures["in_doubt"]]
    print(f"\n{len(failures)} answers failed ({len(failures) - len(certain)} in doubt). One of each kind:")
    for row in certain.groupby("check").head(1).itertuples():
        print(f'\n  {row.check} asked "{row.prompt}"\n         got   "{row.reply}"\n         why   {row.reason}')
