from chattest.cases.base import ReplyCase, case
from chattest.records.report import Gate


@case
class AsScripted(ReplyCase):
    """Replies to a line of a script as the script expects.

    The driver `script` says lines of a dialogue file, and a line may name texts of which the reply must contain one
    ("expect"). Upper and lower case and spaces do not matter. Nothing else is judged by this case, so that a run
    without a script has no row of it. If no gate names the case, it has a blocking gate of 100 %: one reply that is not
    as expected fails the run.

    Passes: "Book a table for two." (expect: "what time", "when") - "Sure. What time?"
    Fails: "Book a table for two." (expect: "what time", "when") - "I like cats."
    """

    code = "ML-S1"
    name = "answering.script"
    scorer = "contains"
    scripted = True
    gate = Gate("ML-S1", 1.0, own=True)
