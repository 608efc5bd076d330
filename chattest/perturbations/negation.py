"""Negation added and removed."""

from random import Random

from chattest.perturbations.base import Effect, Perturbation, perturbation
from chattest.text.edits import Change, change
from chattest.text.grammar import clause
from chattest.text.grammar.clause import BE, DO, HAVE, MODALS, Clause

_ONLY_NEGATED = frozenset(("any", "anything", "anyone", "anybody", "anywhere", "either", "yet", "anymore"))
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
    ambiguous. Applies to single clauses that the rules can parse.
    """

    family = "grammar"
    kinds = ("add", "remove")
    effect = Effect.FLIPS
    dose_unit = "negations"
    dose_max = 1.0
    reverse = {"add": ("negation", "remove")}

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        new = self._added(text) if kind == "add" else self._removed(text)
        return (new, 1) if new else None

    def _added(self, text: str) -> str | None:
        parsed = clause.parse(text)
        if parsed is None or parsed.asking or _negated(parsed):
            return None
        if parsed.is_question:
            return text.replace(text.strip(), f"{FALSE}{clause.stated(parsed)}?")
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
            said = clause.parse(core[len(FALSE) : -1]) if core.startswith(FALSE) else None
            question = _question(said) if said else None
            return text.replace(core, question) if question else None
        if not clause.single(text) or any(token.low in _ONLY_NEGATED for token in clause.tokens_of(text)):
            return None
        return self._without(text, " not") or self._without(text, "")

    def _without(self, text: str, apart: str) -> str | None:
        """The text without its only "not" (`apart` = " not") or its only contracted negation ("isn't")."""
        tokens = clause.tokens_of(text)
        lows = [token.low for token in tokens]
        if apart:
            negations = [
                at for at, low in enumerate(lows) if low == "not" and at and lows[at - 1] in clause.AUXILIARIES
            ]
        else:
            negations = [at for at, low in enumerate(lows) if low.replace("’", "'") in _SHORT]
        if len(negations) != 1:
            return None
        at = negations[0]
        first = at - 1 if apart else at
        verb = lows[first] if apart else _SHORT[lows[first].replace("’", "'")]
        main = at + 1
        if verb in DO and main < len(lows) and lows[main] in clause.lemmas(lows[main]):
            tag = {"do": "VBP", "does": "VBZ", "did": "VBD"}[verb]
            return change(text, [Change(tokens[first].start, tokens[main].end, clause.inflect(lows[main], tag))])
        return change(text, [Change(tokens[first].start, tokens[at].end, verb)])


def _negated(parsed: Clause) -> bool:
    return any(
        token.low in ("not", "never", "no", "nothing", "nobody", "cannot") or "n't" in token.low.replace("’", "'")
        for token in parsed.tokens
    )


def _helps(parsed: Clause) -> bool:
    """Whether the form of "have" or "do" is an auxiliary of another verb: "I have seen"."""
    after = parsed.rest
    return after < len(parsed.tokens) and parsed.tokens[after].tag in ("VBN", "VBD", "VB")


def _question(said: Clause) -> str | None:
    """A statement, turned into a yes/no question."""
    low = said.low(said.verb)
    subject, rest = said.piece(*said.subject), said.piece(said.rest, len(said.tokens))
    if low in BE | MODALS or (low in HAVE and _helps(said)):
        return f"{low.capitalize()} {subject} {rest}?"
    base, tag = _base(low)
    return f"{_DO[tag].capitalize()} {subject} {base}{' ' if rest else ''}{rest}?" if base else None


def _base(verb: str) -> tuple[str, str]:
    """The base form of a finite verb, and its tag; both empty if they are not clear."""
    if verb in _HAVE:
        return "have", _HAVE[verb]
    if verb in ("do", "does", "did"):
        return "do", next(tag for tag, form in _DO.items() if form == verb)
    tag = clause.form(verb)
    return (clause.lemmas(verb)[0], tag) if tag else ("", "")
