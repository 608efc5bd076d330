"""Decides whether a reply contradicts anything that was said before it: by the bot itself, or by the user.

Only sentences about the same are compared: they have the same subject (what the user says is first put into the second
person) and words with a meaning in common. Words decide first (`chattest.rules.contradiction`); of the other pairs, the
nearest few of each reply are shown to the inference model.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chattest.models.judges import Judges
from chattest.records.conversation import Speaker, Turn
from chattest.records.result import Score
from chattest.rules.contradiction import find_contradiction
from chattest.rules.person import to_second_person
from chattest.rules.reading import read
from chattest.scorers.base import Item, Scorer, scorer
from chattest.text.format import distinct_digits

SURE = 0.98
"""The value of a contradiction that words show."""
NEAREST = 2
"""How many pairs of a reply the model sees."""
FEWEST_COMMON, SHARE = 2, 0.5
"""What a pair must have for the model: so many common words with a meaning, and this share of the shorter one's."""
FEW = 2
"""Statements of so many words with a meaning may be opposites without a common one: "I am tall." - "I am short."."""
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


def candidates(item: Item) -> list[Pair] | None:
    """Return the pairs that words decide, and the nearest others; `None` for a reply that states nothing."""
    later = [clause for clause in read(item.reply).statements if read(clause).meaning]
    if not later:
        return None
    turns = item.turns or tuple(Turn(index, Speaker.SUBJECT, text) for index, text in enumerate(item.earlier_replies))
    now = turns[-1].round if turns else 0
    pairs = [pair for turn in turns for pair in _pairs(turn, later, now)]
    sure = [pair for pair in pairs if pair.by_words]
    near = sorted((pair for pair in pairs if not pair.by_words), key=lambda pair: -pair.nearness)
    return [*sure, *near[:NEAREST]]


def _pairs(turn: Turn, later: Sequence[str], now: int) -> Iterator[Pair]:
    by_bot = turn.speaker is Speaker.SUBJECT
    text = turn.text if by_bot else to_second_person(turn.text)
    for earlier in read(text).statements:
        words = read(earlier).meaning
        for statement in later:
            common = words & read(statement).meaning
            few = max(len(words), len(read(statement).meaning)) <= FEW
            if not (words and (common or few)) or earlier.casefold() == statement.casefold():
                continue
            if read(earlier).subject != read(statement).subject:
                continue
            by_words = find_contradiction(earlier, statement) is not None
            nearness = len(common) / min(len(words), len(read(statement).meaning))
            if by_words or (len(common) >= FEWEST_COMMON and nearness >= SHARE):
                yield Pair(earlier, statement, "bot" if by_bot else "user", turn.round, now, by_words, nearness)


def _score(pairs: Sequence[Pair] | None, chances: dict[tuple[str, str], float]) -> Score:
    if pairs is None:
        return Score(None, reason=NOTHING_STATED)
    values = [(SURE if pair.by_words else chances[pair.earlier, pair.later], pair) for pair in pairs]
    value, worst = max(values, key=lambda found: found[0], default=(0.0, None))
    by_words = worst is not None and worst.by_words
    shown = str(worst) if worst is not None and value > 0.5 else ""
    return Score(value, shown, rule="contradiction" if by_words else "")
