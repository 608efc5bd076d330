"""The four operators on matrices, which matrices they are used on, and that weights come back."""

from typing import Any

import pytest
import torch
from torch import nn

from chattest.mutation.base import operators
from chattest.mutation.targets import find_matrices, mutate


def spoilt(name: str, amount: float, rows: int = 40, columns: int = 30, seed: int = 1) -> tuple[Any, Any]:
    """A matrix of different numbers before and after an operator."""
    before = torch.randn(rows, columns, generator=torch.Generator().manual_seed(7))
    after = before.clone()
    operators.get(name).alter(after, amount, torch.Generator().manual_seed(seed))
    return before, after


def changed_rows(before: Any, after: Any) -> Any:
    return (before != after).any(1)


def test_noise_has_mean_0_and_the_standard_deviation_asked_for() -> None:
    before, after = spoilt("gaussian fuzzing", 0.5, 400, 400)
    noise = after - before
    assert abs(noise.mean().item()) < 0.01
    assert noise.std().item() == pytest.approx(0.5 * before.std().item(), rel=0.02)
    assert (noise != 0).all()


@pytest.mark.parametrize(("share", "neurons"), [(0.01, 1), (0.1, 4), (1.0, 40)])
def test_shuffling_moves_the_weights_within_the_neurons_picked(share: float, neurons: int) -> None:
    before, after = spoilt("weight shuffling", share)
    assert changed_rows(before, after).sum() == neurons
    assert torch.equal(before.sort(1).values, after.sort(1).values)


@pytest.mark.parametrize(("share", "neurons"), [(0.01, 1), (0.1, 3), (1.0, 30)])
def test_blocking_zeroes_what_neurons_give_on(share: float, neurons: int) -> None:
    before, after = spoilt("neuron effect blocking", share)
    blocked = (after == 0).all(0)
    assert blocked.sum() == neurons
    assert torch.equal(before[:, ~blocked], after[:, ~blocked])


@pytest.mark.parametrize(("share", "rows", "neurons"), [(0.01, 40, 2), (0.1, 40, 4), (1.0, 40, 40), (1.0, 5, 4)])
def test_switching_exchanges_neurons_in_pairs(share: float, rows: int, neurons: int) -> None:
    before, after = spoilt("neuron switch", share, rows)
    assert changed_rows(before, after).sum() == neurons
    assert torch.equal(before.sort(0).values, after.sort(0).values)
    moved = {row: before.tolist().index(after[row].tolist()) for row in range(rows)}
    assert all(moved[moved[row]] == row for row in moved)


@pytest.mark.parametrize("name", operators.names())
def test_nothing_of_it_changes_nothing_and_the_seed_fixes_all(name: str) -> None:
    assert torch.equal(*spoilt(name, 0.0))
    assert torch.equal(spoilt(name, 0.2)[1], spoilt(name, 0.2)[1])
    assert not torch.equal(spoilt(name, 0.2)[1], spoilt(name, 0.2, seed=2)[1])


class Cells(nn.Module):
    """What has no other way of being spelt."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = nn.LSTM(3, 5, num_layers=2, bidirectional=True)
        self.attention = nn.MultiheadAttention(4, 2)
        self.k = nn.Linear(3, 2)
        self.other = nn.Linear(3, 2)
        self.value = nn.Parameter(torch.ones(2, 2))


def test_gates_and_attention_are_found_by_kind_and_name_and_nothing_else() -> None:
    found = {matrix.name: tuple(matrix.weights.shape) for matrix in find_matrices(Cells())}
    assert len(found) == 2 * 2 * 2 * 4 + 2
    assert found["memory.weight_ih_l0, input gate"] == (5, 3)
    assert found["memory.weight_hh_l1_reverse, output gate"] == (5, 5)
    assert found["attention.in_proj_weight"] == (12, 4)
    assert found["k"] == (2, 3)
    assert find_matrices(nn.Linear(2, 2)) == []
    assert [matrix.name for matrix in find_matrices(nn.LSTMCell(2, 2))][:2] == [
        "weight_ih, input gate",
        "weight_ih, forget gate",
    ]


def test_a_matrix_is_a_view_of_the_models_weights() -> None:
    cells = Cells()
    forget = next(matrix for matrix in find_matrices(cells) if matrix.name == "memory.weight_hh_l0, forget gate")
    forget.weights.zero_()
    assert (
        torch.eq(cells.get_parameter("memory.weight_hh_l0"), 0).all(1).tolist()
        == [False] * 5 + [True] * 5 + [False] * 10
    )


def bert() -> Any:
    from transformers import BertConfig, BertModel

    sizes = {"hidden_size": 8, "num_attention_heads": 2, "intermediate_size": 16, "num_hidden_layers": 2}
    return BertModel(BertConfig(vocab_size=20, **sizes), add_pooling_layer=False)


def gpt2() -> Any:
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config(vocab_size=20, n_embd=8, n_head=2, n_layer=2, n_positions=16))


def t5() -> Any:
    from transformers import T5Config, T5ForConditionalGeneration

    return T5ForConditionalGeneration(
        T5Config(vocab_size=20, d_model=8, d_kv=4, d_ff=16, num_layers=2, num_heads=2, decoder_start_token_id=0)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "count", "first", "shape"),
    [
        (bert, 6, "encoder.layer.0.attention.self.query", (8, 8)),
        (gpt2, 2, "transformer.h.0.attn.c_attn", (24, 8)),  # kept the other way round
        (t5, 18, "encoder.block.0.layer.0.SelfAttention.q", (8, 8)),
    ],
)
def test_models_of_the_transformers_library(make: Any, count: int, first: str, shape: tuple[int, int]) -> None:
    found = find_matrices(make())
    assert (len(found), found[0].name, tuple(found[0].weights.shape)) == (count, first, shape)


@pytest.mark.slow
@pytest.mark.parametrize("name", operators.names())
@pytest.mark.parametrize("model", [Cells, bert, gpt2])
def test_afterwards_every_weight_is_what_it_was(name: str, model: Any) -> None:
    module = model()
    before = {key: value.clone() for key, value in module.state_dict().items()}
    aims = {id(matrix.parameter) for matrix in find_matrices(module)}

    def altered() -> set[str]:
        return {key for key, value in module.named_parameters() if not torch.equal(value, before[key])}

    with mutate(lambda: module, operators.get(name).alter, 0.5, torch.Generator().manual_seed(1)) as changed:
        assert changed
        assert altered() == {key for key, value in module.named_parameters() if id(value) in aims}
    assert altered() == set()
    with (
        pytest.raises(ZeroDivisionError),
        mutate(lambda: module, operators.get(name).alter, 0.5, torch.Generator().manual_seed(1)),
    ):
        raise ZeroDivisionError
    assert altered() == set()
    with mutate(lambda: module, operators.get(name).alter, 0.0, torch.Generator().manual_seed(1)) as changed:
        assert not changed
