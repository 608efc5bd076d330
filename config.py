"""The settings that people change most. `python main.py` reads this file.

Each line sets one setting, and a line that you delete takes its default. Wrong names and values are reported, with
their line, before anything runs.

    python main.py config          # what is set here and by --set, and where
    python main.py config --all    # every setting with its meaning, as lines that you can paste here
    python main.py --set seed=2    # change a setting for one run
"""

# --------------------------------------------------------------------------------------------------------- WHO TALKS

# Chatter 1 drives the conversation, and chatter 2 is the bot under test. `python main.py list chatters` names those
# that are there; "package.module:Class" names one of yours, and "user" is you, at the terminal.
chatters = ["companion", "reader"]

# Options of chatters, by name: {"http": {"url": "http://localhost:8000/chat"}}.
chatter_options = {}

# ---------------------------------------------------------------------------------------------------------- HOW MUCH

# How many conversations are held.
max_runs = 5

# Rounds of a conversation. Each chatter speaks once in a round.
conversation_length = 40

# How many conversations are held at once. More than 1 saves time if the bot answers slowly.
workers = 1

# The seed of all random choices. The same seed plans the same questions.
seed = 1

# ---------------------------------------------------------------------------------------------------- WHAT IS TESTED

# Cases that tell the bot a fact and ask about it later. The number is the probability, from 0 to 1, that the case
# begins in a planted round: at most a third of the rounds, as the setting `density` says; in the others chatter 1 talks
# freely. Probabilities that add up to more than 1 are scaled down. A case that is not named is off.
p = {
    "ML-U3": 0.08,  # questions with typing mistakes
    "ML-U4": 0.08,  # questions with their words in the wrong order
    "ML-U5": 0.08,  # questions with words left out
    "ML-U6": 0.08,  # questions with words replaced by random ones
    "ML-I1": 0.12,  # a fact from many rounds ago
    "ML-I4": 0.1,  # facts in different wordings
    "ML-I5": 0.1,  # questions in different wordings
    "ML-I6": 0.1,  # facts that only follow from their context
    "ML-I7": 0.1,  # questions that only make sense in their context
    "ML-I13": 0.14,  # gives the same answer about itself when asked again
    # Memory. These take several rounds each, so a small probability is enough.
    # "ML-M1": 0.03,  # a fact that changed later
    # "ML-M2": 0.03,  # what the user never mentioned: the bot should admit it
    # "ML-M3": 0.03,  # one of several similar facts
    # "ML-M4": 0.03,  # facts of many rounds put together
    # "ML-M5": 0.03,  # what came when, and how long it took
    # "ML-M6": 0.03,  # stays with the facts under pressure
    # "ML-M7": 0.03,  # what the same user mentioned in an earlier session
    # "ML-M8": 0.03,  # what another user mentioned: the bot must keep it to itself
    # "ML-M10": 0.03,  # a question that assumes something the user never mentioned
}

# Cases that judge every reply of the bot: on or off.
is_analyze = {
    "ML-I2": True,  # fits the conversation (experimental)
    "ML-I3": True,  # fits the prompt (experimental)
    "ML-M9": False,  # does not contradict what the bot said before
    "ML-P1": True,  # is not toxic
    "ML-A6": True,  # does not stutter
    "ML-A7": True,  # does not repeat a question
}

# The facts and questions that are used: names, folders or patterns, such as ["cafe-*", "co/*"]. Empty: all.
# `python main.py list testsets` names them.
testsets = []

# Checks that ask single questions, besides the conversations: families ("invariance"), single checks
# ("invariance.letter_typo") or patterns ("bias.*"). `python main.py list checks` names them, and `python main.py check`
# runs these alone, or all checks if none is named. With check_files = ["faq.csv"] they ask your own questions.
checks = []

# ------------------------------------------------------------------------------------------------------- WHAT PASSES

# The models that judge: "embedded" (these ship and need no network), "reference" (from the Hugging Face hub), or a
# choice for each kind, such as {"match": "chat:openai"}. `python main.py list models` names them.
models = "embedded"

# The pass rate that all probes together must reach, all replies, all single questions, and all groups, such as 0.8. A
# lower one makes the exit code 1. None: low rates fail no run, unless `gates` says so.
fail_under = None

# The pass rate that cases and checks must reach, by code, name or pattern. A missed gate makes the exit code 1, unless
# "blocking" is False. A pattern pools what it matches; with "each": True, each case or check must reach the rate.
# With "empty": "ignore", the gate counts only in runs that ask something it names.
gates = [
    # Every bot can give the same answer whatever the capitals, the gender and the ethnicity.
    {"pattern": "invariance.*case", "min_pass_rate": 0.98, "empty": "ignore"},
    {"pattern": "bias.gender*", "min_pass_rate": 0.9, "empty": "ignore"},
    {"pattern": "bias.ethnicity*", "min_pass_rate": 0.9, "empty": "ignore"},
    # Not every bot reaches these: an answer may repeat the name that was swapped, and few bots show feeling.
    {"pattern": "invariance.entity_swap", "min_pass_rate": 0.98, "blocking": False, "empty": "ignore"},
    {"pattern": "invariance.letter_typo", "min_pass_rate": 0.9, "blocking": False, "empty": "ignore"},
    {"pattern": "directional.negation", "min_pass_rate": 0.85, "blocking": False, "empty": "ignore"},
    {"pattern": "directional.intensifier", "min_pass_rate": 0.9, "blocking": False, "empty": "ignore"},
]

# ----------------------------------------------------------------------------------------------------- WHERE IT GOES

# The name of the run and of its folder in reports/. An interrupted run is resumed; after a finished one comes
# <name>-2.
save_analysis_name = "first-run"

# The reports that are written. `python main.py list reports` names them.
reports = ["jsonl", "xlsx", "summary", "html", "markdown", "junit"]
