"""The mean of adapters."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.training.adapters import write_adapter
from chattest.training.mean import main, mean


def adapter(value: float) -> Adapter:
    tensor = torch.full((2, 2), value)
    return Adapter("embedded/x", 1.0, {"of": value}, {"full.a": tensor}, {"bias": tensor[0]})


def test_each_weight_counts_by_its_share() -> None:
    made = mean([adapter(1.0), adapter(3.0)], [3, 1])
    assert made.name == "embedded/x"
    assert made.settings == {"of": 1.0}
    assert made.changes["full.a"].tolist() == [[1.5, 1.5], [1.5, 1.5]]
    assert made.head["bias"].tolist() == [1.5, 1.5]


def test_the_command_writes_the_mean(tmp_path: Path) -> None:
    for name, value in (("one", 1.0), ("other", 2.0)):
        write_adapter(tmp_path / name, adapter(value))
    main([str(tmp_path / "mean"), str(tmp_path / "one"), str(tmp_path / "other")])
    assert read_adapter(tmp_path / "mean").changes["full.a"].unique().tolist() == [1.5]


@pytest.mark.parametrize(
    ("other", "weights", "why"),
    [
        (replace(adapter(2.0), scale=2.0), [1, 1], "another scale"),
        (replace(adapter(2.0), changes={}), [1, 1], "other tensors"),
        (replace(adapter(2.0), head={}), [1, 1], "other heads"),
        (adapter(2.0), [1], "need as many weights"),
        (adapter(2.0), [1, 0], "above 0"),
    ],
)
def test_adapters_that_have_no_mean_are_refused(other: Adapter, weights: list[float], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        mean([adapter(1.0), other], weights)
