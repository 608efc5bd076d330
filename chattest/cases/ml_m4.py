from chattest.cases.base import StoryCase, case


@case
class Aggregation(StoryCase):
    """Puts together what it was told in many rounds.

    Three or more facts are stated, with rounds in between. The question comes 1 to `maxlength` rounds after the last.
    Its answer follows from all of them and from no single one: how many, which ones, the total, the most.

    Passes: "I planted an oak." ... "I planted a pear tree." ... "How many trees did I plant?" - "Two."
    Fails: "I planted an oak." ... "I planted a pear tree." ... "How many trees did I plant?" - "One, an oak."
    """

    code = "ML-M4"
    name = "memory.aggregation"
    testsets = "spread"
    statements = 3
