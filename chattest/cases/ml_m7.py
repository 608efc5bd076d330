from chattest.cases.base import case
from chattest.cases.sessions import SessionCase
from chattest.records.answers import AnswerScorers


@case
class AcrossSessions(SessionCase):
    """Remembers what the same user told it in an earlier session.

    A fact is stated in one conversation. That ends, the same user begins another, and the question comes there, 1 to
    `maxlength` rounds after the fact, counted over both. A bot that answers such questions within a session and never
    across sessions has no memory across sessions; the report tells it apart from one that forgets.

    Passes: "My boat is called Sea Otter." ... a new session ... "Do you recall my boat's name?" - "Sea Otter."
    Fails: "My boat is called Sea Otter." ... a new session ... "Do you recall my boat's name?" - "You have a boat?"
    """

    code = "ML-M7"
    name = "memory.across_sessions"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    testsets = "sessions"
