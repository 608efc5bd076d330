"""A template is compiled once, whatever environment asks for it, and again when its text is another."""

import pytest
from jinja2 import DictLoader, Environment

from chattest.reports.page.compiled import Compiled
from chattest.reports.page.writing import make_environment


def test_a_second_environment_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    make_environment().get_template("page.html")
    monkeypatch.setattr(Environment, "compile", None)
    assert make_environment().get_template("page.html").name == "page.html"


def test_another_text_is_another_template() -> None:
    kept = Compiled()
    texts = ("one {{ 1 }}", "two {{ 2 }}", "one {{ 1 }}")
    environments = [Environment(loader=DictLoader({"page": text}), bytecode_cache=kept) for text in texts]
    assert [each.get_template("page").render() for each in environments] == ["one 1", "two 2", "one 1"]
