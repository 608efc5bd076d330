from collections.abc import Sequence

from chattest.models.calibration import Calibration
from chattest.models.chat import CHAT_KINDS, Opinion
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.result import Score
from chattest.rules.echo import says_back
from chattest.rules.support import only_asks_back, supports_yes_or_no
from chattest.rules.yes_no import read_phrase
from chattest.scorers.base import Item, LabelledReplies, Scorer, fill, scorer

SURE = 0.97
"""Probability of a reading that a rule gives; the rest is shared by the other two."""
BY_RULE = "read by a rule"
KEYWORDS = "keywords"
"""The judge of the setting `models` that goes by keywords."""
LIKELY = 0.5
"""Probability from which a reply reads yes or no; below it reads as neither, even where that is less likely."""
LIKELY_ALONE = 0.65
"""The same where the reply has no word for yes or no, and none of the question or the facts."""
NO_WORD, UNSUPPORTED = "no word of an answer", "no word for yes or no, and none of the question, so 0.65 is needed"
"""The rule that asks so, which does not decide alone, and its reason."""


@scorer("closed_answer")
class ClosedAnswer(Scorer):
    """Reads the reply to a yes/no question as yes, no or neither; a reply that reads as neither never passes.

    The value is the probability of the expected reading; the interpretation is the reading of at least 0.5. Where a
    reply can be read in one way only ("Not a chance.", "Yes! Wait, no."), or is the fact that the question is about, a
    rule reads it and no model; the reason says so. With `models = {"yes_no": "keywords"}`, the keywords of the
    reference implementation read all replies.
    """

    threshold = ""
    requirement = "reads as expected"
    judges = ("yes_no",)
    chat_kinds = ("yes_no",)
    answers = frozenset({AnswerKind.CLOSED})
    labelled = LabelledReplies("closed", form="closed")
    raising_rules = frozenset({NO_WORD})

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Ask the yes/no model about replies that no rule reads; an empty reply reads as neither."""
        keywords = judges.choice("yes_no") == KEYWORDS  # which decide alone

        def ask_model(asked: Sequence[Item]) -> list[Score]:
            readings = judges.yes_no.read([_add_fact(item) for item in asked], [item.reply for item in asked])
            return [
                _score({"yes": reading.yes, "no": reading.no, "neither": reading.neither}, item)
                for item, reading in zip(asked, readings, strict=True)
            ]

        known = [(None if keywords else _score_by_rule(item)) or self.score_without_model(item) for item in items]
        return fill(known, items, ask_model)

    def score_without_model(self, item: Item) -> Score | None:
        """Score an empty reply, which reads as neither."""
        return None if item.reply.strip() else _score({"yes": 0.0, "no": 0.0, "neither": 1.0}, item)

    def judge_inputs(self, item: Item) -> dict[str, str]:
        """Leave out the expected answer, so that the reading does not depend on it."""
        return {name: text for name, text in super().judge_inputs(item).items() if name != "expected"}

    def read(self, opinion: Opinion, item: Item, kind: str) -> tuple[float, dict[str, float], bool]:
        """Return the probability of the expected reading as value, and all three readings as parts."""
        sure = max(opinion.confidence, LIKELY)
        parts = {word: sure if word == opinion.verdict else (1 - sure) / 2 for word in CHAT_KINDS[kind].verdicts}
        expected = "yes" if item.expected else "no"
        return parts[expected], parts, opinion.verdict == expected

    def calibrated(self, score: Score, item: Item, calibration: Calibration) -> Score:
        """Calibrate the three readings together; the reply may then read otherwise."""
        return _score(calibration.probabilities(score.parts), item)

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True if the reading is the expected one."""
        return score.interpretation == ("yes" if item.expected else "no")

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Give the reading, who read it if it was a rule, and the expected one."""
        wanted = "yes" if item.expected else "no"
        rule = f", {score.reason}" if score.reason else ""
        return f"reads {score.interpretation} ({score.parts[score.interpretation]:.2f}{rule}), expected {wanted}"


def _score_by_rule(item: Item) -> Score | None:
    """Return the score of a reply that needs no model; `None` for others."""
    reading: str | None = read_phrase(item.prompt, item.reply)
    if any(says_back(fact, item.reply) for fact in item.facts):
        reading = "yes" if item.expected else "no"
    if reading is None and only_asks_back(item.prompt, item.reply):
        reading = "neither"
    if reading is None:
        return None
    parts = {name: SURE if name == reading else (1 - SURE) / 2 for name in ("yes", "no", "neither")}
    return _score(parts, item, "sure reading")


def _add_fact(item: Item) -> str:
    """Return the question after its fact; not after several, since some may be old or about something else."""
    return f"{item.facts[0]} {item.prompt}" if len(item.facts) == 1 else item.prompt


def _score(parts: dict[str, float], item: Item, rule: str = "") -> Score:
    """Make the score of a reply from reading -> its probability."""
    likely = max(parts, key=lambda name: parts[name])
    reading, reason = likely if parts[likely] >= LIKELY else "neither", BY_RULE if rule else ""
    unsure = not rule and reading != "neither" and parts[likely] < LIKELY_ALONE
    if unsure and not supports_yes_or_no(item.prompt, item.facts, item.reply):
        reading, reason, rule = "neither", UNSUPPORTED, NO_WORD
    return Score(parts["yes" if item.expected else "no"], reading, parts, reason, rule=rule)
