"""Blenderbot with a billion parameters."""

from pydantic import Field

from .huggingface import HuggingFace, HuggingFaceOptions


class BlenderbotOptions(HuggingFaceOptions):
    """Settings of Blenderbot: those of `huggingface`, with its checkpoint."""

    model: str = Field(
        "facebook/blenderbot-1B-distill", min_length=1, description="a folder with a model, or its name on the hub"
    )
    separator: str = Field("  ", description="separator of texts; it was trained with two spaces")


class Blenderbot(HuggingFace):
    """Blenderbot 1B, by transformers; downloaded from the model hub on first use."""

    Options = BlenderbotOptions
