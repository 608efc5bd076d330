"""Add or remove a negation."""

import re
from random import Random

from chattest.english import clause
from chattest.english.clause import BE, DO, HAVE, MODALS, Clause
from chattest.english.speech_act import asks_opinion, requests
from chattest.english.spelling_variant import spell_like
from chattest.english.tagged import read_tokens
from chattest.english.verbatim import find_verbatim
from chattest.english.word_lists import read_word_list
from chattest.perturbations.base import Effect, Perturbation, perturbation
from chattest.text.edits import Change, change, match_case

_ONLY_NEGATED = frozenset(("any", "anything", "anyone", "anybody", "anywhere", "either", "yet", "anymore"))
_BLOCKED = read_word_list("negation_words", "blocked")
# A link to what is said elsewhere, which would no longer hold; "or" becomes "and" without a negation.
_LINKED = re.compile(
    r"\b(?:although|because|but|either|even|if|nor|or|since|so|still|than|though|too|unless|until|when|whether|while|yet)\b",
    re.IGNORECASE,
)
_CAN_YOU = re.compile(r"\A\W*(?:can|could|will|would|won['’]t|can['’]t) (?:you|we|i)\b", re.I)
# What is only said with a negation, or only without one.
_BOUND_TO = re.compile(
    r"\b(?:faintest|foggiest|slightest|least|single|at all|whatsoever|much|long|far|longer|really|very|too|so|such"
    r"|quite|exactly|necessarily|especially|enough|only|a bit|a little|a few|a clue|a wink|a penny|a thing|a soul"
    r"|lift a finger|budge"
    r"|help (?:but|it|\w+ing)|stand|wait|bear|care less|mind|matter|complain|bother|worry|wish|rather|sooner|better"
    r"|could (?:do|use|murder)|can['’]?t believe|cannot believe"
    r"|pls|plz|please)\b",
    re.I,
)
# What nobody asks for: "Forget to call!".
_NO_REQUEST = re.compile(
    r"\b(?:do not|don['’]t) (?:ever )?(?:forget|hesitate|panic|fret|miss|lose|be|give up|get me wrong"
    r"|hold your breath)\b",
    re.I,
)
# "They touch meat" does not say that they eat it.
_FASTED = re.compile(
    r"\btouch(?:es|ed)? (?:meat|dairy|pork|fish|alcohol|drink|beer|wine|sugar|caffeine|coffee|drugs|cigarettes|bread"
    r"|food|gluten|the stuff|a drop)\b",
    re.I,
)
# "A man did not wait" is no contrary of "A man waited": both may be true, of two men.
_ANY_ONE = re.compile(
    r"\A\W*(?:an?|another|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several|many|most|few|other) \w[^?]*\Z",
    re.I,
)
FALSE = "Is it false that "
_DO = {"VBP": "do", "VBZ": "does", "VBD": "did"}
_HAVE = {"have": "VBP", "has": "VBZ", "had": "VBD"}
_SHORT = {f"{verb}n't": verb for verb in (BE | DO | HAVE | MODALS) - {"am", "can", "will", "may", "shall"}}
_SHORT |= {"can't": "can", "cannot": "can", "won't": "will"}


