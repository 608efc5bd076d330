"""The controls, in whole conversations over the real plan and test sets."""

import re
import sys

import pytest

from chatters.controls._control import read_small_talk
from chattest.cases.base import StoryCase, probe_cases
from chattest.datasets.right_answers import contains_answer
from chattest.datasets.testsets import read_testsets
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.planning.planner import plan
from chattest.records.conversation import Conversation, Speaker
from chattest.records.plan import Purpose
from chattest.rules.abstention import notices
from tests.support.dense import dense
from tests.support.paths import DATA, ROOT, TESTSETS

SHIPPED = read_testsets(TESTSETS)
PROBED = dict.fromkeys(["ML-I1", "ML-I4", "ML-I5", "ML-I6", "ML-I7", "ML-I13", "ML-U3", "ML-U5"], 0.1)


@pytest.fixture
def asked(make):
    """`asked(name)`: for each question of four conversations, (test set, right answer, reply)."""

    def talk(name):
        found = []
        for run in range(1, 5):
            laid = plan(dense(p=PROBED, conversation_length=50), SHIPPED, run)
            spec = Conversation(run, str(run), ("eliza", name), (), laid)
            held = hold(spec, make("eliza"), make(name), Limits(), Callbacks())
            replies = {turn.round: turn.text for turn in held.turns if turn.speaker is Speaker.SUBJECT}
            assert all(replies[round] for round in range(50))
            found += [
                ((run, probe.testset), probe.target.answer, replies[step.round])
                for probe, step in laid.steps()
                if step.purpose is Purpose.ASK
            ]
        assert len(found) > 40
        return found

    return talk


@pytest.mark.slow
def test_the_oracle_always_answers_rightly(asked):
    own: dict[str, str] = {}
    for testset, right, reply in asked("oracle"):
        if right is None:
            assert own.setdefault(testset, reply) == reply
        elif isinstance(right, bool):
            assert re.match("Yes, " if right else "No, ", reply)
        else:
            assert right.lower() in reply.lower()
    assert own


def test_the_amnesiac_never_does(asked):
    own: dict[str, list[str]] = {}
    for testset, right, reply in asked("amnesiac"):
        if right is None:
            assert reply not in own.setdefault(testset, [])
            own[testset].append(reply)
        else:
            assert not re.search(r"\b(yes|no)\b,", reply.lower())
            assert str(right).lower() not in reply.lower()
    assert any(len(replies) > 1 for replies in own.values())


def test_facts_about_itself_fit_the_question(asked):
    said = {testset[1]: reply for testset, right, reply in asked("oracle") if right is None}
    fits = {
        "bot-age": "years old", "bot-animal": "animal", "bot-birthday": "birthday", "bot-book": "book",
        "bot-colour": "colour", "bot-food": "food", "bot-hobby": "hobby", "bot-home": "live in", "bot-job": "work as",
        "bot-maker": "made by", "bot-music": "music", "bot-name": "name",
    }  # fmt: skip
    assert said
    assert not [(testset, reply) for testset, reply in said.items() if fits[testset] not in reply]


def test_no_model_was_trained_or_calibrated_on_their_wordings(make):
    read = [folder for folder in DATA.iterdir() if folder.name != "golden"]  # which hold what the controls said
    folders = [ROOT / "training", *read]
    learnt = "\n".join(
        path.read_text(encoding="utf-8", errors="replace").casefold()
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in {".py", ".toml", ".json", ".jsonl", ".txt", ".csv"}
    )
    assert "i have no idea" in learnt
    wordings = []
    for name in ("oracle", "amnesiac", "blabber"):
        module = sys.modules[type(make(name)).__module__]
        wordings += [text for value in vars(module).values() if isinstance(value, tuple) for text in value]
    wordings += [line for forms in read_small_talk().values() for _, _, lines in forms for line in lines]
    assert len(wordings) > 60
    parts = [part.strip(" .,") for text in wordings for part in text.split("{}")]
    assert not [part for part in parts if len(part.split()) > 2 and part.casefold() in learnt]


def test_conversations_repeat_for_a_seed(asked):
    assert asked("oracle") == asked("oracle")


STORIES = {case.code: 0.03 for case in probe_cases() if isinstance(case, StoryCase)}


@pytest.mark.parametrize("name", ["oracle", "amnesiac", "blabber"])
def test_what_controls_say_to_stories(make, name):
    """The oracle names the answer, or says that it was not told; the blabber makes up what fits the question."""
    said = []
    for run in range(1, 5):
        laid = plan(dense(p=STORIES, conversation_length=80, maxsets=dict.fromkeys(STORIES, 4)), SHIPPED, run)
        spec = Conversation(run, str(run), ("eliza", name), (), laid)
        held = hold(spec, make("eliza"), make(name), Limits(), Callbacks())
        replies = {turn.round: turn.text for turn in held.turns if turn.speaker is Speaker.SUBJECT}
        said += [(probe, replies[step.round]) for probe, step in laid.steps() if step.purpose is probe.judged]
    assert {probe.case for probe, _ in said} == set(STORIES)
    for probe, reply in said:
        right = probe.target
        knows = isinstance(right.answer, str) and not right.untold and contains_answer(reply, right.answer)
        if isinstance(right.answer, bool):
            knows = re.match("Yes" if right.answer else "No", reply) is not None
        assert knows == (name == "oracle" and not right.untold), (probe, reply)
        may_deny = bool(right.extract_with)
        assert notices(reply, may_deny) == (name == "amnesiac" or (name == "oracle" and right.untold)), (probe, reply)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", "greeting"),
        ("Hello there.", "greeting"),
        ("How are you?", "how are you"),
        ("Is it luck or skill?", "either or"),
        ("Hm, right. Do you think that clouds dream?", "yes or no"),
        ("Isn't it odd?", "yes or no"),
        ("Why is the sky blue?", "why"),
        ("How many clues are enough?", "how much"),
        ("How does a kite stay up?", "how"),
        ("How on earth do birds find their way?", "how"),
        ("What's the best use of string?", "which"),
        ("Who invented the spoon?", "who"),
        ("Where does sand come from?", "where"),
        ("When is a letter better?", "when"),
        ("What happens to bread when it gets old?", "what"),
        ("You knew that?", "another question"),
        ("Thanks for that.", "thanks"),
        ("Well, goodbye.", "goodbye"),
        ("Tell me more.", "request"),
        ("Why not? I like a good yawn.", "remark"),
    ],
)
def test_small_talk_fits_the_form_of_the_text(make, text, form):
    """Each line of the form comes once before one comes again."""
    said = {form: lines for forms in read_small_talk().values() for form, _, lines in forms}
    control = make("oracle")
    count = len(said[form])
    replies = [control.get_response([text] if text else []) for _ in range(2 * count)]
    assert sorted(replies[:count]) == sorted(replies[count:]) == sorted(said[form])
