"""The table of agreement with readers, for a terminal and for the docs."""

from collections import Counter
from collections.abc import Iterable, Sequence

from benchmarks.real_runs.figures import Figures, group_by_case, measure, name_group
from benchmarks.real_runs.judging import Rejudged
from benchmarks.real_runs.rows import CHOOSE, MEASURE, Row

HEAD = (
    *("bots", "case", "rows", "right", "passes right", "fails right"),
    *("balanced", "AUC", "always passes", "in doubt", "errors in doubt"),
)
DOCS_HEAD = (
    *("case", "rows", "right", "passes right", "fails right", "balanced", "AUC", "always passes"),
    *("held out: rows", "right", "always passes"),
)
NOTHING = "-"
WORDS = {"": "all", CHOOSE: "choosing", MEASURE: "measuring"}


def make_table(rejudged: Rejudged, roles: dict[str, str]) -> list[tuple[str, ...]]:
    """Return the lines of the table under `HEAD`: every case for all bots, choosing bots and measuring bots."""
    lines: list[tuple[str, ...]] = []
    for role, words in WORDS.items():
        chosen = [each for each in rejudged.judged if role in ("", roles.get(each.row.bot, MEASURE))]
        for group, judged in group_by_case(chosen).items():
            lines.append((words, group, *_format(measure(judged))))
    return lines


def make_docs_table(rejudged: Rejudged, roles: dict[str, str]) -> list[tuple[str, ...]]:
    """Return the lines of the docs' table under `DOCS_HEAD`: a case each, for all bots and for measuring bots."""
    held_out = [each for each in rejudged.judged if roles.get(each.row.bot, MEASURE) == MEASURE]
    held_out_groups = group_by_case(held_out)
    lines = []
    for group, judged in group_by_case(rejudged.judged).items():
        rest = measure(held_out_groups.get(group, []))
        more = str(rest.rows), _percent(rest.right), _percent(rest.always_passes)
        lines.append((group, *_format(measure(judged))[:-2], *more))
    return lines


def describe_left_out(rejudged: Rejudged) -> list[str]:
    """Say in sentences which rows the table leaves out."""
    unsure = [each.row for each in rejudged.judged if each.row.right is None]
    reasons = (
        ("The reader could not tell", unsure),
        ("Not judged again, as it takes more than a row holds", rejudged.whole_conversation),
        ("No verdict today", rejudged.no_verdict),
    )
    return [f"{why}: {len(rows)} rows ({_count(rows)})." for why, rows in reasons if rows]


def to_markdown(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown; the name is left-aligned, figures are right-aligned."""
    rule = ["---", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *lines))


def to_text(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Write a table for a terminal."""
    widths = [max(len(line[column]) for line in (head, *lines)) for column in range(len(head))]
    pad = [str.ljust, str.ljust, *[str.rjust] * (len(head) - 2)]
    rows = (
        "  ".join(fit(cell, width) for fit, cell, width in zip(pad, line, widths, strict=True))
        for line in (head, *lines)
    )
    return "\n".join(row.rstrip() for row in rows)


def _format(figures: Figures) -> tuple[str, ...]:
    shares = (figures.right, figures.passes_right, figures.fails_right)
    rates = (figures.always_passes, figures.in_doubt, figures.errors_in_doubt)
    return (
        str(figures.rows),
        *(_percent(share) for share in shares),
        *(NOTHING if value is None else f"{value:.2f}" for value in (figures.balanced, figures.auc)),
        *(_percent(rate) for rate in rates),
    )


def _percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.0f} %"


def _count(rows: Iterable[Row]) -> str:
    counts = Counter(name_group(row.case) if row.case.startswith("ML-") else row.case.partition(".")[0] for row in rows)
    return ", ".join(f"{number} of {name}" for name, number in counts.most_common())
