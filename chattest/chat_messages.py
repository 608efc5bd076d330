"""A conversation in the form that chat models take."""

from collections.abc import Sequence


def chat_messages(texts: Sequence[str], system: str = "") -> list[dict[str, str]]:
    """Texts as messages with roles, seen from the one who speaks next.

    texts: oldest first. The last one is the other's (role `user`), the one before it the speaker's own (`assistant`),
    and so on. system: put in front with the role `system` unless empty.
    """
    roles = ("user", "assistant")
    messages = [{"role": "system", "content": system}] if system else []
    for place, text in enumerate(texts):
        messages.append({"role": roles[(len(texts) - 1 - place) % 2], "content": text})
    return messages
