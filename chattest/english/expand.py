"""Expand contractions: "couldn't" to "could not", and "isn't it" to "is it not"."""

import re

from chattest.english.clause import AUXILIARIES, lemmas
from chattest.english.contracted import following, had_or_would, is_or_has, participle, preceding
from chattest.text.edits import Change, match_case

_FIXED = {"ma'am": "madam", "how'd'y": "how do you", "let's": "let us", "y'all": "you all"}
_PARTS = re.compile(r"(y'all|[a-z]+?)(n't)?(?:'(d|ll|re|s|m|ve))?('ve)?")
_PRONOUNS = frozenset(("i", "you", "he", "she", "it", "we", "they", "there", "that", "y'all"))
_ASKING = frozenset(("who", "what", "where", "when", "why", "how"))
_MODALS = frozenset(("could", "should", "would", "might", "must", "will", "may"))
_VERBS = (AUXILIARIES | {"need", "ought", "ai", "wo", "ca", "sha"}) - {"am", "can", "will", "shall"}
_WHOLE = {"wo": "will", "ca": "can", "sha": "shall"}
_TAILS = {"re": "are", "ve": "have", "ll": "will", "m": "am"}
_MOVED = frozenset(("i", "you", "he", "she", "it", "we", "they", "there"))
_JOINING = frozenset(("and", "but", "so", "or"))


def expanded(text: str, match: re.Match[str]) -> Change | None:
    """Return the change that expands a contraction; `None` if its long form is unsure.

    The match is a word with an apostrophe. In a question, "not" goes after the pronoun that follows the verb.
    """
    short = match[0].lower().replace("’", "'")
    if long := _FIXED.get(short):
        return Change(*match.span(), match_case(long, match[0]))
    parts = _PARTS.fullmatch(short)
    if parts is None:
        return None
    who, negative, tail, have = parts.groups()
    if negative:
        return _negative(text, match, who, "have" if tail == "ve" or have else "") if tail in (None, "ve") else None
    after = following(text, match.end())
    said = _said(who, tail, have, after)
    if not said:
        return None
    written = match[0][: len(who)] if who != "y'all" else match_case("you all", match[0])
    return Change(*match.span(), f"{written}{said.upper() if _loud(match[0], who) else said}")


def _loud(short: str, who: str) -> bool:
    """Return True if the text after the pronoun is in capitals."""
    return short[len(who) :].isupper()


def _said(who: str, tail: str | None, have: str | None, after: list[str]) -> str:
    """Return what follows the pronoun, question word or modal, with a blank in front; empty if it is unsure."""
    if tail is None:
        return ""
    behind = " have" if have else ""
    if tail == "ve" and (who in _MODALS | _PRONOUNS | _ASKING or who == "to"):
        return " have"
    if who not in _PRONOUNS | _ASKING or (tail == "m" and who != "i"):
        return ""
    if tail in _TAILS:
        return f" {_TAILS[tail]}{behind}"
    if tail == "d":
        verb = "would" if have else _asked_did(who, after) if who in _ASKING else had_or_would(after)
    else:
        verb = _asked_is(after) if who in _ASKING else is_or_has(after)
    return f" {verb}{behind}" if verb else ""


def _asked_did(who: str, after: list[str]) -> str:
    """Return what "'d" after a question word means: "where'd you go" is "where did you go"."""
    if after and after[0] in _MOVED:
        base = len(after) > 1 and after[1] in lemmas(after[1])
        return "did" if base and who != "who" and after[1] not in ("like", "be") else ""
    return had_or_would(after) if who == "who" else ""


def _asked_is(after: list[str]) -> str:
    """Return what "'s" after a question word means; before a pronoun the verb decides."""
    if after and after[0] in _MOVED:
        verb = after[1] if len(after) > 1 else ""
        if verb in ("been", "got", "had", "done"):
            return "has"
        return "" if verb in lemmas(verb) or (participle(verb) and verb not in ("called", "made")) else "is"
    return is_or_has(after)


def _negative(text: str, match: re.Match[str], verb: str, have: str) -> Change | None:
    """Return the long form of a verb with "n't"."""
    if verb not in _VERBS:
        return None
    before, after = preceding(text, match.start()), following(text, match.end())
    full = _is_not(before, after) if verb == "ai" else _WHOLE.get(verb, verb)
    if not full:
        return None
    asked = not before or before[-1] in (_ASKING - {"who"}) | _JOINING
    if asked and after and after[0] in _MOVED:
        return None if have or verb == "ai" or not _question(text, match.end()) else _turned(text, match, full)
    commanded = verb == "do" and after and after[0] in lemmas(after[0]) and not _question(text, match.end())
    if asked and not commanded and not (before and before[-1] in _JOINING):
        return None
    behind = f" {have}" if have else ""
    long = "cannot" if full == "can" else f"{full} not"
    return Change(*match.span(), match_case(long + behind, match[0]))


def _turned(text: str, match: re.Match[str], full: str) -> Change | None:
    """Return the long form in a question: "is he not" for "isn't he"."""
    pronoun = re.compile(r"(?<!\s)\s+(\w+)").match(text, match.end())
    if pronoun is None:
        return None
    if full == "are" and pronoun[1] == "I":
        full = "am"
    not_ = "NOT" if match[0].isupper() else "not"
    return Change(match.start(), pronoun.end(), f"{match_case(full, match[0])} {pronoun[1]} {not_}")


def _is_not(before: list[str], after: list[str]) -> str:
    """Return the verb of "ain't", by its subject and the words after it; empty if it is unsure."""
    subject = before[-1] if before else ""
    if not after or after[0] in ("no", "nobody", "nothing", "never", "got") or participle(after[0]):
        return ""
    verbs = dict.fromkeys(("you", "we", "they"), "are") | dict.fromkeys(("he", "she", "it", "that", "this"), "is")
    return (verbs | {"i": "am"}).get(subject, "")


def _question(text: str, end: int) -> bool:
    """Return True if the sentence ends with a question mark."""
    mark = re.search(r"[.!?]", text[end:])
    return mark is not None and mark[0] == "?"
