from chattest.cases.base import StoryCase, case


@case
class Abstention(StoryCase):
    """Says that it does not know what it was never told.

    A fact is stated. The question comes 1 to `maxlength` rounds later, and asks for something similar that the user
    never mentioned. The reply should say that it does not know, or was not told. A reply that answers anyway fails as
    "made up", also if it is a guess, or as "mixed up" if it gives a fact about something else. A reply that only
    apologises, falls back ("I do not understand."), deflects or speaks of the bot is not counted.

    Passes: "My sister lives in Bergen." ... "Where does my brother live?" - "You have not told me about a brother."
    Fails: "My sister lives in Bergen." ... "Where does my brother live?" - "Your brother lives in Bergen."
    """

    code = "ML-M2"
    name = "memory.abstention"
    scorer = "abstention"
    testsets = "untold"
    untold = True
