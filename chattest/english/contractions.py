"""Contract long forms, expand contractions, and read contracted verbs in their context.

"Do not" becomes "don't", "what is" becomes "what's"; "couldn't" becomes "could not", "isn't it" becomes "is it not".
"She's" is "she is" or "she has", and "I'd" is "I had" or "I would": the words after it decide.
"""

import re
from functools import cache

from chattest.english.clause import AUXILIARIES, find_lemmas, form, is_participle
from chattest.english.word_lists import read_table, read_word_list
from chattest.text.edits import Change, match_case
from chattest.text.split import WORD

ADVERBS = read_word_list("contracted", "adverbs")
_HAS = read_word_list("contracted", "has")
_STATES = read_word_list("contracted", "states")
_OBJECTS = read_word_list("contracted", "objects")
_SAME = read_word_list("contracted", "same")
_PLURAL = read_word_list("contracted", "plural")
_MARK = re.compile(r"[.,;:!?()\"“”\n]")
_MAYBE = read_word_list("contraction", "either_adverbs")
_REACH = 80
"""How many characters before and after a contraction are read."""

_NEGATIVES = {f"{verb} not": f"{verb}n't" for verb in sorted(read_word_list("contraction", "negated"))}
_NEGATIVES |= {"can not": "can't", "cannot": "can't", "will not": "won't", "shall not": "shan't"}
_SHORT = {"am": "'m", "are": "'re", "is": "'s", "has": "'s", "have": "'ve", "had": "'d", "will": "'ll", "would": "'d"}
_WITH = {who: tuple(verbs.split()) for who, verbs in read_table("grammar")["contracted_verbs"].items()}
_PERFECT = frozenset(("has", "have", "had"))
_BE = frozenset(("am", "is", "are"))
_PEOPLE = read_word_list("contraction", "people")
_THINGS = read_word_list("contraction", "things")
_PREPOSITIONS = read_word_list("contract", "prepositions")
_ASKING = read_word_list("contraction", "asking")
_ENDING = read_word_list("contract", "ending")
_TRACES = read_word_list("contract", "traces")
_ASKED_FOR = read_word_list("contract", "asked_for")

_FIXED = {"ma'am": "madam", "how'd'y": "how do you", "let's": "let us", "y'all": "you all"}
_PARTS = re.compile(r"(y'all|[a-z]+?)(n't)?(?:'(d|ll|re|s|m|ve))?('ve)?")
_PRONOUNS = read_word_list("contraction", "pronouns")
_MODALS = read_word_list("contraction", "modals")
_NEGATED = (AUXILIARIES | {"need", "ought", "ai", "wo", "ca", "sha"}) - {"am", "can", "will", "shall"}
_WHOLE = {"wo": "will", "ca": "can", "sha": "shall"}
_TAILS = {"re": "are", "ve": "have", "ll": "will", "m": "am"}
_MOVED = read_word_list("contraction", "moved")
_JOINING = read_word_list("contraction", "joining")


def contract(text: str) -> list[Change]:
    """Return the changes that contract every long form that people contract in speech at this position."""
    changes = (_contract(text, match) for match in _make_pattern().finditer(text))
    return [change for change in changes if change is not None]


@cache
def _read_followers() -> dict[str, tuple[str, ...]]:
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
def _make_pattern() -> re.Pattern[str]:
    firsts: dict[tuple[str, ...], list[str]] = {}
    for first, seconds in _read_followers().items():
        firsts.setdefault(seconds, []).append(first)
    either = "|".join(rf"(?:{'|'.join(some)})\s+(?:{'|'.join(seconds)})" for seconds, some in firsts.items())
    either += "|cannot"
    # "am not", "will not": the pronoun is contracted with its verb only where "not" is not.
    return re.compile(
        rf"\b(?:(?:{either})(?!\s+not\b)|i\s+am(?=\s+not\b)|(?P<us>let\s+us)|(?P<all>you\s+all)|(?P<lady>madam))\b",
        re.IGNORECASE,
    )


