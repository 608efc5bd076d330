"""A transformers model on this machine as a judge, made on the spot."""

from pathlib import Path
from typing import Any

import pytest

from chattest.judging.chat.choose import chat_judges
from chattest.judging.chat.rubric import read_rubric
from chattest.judging.chat.table import usage_table
from chattest.judging.scoring import judge_items
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from tests.support.stand_ins import StandIns

ANSWER = '{"reason": "It names Juniper.", "verdict": "right", "confidence": 0.75}'
TEMPLATE = "{% for message in messages %}{{ message.content }}{{ eos_token }}{% endfor %}"


def tiny(folder: Path) -> Path:
    """A one-layer Llama that has learnt by heart to answer a judge's question."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.decoders import ByteLevel as ByteLevelDecoder
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel
    from tokenizers.trainers import BpeTrainer
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    torch.manual_seed(1)
    prompt = read_rubric("match").prompt({"question": "?", "expected": "Juniper", "reply": "Juniper"})
    made = Tokenizer(BPE())
    made.pre_tokenizer, made.decoder = ByteLevel(add_prefix_space=False), ByteLevelDecoder()
    trainer = BpeTrainer(vocab_size=700, special_tokens=["</s>", "<pad>"], initial_alphabet=ByteLevel.alphabet())
    made.train_from_iterator([prompt], trainer)
    words: Any = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="</s>", pad_token="<pad>")
    words.add_tokens([ANSWER])  # one token, so that it is learnt in a few steps
    words.chat_template, words.model_max_length = TEMPLATE, 2048
    config = LlamaConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=1,
        num_key_value_heads=1, max_position_embeddings=2048, bos_token_id=0, eos_token_id=0, pad_token_id=1,
    )  # fmt: skip
    model: Any = LlamaForCausalLM(config)
    # Every prompt of a judge ends in the same words.
    end = words(prompt[-60:] + "</s>", add_special_tokens=False)["input_ids"]
    answer = words(ANSWER + "</s>", add_special_tokens=False)["input_ids"]
    ids, labels = torch.tensor([end + answer]), torch.tensor([[-100] * len(end) + answer])
    learning = torch.optim.AdamW(model.parameters(), lr=5e-2, weight_decay=0.0)
    for _ in range(40):
        loss = model(input_ids=ids, labels=labels).loss
        loss.backward()
        learning.step()
        learning.zero_grad()
    assert loss.item() < 0.1, f"not learnt by heart: loss {loss.item():.3f}"
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_a_transformers_model_judges(tmp_path: Path) -> None:
    given = {
        "models": {"match": "chat:huggingface"},
        "judge_options": {"huggingface": {"model": str(tiny(tmp_path / "tiny-judge")), "max_new_tokens": 8}},
    }
    chat = chat_judges(Settings.model_validate(given), tmp_path)
    judges = StandIns()
    judges.use_chat(chat.by_kind)
    items = [Item("What is my cat called?", reply, "Juniper", "?") for reply in ("Juniper.", "It is Juniper, I think.")]
    rows = judge_items(scorers.get("open_answer"), items, Settings(), judges)
    table = usage_table(chat)
    assert [row.verdict.value for row in rows] == ["PASS", "PASS"], [row.reason for row in rows]
    assert rows[0].reason == "right (0.75): It names Juniper. - chat:huggingface (tiny-judge)"
    assert table is not None
    assert table.rows[0][2] == 2
