from chattest.cases.base import ReplyCase, case


@case
class ConversationCoherence(ReplyCase):
    """Gives replies that fit the conversation so far.

    Every reply of the bot is judged against the recent conversation, including the prompt that it answers. A reply that
    gives the right answer to a planted question fits: the embedded judge asks no model about it.

    Passes: "I collect old cars." "Lovely! Which one is your favourite?" "The red one." - "A red car is a classic."
    Fails: "I collect old cars." "Lovely! Which one is your favourite?" "The red one." - "Boil it for ten minutes."
    """

    code = "ML-I2"
    name = "intelligence.conversation_coherence"
    alias = "I2"
    scorer = "conversation_coherence"
