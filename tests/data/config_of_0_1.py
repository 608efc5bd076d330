"""The settings of chattest. This is the only file you need to edit; `python main.py` reads it.

Every line assigns one setting; a line you delete takes its default. Wrong names and values are reported with their line
before anything runs. `python main.py list settings` prints the meaning of each. A setting can be changed for one run
alone: python main.py --set max_runs=1
"""

# -------------------------------------------------------------------------------------------------------------- GENERAL

# How many conversations are held; with stop_when, at most.
max_runs = 5

# How exactly the pass rates of cases are to be known: {"ML-I1": 0.05} holds no further conversation once the rate of
# ML-I1 is known to 5 percentage points up or down, or once it is certain whether it reaches its gate. Empty: max_runs
# conversations, whatever they show.
stop_when = {}

# True: every conversation plants the same probes (`python main.py repeats` then tells how often the bot changes its
# mind). False: each its own.
same_plan = False

# True: each conversation is held a second time without altering its questions. The report then shows whether the bot
# did not know the answer or did not understand the question.
paired = False

# True: two controls are asked the same as the bot: oracle, which is always right, and amnesiac, which never is. The
# report shows all three side by side; where the oracle fails, the judges are wrong.
controls = False

# Seed of all random choices: the same seed plans the same probes. Any whole number.
seed = 1

# True: judge the conversations saved in load_conv_folder. False: hold new ones.
is_load_conversation = False

# True: keep the conversations on disk. False: only until they are judged.
is_save_conversation = True

# True: judge the conversations and write the report. False: only hold them.
is_analyze_conversation = True

# What the terminal shows: "quiet" (failures, one line of result, missed gates), "normal", or "verbose" (also every
# turn, and how certain each rate is). `python main.py --quiet` and `--verbose` choose it for one run.
console = "normal"

# ------------------------------------------------------------------------------------------------------------- GENERATE

# Rounds of a conversation. In a round each chatter speaks once.
conversation_length = 40

# Chatter 1 drives the conversation, chatter 2 is the bot under test: names of chatters (see `python main.py list
# chatters`), or "package.module:Class". "user" is you, at the terminal.
chatters = ["eliza", "reader"]

# Options of single chatters, by name: {"alice": {"bot_name": "Ally"}}.
chatter_options = {}

# How many of the last texts each chatter gets. None: the whole conversation.
prev_conv_memory_chatter1 = None
prev_conv_memory_chatter2 = None

# Texts said before the first round, chatter 1 and chatter 2 in turn: ["Hey", "Hey"].
convarray_init = []

# True: open with a greeting and a sentence chosen by affect, knob and topic (not for "user" and "predefined").
init_conv_randomly = False

# What the chatter "predefined" says as chatter 1 and as chatter 2; repeated when the lines run out.
predefined_conv_chatter1 = ["Hey", "How are you?", "I am fine. What do you do?", "That is nice."]
predefined_conv_chatter2 = ["Hey", "I am well, thank you.", "I talk to people.", "Thank you."]

# How many conversations are held at once. More than 1 pays off if the bot is slow to answer. With 1, two chatters that
# gain from company (eliza and reader) hold several; what is said is the same.
workers = 1

# Where conversations are held and judged: "local", on this machine, or "ray", on a Ray cluster, the one that the
# environment variable RAY_ADDRESS names or a fresh one on this machine (needs `pip install -r requirements-ray.txt`).
executor = "local"

# Seconds one reply may take, and characters of it that are kept.
reply_timeout = 60.0
max_reply_length = 20_000

# -------------------------------------------------------------------------------------------- AFFECTIVE TEXT GENERATION

# The opening sentence of init_conv_randomly. None: any.
# affect: "fear", "joy", "anger", "sadness", "anticipation", "disgust", "surprise" or "trust"
# knob: how strong the affect is, 0 to 100
# topic: "legal", "military", "monsters", "politics", "positive_words", "religion", "science", "space" or "technology"
affect = None
knob = 50
topic = None

# A causal language model (hub name or folder) that writes the sentence, steered. None: one of a list that ships.
opener_model = None

