"""Run a published benchmark on the bot: play the sessions, ask the questions, judge and report."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

from chattest.chatter.base import Chatter
from chattest.chatter.guards import keep_files
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.participants import find_subject
from chattest.errors import InputError, Problem, ProblemCollector
from chattest.judging.chat.choose import ChatJudges, chat_judges
from chattest.judging.chat.table import usage_table
from chattest.judging.who_judges import CACHE
from chattest.models.judges import Judges
from chattest.published import play as dialogue
from chattest.published import table as analysis
from chattest.published.costs import describe_costs
from chattest.published.judge import count_shared_words, judge_answers
from chattest.published.read import draw_questions, read_benchmark
from chattest.published.record import Benchmark, Dialogue, make_key
from chattest.records.question import Answer, Question
from chattest.records.report import ExtraColumn, ExtraTable, Report
from chattest.review.carry import add_people
from chattest.runner.labels import collect_labels
from chattest.runner.log import RunLog
from chattest.runner.progress import Observer
from chattest.runner.run import Outcome, write
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, read_answers
from chattest.storage.inventory import check_inventory, count_files
from chattest.storage.run_folder import open_run_folder
from chattest.tally.report import build_report
from chattest.text.format import many

SHOWN = 10
"""Most failed sessions that a report lists."""


@dataclass(frozen=True, kw_only=True)
class BenchmarkRun:
    """A benchmark that was read and checked. Nothing is loaded or written yet."""

    settings: Settings
    benchmark: Benchmark
    """With the questions that are asked."""
    way: dialogue.Way
    """How the bot learns the sessions."""
    subject: ChatterSpec
    chat: ChatJudges
    """The chat models that judge."""
    known: Mapping[Question, Answer]
    """The answers of another run, if only those are judged; else empty."""
    again: bool = False
    """Whether only `known` is judged, and nothing asked."""
    notes: tuple[str, ...] = ()
    """What the user should know about the files of the run that is judged."""

    @property
    def words(self) -> str:
        """The plan of the run in a sentence."""
        dialogues = self.benchmark.dialogues
        sessions = sum(len(each.sessions) for each in dialogues)
        size = f"{many(len(dialogues), 'dialogue')} of {many(sessions, 'session')}"
        return f"{self.benchmark.name}: {size}, {many(self.benchmark.questions, 'question')}; {dialogue.WAYS[self.way]}"

    @property
    def costs(self) -> list[str]:
        """The estimated costs as lines; empty if nothing is asked."""
        if self.again:
            return []
        return describe_costs(self.benchmark, self.way, self.subject, self.settings, self.chat)

    @property
    def resume_key(self) -> dict[str, Any]:
        """What must match before an interrupted run is resumed."""
        questions = [question.id for each in self.benchmark.dialogues for question in each.questions]
        chosen = {"name": self.benchmark.name, "file": self.benchmark.digest, "as": self.way, "questions": questions}
        return self.settings.resume_key() | {"benchmark": chosen}


def prepare(
    settings: Settings,
    root: Path,
    name: str,
    path: Path,
    way: dialogue.Way = "turns",
    limit: int | None = None,
    dialogues: int | None = None,
    answers_of: Path | None = None,
    partial: bool = False,
    bots: Mapping[str, type[Chatter]] = {},
) -> BenchmarkRun:
    """Read and check everything that a benchmark needs.

    Args:
        settings: those of the run.
        root: the folder with `chatters/`.
        name: of the benchmark.
        path: its published file.
        way: how the bot learns the sessions.
        limit: number of questions, drawn by the seed.
        dialogues: take questions from so many of the first dialogues only.
        answers_of: the folder of a run; its answers are judged again, and nothing is asked.
        partial: judge them even if some are missing or damaged.
        bots: chatters without a file, by name.

    Raises:
        InputError: names all problems.
    """
    problems = ProblemCollector(Problem("models", why) for why in Judges(settings.models).unusable())
    benchmark, subject, chat = None, None, ChatJudges()
    known: Mapping[Question, Answer] = {}
    notes: tuple[str, ...] = ()
    with problems.collect():
        benchmark = draw_questions(read_benchmark(name, path), limit, dialogues, settings.seed)
    with problems.collect():
        subject = find_subject(settings, root / "chatters", bots)
        problems.add(dialogue.find_misuse(way, subject) if answers_of is None else ())
    with problems.collect():
        chat = chat_judges(settings, root, bots)
    if answers_of is not None:
        with problems.collect():
            notes = check_inventory(answers_of, verdicts=False, partial=partial)
            known = _read_answers(answers_of)
    if settings.executor == "ray":
        problems.add([Problem("executor", "a benchmark is held on this machine", 'Set executor to "local".')])
    problems.raise_any()
    assert benchmark is not None
    assert subject is not None
    return BenchmarkRun(
        settings=settings,
        benchmark=benchmark,
        way=way,
        subject=subject,
        chat=chat,
        known=known,
        again=answers_of is not None,
        notes=notes,
    )


def _read_answers(folder: Path) -> Mapping[Question, Answer]:
    answers = read_answers(folder / FILE)
    if not answers:
        raise InputError([Problem(str(folder), f"holds no answers ({FILE})", "Name the folder of a benchmark's run.")])
    return answers


def run(
    planned: BenchmarkRun, reports: Path, observer: Observer, stop: Event, writers: Iterable[str] | None = None
) -> Outcome:
    """Hold the benchmark, or resume one that was interrupted, and write the report.

    Args:
        planned: the benchmark.
        reports: the parent of the run's folder.
        observer: gets the events of the run.
        stop: once set, nothing more is sent or asked, and the answers so far are judged.
        writers: names of the report writers; `None` for those of the setting `reports`.

    Raises:
        ChattestError: the run cannot go on.
    """
    settings = planned.settings
    judges = Judges(settings.models)
    planned.chat.use_in(judges)
    if not planned.again:
        planned.subject.load()
    planned.chat.load()
    judges.configure(settings.history_tokens, settings.precision)
    if settings.score_cache:
        judges.use_cache(reports / CACHE)
    claimed = open_run_folder(reports, _choose_name(planned), planned.resume_key)
    if not (claimed.path / "run.json").exists() and (claimed.path / FILE).exists():
        raise InputError([Problem(str(claimed.path / FILE), "holds the answers of another run", "Move it away.")])
    keep_files(reports)
    with claimed as folder, RunLog(claimed.path, settings, observer) as log:
        folder.mark("talking", planned.resume_key)
        answers, failures = planned.known, dict[str, str]()
        if not planned.again:
            log.asking(planned.benchmark.questions)

            def played(dialogue_played: Dialogue, session: int) -> None:
                log.write(f"{dialogue_played.id}: session {session} of {len(dialogue_played.sessions)} held")

            callbacks = dialogue.Callbacks(log.answered, played)
            arguments = (planned.benchmark, planned.way, planned.subject, settings)
            failures = dialogue.hold(*arguments, folder.path, stop, callbacks)
            answers = read_answers(folder.path / FILE)
        folder.mark("judging", planned.resume_key)
        log.judging(0)
        report = _build_report(planned, answers, failures, folder.path, judges)
        log.judged(report)
        write(report, folder.path, settings.reports if writers is None else writers)
        left = not planned.again and _count_unanswered(planned.benchmark, answers)
        holds = count_files(folder.path, folder.path / "conversations")
        folder.mark("stopped" if left else "finished", planned.resume_key, holds=holds)
        return Outcome(folder.path, report, bool(left))


def _choose_name(planned: BenchmarkRun) -> str:
    default = Settings.model_fields["save_analysis_name"].default
    given = planned.settings.save_analysis_name
    return f"benchmark-{planned.benchmark.name}" if given == default else given


def _count_unanswered(benchmark: Benchmark, answers: Mapping[Question, Answer]) -> int:
    """Return the number of questions without an answer."""
    return sum(make_key(each, question) not in answers for each in benchmark.dialogues for question in each.questions)


def _build_report(
    planned: BenchmarkRun,
    answers: Mapping[Question, Answer],
    failures: Mapping[str, str],
    folder: Path,
    judges: Judges,
) -> Report:
    settings, benchmark = planned.settings, planned.benchmark
    rows = judge_answers(benchmark, answers, settings, judges)
    labels = collect_labels(folder, settings, (), rows)
    rows = add_people(rows, (), labels)
    tables = [analysis.build_table(benchmark, rows, count_shared_words)]
    tables += [_build_failures_table(failures)] if failures else []
    spent = usage_table(planned.chat)
    tables += [spent] if spent is not None else []
    report = build_report(
        folder.name, settings, analysis.list_categories(benchmark), (), (), rows, judges, tuple(tables), labels
    )
    return replace(report, chatters=(benchmark.name, settings.chatters[1]))


def _build_failures_table(failures: Mapping[str, str]) -> ExtraTable:
    """Build the table of sessions in which the bot failed; it did not get the rest of these sessions."""
    note = f"The bot failed in {many(len(failures), 'session')}, and did not get the rest of them."
    rows: Sequence[tuple[str, str]] = sorted(failures.items())[:SHOWN]
    return ExtraTable("Failed sessions", note, (ExtraColumn("Session"), ExtraColumn("First error")), tuple(rows))
