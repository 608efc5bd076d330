"""The plan of a run in words: the lines that `plan` prints, with the costs of its chat judges."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from chattest.cases.base import StoryCase, cases, reply_cases
from chattest.checks.base import Trial
from chattest.checks.coverage import coverages
from chattest.judging.chat.costs import Tokens, about, cost
from chattest.judging.chat.table import money
from chattest.planning.planner import shortened
from chattest.planning.sessions import misfits
from chattest.records.conversation import Conversation
from chattest.runner.base import Prepared
from chattest.runner.baselines import FLOOR
from chattest.runner.questions.checks import PlannedCheck
from chattest.runner.stopping import out_of_reach, stop_lines
from chattest.scorers.base import scorers
from chattest.statistics.power import ALIKE, conversations_needed
from chattest.text.format import aligned, many
from chattest.text.tokens import about_tokens

SHOWN_ROUNDS = 20_000
"""Rounds whose plan is shown; what comes after them is planned when it is held."""
TEXTS = 60
"""Tokens that question and reply are taken to have together."""
UTTERANCE = 15
"""Tokens that one of the utterances before is taken to have."""
WHOLE = "conversation_coherence"
"""The scorer that reads all that was said before."""


def plan_lines(prepared: Prepared, detail: str = "normal") -> list[str]:
    """The plan of every run, and notes about cases that cannot be planned.

    detail: `quiet` for one line of totals and the warnings; `verbose` for the openings as well.
    """
    settings = prepared.settings
    stops = stop_lines(settings) if prepared.specs else []
    unreached = out_of_reach(settings) if stops else []
    notes = [f"Note: {note}" for note in (*misfits(settings), *shortened(settings), *unreached)]
    shown = prepared.specs[: max(1, SHOWN_ROUNDS // settings.conversation_length)]
    if detail == "quiet":
        return [_totals(prepared, shown), *_coverage(prepared, warnings_only=True), *notes]
    lines: list[str] = []
    counts: dict[str, int] = {}
    for spec in shown:
        heading = f"Run {spec.run}: {spec.plan.length} rounds, {many(len(spec.plan.probes), 'probe')}"
        lines.append(heading + _also(spec))
        opening = [("  opening", turn.speaker.value, turn.text) for turn in spec.opening if detail == "verbose"]
        lines += aligned(opening)
        rows = []
        for probe, step in spec.plan.steps():
            counts[probe.case] = counts.get(probe.case, 0) + (step.purpose is probe.judged)
            dose = f"{step.perturbed.kind} {step.perturbed.dose:.2f}" if step.perturbed else ""
            rows.append((f"  {step.round}", probe.case, probe.testset, step.purpose.value, dose, step.text))
        lines += [*aligned(rows), ""]
    if prepared.specs:
        lines += [
            f"Questions planned over {_over(shown, prepared)}:",
            *aligned((f"  {code}", count) for code, count in sorted(counts.items())),
            *_runs_needed({code: count / len(shown) for code, count in counts.items() if count}),
        ]
    lines += ["", *_test_lines(prepared.checks)] if prepared.checks else []
    if prepared.reference_runs:
        counts_of = ((f"  {reference.variant}", len(reference.specs)) for reference in prepared.reference_runs)
        lines += ["", "Reference runs, in conversations:", *aligned(counts_of)]
    lines += ["", *stops] if stops else []
    costs = cost_lines(prepared)
    lines += ["", *costs] if costs else []
    return [*lines, *_coverage(prepared), *notes]


def _over(shown: Sequence[Conversation], prepared: Prepared) -> str:
    """Say which conversations are shown; to plan a hundred thousand of them would take minutes."""
    every = len(prepared.specs)
    return "all runs" if len(shown) == every else f"the first {len(shown):,} of {every:,} runs"


def _totals(prepared: Prepared, shown: Sequence[Conversation]) -> str:
    """What is planned, in a line."""
    probes = [probe for spec in shown for probe in spec.plan.probes]
    questions = sum(step.purpose is probe.judged for spec in shown for probe, step in spec.plan.steps())
    tests = sum(bool(trial.questions) for planned in prepared.checks for trial in planned.trials)
    cases = many(len({probe.case for probe in probes}), "case")
    among = "" if len(shown) == len(prepared.specs) else f" in {_over(shown, prepared)}"
    talk = [f"{many(len(prepared.specs), 'conversation')} with {many(questions, 'question')} of {cases}{among}"]
    alone = [f"{many(tests, 'single question')} of {many(len(prepared.checks), 'check')}"]
    return f"Planned: {', '.join([*talk * bool(prepared.specs), *alone * bool(prepared.checks)]) or 'nothing'}."


def _also(spec: Conversation) -> str:
    """What else the heading of a run says: its place in a group of sessions, and its small talk."""
    said = ""
    if spec.session is not None:
        first = spec.session.group
        said += f", user {spec.session.user} in stage {spec.session.stage + 1} of the group of run {first}"
    tokens = sum(about_tokens(filler.text) for filler in spec.plan.fillers)
    return said + (f", {tokens:,} tokens of small talk" if tokens else "")


def _coverage(prepared: Prepared, warnings_only: bool = False) -> list[str]:
    """To how many questions the perturbation of each planned check applies."""
    found = coverages((planned.check.code, planned.trials) for planned in prepared.checks)
    if not found:
        return []
    few = [f"Warning: {each.check} {each.words}." for each in found if each.few]
    if warnings_only:
        return few
    rows = ((f"  {each.check}", f"{each.altered} of {each.drawn}", f"{each.share:.0%}") for each in found)
    return ["", "Drawn questions that each perturbation applies to:", *aligned(rows), *few]


def _test_lines(checks: Sequence[PlannedCheck]) -> list[str]:
    """Every test of the checks: the question last asked, and how it was altered."""
    lines = []
    rows = []
    for planned in checks:
        asked = [trial for trial in planned.trials if trial.questions]
        rows.append((f"  {planned.check.code}", len(asked), len(planned.trials) - len(asked)))
        lines += [f"{planned.check.code}: {many(len(asked), 'test')}", *aligned(map(_test_row, asked)), ""]
    return [*lines, "Single questions:", *aligned([("  check", "tests", "does not apply to"), *rows])]


def _test_row(trial: Trial) -> tuple[str, ...]:
    row = trial.row
    dose = "" if row.dose is None else f"{row.dose:.2f}"
    alteration = " ".join(part for part in (row.perturbation, row.kind or row.group, dose) if part)
    first, last = trial.questions[0], trial.questions[-1]
    text = last.text if last.text != first.text else " ".join(last.shown.split())
    return f"  {row.testset}", alteration, text


def _runs_needed(questions: dict[str, float]) -> list[str]:
    """How many conversations it takes to notice that a bot got worse. questions: case -> questions in each of them."""
    if not questions:
        return []
    rows = [
        (f"  {code}", *(str(conversations_needed(0.8, drop, per_run)) for drop in (0.1, 0.2, 0.3)))
        for code, per_run in sorted(questions.items())
    ]
    return [
        "",
        "Conversations needed in each run to notice, with a power of 80 %, that a pass rate of 80 % has fallen to:",
        f"(for each case; correlation of replies within a conversation: {ALIKE:g}):",
        *aligned([("  case", "70 %", "60 %", "50 %"), *rows]),
    ]


def cost_lines(prepared: Prepared) -> list[str]:
    """About how many texts each chat judge will be asked about, with tokens and money; empty without chat judges."""
    judges = prepared.chat.every()
    if not judges:
        return []
    known = {judge.kind for judge in judges}
    counts: dict[str, float] = defaultdict(float)
    history: dict[str, float] = defaultdict(float)
    for name, before in _asked(prepared):
        kinds = (name,) if name in known else scorers.get(name).chat_kinds if name in scorers else ()
        kind = next((kind for kind in kinds if kind in known), "")
        share = prepared.settings.deferred(scorers.get(name).kinds) if name in scorers else None
        counts[kind] += 1 if share is None else share
        history[kind] += (1 if share is None else share) * before if name == WHOLE else 0
    rows: list[tuple[str, ...]] = [("  kind", "judge", "texts", "tokens", "cost")]
    for judge in judges:
        one, count = about(judge.rubric.prompt({})), round(counts[judge.kind])
        sent = count * (one.sent + TEXTS) + round(history[judge.kind]) * UTTERANCE
        tokens = Tokens(sent, count * one.written)
        shown = money(cost(tokens, judge.price))
        rows.append((f"  {judge.kind}", judge.name, f"{count:,}", f"{tokens.total:,}", shown))
    return ["Chat judges, at most, and about (what the cache holds is not asked again):", *aligned(rows)]


def _asked(prepared: Prepared) -> Iterator[tuple[str, int]]:
    """The scorer of every judgement that is planned, or `same_answer`; and how many utterances come before."""
    codes = set(prepared.settings.reply_codes)
    for spec in prepared.specs:
        for case in reply_cases():
            if case.code in codes:
                yield from ((case.scorer_for(), 2 * round) for round in range(spec.plan.length))
    every = [prepared.specs, *(reference.specs for reference in prepared.reference_runs)]
    yield from ((name, 0) for specs in every for name in _probes(specs))
    times = 1 + len(FLOOR) * prepared.settings.check_floor
    for planned in prepared.checks:
        for trial in planned.trials:
            if trial.questions:
                yield from ((name, 0) for name in planned.check.judged_by(trial) for _ in range(times))


def _probes(specs: Iterable[Conversation]) -> Iterator[str]:
    for spec in specs:
        for probe, step in spec.plan.steps():
            if step.purpose is probe.judged:
                case = cases.get(probe.case)
                yield case.scorer_for(probe.target.answer)
                yield from case.must_pass if isinstance(case, StoryCase) else ()
