from chattest.cases.base import ProbeCase, Wording, case
from chattest.records.answers import AnswerScorers


@case
class InformationWording(ProbeCase):
    """Understands a fact however it is worded.

    The fact is stated in one of several wordings. A plainly worded question about it follows in the next round.

    Passes: "The kitten which I own goes by John." "What is the name of my cat?" - "John."
    Fails: "The kitten which I own goes by John." "What is the name of my cat?" - "You have not told me."
    """

    code = "ML-I4"
    name = "intelligence.information_wording"
    alias = "I8"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    information = Wording.ANY
