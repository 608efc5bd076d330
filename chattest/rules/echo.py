"""Recognises replies that only repeat: the prompt, or a fact that the user gave before."""

from chattest.rules.person import mentions_person, words_in_first_person
from chattest.rules.tables import pattern

_FEWEST_WORDS = 4
"""People say shorter things back: "Good morning!", "Me too.", "Really?"."""


def is_echo(prompt: str, reply: str) -> bool:
    """Return True if a reply has the prompt's words and no other, as they are or with "I" and "you" swapped.

    Case and punctuation are ignored. Greetings, wishes and thanks are returned by people, and so are up to three words:
    they are no echo. Nor is a statement turned into a question ("You sold it all?"), by which people show that they
    listen, nor what the prompt asked to have repeated.
    """
    if ("?" in reply and not pattern("echo", "question").search(prompt)) or pattern("echo", "asked").search(prompt):
        return False
    words = words_in_first_person(reply)
    if len(words) < _FEWEST_WORDS or words != words_in_first_person(prompt):
        return False
    return not pattern("echo", "said_back").match(prompt)


def says_back(fact: str, reply: str) -> bool:
    """Return True if a reply is a fact of the user, and no more: "My cat is a girl." - "Your cat is a girl.".

    Case and punctuation are ignored. A bot that says "My cat is a girl." speaks of a cat of its own.
    """
    is_to_the_user = mentions_person(reply, "you") or not mentions_person(fact, "i", "we")
    return is_to_the_user and "?" not in reply and words_in_first_person(reply) == words_in_first_person(fact)
