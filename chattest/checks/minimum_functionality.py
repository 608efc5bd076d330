"""Ask simple questions that any bot should get right."""

from collections.abc import Sequence
from random import Random
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.questions import RightAnswer, Text, read_all
from chattest.datasets.templates import Filler, choose_fillings, fill_gaps, find_gaps
from chattest.errors import InputError, Problem
from chattest.files.shipped import testset_folder
from chattest.judging.expectations import FEELINGS, Expected, ExpectedReply, all_met_in_doubt, outcomes, unjudged
from chattest.models.judges import Judges
from chattest.records.question import Question
from chattest.records.result import Result
from chattest.settings.declaration import Settings

FOLDER = "mft"
NOTHING_EXPECTED = (
    "nothing is expected of the reply; give answer, sentiment, says, never, fits, calm, least_words or no_fallback"
)


class _Case(BaseModel):
    """A template of a suite: the question, and what the reply must be."""

    model_config = ConfigDict(extra="forbid", strict=True)
    ask: Text
    context: str = ""
    answer: RightAnswer = None
    also: list[Text] = []
    extract_with: str = ""
    sentiment: Literal["positive", "negative", "neutral"] | None = None
    says: list[Text] = []
    never: list[Text] = []
    fits: bool = False
    calm: bool = False
    least_words: Annotated[int, Field(ge=0)] = 0
    no_fallback: bool = False

    @model_validator(mode="after")
    def _expects(self) -> Self:
        if not self.expected({}).words:
            raise ValueError(NOTHING_EXPECTED)
        return self

    @property
    def texts(self) -> list[str]:
        """All texts that may have gaps."""
        return [self.ask, self.context, *self.answers, self.extract_with, *self.says, *self.never]

    @property
    def answers(self) -> list[str]:
        """Every accepted answer; none if yes or no is right."""
        given = self.answer if isinstance(self.answer, list) else [self.answer]
        return [*(answer for answer in given if isinstance(answer, str)), *self.also]

    def question(self, filling: dict[str, Filler]) -> Question:
        """Return the question with its gaps filled."""
        return Question(fill_gaps(self.ask, filling), fill_gaps(self.context, filling))

    def expected(self, filling: dict[str, Filler]) -> Expected:
        """Return what is expected of the reply, with the gaps filled."""

        def fill(texts: Sequence[str]) -> tuple[str, ...]:
            return tuple(text.format(**filling) if filling else text for text in texts)

        return Expected(
            answers=fill(self.answers),
            closed=self.answer if isinstance(self.answer, bool) else None,
            extract_with=fill([self.extract_with])[0],
            sentiment=self.sentiment or "",
            says=fill(self.says),
            never=fill(self.never),
            fits=self.fits,
            calm=self.calm,
            least_words=self.least_words,
            no_fallback=self.no_fallback,
        )


class _Suite(BaseModel):
    """A file of `testsets/mft/`, named after the capability."""

    model_config = ConfigDict(extra="forbid", strict=True)
    about: Text
    expected_pass_rate: Annotated[float, Field(ge=0, le=1)] = 1.0
    draws: Annotated[int, Field(ge=1, le=10_000)] = 5
    words: dict[str, Annotated[list[str | list[str]], Field(min_length=1)]] = {}
    case: Annotated[list[_Case], Field(min_length=1)]


class Suite(Check):
    """All cases about one capability."""

    Expects = Expected
    asks = 1

    def __init__(self, name: str, suite: _Suite, settings: Settings) -> None:
        """Prepare the check.

        Args:
            name: The stem of the file.
        """
        self.code = f"mft.{name}"
        self.capability = name
        self.title = suite.about
        self.expected_rate = suite.expected_pass_rate
        self.threshold = f"expected pass rate {100 * suite.expected_pass_rate:g} %"
        self._suite = suite
        self._settings = settings

    def trials(self, rng: Random) -> list[Trial]:
        """Return every case, with its gaps filled in up to `draws` ways."""
        trials: list[Trial] = []
        for case in self._suite.case:
            for filling in choose_fillings(find_gaps(case.texts), self._suite.words, self._suite.draws, rng):
                expected = case.expected(filling)
                fields = {"testset": self.capability, "expected": expected.words}
                trials.append(Trial((case.question(filling),), row(**fields), expected))
        return trials

    def unfit(self, expects: Expected) -> str:
        """Return why nothing can be expected of a reply in this way; empty if it can."""
        if not expects.words:
            return NOTHING_EXPECTED
        is_known = expects.sentiment in ("", *FEELINGS)
        return "" if is_known else f'sentiment must be one of {", ".join(FEELINGS)}, not "{expects.sentiment}"'

    def judged_by(self, trial: Trial) -> Sequence[str]:
        """Return the scorers of all that is expected."""
        expects: Expected = trial.expects
        return expects.scorers

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Pass replies that meet all expectations."""
        replies = [ExpectedReply(trial.questions[0], trial.expects, trial.answers[0]) for trial in answered]
        results = []
        for trial, judged in zip(answered, outcomes(replies, self._settings, judges), strict=True):
            judge = next((outcome.judge for outcome in judged if outcome.judge), "")
            scorer = judged[0].scorer if len(judged) == 1 else ""  # several expectations have no one scorer
            if error := unjudged(judged):
                results.append(trial.unjudged(error, judge=judge, scorer=scorer))
                continue
            unmet = [outcome for outcome in judged if not outcome.met and not outcome.error]
            shown = (unmet or judged)[0]
            reason = "; ".join(outcome.reason for outcome in judged)
            in_doubt = all_met_in_doubt(judged)
            judged_by = {"judge": judge, "scorer": scorer}
            results.append(trial.result(not unmet, shown.score, reason, in_doubt=in_doubt, **judged_by))
        return results


@family("mft")
class MinimumFunctionality(Family):
    """Suites of simple cases, each about one capability and with a required pass rate (CheckList's MFT)."""

    def checks(self, context: CheckContext) -> list[Check]:
        """Return a check for every file of `testsets/mft/`."""
        folder = testset_folder(context.testsets, FOLDER)
        suites = read_all(folder, _Suite)
        problems = [
            Problem(str(folder / f"{name}.toml"), why)
            for name, suite in suites.items()
            for case in suite.case
            if (why := _find_gap_problem(case, suite))
        ]
        if problems:
            raise InputError(problems)
        return [Suite(name, suite, context.settings) for name, suite in suites.items()]


def _find_gap_problem(case: _Case, suite: _Suite) -> str:
    """Return what is wrong with the gaps of a case; empty if nothing is."""
    try:
        for filling in choose_fillings(find_gaps(case.texts), suite.words, suite.draws, Random(0)):
            case.question(filling)
            case.expected(filling)
    except (ValueError, IndexError, KeyError) as error:
        return f'"{case.ask}": {error}'
    return ""
