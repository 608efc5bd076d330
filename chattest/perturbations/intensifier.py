"""Strengthen or weaken adjectives by an adverb."""

import re
from random import Random

from chattest.english.degrees import Adjective, find_adjectives
from chattest.english.part_of_speech import ADJECTIVE, ADVERB, NOUN, VERB, find_classes, find_word_class
from chattest.english.tagged import Token, find_token, read_tokens
from chattest.perturbations._graded import Sites
from chattest.perturbations.base import Effect, perturbation
from chattest.text.edits import Change, match_case, with_article
from chattest.text.lexicon import read_list
from chattest.text.words import maybe_name

STRONGER = ("very", "really", "truly")
WEAKER = ("fairly", "somewhat")
_FIXED = frozenset(
    ("high school", "hot dog", "fast food", "hot chocolate", "new year", "big brother", "big sister", "old age",
     "sweet potato",
        "sweet potatoes", "short story", "good morning", "good evening", "good night", "good luck", "good afternoon",
     "happy birthday", "late show", "high street", "high jump", "long jump", "open air", "busy bee", "soft drink")
)  # fmt: skip
_DENIED = re.compile(r"n['’]t\b|\b(?:not|never|no|nobody|nothing|without|hates?|hated|dislikes?)\b", re.IGNORECASE)
_CLOCK = re.compile(r"\b(?:clock|watch|timer)\b", re.IGNORECASE)
_ON = re.compile(r" (?:on|in|all|into|over|down) ")
# Before "the" or "my", an adjective only says which one is meant.
_DEFINITE = frozenset(("the", "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those"))
_ADVERBS_TOO = frozenset(("hard", "late", "early", "fast", "far", "high", "low", "long", "deep", "close", "wide"))
_MEASURED = re.compile(
    r"(?:\d\S{0,9}|\b(?:cm|mm|km|m|ft|foot|feet|inch|inches|[a-z]{0,6}met(?:er|re)s?|yards?|miles?|pages?|stor(?:e?ys|ies)"
    r"|floors?|hours?|minutes?|days?|weeks?|months?|years?|times|degrees|pounds|kilos?|noon|midnight"
    r"|o['’]clock)|\d ?[ap]m|\b[ap]\.m\.) $",
    re.I,
)
_HEDGES = frozenset(
    ("bit", "kinda", "sorta", "little", "lot", "pretty", "quite", "rather", "such", "all", "just", "only", "even",
     "still", "less", "more", "most", "least", "enough", "totally", "completely", "absolutely",
     "that", "this", "any", "no", "super")
)  # fmt: skip
_DEGREES = re.compile(rf"\b(?:{'|'.join((*STRONGER, *WEAKER, 'slightly'))}) ([\w-]+)", re.IGNORECASE)

_NEXT = re.compile(r" (\w+)")


@perturbation("intensifier")
class Intensifier(Sites):
    """Some adjectives get stronger or weaker: "I am happy" becomes "I am very happy" or "I am fairly happy".

    `remove` removes such an adverb. A score for feelings should change. The dose is the number of adjectives, which
    come from a shipped list. One with a degree already ("a bit strange"), one behind another adjective and one in a set
    phrase stay. So does one behind a denial, where more is less: "not very good". Nothing is weakened in a text that
    denies.
    """

    family = "grammar"
    kinds = ("strengthen", "weaken", "remove")
    effect = Effect.MOVES
    dose_unit = "adjectives"
    rewords = True
    reverse = {"strengthen": ("intensifier", "remove"), "weaken": ("intensifier", "remove")}

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if kind == "remove":
            return [
                with_article(text, *match.span(), match_case(match[1], match[0]))
                for match in _DEGREES.finditer(text)
                if match[1].lower() in read_list("gradable") and not _DENIED.search(text[: match.start()])
            ]
        return [
            with_article(
                text,
                word.start,
                word.end,
                match_case(f"{_pick_degree(text, word, kind, rng)} {word.text.lower()}", word.text),
            )
            for word in find_adjectives(text)
            if _is_gradable_here(text, word) and not (kind == "weaken" and _sounds_odd_weakened(text, word))
        ]


def _sounds_odd_weakened(text: str, word: Adjective) -> bool:
    """Return True if a weaker degree would sound odd: in a text that denies, "fairly beautiful", "fairly late"."""
    return word.text.lower() in ("beautiful", "late", "early") or _DENIED.search(text) is not None


def _pick_degree(text: str, word: Adjective, kind: str, rng: Random) -> str:
    """Return an adverb for the adjective; "somewhat" only if nothing follows."""
    if kind == "strengthen":
        # "Is it truly slow?" asks whether that is true.
        attribute = _NEXT.match(text, word.end) is not None or text.rfind("?") >= word.end
        return "very" if word.text.lower() in _ADVERBS_TOO else rng.choice(STRONGER[:2] if attribute else STRONGER)
    fairly = word.text.lower() in _ADVERBS_TOO | {"good"} or _NEXT.match(text, word.end)
    return "fairly" if fairly else rng.choice(WEAKER)


def _is_gradable_here(text: str, word: Adjective) -> bool:
    """Return True if the word is a gradable adjective here: not in "high school", not a verb."""
    low = word.text.lower()
    after = _NEXT.match(text, word.end)
    if low in ("near", "huge", "tiny", "new", "lovely", "grateful") or (
        after and f"{low} {after[1].lower()}" in _FIXED
    ):
        return False
    if maybe_name(text, word.start, word.text) or _MEASURED.search(text[max(word.start - 16, 0) : word.start]):
        return False  # "in Nice", "3 cm thick"
    if word.before in _DEFINITE or word.before.endswith(("'s", "’s")):
        return False
    if _has_other_sense(text, word, low) or _DENIED.search(text[: word.start]):
        return False
    capital = word.text[0].isupper() and after is not None and after[1][0].isupper()  # "Good Friday"
    if capital or re.search(r"\bthan\b", text[: word.start]) or word.before == "called":
        return False
    if (after and after[1] in ("up", "of", "as", "enough")) or re.search(
        r"n['’]t be $", text[max(word.start - 9, 0) : word.start]
    ):
        return False  # "don't be late"
    tokens = read_tokens(text)
    index = find_token(tokens, word.start)
    if index == len(tokens) or tokens[index].start != word.start or _has_degree(text, tokens, index):
        return False
    return find_classes(low) == {ADJECTIVE} or find_word_class(tokens, index) == ADJECTIVE


def _has_other_sense(text: str, word: Adjective, low: str) -> bool:
    """Return True if the word has no degree in this sense: a clock is slow, a cat is sick on the rug."""
    if low in ("slow", "fast"):
        return _CLOCK.search(text) is not None
    if low == "sick":
        return _ON.match(text, word.end) is not None
    return False


def _has_degree(text: str, tokens: tuple[Token, ...], index: int) -> bool:
    """Return True if the word before is a degree or another adjective: "a bit strange", "a grumpy old tortoise"."""
    if not index or text[tokens[index - 1].end : tokens[index].start] != " ":
        return False
    before = tokens[index - 1]
    kind_of = before.low == "of" and index > 1 and tokens[index - 2].low in ("kind", "sort")
    adverb = before.low.endswith("ly") and ADVERB in find_classes(before.low)
    adjective = ADJECTIVE in find_classes(before.low) and find_classes(before.low).isdisjoint((NOUN, VERB))
    return before.low in _HEDGES or kind_of or adverb or adjective
