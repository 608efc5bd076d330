"""The comparison objects that the library returns, with pandas tables for notebooks."""

from typing import TYPE_CHECKING

from chattest.comparison import text, writing
from chattest.comparison.runs import RunComparison
from chattest.comparison.several import SeveralRuns
from chattest.comparison.tables import make_tables

if TYPE_CHECKING:
    from pandas import DataFrame


class Comparison:
    """Two reports on the same plan, compared case by case. A notebook displays it as a table."""

    def __init__(self, record: RunComparison) -> None:
        self.record = record
        """The comparison as plain records; see `chattest.comparison.runs.RunComparison`."""

    @property
    def worse(self) -> list[str]:
        """Codes of the cases in which the second report is significantly worse; `all probes` for all cases together."""
        return [difference.check for difference in (*self.record.worse, *self.record.worse_pooled)]

    def to_pandas(self) -> "DataFrame":
        """Return a table with a row for each case, indexed by its code, and rows such as `all probes` for all together.

        Columns: `verdict`; `first` and `second`, the pass rates (0 to 1) over the questions that both reports decided;
        `change`, `low` and `high`, the difference and its 95 % interval by conversation; `questions`, their number;
        `better` and `worse`, how many questions only the second or only the first report passed; `p`, the p-value by
        conversation, corrected by Holm, which an experimental case lacks.
        """
        from chattest.tally.frames import make_rows_frame

        rows = {}
        for difference in (*self.record.checks, *self.record.pooled):
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
                "p": self.record.find_p(difference),
            }
        columns = ["verdict", "first", "second", "change", "low", "high", "questions", "better", "worse", "p"]
        return make_rows_frame(rows, columns)

    def __repr__(self) -> str:
        return "\n".join(text.format_lines(self.record))

    def _repr_html_(self) -> str:
        """Return the table that notebooks display."""
        return str(self.to_pandas().to_html(float_format="{:.3f}".format, na_rep=""))


class SeveralComparison:
    """More than two reports on the same plan, compared check by check and pair by pair."""

    def __init__(self, record: SeveralRuns) -> None:
        self.record = record
        """The comparison as plain records; see `chattest.comparison.several.SeveralRuns`."""

    @property
    def worse(self) -> list[tuple[str, str]]:
        """Name of the report and code of the check, for each that is significantly worse than the first report."""
        return [(self.record.name_of(pair.second), case.check) for pair, case in self.record.worse]

    def rates(self) -> "DataFrame":
        """Return a row for each check: each report's pass rate (0 to 1), 95 % interval, and number of questions."""
        return self._frame("Rates").set_index("Check")

    def to_pandas(self) -> "DataFrame":
        """Return a row for each check and pair of reports, the clearest difference first.

        The p-values are corrected for all rows.
        """
        return self._frame("Differences")

    def violations(self) -> "DataFrame":
        """Return a row for each metamorphic relation and data set, with each report's violations.

        Empty if no such question was asked.
        """
        return self._frame("Violations")

    def _frame(self, name: str) -> "DataFrame":
        from pandas import DataFrame

        table = {table.name: table for table in make_tables(self.record)}.get(name)
        return DataFrame(table.rows, columns=[column.title for column in table.columns]) if table else DataFrame()

    def __repr__(self) -> str:
        return "\n".join(writing.format_lines(self.record))

    def _repr_html_(self) -> str:
        """Return the table of rates, for notebooks."""
        return str(self.rates().to_html(float_format="{:.3f}".format, na_rep=""))
