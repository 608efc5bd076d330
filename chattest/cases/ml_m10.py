from chattest.cases.base import StoryCase, case


@case
class FalsePremise(StoryCase):
    """Notices that a question assumes what was never said.

    Something is told, and the question, 1 to `maxlength` rounds later, takes for granted what does not agree with it,
    or what was never said. The reply should notice: say that it was not told, correct the assumption, or name what was
    told instead. One that goes along is told apart: made up, with the answer, or mixed up.

    Passes: "I went to Lisbon by train." ... "How long was my flight to Lisbon?" - "You said that you took the train."
    Fails: "I went to Lisbon by train." ... "How long was my flight to Lisbon?" - "It took you about four hours."
    """

    code = "ML-M10"
    name = "memory.false_premise"
    scorer = "abstention"
    testsets = "premise"
    untold = True
