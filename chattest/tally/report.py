"""Build the report of a run: tallies, curves, gates, and the settings and versions that they were made with."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from platform import python_version

from chattest.cases.base import Case, ProbeCase, all_cases
from chattest.models.judges import Judges
from chattest.perturbations.base import resolve
from chattest.records.conversation import Conversation
from chattest.records.label import Label
from chattest.records.report import CheckInfo, Estimate, ExtraTable, Gate, Report
from chattest.records.result import SCOPES, Result, find_scopes
from chattest.records.version import VERSION
from chattest.scorers.base import scorers
from chattest.settings.declaration import JUDGING, Settings
from chattest.storage.judge_accuracy import read_measured
from chattest.tally.confidence_summary import describe_accuracy, describe_reviewed, find_accuracies, suggest_next_step
from chattest.tally.estimates import estimate_pooled_rate, estimate_rates
from chattest.tally.gates import decide_gate, find_reply_gates, make_overall_gates
from chattest.tally.labelled import join_labels
from chattest.tally.rates import tally_by_check, tally_by_distance, tally_by_dose, tally_by_run, tally_by_testset
from chattest.tally.recall import tally_by_facts, tally_by_tokens
from chattest.tally.several_judges import make_judge_tables
from chattest.tally.stopping import make_table, measure_precision
from chattest.tally.stopping_targets import read_targets

PACKAGES = ("chattest", "torch", "transformers", "sentence-transformers", "nltk", "python-aiml", "pydantic")


def build_report(
    name: str,
    settings: Settings,
    check_infos: Sequence[CheckInfo],
    gates: Sequence[Gate],
    conversations: Sequence[Conversation],
    results: list[Result],
    judges: Judges,
    tables: tuple[ExtraTable, ...] = (),
    labels: Sequence[Label] = (),
) -> Report:
    """Build the report of a run.

    Args:
        name: The name of the run.
        settings: The settings that it was judged with.
        check_infos: Descriptions of its checks by single questions.
        gates: The gates to decide.
        conversations: The conversations under test.
        results: The result rows.
        judges: The models that judged.
        tables: Additional tables.
        labels: People's labels of this run, or of another one with the same texts.
    """
    checks = (*(_info(case, settings) for case in all_cases()), *check_infos)
    by_check: dict[str, list[Result]] = {info.code: [] for info in checks}
    for result in results:
        by_check[result.check].append(result)
    totals = {info.code: of[info.code] for info in checks if info.code in (of := tally_by_check(by_check[info.code]))}
    decided = tuple(info for info in checks if info.code in totals)
    experimental = {info.code for info in decided if info.experimental}
    held_with = conversations[0].settings if conversations else settings.changed()
    report = Report(
        name=name,
        chatters=conversations[0].chatters if conversations else ("single questions", settings.chatters[1]),
        seed=int(held_with.get("seed", Settings.model_fields["seed"].default)),
        checks=decided,
        results=tuple(results),
        conversations=tuple(conversations),
        tallies=totals,
        run_tallies=tally_by_run(results),
        testset_tallies=tally_by_testset(results),
        curves={
            info.code: tally_by_dose(by_check[info.code], info.dose_step)
            for info in decided
            if info.dose_step is not None and (info in check_infos or info.code in settings.array_ux_test_cases)
        },
        recall=tally_by_distance(results),
        recall_facts=tally_by_facts(results, conversations),
        recall_tokens=tally_by_tokens(results, conversations),
        settings={key: value for key, value in held_with.items() if key not in JUDGING}
        | {key: value for key, value in settings.changed().items() if key in JUDGING},
        versions={"python": python_version()} | {package: _version(package) for package in PACKAGES},
        models=judges.names(),
        columns=tuple(column for column in ("interpret", "detailed", "binary") if getattr(settings, f"show_{column}")),
        tables=(*tables, *make_judge_tables(results)),
        overall=_estimate_overall([row for row in results if row.check not in experimental], find_scopes(results)),
    )
    return update_labels(_add_stop_table(report, gates, check_infos), settings, gates, labels, judges)


def _add_stop_table(report: Report, gates: Sequence[Gate], check_infos: Sequence[CheckInfo]) -> Report:
    """Add the table that explains when and why the run stopped, if `stop_when` is set."""
    effort = read_targets(report.settings, report.conversations)
    if not effort.widths:
        return report
    rates = measure_precision(report.results, gates, effort, [info.code for info in check_infos])
    return replace(report, tables=(make_table(rates, effort), *report.tables))


def update_labels(
    report: Report, settings: Settings, gates: Sequence[Gate], labels: Sequence[Label], judges: Judges
) -> Report:
    """Update everything in a report that depends on labels: estimates, gates, and the sentences about them.

    Nothing is judged again.

    Args:
        report: The report.
        settings: The settings that it was judged with.
        gates: The gates to decide.
        labels: People's labels of its verdicts.
        judges: The models that judged.
    """
    results, conversations = report.results, report.conversations
    labelled = join_labels(results, conversations, labels, judges)
    measured = read_measured()
    effort = read_targets(report.settings, conversations)
    certain = estimate_rates(results, settings, measured, labelled, effort)
    names = {info.code: info.name for info in report.checks}
    scopes = find_scopes(results)
    tallies = report.tallies.items()
    counted = [
        scopes[code]
        for code, tally in tallies
        if code in scopes and code not in report.experimental and tally.total + tally.errors
    ]
    stated = [gate for gate in gates if not gate.scope]
    stated += find_reply_gates(stated, report.tallies)
    gates = [*stated, *make_overall_gates(settings.fail_under, counted)]
    return replace(
        report,
        gates=tuple(
            decide_gate(gate, report.tallies, names, results, certain, labelled, effort, report.experimental, scopes)
            for gate in gates
        ),
        estimates=certain,
        judged_by=describe_accuracy(results, settings, measured, labelled),
        seen=describe_reviewed(results, labelled),
        next_step=suggest_next_step(results, conversations, certain, find_accuracies(results, settings, measured)),
    )


def _estimate_overall(results: Sequence[Result], scope_of: Mapping[str, str]) -> dict[str, Estimate]:
    """Map each scope to the estimate of the pooled rate of its checks.

    Args:
        results: The rows that count.
        scope_of: Check -> its scope.
    """
    rows: dict[str, list[Result]] = {scope: [] for scope in SCOPES}
    for result in results:
        rows[scope_of[result.check]].append(result)
    return {scope: estimate for scope, judged in rows.items() if (estimate := estimate_pooled_rate(judged)) is not None}


def _info(case: Case, settings: Settings) -> CheckInfo:
    """Describe a case for the report."""
    name = settings.perturbation.get(case.code, case.perturbation) if isinstance(case, ProbeCase) else None
    perturbation = resolve(name) if name else None
    scorer = scorers.get(case.scorers[0])
    return CheckInfo(
        case.code,
        case.name,
        case.title,
        perturbation.dose_unit if perturbation else "",
        perturbation.dose_step if perturbation else None,
        scorer.describe_requirement(scorer.threshold_value(settings.threshold)),
        understood_to=perturbation.line if perturbation else None,
        experimental=case.why_experimental,
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return VERSION if package == "chattest" else "not installed"
