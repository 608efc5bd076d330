"""Sentences said back."""

import pytest

from chattest.rules.person import to_second_person


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("My cat is called Mittens.", "Your cat is called Mittens."),
        ("I am a nurse and I'm glad.", "You are a nurse and you're glad."),
        ("Was I late? I was!", "Were you late? You were!"),
        ("That bag is mine; give it to me.", "That bag is yours; give it to you."),
        ("We lost our keys, and nobody helped us.", "You lost your keys, and nobody helped you."),
        ("I’ve hurt myself.", "You've hurt yourself."),
        ("You are kind.", "I am kind."),
        ("If you like, I like you.", "If I like, you like me."),
        ("Your voice soothes me.", "My voice soothes you."),
        ("Imagine Amy's mystery: a memo in Miami.", "Imagine Amy's mystery: a memo in Miami."),
        ("My sister and I was late. i am sorry", "Your sister and you were late. You are sorry"),
        ("I am glad you came.", "You are glad I came."),
        ("Be creative about what you avoid.", "Be creative about what I avoid."),
        ("I know you, and I know you well.", "You know me, and you know me well."),
        ("I see you when I sleep.", "You see me when you sleep."),
        ("I wonder how you feel and where you live.", "You wonder how I feel and where I live."),
        ("I think you should rest.", "You think I should rest."),
        ("", ""),
    ],
)
def test_first_and_second_person_are_exchanged(said, back):
    assert to_second_person(said) == back
