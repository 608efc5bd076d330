from chattest.cases.base import ProbeCase, Wording, case
from chattest.records.answers import AnswerScorers


@case
class TypingMistakes(ProbeCase):
    """Understands questions with typing mistakes.

    A fact is stated plainly and asked about in the next three rounds. In each question a random share of the words is
    misspelt: an extra letter, a missing letter, a wrong letter, a neighbouring key or two swapped letters; with
    `dose = "full"`, one to five times each. The curve shows the success rate by the dose, the share of misspelt words
    times the mistakes per misspelt word.

    Passes: "My cat is called Mittens." ... "Whqt is tje name rf my cat?" - "She is called Mittens."
    Fails: "My cat is called Mittens." ... "Whqt is tje name rf my cat?" - "I don't understand that."
    """

    code = "ML-U3"
    name = "understanding.typing_mistakes"
    alias = "U3"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    information = Wording.ANY
    question = Wording.ANY
    asks = 3
    perturbation = "typo"
