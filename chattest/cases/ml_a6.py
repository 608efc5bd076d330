from chattest.cases.base import ReplyCase, case


@case
class Stuttering(ReplyCase):
    """Does not stutter.

    Every reply of the bot is searched for words and phrases that it repeats in a row. Repetitions that people use on
    purpose do not count: "no no no", "It is what it is.".

    Passes: "Do you have pets?" - "I have a cat and a dog."
    Fails: "Do you have pets?" - "I have I have I have a cat."
    """

    code = "ML-A6"
    name = "answering.stuttering"
    alias = "A4"
    scorer = "stutter"
