"""Texts made safe to show, and what a perturbation changed in one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chattest.reports.content.text import Change, find_changes, shorten, visible


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("plain, ünïcode 🙂 and\ttab\nbreak", "plain, ünïcode 🙂 and\ttab\nbreak"),
        ("dos\r\nbreak", "dos\nbreak"),
        ("mac\rbreak", "mac\\x0dbreak"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202eback", "\\u202eback"),
        ("\ud83d", "\\ud83d"),
    ],
)
def test_what_cannot_be_seen_is_escaped(said: str, shown: str) -> None:
    assert visible(said) == shown


def test_shortened_is_one_line_of_at_most_so_many_characters() -> None:
    assert shorten("one\ntwo  three", 20) == "one two three"
    assert shorten("one two three", 8) == "one two…"


@pytest.mark.parametrize(
    ("original", "text", "pieces"),
    [
        ("is my cat", "is ym cat", [("same", "is "), ("removed", "my"), ("added", "ym"), ("same", " cat")]),
        ("is my cat", "is my cat", [("same", "is my cat")]),
        ("is my cat", "is cat", [("same", "is "), ("removed", "my "), ("same", "cat")]),
        ("", "new", [("added", "new")]),
    ],
)
def test_changed_words_are_found(original: str, text: str, pieces: list[tuple[str, str]]) -> None:
    assert find_changes(original, text) == pieces


@given(st.text("ab \n"), st.text("ab \n"))
def test_pieces_join_to_both_texts(original: str, text: str) -> None:
    pieces = find_changes(original, text)
    assert "".join(piece for change, piece in pieces if change is not Change.REMOVED) == text
    assert "".join(piece for change, piece in pieces if change is not Change.ADDED) == original
