"""Reads answers that say yes or no with the verb of the question: "It does.", "You can't, sorry.", "I'm afraid not"."""

from __future__ import annotations

import re
from typing import Literal

from chattest.rules.dialogue_act import asks_yes_or_no, denials

_KINDS = {
    "be": ("is", "are", "am", "was", "were"),
    "do": ("do", "does", "did"),
    "have": ("has", "have", "had"),
    "can": ("can", "could", "may", "might"),
    "will": ("will", "would", "shall"),
    "should": ("should",),
    "must": ("must",),
}
_KIND = {verb: kind for kind, verbs in _KINDS.items() for verb in verbs}
_VERB = "|".join(_KIND)
_ASKS = re.compile(rf"\A\W*({_VERB})\b", re.IGNORECASE)
_LEAD = (
    r"(?:(?:oh|well|sorry|sadly|unfortunately|indeed|actually|i'm afraid|i am afraid|i'm sorry|of course|sure|"
    r"generally|normally|usually|probably|likely|most likely|technically|officially|legally|strictly speaking|"
    r"as a rule|in general|in principle)\b[,.!]? )"
)
_END = r"(?=\s*(?:[,.;:!–—]|-\s|\Z))"
_ECHO = re.compile(
    rf"\A\W*{_LEAD}{{0,2}}(?P<who>it|they|we|you|he|she|i|there|that|this) "
    rf"(?:(?P<verb>{_VERB})(?P<denied>n't| not)?|(?P<irregular>can't|cannot|won't))"
    rf"(?: (?:indeed|now|so|too|sorry))?{_END}",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"\A\W*{_LEAD}{{0,2}}(?:(?P<yes>yes|i'm afraid so|afraid so|please do|go ahead|go right ahead)"
    r"|(?P<no>no|not|i'm afraid not|afraid not|please don't|"
    r"not (?:at all|yet|any ?more|any longer|at present|at the moment|right now|currently|today|really)))"
    rf"{_END}",
    re.IGNORECASE,
)
_NO_NEED = re.compile(
    rf"\A\W*{_LEAD}{{0,2}}(?:(?:there's |there is )?no need|(?:you|they|he|she|we) needn't)\b", re.IGNORECASE
)
_NEED = re.compile(r"\b(?:need|have to|has to|must|should|required|necessary)\b", re.IGNORECASE)
_LAST = re.compile(r"[,;:–—] ?(?:(?:and )?so )?(yes|no)\W*\Z", re.IGNORECASE)
_POLAR = re.compile(r"\b(?:yes|yeah|yep|yup|no|nope|nah)\b", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"\b(?:but|wait|actually|or|unless|depends|though|although|however|except)\b|\?", re.IGNORECASE
)
_IRREGULAR = {"can't": "can", "cannot": "can", "won't": "will"}


def echoed(question: str, answer: str) -> Literal["yes", "no"] | None:
    """The yes or no that an answer gives in the verb of the question, or as its last word; else `None`.

    A question with a denial is never sure, and neither is an answer that takes something back: "You can, but ...".
    """
    kind = _asked(question)
    flat = answer.replace("’", "'")
    if kind is None or denials(question) or _TAKEN_BACK.search(flat):
        return None
    if match := _ECHO.match(flat):
        said = _IRREGULAR.get((match["irregular"] or "").casefold()) or _kind(match["verb"])
        advised = kind == "should" and said == "will" and match["who"].casefold() == "i"
        return None if said != kind and not advised else "no" if match["denied"] or match["irregular"] else "yes"
    if match := _WHOLE.match(flat):
        return "yes" if match["yes"] else "no"
    if _NO_NEED.match(flat) and _NEED.search(question):
        return "no"
    last = _LAST.search(flat)
    if last and len(_POLAR.findall(flat)) == 1:
        return "yes" if last[1].casefold() == "yes" else "no"
    return None


def _asked(question: str) -> str | None:
    """The kind of the verb that a question of yes or no begins with."""
    if not asks_yes_or_no(question):
        return None
    whole = question.strip()
    asked = whole[max(whole.rstrip(".!?").rfind(mark) for mark in ".!?") + 1 :]
    clauses = [clause for clause in asked.split(",") if _ASKS.match(clause)]
    return _kind(_ASKS.match(clauses[0])[1]) if clauses else None  # type: ignore[index]


def _kind(verb: str) -> str | None:
    """Return the kind of a verb. "dİd" matches "did" without regard to case, and is another word in lower case."""
    return _KIND.get(verb.casefold())
