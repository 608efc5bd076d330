"""Loads the tables of words, which takes longer than most commands (see `warm`)."""

from contextlib import suppress

import lemminflect

from chattest.english.tagged import tokens_of
from chattest.english.wordnet import wordnet
from chattest.errors import InputError

lemminflect.getAllLemmas("cats")
tokens_of("A cat sleeps.")
with suppress(InputError):
    wordnet()
