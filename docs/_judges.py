"""The table of how right the judges are, made from `docs/judges.json`.

docs/judges.md, docs/measuring-judges.md and docs/chat-judges.md call these functions between `[[[cog` and `[[[end]]]`.
docs/measuring-judges.md says which command makes the file.
"""

import json
from typing import Any

from _generate import ROOT, table

from chattest.cases.base import all_cases
from chattest.records.report import mark_experimental
from chattest.sanity.measure import BOTS
from chattest.scorers.base import Scorer
from chattest.storage.judge_accuracy import MADE, SANITY
from chattest.validation.validate import list_measured_scorers

FILE = ROOT / "docs" / "judges.json"
DEFERRAL = ROOT / "docs" / "deferral.json"
FIGURES = ROOT / "docs" / "figures.json"
SHARES = {
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "ROC AUC": "roc_auc",
}
"""Column -> its name in the file."""


def read() -> dict[str, Any]:
    """The figures."""
    figures: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return figures


def judge_table() -> str:
    """A row for each judge: its figures on labelled replies, and the share it passes of what each sanity bot says."""
    figures = read()
    rows = [
        (
            _judge(kind, scorer),
            str(figures[kind]["n"]),
            *(_share(figures[kind][share]) for share in SHARES.values()),
            *(_passed(figures[SANITY][bot].get(kind)) for bot in BOTS),
        )
        for kind, scorer in list_measured_scorers().items()
        if kind in figures
    ]
    return table(("judge", "replies", *SHARES, *BOTS), rows)


def figures_table(own: bool) -> str:
    """Return a row for each figure of `python -m training.figures`.

    Args:
        own: The figures on the project's own labelled replies; False: those on all others, which are harder.
    """
    rows = [
        (_name_figure(figure["name"]), figure["on"], f"{figure['cases']:,}", f"{figure['value']:.3f}")
        for figure in json.loads(FIGURES.read_text(encoding="utf-8"))
        if (figure["on"] == "own") is own
    ]
    return table(("figure", "on", "replies", "measured"), rows)


def _name_figure(name: str) -> str:
    """Return the name of a figure, with the mark of an experimental judge."""
    kind, _, rest = name.partition(",")
    judge = list_measured_scorers().get(kind)
    words = mark_experimental(kind, judge.experimental if judge is not None else "").replace("_", " ")
    return f"{words},{rest}" if rest else words


def deferral_table() -> str:
    """Return a row for each judge: its accuracy by share deferred."""
    rows = []
    for kind, figures in _deferral()["deferral"].items():
        deferred = [f"{accuracy:.3f}" for accuracy in figures["deferred"].values()]
        share = f"{figures['share_for_95']:.0%}"
        rows.append((_plain(kind), f"{figures['n']:,}", f"{figures['accuracy']:.3f}", *deferred, share))
    shares = [f"{float(share):.0%} deferred" for share in next(iter(_deferral()["deferral"].values()))["deferred"]]
    return table(("judge", "replies", "alone", *shares, "for 95 %"), rows)


def _deferral() -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(DEFERRAL.read_text(encoding="utf-8"))
    return figures


def made() -> str:
    """When and by which version the figures were made, and from how many replies of a bot."""
    figures = read()
    counts = ", ".join(f"{of['total']} for {_plain(kind)}" for kind, of in figures[SANITY]["echo"].items())
    when, version = figures[MADE]["date"], figures[MADE]["version"]
    return f"Measured on {when} with chattest {version}; judged replies of each sanity bot: {counts}."


def _judge(kind: str, scorer: Scorer) -> str:
    """A judge's kind of figures, with the case that it alone judges, if there is one."""
    codes = [case.code for case in all_cases() if case.scorer == scorer.name]
    return " ".join([_plain(kind), *(f"({code})" for code in codes)])


def _plain(kind: str) -> str:
    return kind.replace("_", " ")


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _passed(figures: dict[str, Any] | None) -> str:
    """A pass rate, with its bound if it has one; bold where the bound is missed."""
    if figures is None:
        return "-"
    rate = f"{figures['rate']:.1%}"
    if "bound" not in figures:
        return rate
    return f"{rate if figures['met'] else f'**{rate}**'} ({figures['bound']})"