# Who says the sentence: "chatter1" (in round 0; the bot under test replies to it) or "chatter2" (before round 0).
opening_speaker = "chatter2"

# -------------------------------------------------------------------------------------------------------- SAVE AND LOAD

# Name of the run and of its folder in reports/. An interrupted run is resumed; after a finished one comes <name>-2.
# While it is "first-run", `judge` takes the name of the run it judges, and `check` uses check-1, check-2, ...
save_analysis_name = "first-run"

# Folder for the conversations, in a folder of the run's name. Empty: beside the report.
save_conv_folder = ""

# Folder of saved conversations that is_load_conversation judges again: a run's folder, or the folder above, where
# save_analysis_name says which run is meant if it holds several.
load_conv_folder = ""

# Reports that are written into the run's folder, in this order. `python main.py list reports` names them, also those of
# installed packages. `compare` and `repeats` read "jsonl".
reports = ["jsonl", "xlsx", "summary", "html", "markdown", "junit"]

# ------------------------------------------------------------------------------------------------------------- ANALYSIS

# Columns of the workbook: how a reply was understood, the numbers behind the verdict, the verdict.
show_interpret = True
show_detailed = True
show_binary = True

# Judged on every reply of chatter 2. True or False.
is_analyze = {
    "ML-I2": True,  # fits the conversation
    "ML-I3": True,  # fits the prompt
    "ML-M9": False,  # contradicts nothing that was said before
    "ML-P1": True,  # is not toxic
    "ML-A6": True,  # does not stutter
    "ML-A7": True,  # does not ask again
}

# Judged by planting facts and asking about them: the probability, in each round that is still free, that the case
# plants a probe there, 0 to 1. They compete: those that add up to more than 1 are scaled down to 1 together, which
# `plan` tells. A case that is not named plants nothing.
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
    "ML-I13": 0.14,  # says the same about itself when asked again
    # Memory inside one conversation; off until you give them a probability. A story takes several rounds, so 0.03 each
    # is much in a conversation of 40 rounds. They compete with the others.
    # "ML-M1": 0.03,  # a fact that changed later
    # "ML-M2": 0.03,  # what was never told: the bot should say so
    # "ML-M3": 0.03,  # one of several facts of the same sort
    # "ML-M4": 0.03,  # facts of many rounds put together
    # "ML-M5": 0.03,  # what came when, and how long it took
    # "ML-M6": 0.03,  # keeps to what it was told when it is pressed
    # "ML-M7": 0.03,  # what the same user told in an earlier session
    # "ML-M8": 0.03,  # what another user told: the bot must not tell it
    # "ML-M10": 0.03,  # a question that assumes what was never said
}

# ------------------------------------------------------------------------------------------------------------ AUXILIARY

# How many test sets a case may use in one conversation at most: {"ML-I4": 2}. Not named: a fresh one for every probe,
# and one a second time only when none is left.
maxsets = {}

# Which test sets are drawn from: names, folders or patterns. ["cafe-*", "co/*"] takes all whose name begins with cafe-
# and those of testsets/co/, and no other. Empty: all. `python main.py list testsets` names them. A folder of the
# project's testsets/ (qa, co, groups, ...) replaces the shipped one of that name; the others are the shipped ones.
testsets = []

# How many rounds ML-I1 and the cases ML-M wait at most before they ask, 1 to conversation_length - 1: {"ML-I1": 8}. Not
# named: 15, or as many as conversation_length allows.
maxlength = {}

# Tokens of small talk that the driver says between a fact and a question asked as late as maxlength allows, so that
# memory is tested past a context window; an earlier question has fewer, in proportion. A token is four letters.
haystack_tokens = 0

# Another perturbation than a case's own: {"ML-U3": "word_order"}. `python main.py list perturbations` names them.
perturbation = {}

# How strongly questions are altered: "light"; "medium", as far as a person still understands; "full", any dose; or the
# lowest and the highest dose in the unit of the curve, (0.25, 1.0). By case or perturbation: {"ML-U3": "full"}; what
# is not named is medium.
dose = "medium"

# Cases whose results are also tallied over the dose, that is, over how much a question was altered.
array_ux_test_cases = ["ML-U3", "ML-U4", "ML-U5", "ML-U6"]

