"""The base of every scorer, which puts a number on a reply."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from chattest.models.calibration import Calibration, read_calibrations
from chattest.models.chat import CHAT_KINDS, ChatJudge, Opinion
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.conversation import Turn
from chattest.records.plan import format_answer, split_answers
from chattest.records.result import ChatScore, Score, Verdict
from chattest.registry import Registry

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class LabelledReplies:
    """The labelled replies that tell how often a scorer is right."""

    kind: str
    """Name of the figures: `validate` prints them under it, `measured` keeps them under it."""
    form: str
    """The `kind` that the lines of a labelled file have."""
    true_passes: bool = True
    """Whether a reply labelled `true` should pass; `False` where the label names a fault, such as toxicity."""


@dataclass(frozen=True, slots=True)
class Item:
    """One reply and what is needed to judge it."""

    prompt: str
    """The utterance that the reply answers."""
    reply: str
    """What the bot said."""
    expected: str | bool | None = None
    """The right answer; `True` or `False` for a closed question, `None` where the scorer needs none."""
    extract_with: str = ""
    """The question that the reader is asked over the reply."""
    history: tuple[str, ...] = ()
    """What was said before the prompt, oldest first."""
    earlier_replies: tuple[str, ...] = ()
    """The subject's earlier replies, oldest first."""
    facts: tuple[str, ...] = ()
    """What the user told before; a reply that only says one of these back gives the right answer."""
    user_statements: tuple[str, ...] = ()
    """All that the user told of the matter before, where some of it does not give the right answer."""
    answers_probe: bool = False
    """Whether the prompt is a planted question, and the reply was found to answer it rightly, without doubt."""
    turns: tuple[Turn, ...] = ()
    """All that was said before the reply, and by whom in which round, oldest first; empty outside conversations."""

    @property
    def own(self) -> tuple[str, ...]:
        """The old name of `earlier_replies`, until 0.3."""
        return _warn_of_old_name("own", "earlier_replies", self.earlier_replies)

    @property
    def told(self) -> tuple[str, ...]:
        """The old name of `user_statements`, until 0.3."""
        return _warn_of_old_name("told", "user_statements", self.user_statements)

    @property
    def right(self) -> bool:
        """The old name of `answers_probe`, until 0.3."""
        return _warn_of_old_name("right", "answers_probe", self.answers_probe)


def _warn_of_old_name(old: str, new: str, value: T) -> T:
    """Return the value that a scorer of another package asked for by its old name, with a `DeprecationWarning`."""
    warnings.warn(f"Item.{old} is called {new} now", DeprecationWarning, stacklevel=3)
    return value


_OLD_NAMES = {
    "bar": "threshold_value",
    "needs": "requirement",
    "right": "probability_correct",
    "shown": "judge_inputs",
    "unasked": "score_without_model",
    "why": "explain",
}
"""Names of a scorer's members until 0.1, with today's; scorers of other packages may have them until 0.3."""


