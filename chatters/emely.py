"""Emely, and bots with the same protocol."""

from typing import Any

from pydantic import Field

from .http import Http, HttpOptions


class EmelyOptions(HttpOptions):
    """Settings of Emely: those of `http`, with her format."""

    body: Any = Field({"text": "{history}"}, description="what to send as JSON: the whole conversation, oldest first")


class Emely(Http):
    """Emely, by HTTP: the conversation goes out as {"text": [...]}, the reply comes back in "text"."""

    Options = EmelyOptions
    remembers = False
