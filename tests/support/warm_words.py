"""Loads the tables of words, which takes longer than most commands (see `warm`)."""

from contextlib import suppress

import lemminflect

from chattest.errors import InputError
from chattest.text.grammar.tokens import tokens_of
from chattest.text.wordnet import wordnet

lemminflect.getAllLemmas("cats")
tokens_of("A cat sleeps.")
with suppress(InputError):
    wordnet()
