"""The short ways to draw and to make a record give what the long ones give."""

from random import Random

import pytest

from chattest.perturbations._drawing import FEW, choice, sample


@pytest.mark.parametrize("size", [1, 2, 7, FEW, FEW + 1, 200])
def test_draws_are_those_of_the_library(size: int) -> None:
    items = [f"item {at}" for at in range(size)]
    for seed in range(30):
        ours, theirs = Random(seed), Random(seed)
        for number in {0, 1, min(5, size), min(6, size), size // 2, size}:
            assert sample(ours, items, number) == theirs.sample(items, number)
            assert sample(ours, range(size), number) == theirs.sample(range(size), number)
        assert choice(ours, items) == theirs.choice(items)
        assert ours.random() == theirs.random()


def test_more_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="larger than population"):
        sample(Random(1), [1, 2], 3)
