"""A linear layer gives the same digits whether its weight was packed before or is packed at every call."""

import pytest
import torch

from chattest.models.linear import linear, pack


@pytest.mark.parametrize("rows", [1, 2, 45, 160, 1024, 2100])
def test_a_packed_weight_gives_the_same_to_the_last_digit(rows: int) -> None:
    chance = torch.Generator().manual_seed(1)
    weight, bias, given = (torch.randn(*shape, generator=chance) for shape in ((96, 384), (96,), (rows, 384)))
    with torch.no_grad():
        packed = pack(weight)
        if packed is None:
            pytest.skip("oneDNN cannot be used here")
        assert torch.equal(linear(given, weight, bias, packed), linear(given, weight, bias))
