"""Writers by name."""

import pytest

from chattest.errors import InputError
from chattest.reports.base import DEFAULT_REPORTS, list_file_writers, report_writer, writers


def test_every_file_is_a_writer_and_every_writer_writes() -> None:
    assert writers.names() == ["console", "html", "jsonl", "junit", "markdown", "parquet", "summary", "xlsx"]
    assert all(callable(report_writer(name)) for name in writers.names())


def test_the_default_reports_are_all_that_write_a_file_and_need_no_other_package() -> None:
    assert sorted([*DEFAULT_REPORTS, "parquet"]) == list_file_writers()


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match='there is no report "xslx"') as caught:
        report_writer("xslx", "config.py:3")
    assert 'Did you mean "xlsx"?' in str(caught.value)
