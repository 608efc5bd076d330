"""The companion repeats for a seed, fits the form of a reply, never quotes it, and states no fact about itself."""

import re
from collections import Counter

import pytest

from chatters.companion import FORMS, Companion, find_form, find_words
from chattest.datasets.testsets import read_testsets
from chattest.records.plan import Probe, ProbePlan, Purpose, Step, Target
from tests.support.paths import TESTSETS

SCRIPT = Companion.load(None)
REPLIES = ["Yes, I do.", "No.", "I like turtles.", "Why do you ask?", "Sorry, I did not understand that.", ""]
MINE = (
    "view|mind|opinion|guess|point|word|experience|favour|money|theory|taste|instinct|head|hunch|eye|eyes|ear|ears|thought|"
    "thoughts|impression|feeling|imagination|own|attention|memory|answer|vote|patience|part|respect|sympathy|mood|"
    "comparisons|grumbling|giggling|manners|worry|nerves"
)
FACT = re.compile(
    rf"\bmy (?!(?:{MINE})\b)\w+|\bI(?:'m| am) (?:\d|allergic|married|from)\b"
    r"|\bI (?:live|work|own|was born|studied|grew up|married|bought)\b",
)
"""Words that state a fact about the speaker, which a probe might contradict."""


def _lines():
    for thread in SCRIPT.threads:
        yield thread.opening
        for line in thread.lines:
            yield from line.values()


def _all_texts():
    yield from (
        *SCRIPT.greetings,
        *SCRIPT.changes,
        *(line for lines in SCRIPT.returns.values() for line in lines),
        *SCRIPT.about_planted,
        *_lines(),
    )
    for answers in SCRIPT.answers:
        yield from answers.lines


def talk(companion, replies, rounds):
    texts: list[str] = []
    for number in range(rounds):
        texts.append(companion.get_response(list(texts)))
        texts.append(replies[number % len(replies)])
    return texts[::2]


def test_there_are_sixty_threads_of_three_to_six_lines_with_a_text_for_each_form():
    assert len({thread.topic for thread in SCRIPT.threads}) == len(SCRIPT.threads) >= 60
    assert {len(thread.lines) + 1 for thread in SCRIPT.threads} <= {3, 4, 5, 6}
    assert all(set(line) == set(FORMS) and all(line.values()) for thread in SCRIPT.threads for line in thread.lines)


def test_no_line_comes_twice_and_each_is_short():
    twice = [line for line, count in Counter(_lines()).items() if count > 1]
    assert not twice
    assert [line for line in _lines() if len(line.split()) > 30] == []


def test_no_line_states_a_fact_about_the_speaker():
    assert [text for text in _all_texts() if FACT.search(text)] == []


def test_a_thread_is_about_no_test_set_that_is_planted_with_it(make):
    """Threads that share a word with a planted text come last."""
    for testset in [one for sets in read_testsets(TESTSETS).values() for one in sets if one.information][:60]:
        text = testset.information[0]
        step = Step(1, Purpose.INFORM, text, text)
        plan = ProbePlan(8, (Probe("ML-U3", testset.name, testset.target, (step,)),))
        companion = make("companion", plan=plan)
        shares = [bool(thread.words & find_words([text])) for thread in companion._threads]
        assert shares == sorted(shares)
        assert sum(shares) < len(shares) / 4, text


def test_a_seed_repeats(make):
    first, again, other = (talk(make("companion", seed=seed), REPLIES, 60) for seed in ("1", "1", "2"))
    assert first == again
    assert first != other
    assert all(text.strip() and "  " not in text for text in first)


@pytest.mark.parametrize("reply", REPLIES)
def test_it_does_not_repeat_a_line_for_a_long_time(make, reply):
    """A question is answered first, so the lines of the threads are what is looked at."""
    texts = talk(make("companion"), [reply], 150)
    said = [line for text in texts for line in _lines_in(text)]
    assert len(said) == len(set(said)) >= 150


def _lines_in(text):
    return [line for line in LINES if text.endswith(line)][:1]


