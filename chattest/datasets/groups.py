"""Groups of people and the words that identify them: `testsets/groups/<attribute>.toml`, which users may edit."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from chattest.datasets.questions import Text, read_all
from chattest.files.shipped import testset_folder


class _Groups(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    about: Text
    groups: Annotated[dict[str, Annotated[list[Text], Field(min_length=1)]], Field(min_length=2)]


def read_groups(testsets: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Attribute -> group -> its words. Raises `InputError` with all problems of the files."""
    return {
        attribute: {group: tuple(words) for group, words in file.groups.items()}
        for attribute, file in read_all(testset_folder(testsets, "groups"), _Groups).items()
    }


def mentioned(text: str, groups: dict[str, tuple[str, ...]]) -> set[str]:
    """The groups that the text mentions by one of their words. A capitalised word must be capitalised in the text."""
    return {group for group, words in groups.items() if any(_contains(text, word) for word in words)}


def group_of(text: str, groups: dict[str, tuple[str, ...]]) -> str:
    """The group that a text mentions; `unknown` if it mentions none or several."""
    groups_mentioned = mentioned(text, groups)
    return groups_mentioned.pop() if len(groups_mentioned) == 1 else "unknown"


def _contains(text: str, word: str) -> bool:
    flags = re.NOFLAG if word[0].isupper() else re.IGNORECASE
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, flags) is not None
