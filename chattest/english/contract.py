"""Contract long forms: "do not" to "don't", "what is" to "what's"."""

import re
from functools import cache
from itertools import pairwise

from chattest.english.clause import AUXILIARIES, form
from chattest.english.contracted import ADVERBS, following, participle, preceding
from chattest.english.word_lists import word_list
from chattest.text.edits import Change, match_case

_VERBS = ("is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "would", "should", "could")
_NEGATIVES = {f"{verb} not": f"{verb}n't" for verb in (*_VERBS, "must", "might", "need", "ought")}
_NEGATIVES |= {"can not": "can't", "cannot": "can't", "will not": "won't", "shall not": "shan't"}
_SHORT = {"am": "'m", "are": "'re", "is": "'s", "has": "'s", "have": "'ve", "had": "'d", "will": "'ll", "would": "'d"}
_WITH = {
    "i": ("am", "have", "had", "will", "would"),
    **dict.fromkeys(("you", "we", "they"), ("are", "have", "had", "will", "would")),
    **dict.fromkeys(("he", "she"), ("is", "has", "had", "will", "would")),
    "it": ("is", "has", "will", "would"),
    **dict.fromkeys(("that", "there"), ("is", "has", "will")),
    "who": ("is", "has", "have", "will"),
    **dict.fromkeys(("what", "where", "when", "why", "how", "here"), ("is",)),
    **dict.fromkeys(("could", "should", "would", "might", "must"), ("have",)),
}
_PERFECT = frozenset(("has", "have", "had"))
_BE = frozenset(("am", "is", "are"))
_PEOPLE = frozenset(("i", "you", "he", "she", "it", "we", "they"))
_THINGS = frozenset(("it", "you", "that", "there", "here", "who", "what"))
"""What may stand behind a preposition too, and is then no subject."""
_PREPOSITIONS = word_list("contract", "prepositions")
_ASKING = frozenset(("who", "what", "where", "when", "why", "how"))
_ENDING = word_list("contract", "ending")
_TRACES = word_list("contract", "traces")
_ASKED_FOR = word_list("contract", "asked_for")
_WORD = re.compile(r"\w+")
_LONG_WORDS = frozenset(("cannot", "madam"))


def contracted(text: str) -> list[Change]:
    """Return the changes that contract every long form that people contract in speech at this position."""
    if text.isascii() and not _may_hold(text):  # the pattern takes far longer to see it
        return []
    changes = [_contraction(text, match) for match in _pattern().finditer(text)]
    return [change for change in changes if change is not None]


def _may_hold(text: str) -> bool:
    """Return True if two neighbouring words can be contracted, or one word is the long form of a contraction."""
    words = _WORD.findall(text.lower())
    return not (_pairs().isdisjoint(pairwise(words)) and _LONG_WORDS.isdisjoint(words))


@cache
def _pairs() -> frozenset[tuple[str, str]]:
    pairs = [(first, second) for first, seconds in _followers().items() for second in seconds]
    return frozenset((*pairs, ("let", "us"), ("you", "all")))


@cache
def _followers() -> dict[str, tuple[str, ...]]:
    """Map the first word of each long form to the second words that may follow."""
    followers: dict[str, tuple[str, ...]] = {}
    for long in _NEGATIVES:
        first, _, second = long.partition(" ")
        followers[first] = (*followers.get(first, ()), second)
    for who, verbs in _WITH.items():
        followers[who] = (*followers.get(who, ()), *verbs)
    followers.pop("cannot")
    return followers


@cache
def _pattern() -> re.Pattern[str]:
    firsts: dict[tuple[str, ...], list[str]] = {}
    for first, seconds in _followers().items():
        firsts.setdefault(seconds, []).append(first)
    either = "|".join(rf"(?:{'|'.join(some)})\s+(?:{'|'.join(seconds)})" for seconds, some in firsts.items())
    either += "|cannot"
    # "am not", "will not": the pronoun is contracted with its verb only where "not" is not.
    return re.compile(
        rf"\b(?:(?:{either})(?!\s+not\b)|i\s+am(?=\s+not\b)|(?P<us>let\s+us)|(?P<all>you\s+all)|(?P<lady>madam))\b",
        re.IGNORECASE,
    )


def _contraction(text: str, match: re.Match[str]) -> Change | None:
    long = " ".join(match[0].lower().split())
    after = following(text, match.end())
    if not after and long not in _NEGATIVES and not match["lady"]:
        return None
    before = preceding(text, match.start())
    if match["us"]:
        short = "let's" if not before and after and after[0] not in _ASKED_FOR else ""
    elif match["all"]:
        short = "y'all" if not before and after and after[0] in AUXILIARIES else ""
    elif match["lady"]:
        short = (
            "ma'am"
            if match[0] == "madam"
            and text[max(match.start() - 40, 0) : match.start()].rstrip().endswith(",")
            and not after
            else ""
        )
    elif long in _NEGATIVES:
        short = _NEGATIVES[long] if _negates(long, before, after) else ""
    else:
        who, verb = long.split()
        short = who + _SHORT[verb] if _unstressed(who, verb, before, after, text[match.end() :]) else ""
    return Change(*match.span(), match_case(short, match[0])) if short else None


def _negates(long: str, before: list[str], after: list[str]) -> bool:
    """Return True if a verb with "not" can be contracted: not in "not only", "did not he", "if it is or is not"."""
    first = after[0] if after else ""
    if long in ("need not", "ought not"):
        return (first == "to") is (long == "ought not") and bool(first)
    return first not in _PEOPLE | {"only", "because", "so", "a"} and before[-1:] not in (["or"], ["and"])


def _unstressed(who: str, verb: str, before: list[str], after: list[str], rest: str) -> bool:
    """Return True if the verb is unstressed, as it must be: a word follows that belongs to it."""
    if not after or rest[:1] not in (" ", "\t", "\n") or after[0] in _ENDING:
        return False
    if before[-1:] in (["and"], ["or"]) and not any(word in AUXILIARIES or form(word) for word in before):
        return False  # "my wife and I will"
    if who in _THINGS and before[-1:] and before[-1] in _PREPOSITIONS:
        return False  # "the pine beside it is 14 metres tall"
    if verb in _PERFECT:
        words = [word for word in after if word not in ADVERBS and word != "not"][:1]
        inverted = before[-1:] and re.sub(r"n['’]t$", "", before[-1]) in AUXILIARIES | {"ca", "wo", "sha"}
        return bool(words) and not inverted and words != ["to"] and _done(verb, words[0], after)
    if who == "here":
        return not before
    if verb in _BE and who in _PEOPLE:  # "I know how old he is today": the complement is in front
        return not any(word in _TRACES for word in before[-6:])
    if who in _ASKING and after[0] in _PEOPLE:  # "what is it?", but "what's it called?"
        return len(after) > 1 and (participle(after[1]) or after[1].endswith("ing"))
    return True


def _done(verb: str, word: str, after: list[str]) -> bool:
    """Return True if the word after "have", "has" or "had" makes a perfect: "have seen", "had better"."""
    if verb == "had" and after[0] == "better":
        return True
    return participle(word) or word in ("become", "come", "got")
