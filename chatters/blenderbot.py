"""Blenderbot by its short name."""

from chatters.blenderbot_400M import Blenderbot


class BlenderbotByShortName(Blenderbot):
    """The same as blenderbot_400M."""
