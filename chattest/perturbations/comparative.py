"""Change adjectives to another degree of comparison."""

from functools import cache
from random import Random

from chattest.english.clause import BE
from chattest.english.degrees import is_gradable, make_comparative, make_superlative, read_bases
from chattest.english.tagged import Token, read_tokens
from chattest.english.word_lists import read_word_list
from chattest.perturbations._graded import Sites
from chattest.perturbations.base import Effect, perturbation
from chattest.text.edits import Change, match_case, with_article

_FEEL = BE | read_word_list("comparative", "feel")
_STEPS = read_word_list("comparative", "steps")
_LIMITS = read_word_list("comparative", "limits")
_CHOOSING = read_word_list("comparative", "choosing")
_CHOSEN_BY = read_word_list("comparative", "chosen_by")
_FIXED = read_word_list("comparative", "fixed")
_OWNERS = frozenset(("the", "my", "your", "his", "her", "our", "their"))
_ONE = frozenset(("one", "ones"))


@perturbation("comparative")
class Comparative(Sites):
    """Some adjectives change their degree where something is compared: "as old as me" becomes "older than me".

    `comparative` makes that of "as ... as", and of an adjective by which somebody chooses ("I want a bigger car").
    `superlative` applies after "one of the" ("one of the oldest towns") and to "the bigger one". `base` turns "older
    than" into "as old as", and undoes a comparative by which somebody chooses. A score for how strongly something is
    said should change. An adjective that is compared with nothing stays: "My cat is big". The dose is the number of
    adjectives, which come from a shipped list.
    """

    family = "grammar"
    kinds = ("comparative", "superlative", "base")
    effect = Effect.MOVES
    dose_unit = "adjectives"
    rewords = True
    reverse = {"comparative": ("comparative", "base")}

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        tokens = read_tokens(text)
        changes: list[Change] = []
        for index in range(1, len(tokens)):
            new = _KINDS[kind](text, tokens, index)
            if new is not None and (not changes or changes[-1].end <= new.start):
                changes.append(new)
        return changes


def _make_comparative(text: str, tokens: tuple[Token, ...], index: int) -> Change | None:
    """Return the adjective at `index` as a comparative."""
    low = tokens[index].low
    if not is_gradable(low):
        return None
    if (
        tokens[index - 1].low == "as"
        and _low(tokens, index + 1) == "as"
        and _may_compare(text, tokens, index - 1, index + 2)
    ):
        start, end = tokens[index - 1].start, tokens[index + 1].end
        return Change(start, end, match_case(f"{make_comparative(low)} than", text[start:end]))
    if not _is_choice(tokens, index, index + 1, low):
        return None
    return with_article(text, tokens[index].start, tokens[index].end, make_comparative(low))


def _undo(text: str, tokens: tuple[Token, ...], index: int) -> Change | None:
    """Return the comparative at `index`, of one word or two, as its adjective."""
    low, end = tokens[index].low, index + 1
    if low == "more" and f"more {_low(tokens, end)}" in read_bases():
        low, end = f"more {tokens[end].low}", end + 1
    base = read_bases().get(low, "")
    if not base or make_comparative(base) != low:
        return None
    if _low(tokens, end) == "than" and _may_compare(text, tokens, index, end + 1):
        start = tokens[index].start
        return Change(start, tokens[end].end, match_case(f"as {base} as", text[start : tokens[end].end]))
    if not _is_choice(tokens, index, end, base):
        return None
    return with_article(text, tokens[index].start, tokens[end - 1].end, base)


def _make_superlative(text: str, tokens: tuple[Token, ...], index: int) -> Change | None:
    """Return the adjective after "one of the", or the comparative before "one", as a superlative."""
    token, low = tokens[index], tokens[index].low
    owned = tokens[index - 1].low in _OWNERS
    plural = (
        index + 1 < len(tokens)
        and tokens[index + 1].tag == "NNS"
        and f"{low} {tokens[index + 1].low}" not in _read_pairs()
    )
    if (
        is_gradable(low)
        and owned
        and plural
        and index > 2
        and (tokens[index - 3].low, tokens[index - 2].low) == ("one", "of")
    ):
        return Change(token.start, token.end, make_superlative(low))
    base = read_bases().get(low, "")
    if base and low == make_comparative(base) and tokens[index - 1].low == "the" and _low(tokens, index + 1) in _ONE:
        return Change(token.start, token.end, make_superlative(base))
    return None


_KINDS = {"comparative": _make_comparative, "superlative": _make_superlative, "base": _undo}


def _may_compare(text: str, tokens: tuple[Token, ...], first: int, after: int) -> bool:
    """Return True if two things are compared plainly: not "much older", "as fast as I can", "as flat as a pancake"."""
    if not first or after >= len(tokens) or text[tokens[first - 1].end : tokens[first].start].strip():
        return False
    before, low = tokens[first - 1], tokens[after].low
    described = before.low in _FEEL or before.low.endswith(("n't", "n’t", "'s", "'m", "'re"))
    is_question = tokens[0].low in BE and (
        before.tag[:2] == "NN" or before.low in ("he", "she", "it", "they", "you", "i")
    )
    limited = low in _LIMITS or tokens[after].tag == "CD" or _low(tokens, after + 1) in ("can", "could", "possibly")
    return (described or is_question) and before.low not in _STEPS and not limited


def _is_choice(tokens: tuple[Token, ...], index: int, after: int, adjective: str) -> bool:
    """Return True if somebody looks for, or chose, one thing among others, so that a comparative needs no "than"."""
    noun = tokens[after] if after < len(tokens) else None
    if tokens[index - 1].low not in ("a", "an") or adjective not in _CHOSEN_BY or noun is None or index < 2:
        return False
    if _low(tokens, after + 1) in ("than", "as") or f"{adjective} {noun.low}" in _read_pairs():
        return False
    before = tokens[index - 2].low
    if before in ("in", "for", "me", "us", "to"):
        before = tokens[index - 3].low if index > 2 else ""
    return (noun.low in _ONE and before == "have") or (before in _CHOOSING and noun.tag in ("NN", "NNS", "CD"))


def _low(tokens: tuple[Token, ...], index: int) -> str:
    return tokens[index].low if index < len(tokens) else ""


@cache
def _read_pairs() -> frozenset[str]:
    return frozenset(pair.replace("_", " ") for pair in _FIXED)
