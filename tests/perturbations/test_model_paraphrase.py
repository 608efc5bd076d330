"""Paraphrase by a sequence-to-sequence model: a tiny one with random weights that the test makes."""

from random import Random

import pytest

from chattest.errors import InputError
from chattest.perturbations.base import resolve

pytestmark = pytest.mark.slow

TEXT = "what is the name of my cat"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    torch.manual_seed(1)
    known = ["<s>", "<pad>", "</s>", "<unk>", *TEXT.split(), "called", "it", "dog"]
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(known)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    place = tmp_path_factory.mktemp("tiny-bart")
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(place)
    config = BartConfig(
        vocab_size=len(known), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=80,
        forced_eos_token_id=2, init_std=1.0,
    )  # fmt: skip
    BartForConditionalGeneration(config).save_pretrained(place)
    return place


def test_it_gives_a_wording_of_the_model(folder):
    part = resolve(f"model_paraphrase(model={str(folder)!r}, beams=3)")
    found = part.variants(TEXT, Random(1))
    assert len(found) == 1
    assert found[0].kind == "generated"
    assert found[0].text not in ("", TEXT)
    assert found == part.variants(TEXT, Random(1))
    assert part.draw(TEXT, Random(1)) == found[0]
    assert part.variants("  ", Random(1)) == []


def test_a_wording_without_what_is_kept_is_dropped(folder):
    part = resolve(f"model_paraphrase(model={str(folder)!r})")
    text = "my cat Mimmi"
    assert part.variants(text, Random(1), ["mimmi"]) == []
    assert part.draw(text, Random(1), ["mimmi"]).kind == "none"


def test_a_model_that_is_not_there_is_a_clear_error(tmp_path):
    with pytest.raises(InputError, match=r"is not available: the model .* cannot be loaded: there is no such folder"):
        resolve(f"model_paraphrase(model={str(tmp_path / 'none')!r})")
