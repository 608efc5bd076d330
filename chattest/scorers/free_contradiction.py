"""Decides whether a reply contradicts anything that was said before it: by the bot itself, or by the user.

Only statements about the same are compared; what the user says is first put into the second person. Words decide first
(`chattest.rules.contradiction`). Of the other pairs, those are shown to the inference model that have the same
grammatical subject, a word with a meaning in common, and a hint at a contradiction: one denies and the other does not,
they have words that are opposites, or each has another number. The model alone finds too much that is none.

What the user said last counts: a reply that says it again does not contradict what the user said before.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chattest.models.judges import Judges
from chattest.records.conversation import Speaker, Turn
from chattest.records.result import Score
from chattest.rules.contradiction import find_contradiction
from chattest.rules.grammatical_subject import find_grammatical_subject, split_at_subjects
from chattest.rules.negation import are_opposites
from chattest.rules.person import PERSON_OF, to_second_person
from chattest.rules.questions import questions
from chattest.rules.reading import read
from chattest.rules.sentiment import polarity
from chattest.rules.tables import word_set
from chattest.scorers.base import Item, Scorer, scorer
from chattest.text.format import distinct_digits

SURE = 0.98
"""The value of a contradiction that words show."""
NEAREST = 4
"""How many pairs of a reply the model sees."""
FEW = 2
"""Statements of so many words with a meaning may be opposites without a common one: "I am tall." - "I am short."."""
OPPOSITE_FEELINGS = 0.09
"""From this product of their polarities on, a glad and a sad statement may be opposites."""
_ENDED = re.compile(r"[.!?…\"')\]]\s*\Z")
_INNER_END = re.compile(r"[.!?…]\s")
_UNFINISHED = re.compile(
    r"(?:\b(?:is|are|was|were|am|be|the|an?|my|your|his|their|our)|'(?:s|re|m))\W*\Z", re.IGNORECASE
)
"""What a clause without a predicate ends in: "my kids are"."""
_POINTS_ELSEWHERE = re.compile(r"\b(?:it|this|that|them|these|those|so)\b", re.IGNORECASE)
_IM = re.compile(r"\bim\b", re.IGNORECASE)
_NO_WITHOUT_MARK = re.compile(r"\A\W*(?:no|nope|nah)\s+(?=(?:i|you|he|she|we|they|my|your)\b)", re.IGNORECASE)
NOTHING_STATED = "it states nothing"


@dataclass(frozen=True, slots=True)
class Pair:
    """An earlier statement and a later one about the same."""

    earlier: str
    """As the bot would say it: what the user said is in the second person."""
    later: str
    said_by: str
    """"bot" or "user"."""
    round: int
    now: int
    """The rounds of both."""
    by_words: bool
    """Whether words show that they contradict each other."""
    nearness: float
    """The share of the shorter one's words with a meaning that both have."""

    def __str__(self) -> str:
        return f'round {self.round}, {self.said_by}: "{self.earlier}" - round {self.now}: "{self.later}"'


