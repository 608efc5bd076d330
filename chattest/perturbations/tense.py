"""Put verbs into another tense."""

import re
from random import Random

from chattest.english import clause
from chattest.english.clause import AUXILIARIES, BE, DO, HAVE, MODALS, Clause
from chattest.english.spelling_variant import spell_like
from chattest.english.word_lists import read_word_list
from chattest.perturbations.base import Effect, Perturbation, perturbation
from chattest.text.edits import Change, change, match_case

_PAST = {"am": "was", "is": "was", "are": "were", "do": "did", "does": "did", "have": "had", "has": "had"}
# Words that fit only one tense, or that tense makes into something else ("born", "used to", "have got").
_TIED = read_word_list("tense", "tied") | read_word_list("tense_words", "tied")
_STATES = read_word_list("tense_words", "states")
_FREQUENCY = frozenset(("always", "often", "usually", "sometimes", "never", "normally", "rarely", "also", "really"))
_SHORT = re.compile(r"(?:who|which|that|what|where|he|she|it|they|we|i|you|there)['’]")
_NOW = re.compile(r"\bat (?:present|the moment)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")


@perturbation("tense")
class Tense(Perturbation):
    """The verb changes its tense: "What is the name of my cat?" becomes "What was the name of my cat?".

    The kinds are `past`, `present` and `future` ("What will the name of my cat be?"). A kind does not apply to a
    text that is already in its tense. Applies to single clauses that the rules can parse, without a modal verb, a
    second verb, or a word that fits only one tense. What a text means changes with its tense, so the answer may too.
    """

    family = "grammar"
    kinds = ("past", "present", "future")
    effect = Effect.CHANGES
    dose_unit = "verbs"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        parsed = clause.parse(text)
        if parsed is None or parsed.low(parsed.verb) in MODALS or _YEAR.search(text):
            return None
        if any(token.low in _TIED for token in parsed.tokens) or _NOW.search(text):
            return None
        if _second_verb(parsed) or _is_owned_noun(parsed) or _is_asked_noun(parsed):
            return None
        changes = {"past": _make_past, "present": _present, "future": _make_future}[kind](parsed)
        new = spell_like(text, change(text, changes)) if changes else None
        return (new, 1) if new else None


def _is_owned_noun(parsed: Clause) -> bool:
    """Return True if the apparent verb is a noun that somebody owns: "Shakespeare's plays"."""
    return parsed.verb > 0 and parsed.low(parsed.verb - 1).endswith(("'s", "’s", "s'", "s’"))


def _is_asked_noun(parsed: Clause) -> bool:
    """Return True if the apparent verb is a noun in the question phrase: "What make is my scooter?"."""
    after = parsed.tokens[parsed.verb + 1 : parsed.verb + 2]
    return parsed.verb == 1 and parsed.low(0) in ("what", "which") and any(one.low in AUXILIARIES for one in after)


def _second_verb(parsed: Clause) -> bool:
    """Return True if another finite verb follows: "What number is the bus I take?"."""
    rest = parsed.tokens[parsed.rest :]
    tags = ("VBZ", "VBD", "MD") if parsed.low(parsed.verb) in HAVE | BE else ("VBZ", "MD")
    finite = [token for token in rest[1:] if token.tag in tags or token.low in AUXILIARIES]
    is_question = any(
        token.tag in ("WRB", "WP") or _SHORT.match(token.low) or re.match(r"(?:i|he|she|we|they)\b", token.low)
        for token in rest[:-1]
    )
    return bool(finite) or is_question


def _make_past(parsed: Clause) -> list[Change]:
    low = parsed.low(parsed.verb)
    if low in AUXILIARIES:
        return _replace_verb(parsed, _PAST.get(low, ""))
    return _replace_verb(
        parsed, clause.inflect(clause.find_lemmas(low)[0], "VBD") if clause.form(low) in ("VBP", "VBZ") else ""
    )


def _present(parsed: Clause) -> list[Change]:
    low = parsed.low(parsed.verb)
    if low == "was":
        return _replace_verb(parsed, "am" if parsed.low(parsed.subject[0]) == "i" and parsed.subject[1] else "is")
    if low in ("did", "had"):
        return _replace_verb(
            parsed, clause.inflect("do" if low == "did" else "have", "VBP" if parsed.plural else "VBZ")
        )
    if low in AUXILIARIES:
        return _replace_verb(parsed, "are" if low == "were" else "")
    if clause.form(low) != "VBD":
        return []
    many = parsed.subject == (0, 0) and parsed.tokens[parsed.verb - 1].tag == "NNS"  # "How many cats lived there?"
    return _replace_verb(parsed, clause.inflect(clause.find_lemmas(low)[0], "VBP" if parsed.plural or many else "VBZ"))


def _make_future(parsed: Clause) -> list[Change]:
    low = parsed.low(parsed.verb)
    is_question = parsed.is_question and parsed.subject[1] > 0
    if _lasts(parsed, is_question):
        return []
    if parsed.subject[1] != parsed.verb and not parsed.is_question:  # an adverb stands between: "I always eat"
        return []
    if clause.has_locating_phrase(parsed):
        return []
    negated = parsed.low(parsed.rest) == "not"
    if low in DO and (is_question or negated):
        return _replace_verb(parsed, "will")
    if negated:
        return []
    base = "be" if low in BE else "have" if low in HAVE else "do" if low in DO else ""
    if not base and low not in AUXILIARIES and clause.form(low):
        base = clause.find_lemmas(low)[0]
    if not base:
        return []
    if is_question:
        end = parsed.tokens[parsed.subject[1] - 1].end
        return [*_replace_verb(parsed, "will"), Change(end, end, f" {base}")]
    return _replace_verb(parsed, f"will {base}")


def _lasts(parsed: Clause, is_question: bool) -> bool:
    """Return True if the verb has no future: "What do you like?", or, with an adverb, "Is it always on a Friday?"."""
    words = {token.low for token in parsed.tokens[parsed.verb :]}
    return not words.isdisjoint(_STATES) or (is_question and parsed.low(parsed.rest) in _FREQUENCY)


def _replace_verb(parsed: Clause, new: str) -> list[Change]:
    """Replace the finite verb by `new`; make no change if `new` is empty."""
    token = parsed.tokens[parsed.verb]
    return [Change(token.start, token.end, match_case(new, parsed.text[token.start : token.end]))] if new else []
