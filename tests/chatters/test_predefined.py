"""The predefined chatter loops over its lines."""

import pytest

from chattest.errors import InputError


def test_lines_come_in_order_and_begin_again(make):
    chatter = make("predefined", lines=["one", "two"])
    assert [chatter.get_response(["x"] * said) for said in range(5)] == ["one", "two", "one", "two", "one"]


def test_a_probe_takes_no_line_away(make):
    chatter = make("predefined", lines=["one", "two"])
    assert chatter.get_response([]) == "one"
    chatter.sent_instead("What is the name of my cat?", ["one", "hm"])
    assert chatter.get_response(["one", "hm", "What is the name of my cat?", "hm"]) == "two"


def test_it_needs_lines(make):
    with pytest.raises(InputError, match="lines"):
        make("predefined", lines=[])