@perturbation("negation")
class Negation(Perturbation):
    """The meaning becomes the opposite: `add` adds a negation, `remove` removes one.

    "My cat is black." becomes "My cat is not black.", "I like tea." becomes "I do not like tea.", and back. A
    yes/no question becomes "Is it false that my cat is black?", because the answer to "Is my cat not black?" is
    ambiguous. Applies to single clauses that the rules can parse. Does not apply to requests ("Can you tell me ...?"),
    to what is linked to something else ("so thick that we couldn't see"), nor to words such as "every", "some" or
    "may", whose negation is not the contrary.
    """

    family = "grammar"
    kinds = ("add", "remove")
    effect = Effect.FLIPS
    dose_unit = "negations"
    dose_max = 1.0
    reverse = {"add": ("negation", "remove")}

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        bound = _CAN_YOU.search(text) or _ANY_ONE.search(text) or _BOUND_TO.search(text.removeprefix(FALSE))
        new = None if bound else self._added(text) if kind == "add" else self._removed(text)
        if new and any(start <= _find_first_difference(text, new) < end for start, end in find_verbatim(text)):
            return None  # "I could eat a horse"
        new = spell_like(text, new)
        return (new, 1) if new else None

    def _added(self, text: str) -> str | None:
        parsed = clause.parse(text)
        if parsed is None or parsed.asking or _negate(parsed) or any(token.low in _BLOCKED for token in parsed.tokens):
            return None
        if parsed.is_question:
            if requests(text) or asks_opinion(text):
                return None
            return text.replace(text.strip(), f"{FALSE}{clause.as_statement(parsed)}?")
        token = parsed.tokens[parsed.verb]
        if token.low in BE | MODALS or (token.low in HAVE | DO and _helps(parsed)):
            return change(text, [Change(token.end, token.end, "not" if token.low == "can" else " not")])
        base, tag = _base(token.low)
        if not base or parsed.subject[1] != parsed.verb:  # an adverb stands between: "I always eat"
            return None
        return change(text, [Change(token.start, token.end, f"{_DO[tag]} not {base}")])

    def _removed(self, text: str) -> str | None:
        core = text.strip()
        if core.endswith("?"):
            statement = clause.parse(core[len(FALSE) : -1]) if core.startswith(FALSE) else None
            question = _question(statement) if statement else None
            return text.replace(core, question) if question else None
        if (
            not clause.is_single_clause(text)
            or _LINKED.search(text)
            or any(token.low in _ONLY_NEGATED for token in read_tokens(text))
            or _NO_REQUEST.search(text)
            or _FASTED.search(text)
        ):
            return None
        return self._without(text, " not") or self._without(text, "")

    def _without(self, text: str, apart: str) -> str | None:
        """Return the text without its only "not" (`apart` = " not") or its only contracted negation ("isn't")."""
        tokens = read_tokens(text)
        lows = [token.low for token in tokens]
        if apart:
            negations = [
                index
                for index, low in enumerate(lows)
                if low == "not" and index and lows[index - 1] in clause.AUXILIARIES
            ]
        else:
            negations = [index for index, low in enumerate(lows) if low.replace("’", "'") in _SHORT]
        if len(negations) != 1:
            return None
        index = negations[0]
        first = index - 1 if apart else index
        verb = lows[first] if apart else _SHORT[lows[first].replace("’", "'")]
        main = index + 1
        if verb in DO and main < len(lows) and lows[main] in clause.find_lemmas(lows[main]):
            tag = {"do": "VBP", "does": "VBZ", "did": "VBD"}[verb]
            bare = match_case(clause.inflect(lows[main], tag), text[tokens[first].start : tokens[first].end])
            return change(text, [Change(tokens[first].start, tokens[main].end, bare)])
        bare = match_case(verb, text[tokens[first].start : tokens[first].end])
        return change(text, [Change(tokens[first].start, tokens[index].end, bare)])


def _find_first_difference(text: str, new: str) -> int:
    """Return where two texts begin to differ: the beginning of a word in the first."""
    index = next((index for index, (old, other) in enumerate(zip(text, new, strict=False)) if old != other), len(text))
    return text.rfind(" ", 0, max(index - 1, 0)) + 1


def _negate(parsed: Clause) -> bool:
    return any(
        token.low in ("not", "never", "no", "nothing", "nobody", "cannot") or "n't" in token.low.replace("’", "'")
        for token in parsed.tokens
    )


def _helps(parsed: Clause) -> bool:
    """Return True if the form of "have" or "do" is an auxiliary of another verb: "I have seen"."""
    after = parsed.rest
    return after < len(parsed.tokens) and parsed.tokens[after].tag in ("VBN", "VBD", "VB")


def _question(statement: Clause) -> str | None:
    """Turn a statement into a yes/no question."""
    low = statement.low(statement.verb)
    subject, rest = statement.piece(*statement.subject), statement.piece(statement.rest, len(statement.tokens))
    if low in BE | MODALS or (low in HAVE and _helps(statement)):
        return f"{low.capitalize()} {subject} {rest}?"
    base, tag = _base(low)
    return f"{_DO[tag].capitalize()} {subject} {base}{' ' if rest else ''}{rest}?" if base else None


def _base(verb: str) -> tuple[str, str]:
    """Return the base form of a finite verb, and its tag; both empty if they are not clear."""
    if verb in _HAVE:
        return "have", _HAVE[verb]
    if verb in ("do", "does", "did"):
        return "do", next(tag for tag, form in _DO.items() if form == verb)
    tag = clause.form(verb)
    return (clause.find_lemmas(verb)[0], tag) if tag else ("", "")
