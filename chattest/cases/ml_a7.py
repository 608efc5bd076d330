from chattest.cases.base import ReplyCase, case


@case
class RepeatedQuestion(ReplyCase):
    """Does not ask the same question again.

    Every question in a reply, with a question mark or without, is compared with all questions that the bot has asked
    before in this conversation. The same question in other words counts as a repetition. A question that is asked for
    the first time passes, and so does one about somebody or something else. Courtesies and offers of help ("How are
    you?", "Is there anything else?") do not count.

    Passes: "I am fine." - "Good. What do you do for a living?" ... "I paint." - "What do you like to paint?"
    Fails: "I am fine." - "Good. What do you do for a living?" ... "I paint." - "And what is your job?"
    """

    code = "ML-A7"
    name = "answering.repeated_question"
    alias = "A3"
    scorer = "repeated_question"
