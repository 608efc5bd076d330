"""A planned test of a single question as a flat record: a line of a file of tests, a row of a table."""

from dataclasses import MISSING, dataclass, fields, replace
from typing import Annotated, Any, ClassVar

from pydantic import Field

from chattest.records.plan import KNOWN_FIELDS_ONLY
from chattest.records.question import Question

Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
Options = Annotated[tuple[Text, ...], Field(max_length=26)]

ROW_FIELDS = ("testset", "perturbation", "kind", "dose", "group", "split")
"""The fields that a test has in common with its result row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTest:
    """One test: a question, its altered version if the test compares two answers, and what is expected."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    check: Text
    """Code of the check that judges it, such as `invariance.letter_typo`."""
    id: str = ""
    """Names the test; no two tests of a file have the same."""
    testset: str = ""
    perturbation: str = ""
    kind: str = ""
    dose: float | None = None
    group: str = ""
    split: str = ""
    original: Text
    """The question as it is in the test set."""
    original_context: str = ""
    """The text that the bot gets before the question."""
    original_options: Options = ()
    """Answers to choose from."""
    altered: Text | None = None
    """The altered question; `None` if the test asks the original alone."""
    altered_context: str | None = None
    """The context of the altered question; `None` for that of the original."""
    altered_options: Options | None = None
    """The options of the altered question; `None` for those of the original."""
    expected: dict[str, Any] | None = None
    """What else the check expects, such as the right answer; `None` if nothing."""
    skipped: str = ""
    """Why nothing is asked, such as a perturbation that does not apply; empty for a test that is asked."""

    @property
    def original_question(self) -> Question:
        """The question as it is in the test set."""
        return Question(self.original, self.original_context, self.original_options)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions to ask, in order; empty for a skipped test."""
        if self.skipped:
            return ()
        original = self.original_question
        if self.altered is None:
            return (original,)
        context = original.context if self.altered_context is None else self.altered_context
        options = original.options if self.altered_options is None else self.altered_options
        return original, Question(self.altered, context, options)

    def with_questions(self, original: Question, altered: Question | None = None) -> "SavedTest":
        """Return the test with these questions."""
        test = replace(
            self, original=original.text, original_context=original.context, original_options=original.options
        )
        if altered is None:
            return test
        return replace(
            test,
            altered=altered.text,
            altered_context=None if altered.context == original.context else altered.context,
            altered_options=None if altered.options == original.options else altered.options,
        )

    def values(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, in order."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default or field.default is MISSING
        }
