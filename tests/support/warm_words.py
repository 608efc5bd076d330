"""Loads the tables of words, which takes longer than most commands (see `warm`)."""

from contextlib import suppress

import lemminflect

from chattest.english.tagged import read_tokens
from chattest.english.wordnet import wordnet
from chattest.errors import InputError

lemminflect.getAllLemmas("cats")
read_tokens("A cat sleeps.")
with suppress(InputError):
    wordnet()
