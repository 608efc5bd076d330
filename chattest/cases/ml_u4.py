from chattest.cases.base import ProbeCase, Wording, case
from chattest.records.answers import AnswerScorers


@case
class WordOrder(ProbeCase):
    """Understands questions whose words are in the wrong order.

    A fact is stated plainly and asked about in the next three rounds. In each question neighbouring words are swapped,
    at most as many times as the question has words, less one. The curve shows the success rate by the number of swaps.

    Passes: "My cat is called Mittens." ... "What the is name of cat my?" - "Mittens!"
    Fails: "My cat is called Mittens." ... "What the is name of cat my?" - "I like cats too."
    """

    code = "ML-U4"
    name = "understanding.word_order"
    alias = "U4"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    information = Wording.ANY
    question = Wording.ANY
    asks = 3
    perturbation = "word_order"