def _contract(text: str, match: re.Match[str]) -> Change | None:
    long = " ".join(match[0].lower().split())
    after = read_following(text, match.end())
    if not after and long not in _NEGATIVES and not match["lady"]:
        return None
    before = read_preceding(text, match.start())
    if match["us"]:
        short = "let's" if not before and after and after[0] not in _ASKED_FOR else ""
    elif match["all"]:
        short = "y'all" if not before and after and after[0] in AUXILIARIES else ""
    elif match["lady"]:
        comma = text[max(match.start() - 40, 0) : match.start()].rstrip().endswith(",")
        short = "ma'am" if match[0] == "madam" and comma and not after else ""
    elif long in _NEGATIVES:
        short = _NEGATIVES[long] if _can_negate(long, before, after) else ""
    else:
        who, verb = long.split()
        short = who + _SHORT[verb] if _is_unstressed(who, verb, before, after, text[match.end() :]) else ""
    return Change(*match.span(), match_case(short, match[0])) if short else None


def _can_negate(long: str, before: list[str], after: list[str]) -> bool:
    """Return True if a verb with "not" can be contracted: not in "not only", "did not he", "if it is or is not"."""
    first = after[0] if after else ""
    if long in ("need not", "ought not"):
        return (first == "to") is (long == "ought not") and bool(first)
    return first not in _PEOPLE | {"only", "because", "so", "a"} and before[-1:] not in (["or"], ["and"])


def _is_unstressed(who: str, verb: str, before: list[str], after: list[str], rest: str) -> bool:
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
        return bool(words) and not inverted and words != ["to"] and _is_perfect(verb, words[0], after)
    if who == "here":
        return not before
    if verb in _BE and who in _PEOPLE:  # "I know how old he is today": the complement is in front
        return not any(word in _TRACES for word in before[-6:])
    if who in _ASKING and after[0] in _PEOPLE:  # "what is it?", but "what's it called?"
        return len(after) > 1 and (is_participle(after[1]) or after[1].endswith("ing"))
    return True


def _is_perfect(verb: str, word: str, after: list[str]) -> bool:
    """Return True if the word after "have", "has" or "had" makes a perfect: "have seen", "had better"."""
    if verb == "had" and after[0] == "better":
        return True
    return is_participle(word) or word in ("become", "come", "got")


def expand(text: str, match: re.Match[str]) -> Change | None:
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
        if tail not in (None, "ve"):
            return None
        return _expand_negative(text, match, who, "have" if tail == "ve" or have else "")
    tail_words = _expand_tail(who, tail, have, read_following(text, match.end()))
    if not tail_words:
        return None
    written = match[0][: len(who)] if who != "y'all" else match_case("you all", match[0])
    is_loud = match[0][len(who) :].isupper()
    return Change(*match.span(), f"{written}{tail_words.upper() if is_loud else tail_words}")


def _expand_tail(who: str, tail: str | None, have: str | None, after: list[str]) -> str:
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
        verb = "would" if have else _expand_asked_did(who, after) if who in _ASKING else had_or_would(after)
    else:
        verb = _expand_asked_is(after) if who in _ASKING else is_or_has(after)
    return f" {verb}{behind}" if verb else ""


def _expand_asked_did(who: str, after: list[str]) -> str:
    """Return what "'d" after a question word means: "where'd you go" is "where did you go"."""
    if after and after[0] in _MOVED:
        base = len(after) > 1 and after[1] in find_lemmas(after[1])
        return "did" if base and who != "who" and after[1] not in ("like", "be") else ""
    return had_or_would(after) if who == "who" else ""


def _expand_asked_is(after: list[str]) -> str:
    """Return what "'s" after a question word means; before a pronoun the verb decides."""
    if after and after[0] in _MOVED:
        verb = after[1] if len(after) > 1 else ""
        if verb in ("been", "got", "had", "done"):
            return "has"
        return "" if verb in find_lemmas(verb) or (is_participle(verb) and verb not in ("called", "made")) else "is"
    return is_or_has(after)


