from chattest.cases.base import StoryCase, case


@case
class Distractors(StoryCase):
    """Keeps facts of the same sort apart.

    Three or more facts of one sort are stated, with rounds in between: about a sister, a neighbour, a boss. The
    question comes 1 to `maxlength` rounds after the last, and asks for one of them. A reply with another one fails as
    "mixed up".

    Passes: "My sister drives a Volvo." ... "My boss drives a Fiat." ... "What does my sister drive?" - "A Volvo."
    Fails: "My sister drives a Volvo." ... "My boss drives a Fiat." ... "What does my sister drive?" - "A Fiat."
    """

    code = "ML-M3"
    name = "memory.distractors"
    testsets = "alike"
    statements = 3
