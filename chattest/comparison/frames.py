"""A comparison of two reports as the library gives it."""

from typing import TYPE_CHECKING

from chattest.comparison import text
from chattest.comparison.runs import RunComparison

if TYPE_CHECKING:
    from pandas import DataFrame


class Comparison:
    """Two reports on the same plan, case by case; shows itself as a table in a notebook."""

    def __init__(self, record: RunComparison) -> None:
        self.record = record
        """As plain records; see `chattest.comparison.runs.RunComparison`."""

    @property
    def worse(self) -> list[str]:
        """Codes of the cases in which the second is significantly worse."""
        return [difference.check for difference in self.record.worse]

    def to_pandas(self) -> "DataFrame":
        """One row a case, by its code.

        Columns: `verdict`; `first` and `second`, the pass rates (0 to 1) over the questions that both decided;
        `change`, `low` and `high`, the difference and its 95 % interval by conversation; `questions`; `better` and
        `worse`, how many questions only the second, and only the first, passed; `p`, the p-value by conversation,
        corrected by Holm.
        """
        from chattest.analysis.frames import rows_frame

        rows = {}
        for difference in self.record.checks:
            first, second = difference.rates
            low, high = difference.interval or (None, None)
            rows[difference.check] = {
                "verdict": self.record.verdict(difference),
                "first": first,
                "second": second,
                "change": difference.change,
                "low": low,
                "high": high,
                "questions": len(difference.pairs),
                "better": len(difference.better),
                "worse": len(difference.worse),
                "p": self.record.corrected[difference.check],
            }
        columns = ["verdict", "first", "second", "change", "low", "high", "questions", "better", "worse", "p"]
        return rows_frame(rows, columns)

    def __repr__(self) -> str:
        return "\n".join(text.lines(self.record))

    def _repr_html_(self) -> str:
        """The table, as notebooks show it."""
        return str(self.to_pandas().to_html(float_format="{:.3f}".format, na_rep=""))
