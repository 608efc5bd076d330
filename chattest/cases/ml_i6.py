from chattest.cases.base import ProbeCase, Wording, case
from chattest.records.answers import AnswerScorers


@case
class ImpliedInformation(ProbeCase):
    """Understands a fact that only follows from its context.

    The fact is spread over two sentences that must be read together. A plainly worded question about it follows in the
    next round.

    Passes: "I have a cat. His name is John." "What is the name of my cat?" - "John is your cat."
    Fails: "I have a cat. His name is John." "What is the name of my cat?" - "Who is John?"
    """

    code = "ML-I6"
    name = "intelligence.implied_information"
    alias = "I9"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    testsets = "ia"
    information = Wording.ANY
