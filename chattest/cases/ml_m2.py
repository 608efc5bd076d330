from chattest.cases.base import StoryCase, case


@case
class Abstention(StoryCase):
    """Says that it does not know what it was never told.

    A fact is stated, and the question, 1 to `maxlength` rounds later, asks for something near it that was never told.
    The reply should say that it does not know, or was not told. One that answers all the same is told apart: made up,
    with the answer, or mixed up, where it gives what was told of something else. A guess is made up too.

    Passes: "My sister lives in Bergen." ... "Where does my brother live?" - "You have not told me about a brother."
    Fails: "My sister lives in Bergen." ... "Where does my brother live?" - "Your brother lives in Bergen."
    """

    code = "ML-M2"
    name = "memory.abstention"
    scorer = "abstention"
    testsets = "untold"
    untold = True
