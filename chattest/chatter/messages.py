"""A conversation in the form that chat models take."""

from collections.abc import Sequence


def chat_messages(texts: Sequence[str], system: str = "", opener: str = "") -> list[dict[str, str]]:
    """Texts as messages with roles, seen from the one who speaks next.

    texts: oldest first. The last one is the other's (role `user`), the one before it the speaker's own (`assistant`),
    and so on. system: put in front with the role `system` unless empty. opener: what the user is made to have said
    where the speaker is the first to speak; many models refuse a conversation that does not begin with the user.
    """
    roles = ("user", "assistant")
    said = [opener, *texts] if opener and len(texts) % 2 == 0 else list(texts)
    messages = [{"role": "system", "content": system}] if system else []
    for place, text in enumerate(said):
        messages.append({"role": roles[(len(said) - 1 - place) % 2], "content": text})
    return messages