@scorer("free_contradiction")
class FreeContradiction(Scorer):
    """Highest probability, 0 to 1, that a sentence of the reply contradicts an earlier one of the bot or the user.

    The interpretation is the pair of sentences with their rounds, where it is above a half.
    """

    threshold = "threshold_free_contradiction"
    requirement = "no contradiction of {threshold:g} or more"
    judges = ("inference",)
    reads_history = True

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Show the model all pairs that words do not decide, at once."""
        pairs_of_items = [candidates(item) for item in items]
        undecided = list(
            dict.fromkeys((p.earlier, p.later) for pairs in pairs_of_items for p in pairs or () if not p.by_words)
        )
        relations = (
            judges.inference.relations([one for one, _ in undecided], [other for _, other in undecided])
            if undecided
            else []
        )
        chances = {pair: relation.contradicts for pair, relation in zip(undecided, relations, strict=True)}
        return [_score(pairs, chances) for pairs in pairs_of_items]

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True below the threshold."""
        return score.value is not None and score.value < threshold

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Quote both sentences, with their rounds."""
        if not score.interpretation:
            return "it contradicts nothing that was said before"
        says = "contradicts" if (score.value or 0) >= threshold else "may contradict"
        probability = distinct_digits(score.value or 0, threshold)
        return f"{says}: {score.interpretation} (probability {probability}, threshold {threshold:g})"


@dataclass(frozen=True, slots=True)
class _Clause:
    """A statement that can be compared."""

    text: str
    subject: frozenset[str]
    matter: frozenset[str]
    """Its words with a meaning; pronouns with a verb ("she's") and conjunctions are none."""

    @property
    def numbers(self) -> frozenset[str]:
        """Its words with a digit."""
        return frozenset(word for word in self.matter if any(map(str.isdigit, word)))

    def says_the_same_as(self, other: "_Clause") -> bool:
        """Return True if both have the same words with a meaning, and deny as often."""
        return self.matter == other.matter and read(self.text).is_denied == read(other.text).is_denied


def candidates(item: Item) -> list[Pair] | None:
    """Return the pairs that words decide, and the nearest others; `None` for a reply that states nothing."""
    later = _find_clauses(item.reply)
    if not later:
        return None
    turns = item.turns or tuple(Turn(index, Speaker.SUBJECT, text) for index, text in enumerate(item.earlier_replies))
    now = turns[-1].round if turns else 0
    told = [_find_clauses(turn.text, of_user=turn.speaker is not Speaker.SUBJECT) for turn in turns]
    since = {clause: _find_last_told(clause, turns, told) for clause in later}
    pairs = [
        pair
        for at, (turn, clauses) in enumerate(zip(turns, told, strict=True))
        for statement in later
        if at >= since[statement]
        for pair in _find_pairs(turn, clauses, statement, now)
    ]
    sure = [pair for pair in pairs if pair.by_words]
    near = sorted((pair for pair in pairs if not pair.by_words), key=lambda pair: -pair.nearness)
    return [*sure, *near[:NEAREST]]


@lru_cache(maxsize=4096)
def _find_clauses(text: str, *, of_user: bool = False) -> tuple[_Clause, ...]:
    """Return the statements of a text, without a last one that is cut off."""
    shown = read(text).statements
    whole = text.replace("’", "'").rstrip()
    cut_off = shown and whole.endswith(shown[-1]) and _INNER_END.search(whole) and not _ENDED.search(whole)
    found = []
    for statement in shown[:-1] if cut_off else shown:
        if questions(statement):
            continue
        said = to_second_person(_IM.sub("I'm", statement)) if of_user else statement
        for clause in split_at_subjects(_NO_WITHOUT_MARK.sub("", said)):
            matter = frozenset(word for word in read(clause).meaning if not _means_nothing(word))
            if matter and not _UNFINISHED.search(clause):
                found.append(_Clause(clause, find_grammatical_subject(clause), matter))
    return tuple(found)


def _means_nothing(word: str) -> bool:
    return word.split("'")[0] in PERSON_OF or word in word_set("names_nothing") or word in ("but", "and", "or", "so")


def _find_last_told(clause: _Clause, turns: Sequence[Turn], told: Sequence[Sequence[_Clause]]) -> int:
    """Return the place of the last turn in which the user said the same; 0 where there is none."""
    return max(
        (
            at
            for at, (turn, clauses) in enumerate(zip(turns, told, strict=True))
            if turn.speaker is not Speaker.SUBJECT and any(clause.says_the_same_as(each) for each in clauses)
        ),
        default=0,
    )


def _find_pairs(turn: Turn, clauses: Sequence[_Clause], later: _Clause, now: int) -> Iterator[Pair]:
    said_by = "bot" if turn.speaker is Speaker.SUBJECT else "user"
    for earlier in clauses:
        common = earlier.matter & later.matter
        same_subject = bool(later.subject) and earlier.subject == later.subject
        by_words = _have_one_matter(earlier, later, common) and find_contradiction(earlier.text, later.text) is not None
        if by_words or (
            same_subject and common and _hint_at_contradiction(earlier, later, common - word_set("vague_in_statements"))
        ):
            nearness = len(common) / min(len(earlier.matter), len(later.matter))
            yield Pair(earlier.text, later.text, said_by, turn.round, now, by_words, nearness)


def _have_one_matter(one: _Clause, other: _Clause, common: frozenset[str]) -> bool:
    """Return True if two statements may be about the same: by a common word, or because both are short and complete."""
    if common:
        return not common <= word_set("of_the_moment")
    few = max(len(one.matter), len(other.matter)) <= FEW
    return few and not any(_POINTS_ELSEWHERE.search(each.text) for each in (one, other))


def _hint_at_contradiction(one: _Clause, other: _Clause, matter: frozenset[str]) -> bool:
    """Return True if each has another number, or if one denies or has the opposite of a word of the other."""
    if one.numbers and other.numbers and not one.numbers & other.numbers:
        return True
    opposed = (
        read(one.text).is_denied != read(other.text).is_denied
        or are_opposites(one.matter - other.matter, other.matter - one.matter)
        or bool(one.matter & word_set("rules_out")) != bool(other.matter & word_set("rules_out"))
        or polarity(one.text) * polarity(other.text) <= -OPPOSITE_FEELINGS
    )
    return opposed and not matter <= word_set("of_the_moment")


def _score(pairs: Sequence[Pair] | None, chances: dict[tuple[str, str], float]) -> Score:
    if pairs is None:
        return Score(None, reason=NOTHING_STATED)
    values = [(SURE if pair.by_words else chances[pair.earlier, pair.later], pair) for pair in pairs]
    value, worst = max(values, key=lambda found: found[0], default=(0.0, None))
    by_words = worst is not None and worst.by_words
    shown = str(worst) if worst is not None and value > 0.5 else ""
    return Score(value, shown, rule="contradiction" if by_words else "")
