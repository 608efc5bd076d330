"""The comparison of two reports that the library returns."""

from typing import TYPE_CHECKING

from chattest.comparison import text
from chattest.comparison.runs import RunComparison

if TYPE_CHECKING:
    from pandas import DataFrame


class Comparison:
    """Two reports on the same plan, compared case by case. A notebook displays it as a table."""

    def __init__(self, record: RunComparison) -> None:
        self.record = record
        """The comparison as plain records; see `chattest.comparison.runs.RunComparison`."""

    @property
    def worse(self) -> list[str]:
        """Codes of the cases in which the second report is significantly worse."""
        return [difference.check for difference in self.record.worse]

    def to_pandas(self) -> "DataFrame":
        """One row per case, indexed by its code.

        Columns: `verdict`; `first` and `second`, the pass rates (0 to 1) over the questions that both reports decided;
        `change`, `low` and `high`, the difference and its 95 % interval by conversation; `questions`, their number;
        `better` and `worse`, how many questions only the second or only the first report passed; `p`, the p-value by
        conversation, corrected by Holm.
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
        """The table that notebooks display."""
        return str(self.to_pandas().to_html(float_format="{:.3f}".format, na_rep=""))
