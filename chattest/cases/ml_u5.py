from chattest.cases.base import ProbeCase, Wording, case
from chattest.records.answers import AnswerScorers


@case
class MissingWords(ProbeCase):
    """Understands questions in which words are left out.

    A fact is stated plainly and asked about in the next three rounds. From each question a random share of the words
    is left out, never all of them. The curve shows the success rate by that share, in steps of 5 %.

    Passes: "My cat is called Mittens." ... "What the name my cat?" - "Your cat's name is Mittens."
    Fails: "My cat is called Mittens." ... "What the name my cat?" - "What about your cat?"
    """

    code = "ML-U5"
    name = "understanding.missing_words"
    alias = "U5"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    information = Wording.ANY
    question = Wording.ANY
    asks = 3
    perturbation = "mask"
