from chattest.cases.base import ProbeCase, Wording, case
from chattest.records.answers import AnswerScorers


@case
class ImpliedQuestion(ProbeCase):
    """Understands a question that only makes sense in its context.

    The fact is stated plainly. The question names its subject in one sentence and uses a pronoun for it in the next.

    Passes: "My cat is called John." "I love my cat. What was its name?" - "Its name is John."
    Fails: "My cat is called John." "I love my cat. What was its name?" - "The name of what?"
    """

    code = "ML-I7"
    name = "intelligence.implied_question"
    alias = "I11"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    testsets = "iq"
    question = Wording.ANY
