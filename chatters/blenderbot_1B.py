"""Blenderbot with a billion parameters."""

from pydantic import Field

from .huggingface import HuggingFace, HuggingFaceOptions


class BlenderbotOptions(HuggingFaceOptions):
    """Settings of Blenderbot: those of `huggingface`, with its checkpoint."""

    model: str = Field(
        "facebook/blenderbot-1B-distill", min_length=1, description="a folder with a model, or its name on the hub"
    )
    separator: str = Field("  ", description="stands between texts; two spaces is what it was trained with")


class Blenderbot(HuggingFace):
    """Blenderbot 1B, by transformers; fetched from the model hub on first use."""

    Options = BlenderbotOptions
