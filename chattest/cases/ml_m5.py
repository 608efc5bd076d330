from chattest.cases.base import StoryCase, case


@case
class Time(StoryCase):
    """Knows what came when, and how long it took.

    Two or more events are stated with their times, in any order and with rounds in between. The question comes 1 to
    `maxlength` rounds after the last, and asks what came before or after, which was first, or how long something took.
    A reply with another one of the events fails as "mixed up".

    Passes: "I baked on Monday." ... "I swam on Sunday." ... "What did I do on the day after I swam?" - "You baked."
    Fails: "I baked on Monday." ... "I swam on Sunday." ... "What did I do on the day after I swam?" - "You rested."
    """

    code = "ML-M5"
    name = "memory.time"
    testsets = "time"
    statements = 2
