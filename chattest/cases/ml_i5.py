from chattest.cases.base import ProbeCase, Wording, case
from chattest.records.answers import AnswerScorers


@case
class QuestionWording(ProbeCase):
    """Understands a question however it is worded.

    The fact is stated plainly. A question about it, in one of several wordings, follows in the next round.

    Passes: "My cat is called John." "What name does my cat possess?" - "Your cat is John."
    Fails: "My cat is called John." "What name does my cat possess?" - "Cats possess nine lives."
    """

    code = "ML-I5"
    name = "intelligence.question_wording"
    alias = "I10"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    question = Wording.ANY
