"""Writers by name."""

import pytest

from chattest.errors import InputError
from chattest.reports.base import report_writer, writer_names


def test_every_file_is_a_writer_and_every_writer_writes() -> None:
    assert {"jsonl", "summary", "xlsx"} <= set(writer_names())
    assert all(callable(report_writer(name)) for name in writer_names())


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match='there is no report "xslx"') as caught:
        report_writer("xslx", "config.py:3")
    assert 'Did you mean "xlsx"?' in str(caught.value)