# Thresholds. None: what suits the models below.
threshold_sem_sim_tests = None  # an open answer's score must reach this, 0 to 1
threshold_own_consistency = None  # agreement with the first answer must reach this, 0 to 1 (ML-I13)
threshold_toxicity = None  # a label above this is toxic, 0 to 1 (ML-P1)
threshold_coherence_conversation = None  # must be reached (ML-I2)
threshold_coherence_prompt = None  # must be reached (ML-I3)
threshold_stuttering = None  # a share of repeated words above this fails, 0 to 1 (ML-A6)
threshold_free_contradiction = None  # sentences that contradict each other at least so probably fail, 0 to 1 (ML-M9)
threshold_repeated_question = None  # questions at least this similar are the same, 0 to 1 (ML-A7)

# Which formula judges ML-A6 and ML-A7: "chattest", or "reference" for the reference implementation's own:
# {"ML-A6": "reference"}. Not named: "chattest".
formula = {}

# The band of doubt: where the probability that a reply is right lies between the two, 0 to 1, its verdict counts as it
# falls and is marked as in doubt. None: no mark.
doubt_band = (0.35, 0.65)

# ---------------------------------------------------------------------------------------------------- DATA AUGMENTATION

# n_aug more wordings of each planted fact, each word switched to a synonym with probability p_synonym.
n_aug = 0
p_synonym = 0.2

# Where the synonyms come from: "shipped" (a small list) or "wordnet" (WordNet through nltk, if you have it).
synonyms = "shipped"

# --------------------------------------------------------------------------------------------------------------- MODELS

# The models that judge: "embedded" (ships, works offline), "reference" (BERT-SQuAD, Detoxify, ... from the model hub),
# or for each kind one of these, a judge of an installed package, a hub name or a folder: {"reader":
# "deepset/roberta-base-squad2"}. `python main.py list models` names kinds and judges. A list is a panel:
# {"coherence": ["embedded", "reference"]}.
models = "embedded"

# A chat model can judge instead: {"match": "chat:openai"} makes the chatter openai the judge of open answers (docs/
# chat-judges.md). Its options; for a chatter that is not named here, those of chatter_options.
# {"openai": {"base_url": "http://localhost:11434/v1", "model": "qwen3:8b", "key_env": "JUDGE_KEY"}}
judge_options = {}

# Kind of chat judge -> a text file that it goes by, beside this file; `python main.py list rubrics` names those that
# ship.
judge_rubrics = {}

# What a million tokens sent, and a million written, cost: {"gpt-4.1-mini": (0.4, 1.6)}. What may be spent in a run, in
# the same currency, and how many tokens; the embedded judges do the rest. None: any amount.
judge_prices = {}
judge_budget = None
judge_budget_tokens = None

# What `python main.py validate FILES --json FIGURES` measured of the chat judges, to correct their rates. Empty:
# nothing.
judge_figures = ""

# How many tokens (about as many words) of the conversation ML-I2 is judged by, counted from its end. 8 to 512; None:
# 128.
history_tokens = None

# Number format the models compute in: "float32" or "bfloat16". The latter takes half the time on processors that have
# instructions for it (AVX-512 BF16, AMX); about one verdict in 700 differs with the shipped models.
precision = "float32"

# True: the models' scores are kept in reports/.scores.sqlite, so that judging again, with another threshold for
# instance, scores no text twice. The file may be deleted at any time. False: no score is kept.
score_cache = True

# True: where a run talks for more than some seconds, a process beside it scores the replies that are there, so that
# little is left to do at the end. The report is the same. It takes score_cache, the embedded models and float32.
judge_while_talking = True

# When a reply passes a panel: "majority", "all" (no judge fails it), "any" (a judge passes it), or a rule for each
# kind. On a tie the judge that is named first decides, in doubt. A judge that gives no verdict has no vote.
panel_rule = "majority"

# The share of verdicts that the embedded judge hands to the judges of `models`, 0 to 1, or a share for each kind
# ({"coherence": 0.2}): those it is least sure of. None: the judges of `models` give all verdicts.
defer = None

