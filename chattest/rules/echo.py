"""Recognises replies that only repeat: the prompt, or a fact that the user gave before."""

import re

from chattest.rules.person import mentions_person, words_in_first_person

_FEWEST_WORDS = 4
"""People say shorter things back: "Good morning!", "Me too.", "Really?"."""
_SAID_BACK = re.compile(
    r"\A\W{0,5}(?:(?:oh|well|and|ok|okay|aww?|so|i hope you|hope you)\W{1,5}){0,3}(?:"
    r"good (?:morning|afternoon|evening|night|day|luck|to)|hello|hi|hey|bye|goodbye|see you|talk to you|speak to you|"
    r"have an?|enjoy|nice to|pleased to|lovely to|great to|happy|merry|thanks?|many thanks|cheers|take care|sleep well|"
    r"sweet dreams|welcome|congratulations|(?:i |we )?(?:really )?(?:loved?|miss(?:ed)?|like) you|the same to you|"
    r"same to you|all the best|how are you|how do you do|what['’]?s up|until|till|peace be|god bless|knock"
    r")\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\?|^\W*(?:who|what|when|where|which|why|how|is|are|do|does|did|can|could|will|would)\b", re.IGNORECASE
)
_ASKED = re.compile(r"\b(?:repeat|after me|copy|echo|say (?:it|this|that)|word for word)\b", re.IGNORECASE)


def is_echo(prompt: str, reply: str) -> bool:
    """Return True if a reply has the prompt's words and no other, as they are or with "I" and "you" swapped.

    Case and punctuation are ignored. Greetings, wishes and thanks are returned by people, and so are up to three words:
    they are no echo. Nor is a statement turned into a question ("You sold it all?"), by which people show that they
    listen, nor what the prompt asked to have repeated.
    """
    if ("?" in reply and not _QUESTION.search(prompt)) or _ASKED.search(prompt):
        return False
    words = words_in_first_person(reply)
    return len(words) >= _FEWEST_WORDS and words == words_in_first_person(prompt) and not _SAID_BACK.match(prompt)


def says_back(fact: str, reply: str) -> bool:
    """Return True if a reply is a fact of the user, and no more: "My cat is a girl." - "Your cat is a girl.".

    Case and punctuation are ignored. A bot that says "My cat is a girl." speaks of a cat of its own.
    """
    is_to_the_user = mentions_person(reply, "you") or not mentions_person(fact, "i", "we")
    return is_to_the_user and "?" not in reply and words_in_first_person(reply) == words_in_first_person(fact)
