"""The mean of adapters."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from chattest.models.embedded.adapter import Adapter, read_adapter
from training.adapters import write_adapter
from training.mean import main, mean


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


def test_matrices_stored_in_bytes_take_half_the_room_and_stay_close(tmp_path: Path) -> None:
    changes = {"full.a": torch.randn(300, 200) * torch.logspace(-3, 1, 300)[:, None], "full.b": torch.randn(200)}
    changes["full.zero"] = torch.zeros(4, 4)
    write_adapter(tmp_path / "half", Adapter("x", 1.0, {}, changes, {"weight": torch.randn(3, 200)}))
    main([str(tmp_path / "bytes"), str(tmp_path / "half"), "--in-bytes"])
    assert (tmp_path / "bytes").stat().st_size < 0.55 * (tmp_path / "half").stat().st_size
    before, after = read_adapter(tmp_path / "half"), read_adapter(tmp_path / "bytes")
    assert after.changes.keys() == before.changes.keys()
    assert torch.equal(after.head["weight"], before.head["weight"])
    assert torch.equal(after.changes["full.b"], before.changes["full.b"])
    assert torch.equal(after.changes["full.zero"], before.changes["full.zero"])
    steps = before.changes["full.a"].abs().amax(1, keepdim=True) / 127
    assert ((after.changes["full.a"] - before.changes["full.a"]).abs() <= 0.51 * steps).all()
