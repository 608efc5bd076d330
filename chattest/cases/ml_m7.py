from chattest.cases.base import case
from chattest.cases.sessions import SessionCase
from chattest.records.answers import AnswerScorers


@case
class AcrossSessions(SessionCase):
    """Remembers what the same user told it in an earlier session.

    A fact is stated in one conversation. That conversation ends, the same user begins another, and the question comes
    there, 1 to `maxlength` rounds after the fact, counted over both. The report distinguishes a bot that forgets from
    one without memory across sessions, which answers such questions within a session and never across sessions.

    Passes: "My boat is called Sea Otter." ... a new session ... "Do you recall my boat's name?" - "Sea Otter."
    Fails: "My boat is called Sea Otter." ... a new session ... "Do you recall my boat's name?" - "You have a boat?"
    """

    code = "ML-M7"
    name = "memory.across_sessions"
    scorer = AnswerScorers(open="open_answer", closed="closed_answer")
    testsets = "sessions"