# --------------------------------------------------------------------------------------------------------------- CHECKS

# Checks by single questions, each in a session of its own, beside the conversations: whole families ("invariance"),
# single checks ("invariance.letter_typo") or patterns ("bias.*"); `python main.py list checks` names them. `python
# main.py check` runs these alone, or all of them where none is named here.
checks = []

# A file of tests that `python main.py generate` wrote, beside this file: they are asked in place of those that chattest
# would plan. Empty: none.
check_tests = ""

# How many questions of the test sets each perturbation is tried on.
check_questions = 20

# Your own questions, in place of those of testsets/questions/: files (.csv, .tsv, .jsonl, .json, .xlsx), folders that
# the package datasets saved, or names on its hub; named from the folder of this file. Columns called question, context,
# answers, options, group or split are found by themselves; name others:
# [{"path": "faq.csv", "columns": {"question": "utterance", "answers": ["reply_1", "reply_2"]}, "splits": ["test"]}]
# How many questions of each file are drawn; None: all.
check_files = []
check_files_drawn = None

# Articles with yes/no questions for the metamorphic checks: files as those of testsets/articles/ (.toml), BoolQ's
# (.jsonl), the BoolQ contrast set's (.json), or tables (.csv, .tsv, .xlsx), named from the folder of this file; all but
# .xlsx also packed (.gz). Empty: those of testsets/articles/. How many questions of each file are drawn; None: all.
check_articles = []
check_articles_drawn = 100

# Where a question's context goes: "before" (a turn of its own) or "same" (above the question, in one text).
check_context = "before"

# What compares two answers that are not the same word for word: "same_answer" (all judges together); "direct" (nothing:
# they differ); the string distances
# "jaro", "jaro_winkler", "hamming", "levenshtein", "damerau_levenshtein", "indel"; the embedding distances "cosine",
# "euclidean", "manhattan", "chebyshev"; "match" (the answer match); "chatter" (the model chatter named below).
# Its bar; None: 0.2 at most (strings), 0.8 at least (cosine), 0.45, 4.5, 0.1 at most (the other three), 0.5 at least.
check_compare_by = "same_answer"
check_compare_bar = None
check_chatter = ""

# Whether the report says what bots that understand nothing (an echo, a constant yes, random words, "I do not know")
# reach on the same questions. Judging them takes four times as long as judging the bot.
check_floor = True

# How much the bot's confidence may differ between two answers that should be the same, 0 to 1. 1: any amount.
check_confidence_change = 1.0

# How far a score (sentiment, toxicity, ...) must move where it should rise or fall, and where it should flip; how far
# it may move where it should stay.
check_min_change = 0.05
check_flip = 0.5
check_tolerance = 0.01

# Bars of an answer's token F1, and of a long answer's BLEU and ROUGE (accuracy); mean score that every group must reach
# (fairness); how far the groups' mean scores may lie apart unless by chance (bias); share that every group must have in
# the test sets (representation; None: 0.8 of an equal share), and how many questions: 30, or {"female": 30}.
check_token_f1 = 0.5
check_bleu = 0.3
check_rouge = 0.5
check_worst_group = 0.6
check_group_gap = 0.05
check_min_share = None
check_min_count = 0

# ---------------------------------------------------------------------------------------------------------------- GATES

# Minimum pass rate of each check by single questions, by its name, its family or "default"; the most specific entry
# counts, and a check that misses its own makes the exit code 1:
# {"default": 0.65, "invariance": 0.7, "invariance.uppercase": 0.9}
check_min_pass_rates = {}

# Minimum pass rates of cases and checks by pattern; a missed blocking one makes the exit code 1:
# [{"pattern": "ML-U*", "min_pass_rate": 0.8, "blocking": True}]
# A pattern that names several cases or checks asks it of all their results taken together: one of them may fall short.
# "level": "lower" asks it of the lower bound of the interval that counts by conversation; "errors": "ignore" leaves out
# what a failed bot did not answer. Or the name of a TOML or YAML file beside this one. `python main.py check` takes
# quality_gates.yaml where no rate is named here or above.
gates = []
