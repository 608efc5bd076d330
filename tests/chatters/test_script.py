"""A driver that follows a dialogue file."""

import pytest

from chattest.chatter.base import EndOfConversation
from chattest.errors import ChatterError, InputError

DIALOGUE = """
[[line]]
say = "Hi"

[[line]]
say = "Book a table for two"
expect = ["what time", "When"]

[[line]]
say = "At eight"
"""


@pytest.fixture
def dialogue(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(DIALOGUE)
    return path


def test_it_says_its_lines_and_ends(make, dialogue):
    script = make("script", file=dialogue)
    assert script.get_response([]) == "Hi"
    assert script.get_response(["Hi", "Hello"]) == "Book a table for two"
    assert script.get_response(["...", "Sure. WHAT\ntime?"]) == "At eight"
    with pytest.raises(EndOfConversation):
        script.get_response(["At eight", "Done"])


def test_it_begins_again_when_told_to(make, dialogue):
    script = make("script", file=dialogue, at_end="repeat", unexpected="ignore")
    assert [script.get_response(["x"]) for _ in range(4)] == ["Hi", "Book a table for two", "At eight", "Hi"]


def test_an_unexpected_reply_ends_it_and_says_why(make, dialogue):
    script = make("script", file=dialogue)
    script.get_response([])
    script.get_response(["Hi", "Hello"])
    with pytest.raises(
        ChatterError, match=r"table.toml, line 2 \('Book .*'what time' or 'When' .* which was 'I like cats'"
    ):
        script.get_response(["I like cats"])


def test_a_probe_in_between_changes_nothing(make, dialogue):
    script = make("script", file=dialogue)
    script.get_response([])
    script.get_response(["Hi", "Hello"])
    script.sent_instead("What is my cat called?", ["Sure. When?"])
    assert script.get_response(["Sure. When?", "What is my cat called?", "Mittens"]) == "At eight"


def test_the_reply_before_a_probe_is_checked(make, dialogue):
    script = make("script", file=dialogue)
    script.get_response([])
    script.get_response(["Hi", "Hello"])
    with pytest.raises(ChatterError, match="line 2"):
        script.sent_instead("What is my cat called?", ["I like cats"])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[[line]]\nsey = 'x'", r"line\[0\].say: is missing"),
        ("line = []", "line"),
        ("[[", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used(make, tmp_path, text, named):
    path = tmp_path / "d.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=named):
        make("script", file=path)