LINES = sorted(_lines(), key=len, reverse=True)


def test_it_never_quotes(make):
    texts = talk(make("companion"), ["The zephyr quokka yodels.", "Do you yodel, quokka?", "zephyr"], 60)
    assert not [text for text in texts if re.search("zephyr|quokka|yodel", text, re.IGNORECASE)]


def test_a_planted_line_ends_the_thread_and_a_question_about_it_gets_no_more_facts(make):
    fact = "My cat is called Juniper."
    plan = ProbePlan(8, (Probe("ML-U3", "cat", Target("Juniper"), (Step(1, Purpose.INFORM, fact, fact),)),))
    companion = make("companion", plan=plan)
    opening = companion.get_response([])
    texts = [opening, "I see.", fact, "How old is she?"]
    companion.sent_instead(fact, texts[:2])
    answer = companion.get_response(texts)
    assert answer.startswith(SCRIPT.about_planted)
    assert answer.endswith(tuple(thread.opening for thread in SCRIPT.threads))


@pytest.mark.parametrize(
    ("before", "reply", "form"),
    [
        ("Do you like clouds?", "Yes, very much.", "yes"),
        ("Do you like clouds?", "I do.", "yes"),
        ("Do you like clouds?", "Not really.", "no"),
        ("Clouds are odd. Do you like them?", "No, I prefer the sun.", "no"),
        ("Which clouds are best?", "The round ones.", "fact"),
        ("Which clouds are best?", "The round ones. Do you agree?", "question"),
        ("Do you like clouds?", "I don't know.", "nothing"),
        ("Do you like clouds?", "Sorry, I didn't get that.", "nothing"),
        ("Do you like clouds?", "", "nothing"),
        ("Do you like clouds?", "...", "nothing"),
    ],
)
def test_it_reads_the_form_of_a_reply(before, reply, form):
    assert find_form(before, reply) == form


ACKNOWLEDGES = ["Okay.", "OK then.", "Hm.", "Hmm...", "Oh, I see.", "I see.", "I see what you mean.", "Thanks, noted."]
PRAISES = ["Interesting.", "That is really interesting!", "How fascinating.", "That's a good question.", "Good point."]
NEVER_HEARD = [
    "I have not heard about that.",
    "Sorry, I have not heard of it.",
    "I've never thought about that before.",
]
SHRUGS = [
    "I don't know about that.",
    "Hm, not sure.",
    "I see, but I don't know.",
    "Hard for me to say.",
    "Maybe.",
    "Whatever.",
]


@pytest.mark.parametrize("reply", [*ACKNOWLEDGES, *PRAISES, *NEVER_HEARD, *SHRUGS])
@pytest.mark.parametrize("before", ["Do you like clouds?", "Which clouds are best?", "I could watch clouds for hours."])
def test_an_acknowledgement_or_a_shrug_says_nothing(before, reply):
    assert find_form(before, reply) == "nothing"


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        ("I see the round ones most.", "fact"),
        ("Please tell me more.", "fact"),
        ("Okay, the round ones then.", "fact"),
        ("Interesting, they are made of water.", "fact"),
        ("I have heard about that.", "fact"),
        ("I have not heard about that, but I like the sun.", "fact"),
        ("Not sure, the round ones.", "fact"),
        ("Okay, yes.", "yes"),
        ("Sure.", "yes"),
        ("Hm, no.", "no"),
        ("I see. Why do you ask?", "question"),
    ],
)
def test_what_says_more_than_that_has_its_form(reply, form):
    assert find_form("Do you like clouds?", reply) == form


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How are you?", "fine|well|bad|complain"),
        ("What is your name?", "chat"),
        ("Where do you live?", "myself|another time"),
        ("Why do you think so?", "why|[Cc]urious|reason|see it"),
        ("How can I help you today?", "chat|talking"),
        ("Quo vadis?", "."),
    ],
)
def test_it_answers_by_the_form_of_the_question(make, question, answer):
    companion = make("companion")
    assert re.search(answer, companion.get_response([companion.get_response([]), question]))
