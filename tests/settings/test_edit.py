"""One value of config.py changes, and nothing else."""

import pytest

from chattest.errors import InputError
from chattest.settings.edit import replace_value

NAME = "threshold_toxicity"


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("threshold_toxicity = None  # ü: toxic\nx = 1\n", "threshold_toxicity = 0.5  # ü: toxic\nx = 1\n"),
        ("x = 1; threshold_toxicity=0.75;y = 2\n", "x = 1; threshold_toxicity=0.5;y = 2\n"),
        ("'é'; threshold_toxicity: float = -6.0", "'é'; threshold_toxicity: float = 0.5"),
        ("x = 1\n\n\n", "x = 1\nthreshold_toxicity = 0.5\n"),
        ("", "\nthreshold_toxicity = 0.5\n"),
        ("def f():\r\n    pass\r\nthreshold_toxicity = 1\r\n", "def f():\r\n    pass\r\nthreshold_toxicity = 0.5\r\n"),
    ],
)
def test_a_number_is_replaced_in_its_place(source: str, after: str) -> None:
    assert replace_value(source, NAME, 0.5) == after


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("threshold_toxicity = 1 / 2\n", 1),
        ("x = 1\nthreshold_toxicity = x\n", 2),
        ("threshold_toxicity = 0.1\nthreshold_toxicity = 0.2\n", 2),
        ("x = threshold_toxicity = 0.1\n", 1),
        ("if True:\n    threshold_toxicity = 0.1\n", 2),
        ("threshold_toxicity = True\n", 1),
        ("x = (\n", 1),
    ],
)
def test_anything_else_is_left_to_its_author(source: str, line: int) -> None:
    with pytest.raises(InputError, match=rf"config\.py:{line}: "):
        replace_value(source, NAME, 0.5)
