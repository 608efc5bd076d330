"""Any text-generation model of the transformers library."""

from typing import Any
from zlib import crc32

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter
from chattest.records.plan import ProbePlan

VERDICT_TOKENS = 300
"""Longest answer of a judge, in tokens."""


class HuggingFaceOptions(BaseModel):
    """Settings of a transformers model."""

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    model: str = Field(min_length=1, description="a folder with a model, or its name on the hub")
    device: str = Field("cpu", description='"cpu", "cuda", "cuda:1", ...')
    dtype: str = Field("auto", description='"auto" (that of the checkpoint), "float32", "bfloat16", ...')
    system: str = Field("", description="the system prompt")
    max_new_tokens: int = Field(60, ge=1, description="longest reply, in tokens")
    sample: bool = Field(False, description="sample words by their probability; False: always take the likeliest")
    temperature: float | None = Field(None, gt=0, description="randomness, if sample is True")
    top_p: float | None = Field(None, gt=0, le=1, description="share of likely words to sample from, if sample is True")
    generation: dict[str, Any] = Field({}, description="further arguments of transformers' generate")
    separator: str = Field("\n", description="separator of texts if the model has no chat template")
    opener: str = Field("Hello", description="the other's text when this bot opens the conversation")
    batch_size: int = Field(16, ge=1, description="most conversations answered at once")


class HuggingFace(Chatter):
    """Any transformers model, by folder or hub name: causal, chat-tuned (its template is used) or seq2seq."""

    Options = HuggingFaceOptions
    remembers = False
    bot_options = frozenset(
        {"system", "max_new_tokens", "sample", "temperature", "top_p", "generation", "separator", "opener"}
    )

    @classmethod
    def as_judge(cls, options: HuggingFaceOptions, schema: dict[str, Any]) -> HuggingFaceOptions:
        """Make room for a verdict, unless the options set another length; sampling is off by default."""
        given = options.model_fields_set
        return options if "max_new_tokens" in given else options.model_copy(update={"max_new_tokens": VERDICT_TOKENS})

    @classmethod
    def unavailable(cls, options: HuggingFaceOptions) -> str:
        """Return why the model cannot be loaded: it is neither here nor on the hub, or files of it are missing."""
        from chattest.models.hub import find_model_problem

        why = find_model_problem(options.model)
        return f'the model "{options.model}" cannot be loaded: {why}' if why else ""

    @classmethod
    def load(cls, options: HuggingFaceOptions) -> Any:
        """Load the model, which all conversations share."""
        from chattest.chatter.generation import TextGenerator

        return TextGenerator(options.model, options.device, options.dtype), options

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Keep the seed, for sampling."""
        self._seed = seed

    def get_response(self, conv_array: list[str]) -> str:
        """Return the model's next text."""
        return _replies((self.shared[0], self.options), [conv_array], self._seed)[0]

    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[Any]:
        """Return the model's next text in each conversation, in batches; with sampling, the texts are the seed."""
        size = shared[1].batch_size
        return [
            reply
            for begin in range(0, len(conv_arrays), size)
            for reply in _replies(shared, conv_arrays[begin : begin + size], "")
        ]

    @classmethod
    def torch_module(cls, shared: Any) -> Any:
        """Return the model."""
        return shared[0].model


def _replies(shared: Any, conv_arrays: list[list[str]], seed: str) -> list[str]:
    generator, options = shared
    sampling: dict[str, Any] = {"do_sample": options.sample}
    if options.sample:
        chosen = {"temperature": options.temperature, "top_p": options.top_p}
        sampling |= {name: value for name, value in chosen.items() if value is not None}
    replies: list[str] = generator.replies(
        conv_arrays,
        {"max_new_tokens": options.max_new_tokens} | sampling | options.generation,
        options.system,
        options.opener,
        options.separator,
        crc32(f"{seed}/{conv_arrays}".encode()),
    )
    return replies
