"""Whether a reply gives the answer as something that was so and is over: "You used to live in Dublin."."""

import re

_CLAUSE_END = re.compile(r"[.!?;:,\n–—]+(?!\d)|\s-+\s|\b(?:but|though|and then)\b", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:is|are|am|do|does|['’]m|['’]re|(?:what|where|who|when|which|how)s)\b|\w['’]s\b|"
    r"^\W*(?:who|what|which(?: \w+)?) \w+s\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:did|was|were|had|been|used to|ago|last|previous|previously|former|formerly|original|originally|before|"
    r"earlier|once|ever|yesterday|first|born|from|childhood|young)\b|\bas an? \w+ *\W*$|\bback (?:then|when)\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\bused to\b|\bany ?more\b|\bno longer\b|\bformerly\b|\bpreviously\b|\bin the past\b|\b(?:gave|given) up\b|"
    r"\bquit\b|\bstopped\b|\b(?:years|months|ages|long|a while) ago\b|\bback (?:when|then|in the day)\b|"
    r"\bin (?:your|his|her|their) (?:youth|childhood|younger years)\b|"
    r"\bas an? (?:child|kid|boy|girl|teenager|student)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|drove|wore|drank|ate|kept|sang|went|took|sat|stood|wrote|ran|taught|bought|[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_END = r"(?:until|till|up to|before)"
_ENDED = re.compile(
    rf"\b{_END}\b(?! (?:you|the) (?:told|tell|question)| that$)|\b(?:once|earlier|last year)$", re.IGNORECASE
)
_AFTERWARDS = re.compile(
    rf"\b(?:{_END}|then|now|nowadays|today|these days|not any ?more|and (?:is|are) now)\b", re.IGNORECASE
)
_NOT_OVER = re.compile(r"\b(?:still|always|not changed|to this day)\b", re.IGNORECASE)


def asks_about_now(question: str) -> bool:
    """Whether a question asks how things are: "Where do I live?", but not "Where did I live as a child?"."""
    return bool(_NOW.search(question)) and not _THEN.search(question)


def told_as_past(expected: str, reply: str) -> bool:
    """Whether a reply has the expected answer, and only in clauses that say that it was so and is over.

    The answer is found word for word. In "It was red before, but it's black now", red is past and black is not.
    """
    wanted = expected.casefold().strip(" .!?")
    if not wanted or wanted not in reply.casefold():
        return False
    clauses = _CLAUSE_END.split(reply)
    named = [at for at, clause in enumerate(clauses) if wanted in clause.casefold()]
    return bool(named) and all(_is_over(clauses[at].strip(), " ".join(clauses[at + 1 : at + 2])) for at in named)


def _is_over(clause: str, following: str) -> bool:
    if _NOT_OVER.search(clause):
        return False
    return bool(
        _OVER.search(clause)
        or (
            _PAST.search(clause)
            and (_ENDED.search(clause) or _AFTERWARDS.match(following.lstrip()) or " and is now" in clause)
        )
    )
