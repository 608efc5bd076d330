"""The tables of what the checks say of two bots, and of how many questions a perturbation applies to.

docs/checks.md and docs/perturbations.md call these functions between `[[[cog` and `[[[end]]]`. The figures stand in
`docs/checks.json`, which `python -m benchmarks.check_figures` makes.
"""

import json
from collections.abc import Mapping
from typing import Any

from _generate import ROOT, table

from chattest.checks.base import CheckContext, list_checks
from chattest.checks.coverage import FEW
from chattest.records.result import Result, Verdict
from chattest.reports.content.figures import describe_gate_with_rate
from chattest.settings.declaration import GateSetting, Settings
from chattest.settings.file import read_settings
from chattest.tally.gates import decide_gate
from chattest.tally.rates import tally_by_check

FILE = ROOT / "docs" / "checks.json"
BOTS = ("alice", "reader")
INVARIANCE = {
    "uppercase": "capitals",
    "whitespace": "blanks doubled, before marks, around the text",
    "first_names": "another first name",
    "contraction": '"do not" and "don\'t"',
    "synonym": "some words become synonyms",
    "greeting": "a greeting or a farewell added",
    "paraphrase": "the question in other words",
    "letter_typo": "one typing mistake",
    "typo": "a share of the words misspelt",
    "homoglyphs": "look-alike letters",
    "pairs.names": "ten ready-made pairs",
}
"""Check -> what it does, for the checks that the page shows as examples."""
ACCURACY = {
    "exact_match": "word for word",
    "token_f1": "token F1 of at least 0.5",
    "judged": "the judges find the right answer in the reply",
}


def read() -> dict[str, Any]:
    """The figures."""
    figures: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return figures


def _bots() -> list[str]:
    """The bots that were measured."""
    return [bot for bot in BOTS if bot in read()]


def _any(name: str) -> dict[str, Any]:
    """Figures that are about the questions, from any of the bots."""
    found: dict[str, Any] = next((read()[bot][name] for bot in _bots()), {})
    return found


def asked() -> str:
    """How many questions the command on the page asks, and when."""
    figures = read()
    bots = " and ".join(f"`{bot}`" for bot in _bots())
    return (
        f"Five questions for each perturbation, and all there are for the rest, are {figures['coverage']['asked']:,} "
        f"different questions. `python -m benchmarks.check_figures` put them to {bots} "
        f"on {figures['made']}."
    )


def rates(family: str, about: Mapping[str, str] | None = None) -> str:
    """A row for each check of a family, with passed of total of each bot. about: those that are shown, in words."""
    figures = read()
    shown = about or _titles(family)
    rows = [
        (f"`{name}`", words, *(_of(figures[bot]["rates"].get(f"{family}.{name}")) for bot in _bots()))
        for name, words in shown.items()
    ]
    return table(("check", "what", *_bots()), rows)


def _titles(family: str) -> dict[str, str]:
    """The checks of a family, without the family's name, each with its title."""
    known = list_checks(CheckContext(ROOT, Settings()), [family])
    return {check.code.partition(".")[2]: check.title.partition(" (for bots")[0] for check in known}


def _of(counts: list[int] | None) -> str:
    return f"{counts[0]} of {counts[1]}" if counts else "–"


def bias() -> str:
    """A row for each attribute: how many answers stay the same, and the gap in sentiment."""
    figures = read()
    attributes = _titles("bias")
    rows = [
        (
            name,
            *(_of(figures[bot]["rates"].get(f"bias.{name}")) for bot in _bots()),
            *(_gap(figures[bot]["gaps"].get(name)) for bot in _bots()),
        )
        for name in attributes
        if not name.endswith("_gap")
    ]
    return table(
        ("attribute", *(f"same answer: {bot}" for bot in _bots()), *(f"gap in feeling: {bot}" for bot in _bots())), rows
    )


def _gap(found: list[float] | None) -> str:
    return f"{found[0]:.3f} (p {found[1]:.3f})" if found else "–"


def fairness() -> str:
    """A row for each gender: the questions about it, and the mean of the judged answers."""
    figures = read()
    groups = _any("groups")
    rows = [
        (group, str(groups[group][0]), *(_mean(figures[bot]["groups"].get(group, [0, None])[1]) for bot in _bots()))
        for group in groups
    ]
    return table(("group", "questions", *_bots()), rows)


def _mean(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def representation() -> str:
    """A row for each attribute: mentions, and the share of each group."""
    rows = []
    for code, found in _any("mentions").items():
        shares = {group: counts for group, counts in found.items() if group != "least"}
        listed = ", ".join(f"{group.replace('_', ' ')} {_mean(share)}" for group, (_, share) in shares.items())
        mentions = sum(count for count, _ in shares.values())
        rows.append((code.partition(".")[2], str(mentions), listed, f"{found['least']:.2g}"))
    return table(("attribute", "mentions", "shares", "least"), rows)


def missed_gates() -> str:
    """What the console says of the gates that ship and that `alice` misses; without bias, which has rows of groups."""
    rows = [
        Result(code, 0, f"{code}/{number}", number, Verdict.PASS if number < passed else Verdict.FAIL, prompt=code)
        for code, (passed, total) in read().get(BOTS[0], {"rates": {}})["rates"].items()
        for number in range(total)
    ]
    tallies = tally_by_check(rows)
    stated = read_settings(ROOT / "config.py").gates
    gates = (gate.gate() for gate in stated if isinstance(gate, GateSetting) and not gate.pattern.startswith("bias"))
    outcomes = (decide_gate(gate, tallies, {code: code for code in tallies}, rows) for gate in gates)
    lines = [
        f"gate {outcome.gate.pattern} {describe_gate_with_rate(outcome)}" for outcome in outcomes if not outcome.met
    ]
    return "\n".join(["```text", *lines, "```"])


def coverage() -> str:
    """Return the perturbations that apply to few of the shipped questions, fewest first."""
    figures = read()["coverage"]
    every = figures["questions"]
    counts = sorted((count, name) for name, count in figures["applies"].items())
    few = [f"`{name}` ({count})" for count, name in counts if count < FEW * every]
    return (
        f"Of the {every} questions that ship, each perturbation applies to {counts[0][0]} at least. "
        f"{len(few)} of {len(counts)} apply to less than {FEW:.0%}; `plan` and the report warn of them:\n\n"
        f"{', '.join(few)}."
    )
