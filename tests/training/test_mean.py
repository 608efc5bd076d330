"""The mean of two adapters."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.training.adapters import write_adapter
from chattest.training.mean import main, mean


def made(value: float, rank: int = 2) -> Adapter:
    changes = {"a.lora_A": torch.full((rank, 4), value), "full.b": torch.full((3,), -value)}
    return Adapter("embedded/yes_no", 1.0, {"x": 1}, changes, {"weight": torch.full((2,), value)})


def test_every_tensor_lies_halfway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other, output = (tmp_path / name for name in ("one", "other", "output"))
    write_adapter(one, made(1.0))
    write_adapter(other, made(4.0))
    monkeypatch.setattr(sys, "argv", ["mean", str(one), str(other), str(output)])
    main()
    found = read_adapter(output)
    assert (found.name, found.settings) == ("embedded/yes_no", {"x": 1})
    assert torch.equal(found.changes["a.lora_A"], torch.full((2, 4), 2.5))
    assert torch.equal(found.changes["full.b"], torch.full((3,), -2.5))
    assert torch.equal(found.head["weight"], torch.full((2,), 2.5))


@pytest.mark.parametrize(
    "other", [made(1.0, rank=3), replace(made(1.0), name="embedded/match"), replace(made(1.0), head={})]
)
def test_adapters_of_another_origin_are_refused(other: Adapter) -> None:
    with pytest.raises(ValueError, match=r"the same tensors|same origin"):
        mean(made(1.0), other)
