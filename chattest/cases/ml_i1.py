from chattest.cases.base import ProbeCase, Wait, case
from chattest.records.answers import AnswerScorers


@case
class LongTermMemory(ProbeCase):
    """Remembers what it was told many rounds ago.

    A fact is stated, the conversation continues, and the question follows 1 to `maxlength` rounds later. The recall
    curve shows the success rate by the number of rounds between the last mention of the fact and the question.

    Passes: "My cat is called Mittens." ... eight rounds ... "What is the name of my cat?" - "Mittens, you said."
    Fails: "My cat is called Mittens." ... eight rounds ... "What is the name of my cat?" - "You have a cat?"
    """

    code = "ML-I1"
    name = "intelligence.long_term_memory"
    alias = "I5"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    wait = Wait.LATER
