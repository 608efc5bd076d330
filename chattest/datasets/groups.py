"""Groups of people, and the words that identify them: `testsets/groups/<attribute>.toml`, which users may edit.

Questions of the user's own may name their group in a column; then no words are needed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from chattest.datasets.questions import LabelledQuestion, Text, read_all
from chattest.files.shipped import testset_folder

OWN = "group"
"""The attribute that the data itself names."""
UNKNOWN = "unknown"
"""The group of questions that are about no other group, or about several."""


class _Groups(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    about: Text
    groups: Annotated[dict[str, Annotated[list[Text], Field(min_length=1)]], Field(min_length=2)]


def read_groups(testsets: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Read the words of each group, by attribute and group.

    Raises:
        InputError: With all problems of the files.
    """
    return {
        attribute: {group: tuple(words) for group, words in file.groups.items()}
        for attribute, file in read_all(testset_folder(testsets, "groups"), _Groups).items()
    }


@dataclass(frozen=True, slots=True)
class Grouping:
    """An attribute, and how to find which of its groups a question is about."""

    attribute: str
    """The stem of the file of words, or `OWN`."""
    words: dict[str, tuple[str, ...]]
    """Group -> its words; without words where the data names the group."""

    @property
    def groups(self) -> list[str]:
        """The names of the groups."""
        return list(self.words)

    def of(self, entry: LabelledQuestion) -> set[str]:
        """Return the groups that a question is about."""
        if self.attribute == OWN:
            return {entry.group} if entry.group else set()
        return find_mentioned_groups(entry.question.shown, self.words)

    def only(self, entry: LabelledQuestion) -> str:
        """Return the group that a question is about; empty if it is about none or several."""
        groups = self.of(entry)
        return groups.pop() if len(groups) == 1 else ""

    def compares(self, entries: Sequence[LabelledQuestion]) -> bool:
        """Return True if the questions are about two groups or more, so that these can be compared."""
        return len({group for entry in entries if (group := self.only(entry))}) > 1


def read_groupings(testsets: Path, entries: Sequence[LabelledQuestion]) -> list[Grouping]:
    """Return the attributes of `testsets/groups/`, and first the groups that the data names, if any.

    Args:
        testsets: The project's `testsets/`.
        entries: The questions.

    Raises:
        InputError: With all problems of the files.
    """
    own = dict.fromkeys(entry.group for entry in entries if entry.group)
    named = [Grouping(OWN, dict.fromkeys(own, ()))] if own else []
    return named + [Grouping(*each) for each in read_groups(testsets).items() if not own or each[0] != OWN]


def find_mentioned_groups(text: str, groups: dict[str, tuple[str, ...]]) -> set[str]:
    """Return the groups that a text mentions by one of their words.

    A word with a capital letter must have it in the text too.
    """
    return {group for group, words in groups.items() if words and _compile_words(words).search(text)}


def find_group(text: str, groups: dict[str, tuple[str, ...]]) -> str:
    """Return the group that a text mentions; `UNKNOWN` if it mentions none or several."""
    groups_mentioned = find_mentioned_groups(text, groups)
    return groups_mentioned.pop() if len(groups_mentioned) == 1 else UNKNOWN


@cache
def _compile_words(words: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(re.escape(word) if word[0].isupper() else f"(?i:{re.escape(word)})" for word in words)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")
