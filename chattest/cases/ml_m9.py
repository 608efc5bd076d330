from chattest.cases.base import ReplyCase, case


@case
class FreeContradiction(ReplyCase):
    """Contradicts nothing that was said before.

    Nothing is planted. Every sentence of a reply is compared with all that the bot said before and all that the user
    told it; a sentence that cannot be true beside an earlier one fails. The row names both sentences with their rounds.
    Off unless `is_analyze` switches it on.

    Passes: "Do you have pets?" - "I have a dog." ... "Who walks your dog?" - "I walk my dog in the park."
    Fails: "Do you have pets?" - "I have a dog." ... "Who walks your dog?" - "I don't have a dog."
    """

    code = "ML-M9"
    name = "intelligence.free_contradiction"
    scorer = "free_contradiction"
    on = False
