"""Answers to the questions of a published benchmark -> verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chattest.judging.correctness import token_f1
from chattest.judging.ensemble import judged
from chattest.judging.expectations import Expected, ExpectedReply, Outcome, outcomes
from chattest.judging.scoring import Judgement
from chattest.models.judges import Judges
from chattest.published.record import Benchmark, BenchmarkQuestion, code_of, key_of
from chattest.records.plan import answer_in_words
from chattest.records.question import Answer, Question
from chattest.records.result import Result, Verdict
from chattest.rules.reading import read
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings

ABSTENTION = "abstention"
"""The scorer of questions that only abstaining answers."""
RUBRIC = "its right answer is a rubric, by which only a chat model can judge: models = {'match': 'chat:...'}"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, its row without a verdict, and the answer."""

    question: BenchmarkQuestion
    row: Result
    answer: Answer


def scorer_of(question: BenchmarkQuestion) -> str:
    """The name of the scorer that judges the answers to a question."""
    if question.answer is None:
        return ABSTENTION
    return "closed_answer" if isinstance(question.answer, bool) else "open_answer"


def verdicts(
    benchmark: Benchmark, answers: Mapping[Question, Answer], settings: Settings, judges: Judges
) -> list[Result]:
    """A row for each question, in order; the questions of a dialogue have its number as their run.

    answers: by `key_of`. A question without an answer, and a rubric without a chat judge, are NOT_APPLICABLE; a bot or
    a judge that failed is an ERROR.
    """
    rows: list[Result] = []
    asked: dict[int, _Asked] = {}
    for number, dialogue in enumerate(benchmark.dialogues, start=1):
        for place, question in enumerate(dialogue.questions):
            answer = answers.get(key_of(dialogue, question))
            row = Result(
                code_of(benchmark.name, question.category),
                number,
                dialogue.id,
                place,
                Verdict.NOT_APPLICABLE,
                prompt=question.asked,
                reply=answer.text if answer else "",
                expected=answer_in_words(question.answer),
                testset=dialogue.id,
            )
            if answer is None:
                row = replace(row, reason="never asked: the run was stopped before")
            elif answer.error is not None:
                row = replace(row, verdict=Verdict.ERROR, reason=f"the bot failed: {answer.error}")
            elif question.rubric and judges.chat("match") is None:
                row = replace(row, reason=RUBRIC)
            else:
                asked[len(rows)] = _Asked(question, row, answer)
            rows.append(row)
    for at, row in zip(asked, _judged(list(asked.values()), settings, judges), strict=True):
        rows[at] = row
    return rows


def _judged(asked: Sequence[_Asked], settings: Settings, judges: Judges) -> list[Result]:
    """The rows with their verdicts; each judge is asked about all of its answers at once."""
    told = [_expected(each) for each in asked if each.question.answer is not None]
    untold = [_item(each) for each in asked if each.question.answer is None]
    found = iter(outcomes(told, settings, judges))
    abstained = iter(judged(scorers.get(ABSTENTION), untold, settings, judges))
    return [
        _abstained(each.row, next(abstained)) if each.question.answer is None else _decided(each.row, *next(found))
        for each in asked
    ]


def _item(each: _Asked) -> Item:
    """What a scorer of abstention gets: the question to read the reply with, where it does not want a yes or no."""
    question = each.question.text
    return Item(question, each.answer.text, None, "" if read(question).asks_yes_or_no else question)


def _expected(each: _Asked) -> ExpectedReply:
    right = each.question.answer
    closed = right if isinstance(right, bool) else None
    texts = () if closed is not None else (str(right),)
    return ExpectedReply(Question(each.question.text), Expected(texts, closed), each.answer)


def _decided(row: Result, outcome: Outcome) -> Result:
    verdict = Verdict.ERROR if outcome.error else Verdict.PASS if outcome.met else Verdict.FAIL
    reason = outcome.error or outcome.reason
    row = replace(row, scorer=outcome.scorer, judge=outcome.judge)
    return replace(row, verdict=verdict, score=outcome.score, reason=reason, in_doubt=outcome.in_doubt)


def _abstained(row: Result, one: Judgement) -> Result:
    row = replace(row, scorer=one.scorer, judge=one.judge)
    return replace(row, verdict=one.verdict, score=one.score, reason=one.reason, in_doubt=one.in_doubt)


def shared_words(row: Result) -> float | None:
    """Token F1, 0 to 1, of a reply and the right answer, as papers report it; `None` where there is none to compare."""
    if row.verdict not in (Verdict.PASS, Verdict.FAIL) or not row.expected:
        return None
    return token_f1(row.expected, row.reply)
