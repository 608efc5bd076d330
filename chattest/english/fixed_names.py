"""Find given names that no other name can replace, because of the person or thing that they belong to.

These are rulers ("Elizabeth I"), known people ("Vincent van Gogh", "Joan of Arc"), places ("Sofia"), and names that the
text chooses or discusses as words ("we call him Vincent", "How do you spell Anna?").
"""

import re
from functools import cache

from chattest.english.name_lists import read_peoples
from chattest.english.word_lists import pattern
from chattest.text.lexicon import table
from chattest.text.split import either


def is_fixed_name(text: str, start: int, end: int, followed: bool, kin: bool) -> bool:
    """Return True if the given name `text[start:end]` must stay.

    `followed` means that a capitalised word comes after it, `kin` that a title or a word such as "brother" comes
    before.
    """
    before, after = text[max(start - 60, 0) : start], text[end : end + 40]
    if pattern("fixed_names", "numeral").match(after) or pattern("fixed_names", "called").search(before):
        return True
    if text[start:end] not in table("people")["places"]:
        return False
    if kin or followed:
        return False
    if pattern("fixed_names", "before_place").search(before) or pattern("fixed_names", "after_place").match(after):
        return True
    shown = pattern("gender", "he").search(text) or pattern("gender", "she").search(text)
    return not (shown or pattern("fixed_names", "after_person").match(after))


@cache
def has_fixed_names(text: str) -> bool:
    """Return True if a text is about names as words or about historical people, so that all its names must stay."""
    about_names = (pattern("fixed_names", "as_a_word"), pattern("fixed_names", "history"), _make_people_pattern())
    return any(about.search(text) for about in about_names)


@cache
def _make_people_pattern() -> re.Pattern[str]:
    """Return the pattern of somebody's people: "neither of them is Indian"."""
    return re.compile(
        rf"(?:\b(?:am|is|are|was|were|be|isn['’]t|aren['’]t|not|neither|half|also|both)|['’](?:m|s|re)) "
        rf"(?:a |an |half |part |partly |really )?(?:{either(read_peoples())})\b(?! (?:food|music|films?|books?|cars?))"
    )
