"""Blenderbot by its short name."""

from .blenderbot_400M import Blenderbot


class BlenderbotByShortName(Blenderbot):
    """The same as blenderbot_400M."""
