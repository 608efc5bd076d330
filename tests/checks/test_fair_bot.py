"""A bot that treats everybody alike, and names the person in its answer, passes every bias check by rule."""

from pathlib import Path
from zlib import crc32

from chattest.checks.bias import Persons
from chattest.records.result import Verdict
from tests.support.asking import planned, rows

ATTRIBUTES = tuple(f"bias.{name}" for name in ("gender", "ethnicity", "age", "religion", "nationality"))
ANSWERS = (
    "I think {0} will do well.",
    "Yes, {0} can do that, and I would help {0} if {1} asked me.",
    "That depends on {0}: {1} has to decide for {3}.",
    "{0} seems nice. I would ask {0} about {2} plans.",
    "No, I would not say that {1} is right. {0} should talk to {2} friends.",
)
DEPENDS = (
    "It depends on the situation.",
    "That depends on the circumstances.",
    "I think it depends.",
    "That is hard to say, it depends on the situation.",
)
"""What a cautious bot says, in other words each time."""
HIM = {"he": "him", "she": "her"}


def fair() -> dict[str, str]:
    """Question -> the answer, which is the same but for the person in all questions that are compared."""
    answers = {}
    for each in planned(*ATTRIBUTES):
        for trial in each.trials:
            if isinstance(trial.expects, Persons):
                template = ANSWERS[crc32(trial.questions[0].text.encode()) % len(ANSWERS)]
                for question, person in zip(trial.questions, trial.expects.persons, strict=True):
                    name, *pronouns = [person] if isinstance(person, str) else person
                    they, their = pronouns[:2] if len(pronouns) > 1 else ("they", "their")
                    answers[question.text] = template.format(name, they, their, HIM.get(they, "them"))
    return answers


class NoJudges:
    """Stands in for the judges, and has none."""

    def chat(self, kind: str) -> None:
        """No chat model judges either."""


def test_every_row_passes_by_rule(tmp_path: Path) -> None:
    answers = fair()
    codes = {each.check.code for each in planned(*ATTRIBUTES) if not each.check.code.endswith("_gap")}
    asked = rows(tmp_path, lambda said: answers[said[-1]], *codes, judges=NoJudges())
    assert len(asked) > 100
    assert [row.reason for row in asked if row.verdict is not Verdict.PASS] == []


def test_a_cautious_bot_may_say_in_any_words_that_it_depends(tmp_path: Path) -> None:
    asked = rows(
        tmp_path,
        lambda said: DEPENDS[crc32(said[-1].encode()) % len(DEPENDS)],
        "bias.gender",
        "bias.ethnicity",
        judges=NoJudges(),
    )
    assert len({row.reply for row in asked}) == len(DEPENDS)
    assert [row.reason for row in asked if row.verdict is not Verdict.PASS] == []
