"""A.L.I.C.E. repeats for a seed, keeps conversations apart, and does nothing but talk."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

pytestmark = pytest.mark.slow

CHAT = ["Hello.", "Tell me a joke.", "My name is Robin.", "What do you like to do?", "Who are you?", "Tell me a story."]


def talk(chatter, lines):
    return [chatter.get_response([line]) for line in lines]


def test_a_seed_repeats_and_python_s_own_chance_is_left_alone(make):
    random.seed(5)
    before = random.getstate()
    first = talk(make("alice", seed="7"), CHAT * 3)
    assert random.getstate() == before
    assert talk(make("alice", seed="7"), CHAT * 3) == first
    assert talk(make("alice", seed="8"), CHAT * 3) != first


def test_conversations_do_not_see_each_other(make):
    one, two = make("alice", conversation_id="a"), make("alice", conversation_id="a")
    one.get_response(["My cat is called Mittens"])
    assert "Mittens" in one.get_response(["What is the name of my cat?"])
    assert "Mittens" not in two.get_response(["What is the name of my cat?"])


def test_twenty_conversations_at_once_say_what_they_say_alone(make):
    alone = [talk(make("alice", seed=str(seed)), CHAT) for seed in range(20)]
    together = [make("alice", seed=str(seed), conversation_id=str(seed)) for seed in range(20)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda chatter: talk(chatter, CHAT), together)) == alone


def test_she_has_a_name_and_the_time_she_tells_stands_still(make):
    alice = make("alice", bot_name="Lou", clock="2031-03-04 05:06")
    assert "Lou" in alice.get_response(["What is your name?"])
    assert "2031" in alice.get_response(["What year is it?"])


def test_she_opens_and_silence_gives_an_empty_reply(make, capfd):
    alice = make("alice")
    assert alice.get_response([])
    assert [alice.get_response([text]) for text in ["", " ", "...", "\n"]] == [""] * 4
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("text", ["word " * 2000, "a" * 20000, "Is it? " * 500, "żółć 猫 \x00 🙂"])
def test_nothing_said_to_her_breaks_her(make, text):
    alice = make("alice")
    assert isinstance(alice.get_response([text]), str)
    assert alice.get_response(["Hello."])
