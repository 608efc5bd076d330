from chattest.cases.base import ProbeCase, Wording, case
from chattest.records.answers import AnswerScorers


@case
class RandomWords(ProbeCase):
    """Understands questions in which words are replaced by random ones.

    A fact is stated plainly and asked about in the next three rounds. In each question a random share of the words is
    replaced by unrelated words. The curve shows the success rate by that share, in steps of 5 %.

    Passes: "My cat is called Mittens." ... "What banana the name of my cat?" - "It is Mittens."
    Fails: "My cat is called Mittens." ... "What banana the name of my cat?" - "I love bananas."
    """

    code = "ML-U6"
    name = "understanding.random_words"
    alias = "U6"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    information = Wording.ANY
    question = Wording.ANY
    asks = 3
    perturbation = "random_word"