def _expand_negative(text: str, match: re.Match[str], verb: str, have: str) -> Change | None:
    """Return the long form of a verb with "n't"."""
    if verb not in _NEGATED:
        return None
    before, after = read_preceding(text, match.start()), read_following(text, match.end())
    full = _is_not(before, after) if verb == "ai" else _WHOLE.get(verb, verb)
    if not full:
        return None
    inverted = not before or before[-1] in (_ASKING - {"who"}) | _JOINING
    if inverted and after and after[0] in _MOVED:
        unsure = have or verb == "ai" or not _is_question(text, match.end())
        return None if unsure else _expand_inverted(text, match, full)
    commanded = verb == "do" and after and after[0] in find_lemmas(after[0]) and not _is_question(text, match.end())
    if inverted and not commanded and not (before and before[-1] in _JOINING):
        return None
    behind = f" {have}" if have else ""
    long = "cannot" if full == "can" else f"{full} not"
    return Change(*match.span(), match_case(long + behind, match[0]))


def _expand_inverted(text: str, match: re.Match[str], full: str) -> Change | None:
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
    if not after or after[0] in ("no", "nobody", "nothing", "never", "got") or is_participle(after[0]):
        return ""
    verbs = dict.fromkeys(("you", "we", "they"), "are") | dict.fromkeys(("he", "she", "it", "that", "this"), "is")
    return (verbs | {"i": "am"}).get(subject, "")


def _is_question(text: str, end: int) -> bool:
    """Return True if the sentence ends with a question mark."""
    mark = re.search(r"[.!?]", text[end:])
    return mark is not None and mark[0] == "?"


def read_following(text: str, end: int) -> list[str]:
    """Return at most four words after `end`, in lower case, up to the next punctuation mark."""
    reach = min(end + _REACH, len(text))
    mark = _MARK.search(text, end, reach)
    stretch = text[end : mark.start() if mark else reach].lower().replace("’", "'")
    return WORD.findall(stretch)[:4]


def read_preceding(text: str, start: int) -> list[str]:
    """Return the words of the clause before `start`, in lower case."""
    return _MARK.split(text[max(start - _REACH, 0) : start])[-1].lower().split()


def is_or_has(after: list[str]) -> str:
    """Return what "'s" before these words means: "is", "has", or empty if it may be either."""
    words = _drop_adverbs(after)
    if not words:
        return "is" if not after else ""
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in _HAS:
        return "has"
    if first in _STATES:
        return "" if second in _OBJECTS else "is"
    if not is_participle(first):
        # "he's simply forgotten"
        hidden = (first in _MAYBE or first.endswith("ly")) and any(map(_may_be_done, words[1:3]))
        return "" if first in _SAME or first in _PLURAL or hidden else "is"
    return "has" if second in _OBJECTS or second.isdigit() else ""


def _may_be_done(word: str) -> bool:
    """Return True if a word may be the participle of something that somebody has done: "forgotten", "gone", "put"."""
    return word not in _STATES and (word in _HAS or word in _SAME or is_participle(word))


def had_or_would(after: list[str]) -> str:
    """Return what "'d" before these words means: "had", "would", or empty if it may be either."""
    words = _drop_adverbs(after)
    first = words[0] if words else ""
    if first in ("better", "best", "been"):
        return "had"
    if first in ("rather", "sooner"):
        return "would"
    if not first or first in _SAME:
        return ""
    if first in find_lemmas(first):
        return "would"
    return "had" if is_participle(first) else "would" if first == "be" else ""


def _drop_adverbs(words: list[str]) -> list[str]:
    first = next((index for index, word in enumerate(words) if word not in ADVERBS and word != "not"), len(words))
    return words[first:]
