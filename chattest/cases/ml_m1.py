from chattest.cases.base import StoryCase, case


@case
class KnowledgeUpdate(StoryCase):
    """Knows the newest of two facts.

    A fact is stated, and some rounds later another that replaces it. The question, 1 to `maxlength` rounds after that,
    asks how things are now. A reply with the old value is told apart: stale.

    Passes: "I live in Bergen." ... "I have moved to Oslo." ... "In which town do I live?" - "In Oslo."
    Fails: "I live in Bergen." ... "I have moved to Oslo." ... "In which town do I live?" - "You live in Bergen."
    """

    code = "ML-M1"
    name = "memory.knowledge_update"
    testsets = "update"
    statements = 2
