from chattest.cases.base import ReplyCase, case


@case
class ShortReply(ReplyCase):
    """Answers in a few words.

    Every reply of the bot is counted.

    Passes: "How are you?" - "Fine."
    Fails: "How are you?" - a reply of 500 words.
    """

    code = "ML-X1"
    name = "personality.short_reply"
    scorer = "short_reply"
