"""Judge the answers to the questions of a published benchmark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chattest.judging.correctness import token_f1
from chattest.judging.expectations import Expected, ExpectedReply, Outcome, outcomes
from chattest.judging.scoring import Judgement
from chattest.judging.who_judges import run_judges
from chattest.models.judges import Judges
from chattest.published.record import Benchmark, BenchmarkQuestion, make_code, make_key
from chattest.records.plan import format_answer
from chattest.records.question import Answer, Question
from chattest.records.result import Result, Verdict
from chattest.rules.reading import read
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings

ABSTENTION = "abstention"
"""The scorer of questions for which only abstaining is right."""
RUBRIC = "its right answer is a rubric, by which only a chat model can judge: models = {'match': 'chat:...'}"


@dataclass(frozen=True, slots=True)
class _AnsweredQuestion:
    """A question, its row without a verdict, and the answer."""

    question: BenchmarkQuestion
    row: Result
    answer: Answer


def find_scorer(question: BenchmarkQuestion) -> str:
    """Return the name of the scorer that judges the answers to a question."""
    if question.answer is None:
        return ABSTENTION
    return "closed_answer" if isinstance(question.answer, bool) else "open_answer"


def judge_answers(
    benchmark: Benchmark, answers: Mapping[Question, Answer], settings: Settings, judges: Judges
) -> list[Result]:
    """Return a row for each question, in order; the number of its dialogue is the run of the row.

    A question without an answer, and a rubric without a chat judge, are NOT_APPLICABLE; if the bot or a judge failed,
    the row is an ERROR.

    Args:
        benchmark: the questions.
        answers: by `make_key`.
        settings: those of the run.
        judges: the models that judge.
    """
    rows: list[Result] = []
    asked: dict[int, _AnsweredQuestion] = {}
    for number, dialogue in enumerate(benchmark.dialogues, start=1):
        for index, question in enumerate(dialogue.questions):
            answer = answers.get(make_key(dialogue, question))
            row = Result(
                make_code(benchmark.name, question.category),
                number,
                dialogue.id,
                index,
                Verdict.NOT_APPLICABLE,
                prompt=question.asked,
                reply=answer.text if answer else "",
                expected=format_answer(question.answer),
                testset=dialogue.id,
            )
            if answer is None:
                row = replace(row, reason="never asked: the run was stopped before")
            elif answer.error is not None:
                row = replace(row, verdict=Verdict.ERROR, reason=f"the bot failed: {answer.error}")
            elif question.rubric and judges.chat("match") is None:
                row = replace(row, reason=RUBRIC)
            else:
                asked[len(rows)] = _AnsweredQuestion(question, row, answer)
            rows.append(row)
    for index, row in zip(asked, _add_verdicts(list(asked.values()), settings, judges), strict=True):
        rows[index] = row
    return rows


def _add_verdicts(asked: Sequence[_AnsweredQuestion], settings: Settings, judges: Judges) -> list[Result]:
    """Return the rows with their verdicts; each judge gets all of its answers at once."""
    answerable = [_make_expected(each) for each in asked if each.question.answer is not None]
    unanswerable = [_make_item(each) for each in asked if each.question.answer is None]
    decided = iter(outcomes(answerable, settings, judges))
    abstained = iter(run_judges(scorers.get(ABSTENTION), unanswerable, settings, judges))
    return [
        _add_judgement(each.row, next(abstained))
        if each.question.answer is None
        else _add_outcome(each.row, *next(decided))
        for each in asked
    ]


def _make_item(each: _AnsweredQuestion) -> Item:
    """Return the input of an abstention scorer; it reads the reply with the question, unless that wants a yes or no."""
    question = each.question.text
    return Item(question, each.answer.text, None, "" if read(question).asks_yes_or_no else question)


def _make_expected(each: _AnsweredQuestion) -> ExpectedReply:
    right = each.question.answer
    closed = right if isinstance(right, bool) else None
    texts = () if closed is not None else (str(right),)
    return ExpectedReply(Question(each.question.text), Expected(texts, closed), each.answer)


def _add_outcome(row: Result, outcome: Outcome) -> Result:
    verdict = Verdict.ERROR if outcome.error else Verdict.PASS if outcome.met else Verdict.FAIL
    reason = outcome.error or outcome.reason
    row = replace(row, scorer=outcome.scorer, judge=outcome.judge)
    return replace(row, verdict=verdict, score=outcome.score, reason=reason, in_doubt=outcome.in_doubt)


def _add_judgement(row: Result, judgement: Judgement) -> Result:
    row = replace(row, scorer=judgement.scorer, judge=judgement.judge)
    return replace(
        row, verdict=judgement.verdict, score=judgement.score, reason=judgement.reason, in_doubt=judgement.in_doubt
    )


def count_shared_words(row: Result) -> float | None:
    """Return the token F1, 0 to 1, of a reply and the right answer, as papers report it; `None` without an answer."""
    if row.verdict not in (Verdict.PASS, Verdict.FAIL) or not row.expected:
        return None
    return token_f1(row.expected, row.reply)
