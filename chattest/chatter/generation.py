"""Generate replies with a language model of the transformers library: causal, chat-tuned or sequence to sequence."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

from chattest.chatter.calls import count_tokens_used
from chattest.chatter.chat_format import chat_messages
from chattest.errors import ChatterError, ModelError
from chattest.models.hub import fetch, find_model_problem
from chattest.models.quiet import silence_transformers


class TextGenerator:
    """A model and its tokenizer; usable from any thread, one batch at a time."""

    def __init__(self, name: str, device: str = "cpu", dtype: str = "auto") -> None:
        """Load model and tokenizer.

        Args:
            name: a folder or a model on the hub.
            device: "cpu", "cuda", "cuda:1", ...
            dtype: "auto" (as the checkpoint has it), "float32", "bfloat16", ...

        Raises:
            ChatterError: there is no such model or it cannot be loaded.
        """
        if why := find_model_problem(name):
            raise ChatterError(f'the model "{name}" cannot be loaded: {why}')
        try:
            self._load(name, device, dtype)
        except (ModelError, OSError, ValueError, RuntimeError, KeyError) as error:
            first_line = (str(error).strip().splitlines() or [""])[0]
            raise ChatterError(f'the model "{name}" cannot be loaded: {type(error).__name__}: {first_line}') from error
        self._lock = Lock()

    def _load(self, name: str, device: str, dtype: str) -> None:
        import transformers

        folder = fetch("chatter", name)
        with silence_transformers():
            config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
            self.seq2seq = bool(config.is_encoder_decoder)
            kind = transformers.AutoModelForSeq2SeqLM if self.seq2seq else transformers.AutoModelForCausalLM
            # Left: the reply is written where the text ends, and the oldest words are the ones to lose.
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(
                folder, local_files_only=True, padding_side="right" if self.seq2seq else "left"
            )
            model = kind.from_pretrained(folder, local_files_only=True, dtype=dtype)
        self.model = model.to(device).eval().requires_grad_(False)
        if self.tokenizer.pad_token_id is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token or self.tokenizer.unk_token
        positions = getattr(config, "max_position_embeddings", None) or self.tokenizer.model_max_length
        self.max_tokens = int(min(positions, self.tokenizer.model_max_length))

    def replies(
        self,
        conversations: Sequence[Sequence[str]],
        generation: dict[str, Any],
        system: str = "",
        opener: str = "Hello",
        separator: str = "\n",
        seed: int = 0,
    ) -> list[str]:
        """Return the model's next text in each conversation.

        Args:
            conversations: texts so far, oldest first; the last is the other's.
            generation: arguments of transformers' `generate`, `max_new_tokens` among them.
            system: a system prompt.
            opener: replaces the other's first text if the model speaks first.
            separator: between texts for a model without a chat template; it also ends the reply.
            seed: of the chance, if `generation` asks for sampling; torch's own state does not change.
        """
        import torch

        room = self.max_tokens - (0 if self.seq2seq else generation["max_new_tokens"])
        with self._lock, torch.no_grad(), torch.random.fork_rng(self._cuda_devices()):
            torch.manual_seed(seed)
            rows = [self._tokenize(texts, system, opener, separator, max(1, room)) for texts in conversations]
            batch = self.tokenizer.pad({"input_ids": rows}, return_tensors="pt").to(self.model.device)
            with silence_transformers():
                written = self.model.generate(**batch, pad_token_id=self.tokenizer.pad_token_id, **generation)
        if not self.seq2seq:
            written = written[:, batch["input_ids"].shape[1] :]
        count_tokens_used(sum(map(len, rows)), int((written != self.tokenizer.pad_token_id).sum()))
        replies = [text.strip() for text in self.tokenizer.batch_decode(written, skip_special_tokens=True)]
        if self.seq2seq or self.tokenizer.chat_template or not separator.strip(" "):
            return replies
        return [reply.split(separator)[0].strip() for reply in replies]

    def _cuda_devices(self) -> list[int]:
        device = self.model.device
        return [device.index or 0] if device.type == "cuda" else []

    def _tokenize(self, texts: Sequence[str], system: str, opener: str, separator: str, room: int) -> list[int]:
        """Return the last tokens of a conversation, as many as there is room for."""
        if self.tokenizer.chat_template:
            return self._tokenize_chat(chat_messages(texts, system, opener), room)
        parts = [*([system] if system else []), *(texts or [opener])]
        ending = "" if self.seq2seq else separator
        ids: list[int] = self.tokenizer(separator.join(parts) + ending, verbose=False)["input_ids"]
        end = self.tokenizer.eos_token_id
        if not self.seq2seq or end is None:
            return ids[-room:]
        # An encoder's input ends with the end mark; not every tokenizer puts it there by itself.
        words = [token for token in ids if token != end]
        return [*words[max(0, len(words) - room + 1) :], end]

    def _tokenize_chat(self, messages: list[dict[str, str]], room: int) -> list[int]:
        """Return the tokens by the model's own template; the oldest messages are left out, the system prompt stays."""
        first = 1 if messages[0]["role"] == "system" else 0
        while True:
            text = self.tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
            ids: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
            if len(ids) <= room or len(messages) - first < 3:
                return ids[-room:]
            del messages[first : first + 2]
