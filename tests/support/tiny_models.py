"""Tiny checkpoints that have learnt a few replies by heart, made in seconds for the tests of chatters with a model."""

from pathlib import Path
from typing import Any

LEARNT = {
    "Hello": "good morning to you",
    "How are you?": "I am well today",
    "What do you eat?": "bread and cheese",
    "Where is the cat?": "under the table",
}
TEMPLATE = (
    "{% for message in messages %}{{ '<' + message.role + '>' + message.content + eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)
SPECIALS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "<user>", "<assistant>", "<system>"]


def bpe() -> tuple[dict[str, int], list[tuple[str, str]]]:
    """A byte-level vocabulary with merges, learnt from the replies."""
    import json

    from tokenizers import ByteLevelBPETokenizer

    trained = ByteLevelBPETokenizer(add_prefix_space=True)
    trained.train_from_iterator([*LEARNT, *LEARNT.values()] * 20, vocab_size=500, special_tokens=SPECIALS[:5])
    state = json.loads(trained._tokenizer.to_str())["model"]
    return state["vocab"], [tuple(merge) for merge in state["merges"]]


def tokenizer(template: str | None) -> Any:
    """A tokenizer in the form of GPT-2's."""
    from transformers import GPT2Tokenizer

    vocab, merges = bpe()
    made = GPT2Tokenizer(vocab=vocab, merges=merges, eos_token="</s>", bos_token="</s>", unk_token="<unk>")
    made.add_special_tokens({"additional_special_tokens": SPECIALS[5:], "pad_token": "<pad>"})
    made.model_max_length = 128
    made.chat_template = template
    return made


def fit(model: Any, batch: dict[str, Any], steps: int) -> None:
    """Learns the batch by heart."""
    import torch

    learning = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.0)
    model.train()
    for _ in range(steps):
        loss = model(**batch).loss
        loss.backward()
        learning.step()
        learning.zero_grad()
    assert loss.item() < 0.05, f"not learnt by heart: loss {loss.item():.3f}"


def causal(folder: Path, template: str | None = TEMPLATE) -> Path:
    """A two-layer Llama; with a chat template, or with texts on lines of their own."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(1)
    words = tokenizer(template)
    config = LlamaConfig(
        vocab_size=len(words), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=4, max_position_embeddings=128, bos_token_id=0, eos_token_id=2, pad_token_id=1,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    prompts, texts = [], []
    for asked, reply in LEARNT.items():
        turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]
        if template:
            prompts.append(words.apply_chat_template(turns[:1], add_generation_prompt=True, tokenize=False))
            texts.append(words.apply_chat_template(turns, tokenize=False))
        else:
            prompts.append(f"{asked}\n")
            texts.append(f"{asked}\n{reply}\n")
    ids = words(texts, padding=True, padding_side="right", return_tensors="pt")
    labels = ids["input_ids"].masked_fill(ids["attention_mask"] == 0, -100)
    for row, prompt in zip(labels, prompts, strict=True):
        row[: len(words(prompt)["input_ids"])] = -100
    fit(model, {**ids, "labels": labels}, 60)
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def blenderbot(folder: Path) -> Path:
    """Blenderbot's architecture with two layers."""
    import torch
    from transformers import BlenderbotConfig, BlenderbotForConditionalGeneration, BlenderbotTokenizer

    torch.manual_seed(1)
    vocab, merges = bpe()
    words = BlenderbotTokenizer(vocab=vocab, merges=merges)
    words.model_max_length = 128
    config = BlenderbotConfig(
        vocab_size=len(words), d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=128, max_position_embeddings=128,
        bos_token_id=0, pad_token_id=1, eos_token_id=2, decoder_start_token_id=0, forced_eos_token_id=2, dropout=0.0,
    )  # fmt: skip
    model = BlenderbotForConditionalGeneration(config)
    asked = words([f"{text}</s>" for text in LEARNT], padding=True, return_tensors="pt")
    replies = words([f"{text}</s>" for text in LEARNT.values()], padding=True, return_tensors="pt")
    labels = replies["input_ids"].masked_fill(replies["attention_mask"] == 0, -100)
    fit(model, {**asked, "labels": labels}, 150)
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder
