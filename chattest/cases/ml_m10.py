from chattest.cases.base import StoryCase, case


@case
class FalsePremise(StoryCase):
    """Notices that a question assumes what was never said.

    A fact is stated. The question comes 1 to `maxlength` rounds later, and assumes something that contradicts the fact,
    or that the user never mentioned. The reply should notice: say that it was not told, correct the assumption, or give
    the fact. A reply that accepts the assumption fails as "made up", if it answers the question, or as "mixed up". A
    reply that only apologises, falls back ("I do not understand."), deflects or speaks of the bot is not counted.

    Passes: "I went to Lisbon by train." ... "How long was my flight to Lisbon?" - "You said that you took the train."
    Fails: "I went to Lisbon by train." ... "How long was my flight to Lisbon?" - "It took you about four hours."
    """

    code = "ML-M10"
    name = "memory.false_premise"
    scorer = "abstention"
    testsets = "premise"
    untold = True
