"""What a reply says beside its denials of other answers: "No, not Felix. She is Mittens." says "She is Mittens."."""

import re

from chattest.rules.dialogue_act import content_words, stance
from chattest.rules.values import mentions

_PART = re.compile(r"(?<=[.!?;:,\n])\s+|\s(?=but\b)|\s[-–—]+\s", re.IGNORECASE)
_HELPING = {"have", "has", "had", "do", "does", "did", "was", "were", "am", "been", "ever"}
_BARE = {"nope", "nah"}


def without_other_denials(question: str, expected: str, reply: str) -> str:
    """The reply without the parts before the answer that deny something else; the reply itself where there are none.

    A part ends with a clause. The parts that follow the answer stay, since they may take it back. All stays where a
    denial may concern the answer: the part that names it denies, or one before it only denies what the question assumes
    ("You have no cat. Mittens is your dog."), or says that the bot does not know, so that what follows is a guess.
    """
    parts = _PART.split(reply)
    wanted = set(mentions.content(expected))
    named = next((at for at, part in enumerate(parts) if wanted and wanted <= set(mentions.words(part))), 0)
    denials = [part for part in parts[:named] if _denies(part)]
    if _denies(parts[named]) or any(stance(part) != "answers" or _only_asked(question, part) for part in denials):
        return reply
    return " ".join(part for part in parts if part not in denials) if denials else reply


def _only_asked(question: str, part: str) -> bool:
    """Whether a part has words of the question, and none of its own: it names no other answer."""
    said = {word for word in content_words(part) if not mentions.DENIAL.match(word)} - _HELPING
    return bool(said) and said <= content_words(question)


def _denies(part: str) -> bool:
    bare = re.sub(r"\W", "", part).casefold()
    return bare in _BARE or mentions.DENIAL.search(mentions.SURE.sub("", part.casefold())) is not None
