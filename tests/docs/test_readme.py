"""README's made parts are what the code makes of them."""

import re
from pathlib import Path

import pytest

from chattest.readme import filled


def test_the_parts_made_from_the_code_are_up_to_date(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    assert filled(text) == text, "run: python -m chattest.readme"


def test_every_picture_and_page_that_readme_links_is_there(root: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (root / "README.md").read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (root / link).exists()] == []


def test_a_readme_that_lost_a_mark_is_refused() -> None:
    with pytest.raises(ValueError, match=r"README\.md lacks <!-- .* --> \.\.\. <!-- /"):
        filled("# chattest")
