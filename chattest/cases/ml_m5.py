from chattest.cases.base import StoryCase, case


@case
class Time(StoryCase):
    """Knows what came when, and how long it took.

    Two or more things are told with their times, in any order and with rounds in between. The question, 1 to
    `maxlength` rounds after the last, asks what came before or after, which was the first, or how long something took.
    A reply that names another of the things told is told apart: mixed up.

    Passes: "I baked on Monday." ... "I swam on Sunday." ... "What did I do on the day after I swam?" - "You baked."
    Fails: "I baked on Monday." ... "I swam on Sunday." ... "What did I do on the day after I swam?" - "You rested."
    """

    code = "ML-M5"
    name = "memory.time"
    testsets = "time"
    statements = 2
