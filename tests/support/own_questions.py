"""Reads questions of the user's own as the families of checks are given them."""

from pathlib import Path
from typing import Any

import pytest

from chattest.checks.base import CheckContext
from chattest.datasets.questions import LabelledQuestion
from chattest.errors import InputError
from chattest.settings.file import read_values


def questions(root: Path, files: Any, **more: Any) -> list[LabelledQuestion]:
    """What the families of checks are given, with `check_files` and other settings."""
    return CheckContext(root, read_values({"check_files": files, **more})).questions("accuracy")


def refused(root: Path, files: Any, **more: Any) -> list[str]:
    """What the user is told about files that are refused, with paths from the folder."""
    with pytest.raises(InputError) as error:
        questions(root, files, **more)
    return [str(problem).replace(f"{root}/", "") for problem in error.value.problems]
