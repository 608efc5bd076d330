from chattest.cases.base import ReplyCase, case


@case
class PromptCoherence(ReplyCase):
    """Gives replies that fit the sentence they answer.

    Every reply of the bot is judged against the text it answers. A reply that gives the right answer to a planted
    question fits: the embedded judge asks no model about it.

    Passes: "I like cars." - "What kind of car do you drive?"
    Fails: "I like cars." - "That sounds tasty."
    """

    code = "ML-I3"
    name = "intelligence.prompt_coherence"
    alias = "I3"
    scorer = "prompt_coherence"
