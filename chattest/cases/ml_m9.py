from chattest.cases.base import ReplyCase, case


@case
class FreeContradiction(ReplyCase):
    """Contradicts nothing that was said before.

    Nothing is planted. Every sentence of a reply is compared with everything that the bot said before, and with
    everything that the user stated. A sentence fails if it cannot be true together with an earlier one. The row names
    both sentences with their rounds. The case is off unless `is_analyze` switches it on.

    Passes: "Do you have pets?" - "I have a dog." ... "Who walks your dog?" - "I walk my dog in the park."
    Fails: "Do you have pets?" - "I have a dog." ... "Who walks your dog?" - "I don't have a dog."
    """

    code = "ML-M9"
    name = "intelligence.free_contradiction"
    scorer = "free_contradiction"
    on = False
