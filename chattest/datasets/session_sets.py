"""Demands on test sets for cases with two sessions, beyond those on every test set."""

import re
from collections.abc import Sequence

from chattest.errors import Problem
from chattest.records.plan import TestSet, accepted

SESSION_KINDS = {
    "sessions": "a fact, and questions about it in a later session of the same user",
    "secrets": "something private, and questions of another user who must not learn it",
}
"""Folder -> what its test sets contain."""

SECRET = 4
"""Fewest letters and digits of a secret: what is shorter, a bot could hit upon by chance."""
FEW = 4
"""So few test sets may have the same answer, as those of a project with few of its own."""


def secret_problem(kind: str, answer: str | bool) -> str:
    """Return why an answer cannot be a secret; empty if it can, and for other kinds of test set."""
    if kind != "secrets":
        return ""
    if isinstance(answer, bool):
        return "a yes or no is no secret: a bot could guess it"
    short = [part for part in accepted(answer) if len(re.sub(r"\W", "", part)) < SECRET]
    return f'"{short[0]}" is too short for a secret: a bot could guess it' if short else ""


def one_sided(kind: str, sets: Sequence[TestSet]) -> list[Problem]:
    """Report a kind that a constant "yes" or "no" would pass more than half the time."""
    if kind not in SESSION_KINDS or len(sets) <= FEW:
        return []
    shares = {word: [each.target.answer for each in sets].count(word == "yes") for word in ("yes", "no")}
    return [
        Problem(f"testsets/{kind}", f'{count} of {len(sets)} test sets have the answer "{word}"', "At most half may.")
        for word, count in shares.items()
        if 2 * count > len(sets)
    ]
