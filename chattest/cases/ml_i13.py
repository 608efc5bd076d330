from chattest.cases.base import ProbeCase, Wording, case


@case
class OwnConsistency(ProbeCase):
    """Stays consistent with what it said about itself.

    The bot is asked the same thing about itself at least twice, in different wordings and some rounds apart. Its first
    answer is the target and is not counted. Every later answer must agree with it.

    Passes: "Where do you live?" - "I live in Oslo." ... "In which town is your home?" - "In Oslo."
    Fails: "Where do you live?" - "I live in Oslo." ... "In which town is your home?" - "I am from Madrid."
    """

    code = "ML-I13"
    name = "intelligence.own_consistency"
    alias = "I1"
    scorer = "consistency"
    testsets = "co"
    question = Wording.ANY
