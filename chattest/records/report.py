"""The report record, which all report writers read."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from chattest.records.conversation import Conversation
from chattest.records.result import Result, Tally


@dataclass(frozen=True, slots=True)
class Gate:
    """A minimum pass rate."""

    pattern: str
    """Shell pattern that check codes and names are matched against, such as `ML-U*`."""
    min_pass_rate: float
    """0 to 1."""
    blocking: bool = True
    """Whether the run fails (exit code 1) if the gate is missed."""
    level: str = "rate"
    """What must reach the minimum. `rate`: the pass rate. `lower`: the lower bound of its confidence interval, which is
    computed by conversation (Wilson's interval if there is only one conversation). `corrected_lower`: the lower bound
    of the corrected rate."""
    errors: str = "miss"
    """`miss`: an ERROR counts as a failure; `ignore`: it does not count."""
    empty: str = "miss"
    """`miss`: the gate is missed if nothing that it applies to was decided; `ignore`: it is met."""
    fault: str = ""
    """The label of the failures that count; rows that fail for another reason count as passed. Empty: all count."""
    scope: str = ""
    """One of `SCOPES`, whose overall rate must reach the minimum; the pattern is then `*`. Empty: the pattern says what
    the gate applies to."""
    own: bool = False
    """Whether a case brings the gate with it, and nobody stated it."""

    @property
    def title(self) -> str:
        """What the gate is about: its pattern, or `all probes`."""
        return f"all {self.scope}" if self.scope else self.pattern

    def applies_to(self, code: str, name: str, experimental: bool = False, scope: str = "") -> bool:
        """Return True if the gate applies to a check; see `is_matched`.

        Args:
            code: The code of the check.
            name: Its name.
            experimental: Whether it is experimental.
            scope: Its scope, for a gate on an overall rate.
        """
        if self.scope:
            return self.scope == scope and not experimental
        return is_matched(self.pattern, (code, name), experimental)


def is_matched(pattern: str, names: Collection[str], experimental: bool = False) -> bool:
    """Return True if a gate's pattern matches a check.

    An experimental check must be named in full: `ML-*` leaves it out, so that nobody is held to it without knowing.

    Args:
        pattern: The pattern of the gate.
        names: The code and the other names of the check.
        experimental: Whether the check is experimental.
    """
    if experimental:
        return re.sub(r"\[([*?[])\]", r"\1", pattern) in names  # as `glob.escape` writes a name
    return any(fnmatchcase(name, pattern) for name in names)


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """Whether a gate was met."""

    gate: Gate
    rate: float | None
    """Pass rate of the results that the gate applies to, 0 to 1; `None` if there are none."""
    interval: tuple[float, float] | None
    """95 % confidence interval of the rate, if one was computed."""
    met: bool
    """Whether the minimum was reached."""
    reason: str = ""
    """Why the gate was missed, in words."""
    note: str = ""
    """What a reader should know about the checks of the gate, met or missed."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A pass rate corrected for the judge's errors.

    It is based on people's labels of this run's replies, or else on labelled replies of other bots.
    """

    rate: float
    """0 to 1."""
    interval: tuple[float, float]
    """95 % confidence interval, which includes the uncertainty about the judge's error rates."""
    margin: float
    """How far the rate may be off because of the judge alone; smaller differences cannot be detected."""
    labels: int = 0
    """The number of labels drawn at random that it is based on; 0 if on labelled replies of other bots."""
    known: int = 0
    """The number of labels chosen by doubt that it counts as well."""


WRITTEN_ONLY = (
    "No corrected rate: the judge was measured on replies that people wrote, and it errs otherwise on those of a bot. "
    "Labels of this run's replies correct the rate (chattest review)."
)
"""The note on a rate whose judge was measured on written replies alone."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Confidence in the pass rate of a check."""

    conversations: int
    """Number of conversations with at least one PASS or FAIL; each single question counts as one."""
    interval: tuple[float, float] | None
    """95 % confidence interval, with conversations, not replies, as independent units; `None` with fewer than two."""
    corrected: Corrected | None = None
    """The corrected rate; `None` without labels of this run, if the judge's errors were not measured on bots."""
    exact: bool = False
    """Whether a rule judges instead of a model, so that no correction is needed."""
    notes: tuple[str, ...] = ()
    """Remarks that a reader needs to interpret the rate."""
    always_valid: bool = False
    """Whether the interval is valid no matter when the run stopped, as for the cases that `stop_when` names."""


@dataclass(frozen=True, slots=True)
class CheckInfo:
    """Description of a check."""

    code: str
    """Code, such as `ML-U3`."""
    name: str
    """Name, such as `understanding.typing_mistakes`; equal to the code for a check by single questions."""
    title: str
    """What is tested, in one line."""
    dose_unit: str = ""
    """Unit of the dose; empty if the check has no dose."""
    dose_step: float | None = None
    """Width of a bin of the dose curve; `None` if the check has no dose."""
    threshold: str = ""
    """The threshold in words, such as `toxicity of no label above 0.1`."""
    understood_to: float | None = field(default=None, kw_only=True)
    """Largest dose at which a person still understands; `None` if a person understands any."""
    experimental: str = field(default="", kw_only=True)
    """Why nobody should draw a conclusion from its verdicts, in one sentence; empty if it is not experimental."""


EXPERIMENTAL = "experimental"
"""The mark of an experimental check."""


def mark_experimental(text: str, why: str | bool = True) -> str:
    """Return a text that describes a check, with the mark if the check is experimental.

    Args:
        text: The text.
        why: Why the check is experimental; empty if it is not.
    """
    return f"{text} ({EXPERIMENTAL})" if why else text


@dataclass(frozen=True, slots=True)
class DoseBin:
    """One point of a dose curve."""

    low: float
    """Lower bound of the doses, exclusive; `low == high == 0` is the bin of unchanged texts."""
    high: float
    """Upper bound of the doses, inclusive."""
    tally: Tally
    """Verdicts of the results in this bin."""


@dataclass(frozen=True, slots=True)
class ExtraColumn:
    """A column of an extra table."""

    title: str
    """Heading of the column."""
    kind: str = "text"
    """How cells are shown: `text`, `count` (whole numbers), `number` (two decimals), `rate` (0 to 1, in per cent)."""


@dataclass(frozen=True, slots=True)
class ExtraTable:
    """An additional table, which every report writer shows."""

    name: str
    """Heading, and name of the sheet in the workbook: at most 31 characters, none of `[]:*?/\\`."""
    note: str
    """What the table shows and how to read it, in one or two sentences."""
    columns: tuple[ExtraColumn, ...]
    """In order, from left to right."""
    rows: tuple[tuple[str | int | float | None, ...], ...]
    """Each with one cell per column; a cell may be `None`."""


@dataclass(frozen=True, slots=True)
class Report:
    """All data that a report writer gets."""

    name: str
    """Name of the run and of its folder."""
    chatters: tuple[str, str]
    """Names of driver and subject."""
    seed: int
    """Seed of the run."""
    checks: tuple[CheckInfo, ...]
    """All checks, in the order in which they are shown."""
    results: tuple[Result, ...]
    """All result rows."""
    conversations: tuple[Conversation, ...]
    """The conversations under test."""
    tallies: dict[str, Tally]
    """Check code -> tally over all runs."""
    run_tallies: dict[int, dict[str, Tally]]
    """Run -> check code -> tally."""
    testset_tallies: dict[str, dict[str, Tally]]
    """Check code -> test set -> tally."""
    curves: dict[str, tuple[DoseBin, ...]]
    """Check code -> its dose curve."""
    recall: tuple[tuple[int, Tally], ...]
    """Rounds since the fact was last stated -> tally of all cases that ask about a stated fact."""
    recall_facts: tuple[tuple[int, Tally], ...] = ()
    """Number of facts of the same type stated since then -> tally of the questions about a value of a known type."""
    recall_tokens: tuple[DoseBin, ...] = ()
    """Success over the number of tokens since then; empty where no small talk was planned in between."""
    gates: tuple[GateOutcome, ...] = ()
    """Outcome of every gate."""
    settings: dict[str, Any] = field(default_factory=dict)
    """The settings that differ from their defaults."""
    versions: dict[str, str] = field(default_factory=dict)
    """Name -> version of chattest, Python and the libraries that matter."""
    models: dict[str, str] = field(default_factory=dict)
    """Kind of judge -> name of the model that judged."""
    columns: tuple[str, ...] = ("interpret", "detailed", "binary")
    """The columns that the run sheets show for each case."""
    estimates: dict[str, Estimate] = field(default_factory=dict)
    """Check code -> confidence in its rate."""
    overall: dict[str, Estimate] = field(default_factory=dict)
    """Scope (see `SCOPES`) -> confidence in the combined rate of its checks."""
    tables: tuple[ExtraTable, ...] = ()
    """Additional tables, in the order in which they are shown."""
    judged_by: str = ""
    """Which judges gave the verdicts, and how accurate they are, in a sentence or two."""
    seen: str = ""
    """How many of the verdicts a person has reviewed, in a sentence."""
    next_step: str = ""
    """What would make the least certain rate more certain, in a sentence or two; empty if there is no advice."""
    no_better: str = ""
    """Why the bot is no better than one that understands nothing, in a sentence or two; empty if it is better, or if
    nobody looked. A run without a stated gate fails by it."""

    @property
    def experimental(self) -> frozenset[str]:
        """Codes of the experimental checks, which no headline counts."""
        return frozenset(info.code for info in self.checks if info.experimental)
