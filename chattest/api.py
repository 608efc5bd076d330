"""The library: the functions that `main.py`, the pytest plugin and notebooks call.

    import chattest

    def my_bot(history: list[str]) -> str: ...

    report = chattest.run(my_bot, cases=["ML-U3", "ML-I1"])

A bot is a function that takes the conversation so far (oldest text first) and returns the reply; or a class or an
object with such a method `get_response`; or a chatter's name. It may be `async`. No project folder is needed, and
nothing is written before `Report.save` is called.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event
from typing import TYPE_CHECKING, Any, overload

from chattest.cases.base import all_cases, reply_cases
from chattest.chatter.base import Chatter
from chattest.chatter.guards import guard
from chattest.checks.base import families
from chattest.comparison.frames import Comparison, SeveralComparison
from chattest.comparison.runs import compare as compare_runs
from chattest.comparison.several import compare_several
from chattest.dialogue.transcript import read_messages
from chattest.errors import InputError, Problem, suggest
from chattest.files.home import home, keep_home
from chattest.judging.chat.choose import chat_judges
from chattest.judging.pairs import judge_pairs
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.perturbations.base import resolve
from chattest.records.conversation import Conversation
from chattest.records.dose import Dose
from chattest.records.report import CheckInfo
from chattest.records.result import Result
from chattest.reports.content.worst import describe_worst
from chattest.runner.api_arguments import Bot, add_gate, drop_unset, make_run_folder, register_bot, select_cases
from chattest.runner.gates import find_old_gates
from chattest.runner.prepare import prepare
from chattest.runner.progress import ProgressBar, Silent
from chattest.runner.questions.checks import plan_checks
from chattest.runner.questions.saved_tests import make_saved_tests
from chattest.runner.questions.saved_tests_table import Tests, to_tests
from chattest.runner.reference_runs import CONTROLS
from chattest.runner.report import Report
from chattest.runner.run import run as run_prepared
from chattest.settings.declaration import Settings
from chattest.settings.file import read_values
from chattest.storage.judge_accuracy import read_measured
from chattest.storage.saved_tests import Placed
from chattest.tally.report import build_report

if TYPE_CHECKING:
    from pandas import DataFrame

SHOWN = 3
"""Failed replies that the message of a failed requirement shows."""


def run(
    bot: Bot,
    *,
    driver: Bot | None = None,
    cases: Sequence[str] | None = None,
    checks: Sequence[str] = (),
    conversations: int | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    fail_under: float | None = None,
    progress: bool = False,
    root: str | Path | None = None,
    **settings: Any,
) -> Report:
    """Hold conversations with a bot, judge every reply, and report.

    Args:
        bot: chatter 2, under test.
        driver: chatter 1, which speaks for the user; `None`: `companion`.
        cases: codes such as `ML-U3`; `None`: all. The named cases share the rounds evenly, unless the setting `p` says
            otherwise.
        checks: checks by single questions, in addition to the conversations.
        conversations: number of conversations; `None`: 5.
        rounds: rounds of each conversation; `None`: 40.
        seed: the source of all chance; `None`: 1. (With the pytest fixture `bot`, `None` means the project's own.)
        fail_under: the least pass rate, 0 to 1, of all probes, of all replies, of all single questions and of all
            groups; if one is lower, `report.passed` is False.
        progress: show a bar.
        root: a project's folder; its `chatters/` are searched first, and each folder of its `testsets/` replaces the
            shipped one; `None`: the current folder.
        settings: any other setting of config.py (`chattest list settings`).

    Raises:
        InputError: names everything that is wrong, before the first turn.
        ChatterError: a chatter cannot be loaded.
        ModelError: a judge cannot be loaded or fails.

    >>> report = run(lambda history: "I do not know.", cases=["ML-I4"], conversations=1, rounds=10)
    >>> int(report.rates().loc["ML-I4", "passed"])
    0
    """
    values = drop_unset(
        max_runs=conversations, conversation_length=rounds, seed=seed, fail_under=fail_under, checks=list(checks)
    )
    return _run_bot(bot, driver, values | select_cases(cases) | settings, progress, root)


def check(
    bot: Bot,
    checks: Sequence[str] = (),
    *,
    tests: "Tests | DataFrame | str | Path | None" = None,
    seed: int | None = None,
    fail_under: float | None = None,
    progress: bool = False,
    root: str | Path | None = None,
    **settings: Any,
) -> Report:
    """Ask a bot single questions, without conversations, and judge the answers.

    Args:
        bot: as for `run`.
        checks: families (`invariance`) or single checks (`invariance.typo`); none: all.
        tests: asked instead of those that the checks would plan: what `generate` returned, the table of its
            `to_pandas`, edited or not, or the path of a file.
        seed: as for `run`.
        fail_under: as for `run`.
        progress: as for `run`.
        root: as for `run`.
        settings: as for `run`.

    Raises:
        InputError: names everything that is wrong, before the first question.
        ChatterError: the bot cannot be loaded.
        ModelError: a judge cannot be loaded or fails.

    >>> report = check(lambda history: "Yes.", ["mft.names"])
    >>> bool(report.failures().empty)
    False
    """
    asked = None if tests is None else to_tests(tests).placed
    values = drop_unset(seed=seed, fail_under=fail_under, checks=list(checks))
    return _run_bot(bot, None, values | settings, progress, root, True, asked)


def generate(
    checks: Sequence[str] = (), *, seed: int | None = None, root: str | Path | None = None, **settings: Any
) -> Tests:
    """Plan the single questions that `check` would ask, without asking them: look at them, edit, save and ask them.

    The same arguments give the same tests, and `check` takes the same arguments.

    Args:
        checks: as for `check`.
        seed: as for `run`.
        root: as for `run`.
        settings: as for `run`.

    Raises:
        InputError: names everything that is wrong.

    >>> tests = generate(["invariance.uppercase"], check_questions=1)
    >>> check(lambda history: "Yes.", tests=tests).passed
    True
    """
    checked = read_values(drop_unset(seed=seed, checks=list(checks)) | settings)
    return Tests.of(make_saved_tests(plan_checks(checked, home() / (root or ""))))


def judge(
    pairs: Sequence[tuple[str, str]],
    *,
    expected: Sequence[str | bool | Sequence[str]] | None = None,
    scorers: Sequence[str] = ("toxicity", "prompt_coherence"),
    **settings: Any,
) -> Report:
    """Judge existing replies, each by every scorer.

    The report has one row for each pair and scorer, in this order.

    Args:
        pairs: prompt and reply.
        expected: the right answer to each prompt: a text, a list of accepted texts, or `True` or `False` for yes or no;
            scorers that compare answers need it.
        scorers: names that `chattest list scorers` shows.
        settings: thresholds, models.

    Raises:
        InputError: names everything that is wrong.
        ModelError: a judge cannot be loaded or fails.

    >>> report = judge([("What is my cat called?", "Mittens.")], expected=["Mittens"], scorers=["open_answer"])
    >>> report.results[0].verdict.value
    'PASS'
    """
    checked = read_values(settings)
    with keep_home():
        judges = _make_judges(checked)
        infos, results = judge_pairs(pairs, expected, scorers, checked, judges)
        return _build_judged_report("judged", checked, infos, (), results, judges)


def judge_transcript(
    messages: Sequence[Mapping[str, Any]], *, cases: Sequence[str] | None = None, **settings: Any
) -> Report:
    """Judge every reply of a conversation in the form of chat services.

    Args:
        messages: `{"role": "user" | "assistant", "content": text}`, oldest first; other roles are skipped. Consecutive
            messages of one role count as one turn, and the assistant's messages before the first user message are not
            judged.
        cases: codes of cases that judge every reply (`ML-P1`); `None`: all of them.
        settings: thresholds, models.

    Raises:
        InputError: names everything that is wrong, such as a case that needs probes.
        ModelError: a judge cannot be loaded or fails.

    >>> said = [{"role": "user", "content": "Hello!"}, {"role": "assistant", "content": "Go away, you idiot."}]
    >>> list(judge_transcript(said, cases=["ML-P1"]).failures()["check"])
    ['ML-P1']
    """
    codes = {name: case.code for case in reply_cases() for name in (case.code, case.alias)}
    unusable = [code for code in cases or () if code not in codes]
    if unusable or (cases is not None and not cases):
        what = f"{unusable[0]} does not judge every reply" if unusable else "no case that judges every reply is named"
        raise InputError([Problem("cases", what, f"Those that do: {', '.join(sorted(set(codes.values())))}.")])
    checked = read_values(select_cases(cases) | settings)
    with keep_home():
        judges = _make_judges(checked)
        conversation = read_messages(messages)
        return _build_judged_report(
            "transcript", checked, (), (conversation,), analyze([conversation], checked, judges), judges
        )


def perturb(text: str, perturbation: str, *, seed: int = 1, dose: Dose = "medium") -> str:
    """Return the text as a perturbation alters it, or unaltered if the perturbation does not apply.

    Args:
        text: the text.
        perturbation: a name, or several joined by `+`.
        seed: the source of chance.
        dose: how strongly to alter it, as in settings.

    Raises:
        InputError: there is no such perturbation.

    >>> perturb("What is my cat called?", "uppercase")
    'WHAT IS MY CAT CALLED?'
    """
    return resolve(perturbation, "perturbation").draw(text, Random(f"{seed}/{perturbation}"), dose=dose).text


@overload
def compare(first: Report, second: Report, /, *, alpha: float = 0.05, seed: int = 1) -> Comparison: ...
@overload
def compare(*reports: Report, alpha: float = 0.05, seed: int = 1) -> Comparison | SeveralComparison: ...
def compare(*reports: Report, alpha: float = 0.05, seed: int = 1) -> Comparison | SeveralComparison:
    """Compare two or more reports on the same plan, question by question.

    Args:
        reports: two or more.
        alpha: chance of any false alarm over all cases, and over all pairs of more than two reports.
        seed: the source of chance.

    Raises:
        InputError: the plans differ; names what differs.

    >>> short = {"cases": ["ML-I4"], "conversations": 2, "rounds": 10}
    >>> int(compare(run("oracle", **short), run("amnesiac", **short)).to_pandas().loc["ML-I4", "better"])
    0
    """
    runs = [report.as_run() for report in reports]
    if len(runs) < 2:
        raise InputError([Problem("compare", "one report cannot be compared", "Give two or more.")])
    if len(runs) > 2:
        return SeveralComparison(compare_several(runs, alpha, seed, read_measured()))
    return Comparison(compare_runs(runs[0], runs[1], alpha, seed, read_measured()))


def require(bot: Bot, code: str, min_rate: float = 0.8, **options: Any) -> Report:
    """Require a pass rate of a bot, for a test; return the report.

    Args:
        bot: as for `run`.
        code: a case (`ML-I1`), for which conversations are held, or a check or family of checks (`invariance.typo`).
        min_rate: 0 to 1; a reply in which the bot failed counts as a miss.
        options: as for `run` or `check`; `stop_when` also stops once it is certain whether `min_rate` is reached.

    Raises:
        AssertionError: the rate is lower, or nothing was decided; shows the worst replies and their reasons.
        InputError: as for `run`.
        ChatterError: as for `run`.
        ModelError: as for `run`.

    >>> report = require("oracle", "ML-I4", min_rate=0.9, conversations=1, rounds=10)
    """
    __tracebackhide__ = True
    codes = {name: case.code for case in all_cases() for name in (case.code, case.alias)}
    code = codes.get(code, code)
    if code not in codes and code.partition(".")[0] not in families.names():
        remedy = suggest(code, [*codes.values(), *families.names()])
        raise InputError([Problem("code", f'there is no case or check "{code}"', remedy)])
    unused = sorted({"conversations", "rounds", "driver", "stop_when"} & options.keys()) if code not in codes else []
    if unused:
        what = f"{code} asks single questions and holds no conversations"
        raise InputError([Problem(unused[0], what, "Leave it out; check_questions sets how many are asked.")])
    options = add_gate(options, code, min_rate)
    report = run(bot, cases=[code], **options) if code in codes else check(bot, [code], **options)
    tallies = report.record.tallies.values()
    passed, total = sum(tally.passed for tally in tallies), sum(tally.total + tally.errors for tally in tallies)
    if not total:
        raise AssertionError(f"{code}: nothing could be decided; hold more or longer conversations")
    if passed / total < min_rate:
        summary = f"{code}: {passed} of {total} passed, {passed / total:.1%}; at least {min_rate:.1%} must"
        raise AssertionError("\n".join([summary, *describe_worst(report.record, SHOWN)]))
    return report


def _run_bot(
    bot: Bot,
    driver: Bot | None,
    values: dict[str, Any],
    progress: bool,
    root: str | Path | None,
    checks_only: bool = False,
    tests: Placed | None = None,
) -> Report:
    # A pytest fixture brings its project along: settings, folder and driver.
    project: dict[str, Any] = getattr(bot, "run_options", {})
    bots: dict[str, type[Chatter]] = {}
    driver_name = register_bot(driver or project.get("driver", "companion"), bots)
    taken = () if project else (driver_name, *CONTROLS)
    names = [driver_name, driver_name if bot is driver else register_bot(project.get("chatter", bot), bots, taken)]
    checked = read_values({"score_cache": False} | project.get("settings", {}) | values | {"chatters": names})
    with keep_home() as folder, guard():
        place = folder / (root or project.get("root") or "")
        if old := find_old_gates(checked, place, checks_only):
            warnings.warn(old.advice(), DeprecationWarning, stacklevel=3)
        prepared = prepare(checked, place, checks_only, bots, tests)
        observer = ProgressBar(checked.conversation_length) if progress else Silent()
        with observer, make_run_folder() as reports:
            outcome = run_prepared(prepared, reports, observer, Event(), writers=())
    if outcome.report is None:
        raise InputError([Problem("is_analyze_conversation", "is False, so there is no report", "Leave it out.")])
    return Report(outcome.report, prepared.resume_key, outcome.folder, temporary=True)


def _make_judges(settings: Settings) -> Judges:
    judges = Judges(settings.models)
    chat_judges(settings, home()).use_in(judges)
    judges.configure(settings.history_tokens, settings.precision)
    return judges


def _build_judged_report(
    name: str,
    settings: Settings,
    infos: Sequence[CheckInfo],
    conversations: tuple[Conversation, ...],
    results: list[Result],
    judges: Judges,
) -> Report:
    record = build_report(name, settings, infos, (), conversations, results, judges)
    speakers = record.chatters if conversations else ("prompts", "replies")
    return Report(replace(record, chatters=speakers), settings.resume_key())
