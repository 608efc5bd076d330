"""The network of the encoder computes what that of transformers does."""

from pathlib import Path

import pytest
import torch
from transformers import BertConfig, BertModel

from chattest.models.bert import Bert

SIZES = {"vocab_size": 50, "hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 40}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bert, BertModel]:
    folder: Path = tmp_path_factory.mktemp("bert")
    torch.manual_seed(1)
    theirs = BertModel(BertConfig(**SIZES)).eval()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.copy_(torch.randn_like(parameter))
    theirs.save_pretrained(folder)
    return Bert.load(folder).eval(), theirs


@pytest.mark.parametrize("padding", [0, 5])
@pytest.mark.parametrize("plain", [False, True], ids=["fused", "plain"])
def test_it_gives_what_transformers_gives(both: tuple[Bert, BertModel], padding: int, plain: bool) -> None:
    ours, theirs = both
    ids = torch.arange(3 * 12).reshape(3, 12) % SIZES["vocab_size"]
    types = (torch.arange(12) > 5).long().expand(3, 12)
    mask = torch.ones_like(ids)
    mask[1, 12 - padding :] = 0
    with torch.set_grad_enabled(plain):
        found = ours(ids, mask, types)
    with torch.no_grad():
        expected = theirs(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
    torch.testing.assert_close(found[mask.bool()], expected[mask.bool()], atol=1e-4, rtol=1e-4)
    assert found.requires_grad == plain


def test_parameters_are_named_as_in_transformers(both: tuple[Bert, BertModel]) -> None:
    ours, theirs = (dict(model.named_parameters()) for model in both)
    assert ours.keys() == {name for name in theirs if not name.startswith("pooler.")}
    assert all(torch.equal(value, theirs[name]) for name, value in ours.items())


def test_texts_without_padding_have_the_vectors_of_texts_alone(both: tuple[Bert, BertModel]) -> None:
    ours, _ = both
    lengths = [3, 5, 5, 9]
    ids = torch.arange(sum(lengths)) % SIZES["vocab_size"]
    types = (torch.arange(sum(lengths)) % 2).long()
    with torch.no_grad():
        found = [vectors for group in ours.unpadded(ids, types, lengths) for vectors in group]
        for vectors, own, kind in zip(found, ids.split(lengths), types.split(lengths), strict=True):
            alone = ours(own[None], torch.ones_like(own)[None], kind[None])[0]
            torch.testing.assert_close(vectors, alone, atol=1e-5, rtol=1e-5)