class Scorer(ABC):
    """Scores items in batches; has no state of its own."""

    name: ClassVar[str]
    """Set by the registry's decorator."""
    threshold: ClassVar[str]
    """Setting that holds the threshold; empty where there is none."""
    requirement: ClassVar[str]
    """What a reply must have to pass, in words, with `{threshold}` where the threshold stands."""
    judges: ClassVar[tuple[str, ...]] = ()
    """Kinds of model it asks; none for a scorer that goes by a rule."""
    chat_kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds of chat judge that can judge in its place, of which the first that is chosen does."""
    answers: ClassVar[frozenset[AnswerKind]] = frozenset()
    """Kinds of right answer it can compare a reply with; none for a scorer that needs no right answer."""
    finds_answer: ClassVar[bool] = True
    """Whether a reply that passes gives the right answer, for a scorer that compares with one."""
    labelled: ClassVar[LabelledReplies | None] = None
    """The labelled replies that measure it; `None` for a scorer that `validate` does not measure."""
    reads_history: ClassVar[bool] = False
    """Whether its verdict also rests on what was said before the prompt."""
    experimental: ClassVar[str] = ""
    """Why nobody should draw a conclusion from its verdicts yet, in one sentence; empty for others. Every case that it
    judges is then experimental; see `Case.experimental`."""

    raising_rules: ClassVar[frozenset[str]] = frozenset()
    """Names of rules that do not decide, but ask more of a value, which stays the models'."""
    reference: ClassVar[str] = ""
    """The scorer with the reference implementation's own formula, which the setting `formula` chooses; empty: none."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Give members that a class has under their old names the new ones, with a `DeprecationWarning`."""
        for old, new in _OLD_NAMES.items():
            if old in vars(cls) and new not in vars(cls):
                warnings.warn(f"{cls.__name__}.{old} is called {new} now", DeprecationWarning, stacklevel=2)
                setattr(cls, new, vars(cls)[old])
        super().__init_subclass__(**options)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the setting `models` that decide who judges."""
        return tuple(dict.fromkeys((*self.judges, *self.chat_kinds)))

    def threshold_value(self, setting_value: Callable[[str], float]) -> float:
        """Return the threshold in force, 0 for a scorer without one. `setting_value` maps a setting to its value."""
        return setting_value(self.threshold) if self.threshold else 0.0

    def describe_requirement(self, threshold: float) -> str:
        """Say what a reply must have to pass under a threshold."""
        return self.requirement.format(threshold=threshold, bar=threshold)  # `bar`: texts of other packages until 0.3

    @abstractmethod
    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Score each item with the models, in order.

        A value of `None` means that the check does not apply (see `reason`). Verdicts, reports and figures are made
        from `scores`.
        """

    def scores(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Score the items: with the chat judge if one is set, else with the models, calibrated where possible.

        Where the budget of a chat judge is spent, the models judge the rest.
        """
        judge = self.chat_judge(judges)
        if judge is None:
            return self._ask_models(items, judges)
        return fill(
            [self.score_without_model(item) for item in items],
            items,
            lambda asked: self._ask_chat_judge(asked, judge, judges),
        )

    def _ask_chat_judge(self, items: Sequence[Item], judge: ChatJudge, judges: Judges) -> list[Score]:
        """Ask the chat judge; where its budget is spent, the models judge."""
        opinions = judge.ask([self.judge_inputs(item) for item in items])
        by_chat = [
            None if opinion.spent else self._score_opinion(opinion, item, judge)
            for opinion, item in zip(opinions, items, strict=True)
        ]
        return fill(by_chat, items, lambda rest: self._judge_in_place_of(judge, rest, judges))

    def _judge_in_place_of(self, judge: ChatJudge, items: Sequence[Item], judges: Judges) -> list[Score]:
        note = f"by the embedded judge, as the budget of {judge.name} is spent"
        return [
            ChatScore(
                score.value, score.interpretation, score.parts, score.reason, "embedded", note=note, rule=score.rule
            )
            for score in self._ask_models(items, judges)
        ]

    def chat_judge(self, judges: Judges) -> ChatJudge | None:
        """Return the chat model that judges in place of the models; `None` where there is none."""
        return next((judge for kind in self.chat_kinds if (judge := judges.chat(kind)) is not None), None)

    def score_without_model(self, item: Item) -> Score | None:
        """Score an item that no chat judge is asked about; return `None` for others."""
        return None if item.reply.strip() else Score(None, reason="the reply is empty")

    def judge_inputs(self, item: Item) -> dict[str, str]:
        """Return what a chat judge is shown of an item: name of a text -> the text; empty texts are left out."""
        named = {"told before": "\n".join(item.user_statements or item.facts), "question": item.prompt}
        if isinstance(item.expected, bool):
            named["expected"] = format_answer(item.expected)
        elif item.expected is not None:
            named["expected"] = " or ".join(split_answers(item.expected))
        return {name: text for name, text in (named | {"reply": item.reply}).items() if text.strip()}

    def read(self, opinion: Opinion, item: Item, kind: str) -> tuple[float, dict[str, float], bool]:
        """Return value, parts and whether the item passes, from an opinion with a verdict.

        The value is the probability of the label `True`, by the judge's confidence. `kind` is that of the chat judge.
        """
        true = opinion.verdict in CHAT_KINDS[kind].true
        sure = max(opinion.confidence, 0.5)
        passes = true == (self.labelled is None or self.labelled.true_passes)
        return (sure if true else 1 - sure), {"confidence": opinion.confidence}, passes

    def _score_opinion(self, opinion: Opinion, item: Item, judge: ChatJudge) -> Score:
        if opinion.error:
            return ChatScore(None, reason=opinion.error, judge=judge.name, verdict=Verdict.ERROR)
        value, parts, passes = self.read(opinion, item, judge.kind)
        reason = f"{opinion.verdict} ({opinion.confidence:.2f}): {opinion.reason} - {judge.name}"
        verdict = Verdict.PASS if passes else Verdict.FAIL
        return ChatScore(value, opinion.verdict, parts, reason, judge.name, verdict)

    def _ask_models(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Score the items with the models, calibrated where possible. An empty list loads no model."""
        if not items:
            return []
        scores = self.score(items, judges)
        calibration = self.calibration(judges)
        if calibration is None:
            return scores
        return [
            self.calibrated(score, item, calibration) if self.is_of_models(score) else score
            for item, score in zip(items, scores, strict=True)
        ]

    def is_of_models(self, score: Score) -> bool:
        """Return True if models gave the value of a score, and not a rule."""
        return score.value is not None and (not score.rule or score.rule in self.raising_rules)

    def calibration(self, judges: Judges) -> Calibration | None:
        """Return what makes the values probabilities; `None` where they are left as they are.

        Only values of the embedded models are calibrated: not those of a rule, of another model, or of a scorer without
        an entry in the file of calibrations.

        Raises:
            ModelError: That file cannot be read.
        """
        if not self.judges or self.labelled is None:
            return None
        if any(judges.choice(kind) != "embedded" for kind in self.judges):
            return None
        return read_calibrations().get(self.labelled.kind)

    def calibrated(self, score: Score, item: Item, calibration: Calibration) -> Score:
        """Return a score, which must have a value, with its value as a probability."""
        return replace(score, value=calibration.probability(score.value or 0.0))

    def probability_correct(self, score: Score) -> float | None:
        """Return the probability that the reply is right, from a calibrated score; `None` where there is no value."""
        if score.value is None or self.labelled is None or self.labelled.true_passes:
            return score.value
        return 1 - score.value

    def doubts(self, score: Score, item: Item) -> bool:
        """Return True if a verdict is in doubt for another reason than its probability."""
        return False

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True if a score passes under the threshold; one without a value never does."""
        return score.value is not None and score.value >= threshold

    @abstractmethod
    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Explain the verdict to a reader who sees only the row. Not for the score of a chat judge."""

    def verdict(self, score: Score, item: Item, threshold: float) -> Verdict:
        """Return the verdict of a score: NOT_APPLICABLE without a value, ERROR where a chat judge failed."""
        if isinstance(score, ChatScore) and score.verdict is not None:
            return score.verdict
        if score.value is None:
            return Verdict.NOT_APPLICABLE
        return Verdict.PASS if self.passes(score, item, threshold) else Verdict.FAIL

    def reason(self, score: Score, item: Item, threshold: float) -> str:
        """Explain the verdict of a score, also of a chat judge's."""
        given = score if isinstance(score, ChatScore) else None
        if score.value is None or (given is not None and given.verdict is not None):
            return score.reason
        why = self.explain(score, item, threshold)
        return f"{why}; {given.note}" if given is not None and given.note else why


def fill(known: Sequence[R | None], items: Sequence[T], compute: Callable[[list[T]], Sequence[R]]) -> list[R]:
    """Return what is known of each item, and for the rest what `compute` returns for them, all asked at once.

    Args:
        known: A result for each item, or `None`.
        items: As many items.
        compute: Returns a result for each item it gets, in order. It is not called where every result is known, so that
            no model is loaded for nothing.
    """
    missing = [item for item, result in zip(items, known, strict=True) if result is None]
    computed = compute(missing) if missing else ()
    if len(computed) != len(missing):
        raise ValueError(f"{len(computed)} results for {len(missing)} items")
    rest = iter(computed)
    return [next(rest) if result is None else result for result in known]


scorers: Registry[Scorer] = Registry("scorer", "chattest.scorers", "chattest.scorers")


def scorer(name: str) -> Callable[[type[Scorer]], type[Scorer]]:
    """Register the decorated class as a scorer under `name`."""

    def decorate(cls: type[Scorer]) -> type[Scorer]:
        cls.name = name
        return scorers.register(name)(cls)

    return decorate
