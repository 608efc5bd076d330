from chattest.cases.base import StoryCase, case


@case
class KnowledgeUpdate(StoryCase):
    """Knows the newest of two facts.

    A fact is stated, and some rounds later another fact replaces it. The question comes 1 to `maxlength` rounds after
    that, and asks how things are now. A reply with the old value fails as "stale".

    Passes: "I live in Bergen." ... "I have moved to Oslo." ... "In which town do I live?" - "In Oslo."
    Fails: "I live in Bergen." ... "I have moved to Oslo." ... "In which town do I live?" - "You live in Bergen."
    """

    code = "ML-M1"
    name = "memory.knowledge_update"
    testsets = "update"
    statements = 2
