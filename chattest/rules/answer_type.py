"""The sort of thing that an answer is, so that facts of one sort can be told from others."""

import re

from chattest.rules.values.compare import read_values

_ASKED = {
    "name": r"who|whom|whose|names?|named|called|title",
    "place": r"where|town|city|country|island|village|street|room",
    "job": r"job|profession|for a living|work as",
    "subject": r"subject|language|teach|learn|study|studies|exam",
    "food": r"dish|drink|breakfast|lunch|dinner|soup|cake|eat|eaten|order|serve|allergic|allergy",
}
"""Sort -> the words of a question that ask for it."""


def answer_sort(question: str, answer: str) -> str:
    """`price`, `weekday`, `colour`, `name`, ...: by the value that the answer is, else by what the question asks for.

    Empty where neither tells.
    """
    values, _ = read_values(answer)
    if values:
        return values[0].sort
    fitting = (sort for sort, words in _ASKED.items() if re.search(rf"\b(?:{words})\b", question, re.IGNORECASE))
    return next(fitting, "")
