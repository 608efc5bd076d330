"""The library: what `main.py`, the pytest plugin and notebooks call.

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
from chattest.chatter.guards import guarded
from chattest.checks.base import families
from chattest.comparison.frames import Comparison, SeveralComparison
from chattest.comparison.runs import compare as compare_runs
from chattest.comparison.several import compare_several
from chattest.dialogue.transcript import read_messages
from chattest.errors import InputError, Problem, nearest
from chattest.files.home import home, staying
from chattest.judging.chat.chosen import chat_judges
from chattest.judging.pairs import judge_pairs
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.perturbations.base import resolve
from chattest.records.conversation import Conversation
from chattest.records.dose import Dose
from chattest.records.report import CheckInfo
from chattest.records.result import Result
from chattest.reports.content.worst import told
from chattest.runner.api_arguments import Bot, add_gate, drop_unset, make_run_folder, register_bot, select_cases
from chattest.runner.gates import find_old_gates
from chattest.runner.prepare import prepare
from chattest.runner.progress import ProgressBar, Silent
from chattest.runner.questions.checks import plan_checks
from chattest.runner.questions.saved_tests import saved_tests
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
"""Failed replies that are told with a requirement that is not met."""


def run(
    bot: Bot,
    *,
    driver: Bot | None = None,
    cases: Sequence[str] | None = None,
    checks: Sequence[str] = (),
    conversations: int | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    progress: bool = False,
    root: str | Path | None = None,
    **settings: Any,
) -> Report:
    """Holds conversations with a bot, judges every reply, and reports.

    bot: chatter 2, under test. driver: chatter 1, which speaks for the user; `None`: `eliza`. cases: codes such as
    `ML-U3`; `None`: all. The named cases share the rounds evenly, unless the setting `p` says otherwise. checks: checks
    by single questions beside the conversations. conversations: how many; `None`: 5. rounds: of each; `None`: 40. seed:
    where all chance comes from; `None`: 1. (With the pytest fixture `bot`, `None` means the project's own.) progress:
    show a bar. root: a project's folder; its `chatters/` are looked up first, and each folder of its `testsets/`
    replaces the shipped one; `None`: the current folder. settings: any other setting of config.py (`chattest list
    settings`).

    Raises `InputError` with everything that is wrong, before anything is said; `ChatterError`, `ModelError`.

    >>> report = run(lambda history: "I do not know.", cases=["ML-I4"], conversations=1, rounds=10)
    >>> int(report.rates().loc["ML-I4", "passed"])
    0
    """
    values = drop_unset(max_runs=conversations, conversation_length=rounds, seed=seed, checks=list(checks))
    return _run(bot, driver, values | select_cases(cases) | settings, progress, root)


def check(
    bot: Bot,
    checks: Sequence[str] = (),
    *,
    tests: "Tests | DataFrame | str | Path | None" = None,
    seed: int | None = None,
    progress: bool = False,
    root: str | Path | None = None,
    **settings: Any,
) -> Report:
    """Asks a bot single questions, without conversations, and judges the answers.

    checks: families (`invariance`) or single checks (`invariance.typo`); none: all. tests: asked in place of those that
    the checks would plan: what `generate` returned, the table of its `to_pandas`, edited or not, or the path of a file.

    The rest is as for `run`. Raises `InputError`, `ChatterError`, `ModelError`.

    >>> report = check(lambda history: "Yes.", ["mft.names"])
    >>> bool(report.failures().empty)
    False
    """
    asked = None if tests is None else to_tests(tests).placed
    return _run(bot, None, drop_unset(seed=seed, checks=list(checks)) | settings, progress, root, True, asked)


def generate(
    checks: Sequence[str] = (), *, seed: int | None = None, root: str | Path | None = None, **settings: Any
) -> Tests:
    """Plans the single questions that `check` would ask, and asks nothing: look at them, edit them, save and ask them.

    The same arguments give the same tests, and `check` gets the same arguments. Raises `InputError`.

    >>> tests = generate(["invariance.uppercase"], check_questions=1)
    >>> check(lambda history: "Yes.", tests=tests).passed
    True
    """
    checked = read_values(drop_unset(seed=seed, checks=list(checks)) | settings)
    return Tests.of(saved_tests(plan_checks(checked, home() / (root or ""))))


def judge(
    pairs: Sequence[tuple[str, str]],
    *,
    expected: Sequence[str | bool | Sequence[str]] | None = None,
    scorers: Sequence[str] = ("toxicity", "prompt_coherence"),
    **settings: Any,
) -> Report:
    """Judges replies that somebody has already, each by every scorer.

    pairs: prompt and reply. expected: the right answer to each prompt: a text, a list of accepted texts, or `True` or
    `False` for yes or no; scorers that compare answers need it. scorers: names that `chattest list scorers` shows.
    settings: thresholds, models.

    The report has one row for each pair and scorer, in this order. Raises `InputError`, `ModelError`.

    >>> report = judge([("What is my cat called?", "Mittens.")], expected=["Mittens"], scorers=["open_answer"])
    >>> report.results[0].verdict.value
    'PASS'
    """
    checked = read_values(settings)
    with staying():
        judges = _judges(checked)
        infos, results = judge_pairs(pairs, expected, scorers, checked, judges)
        return _judged("judged", checked, infos, (), results, judges)


def judge_transcript(
    messages: Sequence[Mapping[str, Any]], *, cases: Sequence[str] | None = None, **settings: Any
) -> Report:
    """Judges every reply of a conversation in the form of chat services.

    messages: `{"role": "user" | "assistant", "content": text}`, oldest first; other roles are passed over. Several in a
    row by one role count as one turn, and what the assistant says before the first user is not judged. cases: codes of
    cases that judge every reply (`ML-P1`); `None`: all of them. settings: thresholds, models.

    Raises `InputError`, also for a case that needs probes, and `ModelError`.

    >>> said = [{"role": "user", "content": "Hello!"}, {"role": "assistant", "content": "Go away, you idiot."}]
    >>> list(judge_transcript(said, cases=["ML-P1"]).failures()["check"])
    ['ML-P1']
    """
    codes = {name: case.code for case in reply_cases() for name in (case.code, case.alias)}
    unfit = [code for code in cases or () if code not in codes]
    if unfit or (cases is not None and not cases):
        what = f"{unfit[0]} does not judge every reply" if unfit else "no case that judges every reply is named"
        raise InputError([Problem("cases", what, f"Those that do: {', '.join(sorted(set(codes.values())))}.")])
    checked = read_values(select_cases(cases) | settings)
    with staying():
        judges = _judges(checked)
        conversation = read_messages(messages)
        return _judged("transcript", checked, (), (conversation,), analyze([conversation], checked, judges), judges)


def perturb(text: str, perturbation: str, *, seed: int = 1, dose: Dose = "medium") -> str:
    """The text as a perturbation alters it; as it is where the perturbation does not apply.

    perturbation: a name, or several joined by `+`; `InputError` if there is none. dose: how strongly, as in settings.

    >>> perturb("What is my cat called?", "uppercase")
    'WHAT IS MY CAT CALLED?'
    """
    return resolve(perturbation, "perturbation").draw(text, Random(f"{seed}/{perturbation}"), dose=dose).text


@overload
def compare(first: Report, second: Report, /, *, alpha: float = 0.05, seed: int = 1) -> Comparison: ...
@overload
def compare(*reports: Report, alpha: float = 0.05, seed: int = 1) -> Comparison | SeveralComparison: ...
def compare(*reports: Report, alpha: float = 0.05, seed: int = 1) -> Comparison | SeveralComparison:
    """Compares two or more reports on the same plan, question by question.

    alpha: chance of any false alarm over all cases, and over all pairs of more than two reports. Raises `InputError`
    with what differs when the plans are not the same.

    >>> short = {"cases": ["ML-I4"], "conversations": 2, "rounds": 10}
    >>> compare(run("oracle", **short), run("amnesiac", **short)).to_pandas()["better"].to_list()
    [0]
    """
    runs = [report.as_run() for report in reports]
    if len(runs) < 2:
        raise InputError([Problem("compare", "one report cannot be compared", "Give two or more.")])
    if len(runs) > 2:
        return SeveralComparison(compare_several(runs, alpha, seed, read_measured()))
    return Comparison(compare_runs(runs[0], runs[1], alpha, seed, read_measured()))


def require(bot: Bot, code: str, min_rate: float = 0.8, **options: Any) -> Report:
    """Holds a bot to a pass rate, for a test.

    code: a case (`ML-I1`), whose conversations are held, or a check or family of checks (`invariance.typo`). min_rate:
    0 to 1; a reply in which the bot failed counts as a miss. options: as for `run` or `check`; `stop_when` also stops
    once it is certain whether `min_rate` is reached. Returns the report.

    Raises `AssertionError` with the worst replies and their reasons when the rate is lower, or nothing was decided;
    `InputError`, `ChatterError` and `ModelError` as `run` does.

    >>> report = require("oracle", "ML-I4", min_rate=0.9, conversations=1, rounds=10)
    """
    __tracebackhide__ = True
    known = {name: case.code for case in all_cases() for name in (case.code, case.alias)}
    code = known.get(code, code)
    if code not in known and code.partition(".")[0] not in families.names():
        remedy = nearest(code, [*known.values(), *families.names()])
        raise InputError([Problem("code", f'there is no case or check "{code}"', remedy)])
    unused = sorted({"conversations", "rounds", "driver", "stop_when"} & options.keys()) if code not in known else []
    if unused:
        what = f"{code} asks single questions and holds no conversations"
        raise InputError([Problem(unused[0], what, "Leave it out; check_questions sets how many are asked.")])
    options = add_gate(options, code, min_rate)
    report = run(bot, cases=[code], **options) if code in known else check(bot, [code], **options)
    tallies = report.record.tallies.values()
    passed, total = sum(tally.passed for tally in tallies), sum(tally.total + tally.errors for tally in tallies)
    if not total:
        raise AssertionError(f"{code}: nothing could be decided; hold more or longer conversations")
    if passed / total < min_rate:
        summary = f"{code}: {passed} of {total} passed, {passed / total:.1%}; at least {min_rate:.1%} must"
        raise AssertionError("\n".join([summary, *told(report.record, SHOWN)]))
    return report


def _run(
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
    driver_name = register_bot(driver or project.get("driver", "eliza"), bots)
    taken = () if project else (driver_name, *CONTROLS)
    names = [driver_name, driver_name if bot is driver else register_bot(project.get("chatter", bot), bots, taken)]
    checked = read_values({"score_cache": False} | project.get("settings", {}) | values | {"chatters": names})
    with staying() as folder, guarded():
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


def _judges(settings: Settings) -> Judges:
    judges = Judges(settings.models)
    chat_judges(settings, home()).use_in(judges)
    judges.configure(settings.history_tokens, settings.precision)
    return judges


def _judged(
    name: str,
    settings: Settings,
    infos: Sequence[CheckInfo],
    conversations: tuple[Conversation, ...],
    results: list[Result],
    judges: Judges,
) -> Report:
    record = build_report(name, settings, infos, (), conversations, results, judges)
    whose = record.chatters if conversations else ("prompts", "replies")
    return Report(replace(record, chatters=whose), settings.resume_key())
