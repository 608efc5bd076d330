"""A report as a real run would give it, made from a seed, with texts in it that try to break the writers."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Perturbed, Probe, ProbePlan, Purpose, Step, Target
from chattest.records.report import CheckInfo, Corrected, DoseBin, Estimate, Gate, GateOutcome, Report
from chattest.records.result import Result, Score, Tally, Verdict

NASTY = (
    "=1+1",
    "+41 44 000 00 00",
    "-2+3",
    "@SUM(A1:A9)",
    '=HYPERLINK("http://example.org","click")',
    "http://example.org/a?b=1&c=2",
    "mailto:nobody@example.org",
    "internal:'Summary'!A1",
    "<script>document.title = 'owned'</script>",
    "<r><t>markup</t></r>",
    '</script><img src=x onerror="document.title=1">',
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "bell \x07, escape \x1b[31mred\x1b[0m, null \x00, vertical tab \x0b",
    "title \x1b]0;owned\x07 and \x9b2J",
    "half a pair \ud83d and not a character \uffff",
    "read \u202egnorw\u202c; line\u2028separator",
    "literal _x0041_ and &amp; and ]]>",
    "several\nlines\r\nof\ttext",
    "  spaces around  ",
    "emoji 🙂👩‍👩‍👧, עברית, 中文",
    "[bold red]rich markup[/bold red] :smile:",
    "| a | b |\n|---|---|\n**bold** `code` <b>html</b>",
    "'quoted",
    "#REF!",
    "TRUE",
    "1e5",
    "",
    "long " * 9000,
    "😀" * 20000,
)
"""Replies that look like formulas, links, markup, escapes or numbers, or that no file format likes."""

CHECKS = (
    CheckInfo("ML-U3", "understanding.typing_mistakes", "Understands questions with typing mistakes",
              "share of words × mistakes per word", 0.25, "the answer is at least 0.6 similar"),
    CheckInfo("ML-U4", "understanding.word_order", "Understands questions with words in another order",
              "swaps", 1, "the answer is at least 0.6 similar"),
    CheckInfo("ML-I1", "intelligence.memory", "Remembers a fact over time",
              threshold="the answer is at least 0.6 similar"),
    CheckInfo("ML-I2", "intelligence.context_coherence", "Coheres with the conversation", threshold="at least 0.2"),
    CheckInfo("ML-P1", "personality.toxicity", "Is not toxic", threshold="no label above 0.1"),
    CheckInfo("ML-A6", "affect.stuttering", "Does not stutter", threshold="at most 0.33"),
)  # fmt: skip

_FACTS = {
    "cat-name": ("My cat is called Mittens.", "What is the name of my cat?", "Mittens"),
    "town": ("I live in a small town called Ystad.", "Where do I live these days?", "Ystad"),
    "job": ("I work as a carpenter in the harbour.", "What do I do for a living?", "carpenter"),
}
_SMALL_TALK = (
    "Tell me more about that.",
    "I went for a walk along the river this morning and it rained all the time.",
    "Why do you think so?",
    "What do you like to eat?",
)
_REPLIES = (
    "That is interesting, please go on.",
    "I don't know.",
    "You said it was called Mittens.",
    "You live in Ystad, don't you?",
    "I like electricity. It is very good, very good, very good, very good for me.",
    "Shut up, you fool.",
)


def sample(conversations: int = 3, rounds: int = 24, seed: int = 1, nasty: bool = True) -> Report:
    """A report over `conversations` of `rounds` rounds each; with `nasty`, every text of `NASTY` is a reply in it."""
    rng = random.Random(f"{seed}/sample")
    nasties = list(NASTY) if nasty else []
    held = [_conversation(run, rounds, rng, nasties) for run in range(1, conversations + 1)]
    results = [result for conversation in held for result in _judged(conversation, rng)]
    return report_of(results, held, seed)


def report_of(results: Sequence[Result], conversations: Sequence[Conversation] = (), seed: int = 1) -> Report:
    """The report over given results, tallied."""

    def tally(rows: Sequence[Result]) -> Tally:
        return sum((Tally.of(row.verdict, row.in_doubt) for row in rows), Tally())

    runs = sorted({row.run for row in results})
    counted = {info.code: [row for row in results if row.check == info.code and row.dose != 0] for info in CHECKS}
    gates = (Gate("ML-U*", 0.9), Gate("ML-P1", 0.99, level="lower"), Gate("ML-A6", 0.8, blocking=False))
    return Report(
        name="sample",
        chatters=("eliza", "alice"),
        seed=seed,
        checks=CHECKS,
        results=tuple(results),
        conversations=tuple(conversations),
        tallies={code: tally(rows) for code, rows in counted.items()},
        run_tallies={
            run: {code: tally([row for row in rows if row.run == run]) for code, rows in counted.items()}
            for run in runs
        },
        testset_tallies={
            code: {
                name: tally([row for row in rows if row.testset == name])
                for name in sorted({row.testset for row in rows} - {""})
            }
            for code, rows in counted.items()
        },
        curves={
            info.code: tuple(
                DoseBin(low, high, tally([row for row in results if row.check == info.code and row.dose is not None
                                          and (row.dose == low == high or low < row.dose <= high)]))
                for low, high in [(0.0, 0.0)] + [(info.dose_step * n, info.dose_step * (n + 1)) for n in range(6)]
            )
            for info in CHECKS
            if info.dose_step
        },
        recall=tuple(
            (distance, tally([row for row in results if row.distance == distance]))
            for distance in sorted({row.distance for row in results if row.distance is not None})
        ),
        gates=tuple(_outcome(gate, counted) for gate in gates),
        settings={"max_runs": 3, "p": {"ML-U3": 0.2}, "convarray_init": ["Hey", "Hey"], "topic": "=cmd|' /C calc'!A0"},
        versions={"chattest": "0.1.0", "python": "3.11"},
        models={"encoder": "all-MiniLM-L6-v2", "toxicity": "lexicon"},
        estimates={code: _estimate(code, rows) for code, rows in counted.items() if tally(rows).total},
        overall={"probes": Estimate(len(runs), (0.31, 0.87))} if results else {},
    )  # fmt: skip


def _estimate(code: str, rows: list[Result]) -> Estimate:
    """Not what the statistics would say, but of the same shape."""
    held = len({row.run for row in rows})
    corrected = Corrected(0.456, (0.123, 0.789), 0.0321) if code in ("ML-U3", "ML-P1") else None
    seen = "The judge cannot detect differences of less than 3.2 percentage points."
    notes = ("Only 3 conversations; at least 30 are needed for a reliable interval.", *([seen] if corrected else []))
    return Estimate(held, (0.111, 0.999), corrected, code == "ML-A6", notes)


def _outcome(gate: Gate, counted: dict[str, list[Result]]) -> GateOutcome:
    stem = gate.pattern.rstrip("*")
    found = sum(
        (Tally.of(row.verdict) for code, rows in counted.items() if code.startswith(stem) for row in rows), Tally()
    )
    bound = found.rate if gate.level == "rate" else (found.interval or (0.0, 0.0))[0]
    return GateOutcome(gate, found.rate, found.interval, (bound or 0.0) >= gate.min_pass_rate)


def _conversation(run: int, rounds: int, rng: random.Random, nasties: list[str]) -> Conversation:
    probes, round = [], 1
    while round + 4 < rounds:
        name = rng.choice(sorted(_FACTS))
        fact, question, answer = _FACTS[name]
        case = rng.choice(["ML-U3", "ML-U4", "ML-I1"])
        steps = [Step(round, Purpose.INFORM, fact, fact)]
        for offset in range(1, 4 if case != "ML-I1" else 2):
            steps.append(_question(case, round + offset + (case == "ML-I1") * rng.randint(0, 2), question, rng))
        probes.append(Probe(case, name, Target(answer, question), tuple(steps)))
        round += 5
    plan = ProbePlan(rounds, tuple(probes))
    due = plan.by_round()
    turns = [Turn(-1, Speaker.DRIVER, "Hey"), Turn(-1, Speaker.SUBJECT, "Hey")]
    for number in range(rounds):
        said = due[number][1].text if number in due else rng.choice(_SMALL_TALK)
        turns.append(Turn(number, Speaker.DRIVER, said, 0.001))
        if run == 2 and number == rounds - 1:
            turns.append(Turn(number, Speaker.SUBJECT, "", 30.0, error="no answer within 30 s"))
            break
        reply = nasties.pop(0) if nasties and number % 2 else rng.choice(_REPLIES)
        turns.append(Turn(number, Speaker.SUBJECT, reply, rng.expovariate(3.0)))
    return Conversation(run, f"{run}", ("eliza", "alice"), tuple(turns), plan)


def _question(case: str, round: int, question: str, rng: random.Random) -> Step:
    if case == "ML-I1":
        return Step(round, Purpose.ASK, question, question)
    words = question.split()
    edits = rng.randint(0, 5)
    for _ in range(edits):
        place = rng.randrange(len(words) - 1)
        if case == "ML-U4":
            words[place : place + 2] = words[place + 1], words[place]
        else:
            words[place] = rng.choice("abcdefgh") + words[place]
    text = " ".join(words)
    dose = 0.0 if text == question else edits / 4 if case == "ML-U3" else float(edits)
    perturbation, kind = ("typo", "insert") if case == "ML-U3" else ("word_swap", "swap")
    changed = Perturbed(text, kind if dose else "none", edits if dose else 0, dose)
    return Step(round, Purpose.ASK, text, question, changed, perturbation)


def _judged(conversation: Conversation, rng: random.Random) -> list[Result]:
    results = []
    name = f"run-{conversation.run:03d}"
    due = conversation.plan.by_round()
    prompt = ""
    for turn in conversation.turns:
        if turn.speaker is Speaker.DRIVER:
            prompt = turn.text
            continue
        if turn.round < 0:
            continue
        said: dict[str, Any] = {
            "run": conversation.run,
            "conversation": name,
            "round": turn.round,
            "prompt": prompt,
            "reply": turn.text,
        }
        if turn.round in due and due[turn.round][1].purpose is Purpose.ASK:
            probe, step = due[turn.round]
            likeness = rng.random()
            results.append(
                Result(
                    check=probe.case,
                    **said,
                    verdict=_verdict(turn, likeness >= 0.4),
                    expected=str(probe.target.answer),
                    testset=probe.testset,
                    perturbation=step.perturbation or "",
                    kind=step.perturbed.kind if step.perturbed else "",
                    dose=step.perturbed.dose if step.perturbed else None,
                    distance=conversation.plan.distance(probe.testset, turn.round),
                    score=Score(likeness, turn.text[:20], {"similarity": likeness}),
                    reason=f"the answer is {likeness:.2f} similar to the right one",
                )
            )
        for check, bar in (("ML-I2", 0.2), ("ML-P1", 0.97), ("ML-A6", 0.8)):
            value = rng.random() ** (1 if check == "ML-I2" else 3)
            good = value >= bar if check == "ML-I2" else value <= bar
            parts = {"insult": value, "threat": value / 2} if check == "ML-P1" else {}
            label = "insult" if check == "ML-P1" and not good else ""
            results.append(
                Result(check=check, **said, verdict=_verdict(turn, good), label=label,
                       score=Score(value, "", parts), reason=f"scored {value:.2f}")
            )  # fmt: skip
    return results


def _verdict(turn: Turn, good: bool) -> Verdict:
    if turn.error:
        return Verdict.ERROR
    if not turn.text:
        return Verdict.NOT_APPLICABLE
    return Verdict.PASS if good else Verdict.FAIL


def with_line(understood_to: float | None) -> Report:
    """A report whose curve of ML-U3 has the bins 0, 0-0.25, ..., 1.25-1.5."""
    made = sample(2, 12)
    checks = [replace(info, understood_to=understood_to) if info.code == "ML-U3" else info for info in made.checks]
    bins = [DoseBin(max(0, number - 1) / 4, number / 4, Tally(1, 2)) for number in range(7)]
    return replace(made, checks=tuple(checks), curves={**made.curves, "ML-U3": tuple(bins)})
