"""Describe the plan of a run: the lines that `plan` prints, with the costs of its chat judges."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from chattest.cases.base import StoryCase, all_cases, cases, explain_experimental, reply_cases
from chattest.checks.base import Trial
from chattest.checks.coverage import measure_coverage
from chattest.judging.chat.costs import Tokens, about, cost
from chattest.judging.chat.table import money
from chattest.planning.planner import find_shortened_waits
from chattest.planning.sessions import find_planning_problems
from chattest.records.conversation import Conversation
from chattest.records.plan import ProbePlan
from chattest.records.report import EXPERIMENTAL, mark_experimental
from chattest.runner.base import Prepared
from chattest.runner.baselines import FLOOR
from chattest.runner.questions.checks import PlannedCheck
from chattest.runner.stopping import describe_stop, find_unreachable_targets
from chattest.scorers.base import scorers
from chattest.statistics.power import ALIKE, count_conversations_needed
from chattest.text.format import align, many
from chattest.text.tokens import about_tokens

SHOWN_ROUNDS = 20_000
"""Rounds whose plan is shown; later ones are planned when they are held."""
TEXTS = 60
"""Estimated tokens of a question and its reply together."""
UTTERANCE = 15
"""Estimated tokens of one earlier utterance."""
WHOLE = "conversation_coherence"
"""The scorer that reads the whole conversation so far."""


def describe_plan(prepared: Prepared, detail: str = "normal") -> list[str]:
    """Describe the plan of every run, with notes about cases that cannot be planned.

    Args:
        prepared: the run.
        detail: `quiet` for one line of totals and the warnings; `verbose` for the openings as well.
    """
    settings = prepared.settings
    stops = describe_stop(settings) if prepared.specs else []
    unreached = find_unreachable_targets(settings) if stops else []
    notes = [
        f"Note: {note}" for note in (*find_planning_problems(settings), *find_shortened_waits(settings), *unreached)
    ]
    notes += _describe_experimental(prepared)
    shown = prepared.specs[: max(1, SHOWN_ROUNDS // settings.conversation_length)]
    if detail == "quiet":
        return [_sum_up(prepared, shown), *_describe_coverage(prepared, warnings_only=True), *notes]
    lines: list[str] = []
    counts: dict[str, int] = {}
    for spec in shown:
        heading = f"Run {spec.run}: {_count_rounds(spec.plan)}, {many(len(spec.plan.probes), 'probe')}"
        lines.append(heading + _describe_session(spec))
        opening = [("  opening", turn.speaker.value, turn.text) for turn in spec.opening if detail == "verbose"]
        lines += align(opening)
        rows = []
        for probe, step in spec.plan.steps():
            counts[probe.case] = counts.get(probe.case, 0) + (step.purpose is probe.judged)
            dose = f"{step.perturbed.kind} {step.perturbed.dose:.2f}" if step.perturbed else ""
            rows.append((f"  {step.round}", probe.case, probe.testset, step.purpose.value, dose, step.spoken))
        lines += [*align(rows), ""]
    if prepared.specs:
        lines += [
            f"Questions planned over {_name_shown_runs(shown, prepared)}:",
            *align(
                (f"  {mark_experimental(code, explain_experimental(code))}", count)
                for code, count in sorted(counts.items())
            ),
            *_describe_runs_needed({code: count / len(shown) for code, count in counts.items() if count}),
        ]
    lines += ["", *_describe_tests(prepared.checks)] if prepared.checks else []
    if prepared.reference_runs:
        counts_of = ((f"  {reference.variant}", len(reference.specs)) for reference in prepared.reference_runs)
        lines += ["", "Reference runs, in conversations:", *align(counts_of)]
    lines += ["", *stops] if stops else []
    costs = describe_costs(prepared)
    lines += ["", *costs] if costs else []
    return [*lines, *_describe_coverage(prepared), *notes]


def _describe_experimental(prepared: Prepared) -> list[str]:
    """Return a note that names the experimental cases which the run will judge."""
    planned = {probe.case for spec in prepared.specs for probe in spec.plan.probes}
    codes = [case.code for case in all_cases() if case.code in planned and case.why_experimental]
    if prepared.specs:
        replies = prepared.settings.reply_codes
        codes += [case.code for case in reply_cases() if case.code in replies and case.why_experimental]
    if not codes:
        return []
    are = "is" if len(codes) == 1 else "are"
    return [f"Note: {', '.join(codes)} {are} {EXPERIMENTAL}; draw no conclusion from the rate, see docs/judges.md."]


def _name_shown_runs(shown: Sequence[Conversation], prepared: Prepared) -> str:
    """Say which conversations are shown; planning a hundred thousand would take minutes."""
    every = len(prepared.specs)
    return "all runs" if len(shown) == every else f"the first {len(shown):,} of {every:,} runs"


def _sum_up(prepared: Prepared, shown: Sequence[Conversation]) -> str:
    """Return the totals of the plan in one line."""
    probes = [probe for spec in shown for probe in spec.plan.probes]
    questions = sum(step.purpose is probe.judged for spec in shown for probe, step in spec.plan.steps())
    tests = sum(bool(trial.questions) for planned in prepared.checks for trial in planned.trials)
    cases = many(len({probe.case for probe in probes}), "case")
    among = "" if len(shown) == len(prepared.specs) else f" in {_name_shown_runs(shown, prepared)}"
    talk = [f"{many(len(prepared.specs), 'conversation')} with {many(questions, 'question')} of {cases}{among}"]
    alone = [f"{many(tests, 'single question')} of {many(len(prepared.checks), 'check')}"]
    return f"Planned: {', '.join([*talk * bool(prepared.specs), *alone * bool(prepared.checks)]) or 'nothing'}."


def _count_rounds(plan: ProbePlan) -> str:
    """Say how many rounds a conversation has, and in how many the driver talks freely."""
    free = sum(plan.planned_text(round) is None for round in range(plan.length))
    return f"{plan.length} rounds, {free} free"


def _describe_session(spec: Conversation) -> str:
    """Return what else the heading of a run shows: its place in a group of sessions, and its small talk."""
    text = ""
    if spec.session is not None:
        first = spec.session.group
        text += f", user {spec.session.user} in stage {spec.session.stage + 1} of the group of run {first}"
    tokens = sum(about_tokens(filler.text) for filler in spec.plan.fillers)
    return text + (f", {tokens:,} tokens of small talk" if tokens else "")


def _describe_coverage(prepared: Prepared, warnings_only: bool = False) -> list[str]:
    """Return to how many questions the perturbation of each planned check applies."""
    rows_of_checks = measure_coverage((planned.check.code, planned.trials) for planned in prepared.checks)
    if not rows_of_checks:
        return []
    few = [f"Warning: {each.check} {each.words}." for each in rows_of_checks if each.few]
    if warnings_only:
        return few
    rows = ((f"  {each.check}", f"{each.altered} of {each.drawn}", f"{each.share:.0%}") for each in rows_of_checks)
    return ["", "Drawn questions that each perturbation applies to:", *align(rows), *few]


def _describe_tests(checks: Sequence[PlannedCheck]) -> list[str]:
    """Describe every test of the checks: the last question, and how it was altered."""
    lines = []
    rows = []
    for planned in checks:
        asked = [trial for trial in planned.trials if trial.questions]
        rows.append((f"  {planned.check.code}", len(asked), len(planned.trials) - len(asked)))
        lines += [f"{planned.check.code}: {many(len(asked), 'test')}", *align(map(_make_test_row, asked)), ""]
    return [*lines, "Single questions:", *align([("  check", "tests", "does not apply to"), *rows])]


def _make_test_row(trial: Trial) -> tuple[str, ...]:
    row = trial.row
    dose = "" if row.dose is None else f"{row.dose:.2f}"
    alteration = " ".join(part for part in (row.perturbation, row.kind or row.group, dose) if part)
    first, last = trial.questions[0], trial.questions[-1]
    text = last.text if last.text != first.text else " ".join(last.shown.split())
    return f"  {row.testset}", alteration, text


def _describe_runs_needed(questions: dict[str, float]) -> list[str]:
    """Return how many conversations it takes to notice that a bot got worse.

    Args:
        questions: case -> questions per conversation.
    """
    if not questions:
        return []
    rows = [
        (f"  {code}", *(str(count_conversations_needed(0.8, drop, per_run)) for drop in (0.1, 0.2, 0.3)))
        for code, per_run in sorted(questions.items())
    ]
    return [
        "",
        "Conversations needed in each run to notice, with a power of 80 %, that a pass rate of 80 % has fallen to:",
        f"(for each case; correlation of replies within a conversation: {ALIKE:g}):",
        *align([("  case", "70 %", "60 %", "50 %"), *rows]),
    ]


def describe_costs(prepared: Prepared) -> list[str]:
    """Estimate how many texts each chat judge will get, with tokens and money; empty without chat judges."""
    judges = prepared.chat.every()
    if not judges:
        return []
    kinds_asked = {judge.kind for judge in judges}
    counts: dict[str, float] = defaultdict(float)
    history: dict[str, float] = defaultdict(float)
    for name, before in _find_judgements(prepared):
        kinds = (name,) if name in kinds_asked else scorers.get(name).chat_kinds if name in scorers else ()
        kind = next((kind for kind in kinds if kind in kinds_asked), "")
        share = prepared.settings.deferred(scorers.get(name).kinds) if name in scorers else None
        counts[kind] += 1 if share is None else share
        history[kind] += (1 if share is None else share) * before if name == WHOLE else 0
    rows: list[tuple[str, ...]] = [("  kind", "judge", "texts", "tokens", "cost")]
    for judge in judges:
        per_text, count = about(judge.rubric.prompt({})), round(counts[judge.kind])
        sent = count * (per_text.sent + TEXTS) + round(history[judge.kind]) * UTTERANCE
        tokens = Tokens(sent, count * per_text.written)
        shown = money(cost(tokens, judge.price))
        rows.append((f"  {judge.kind}", judge.name, f"{count:,}", f"{tokens.total:,}", shown))
    return ["Chat judges, at most, and about (what the cache holds is not asked again):", *align(rows)]


def _find_judgements(prepared: Prepared) -> Iterator[tuple[str, int]]:
    """Yield, for every planned judgement, the scorer (or `same_answer`) and the number of earlier utterances."""
    codes = set(prepared.settings.reply_codes)
    for spec in prepared.specs:
        for case in reply_cases():
            if case.code in codes:
                yield from ((case.scorer_for(), 2 * round) for round in range(spec.plan.length))
    every = [prepared.specs, *(reference.specs for reference in prepared.reference_runs)]
    yield from ((name, 0) for specs in every for name in _find_probe_scorers(specs))
    times = 1 + len(FLOOR) * prepared.settings.check_floor
    for planned in prepared.checks:
        for trial in planned.trials:
            if trial.questions:
                yield from ((name, 0) for name in planned.check.judged_by(trial) for _ in range(times))


def _find_probe_scorers(specs: Iterable[Conversation]) -> Iterator[str]:
    for spec in specs:
        for probe, step in spec.plan.steps():
            if step.purpose is probe.judged:
                case = cases.get(probe.case)
                yield case.scorer_for(probe.target.answer)
                yield from case.must_pass if isinstance(case, StoryCase) else ()
