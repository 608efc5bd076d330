"""Questions about a chat partner's facts, with replies that answer, correct, refuse or evade them.

Generated from the forms in `reader_chat.toml`. They teach the reader what no public set has: short replies about "my"
and "your" facts, replies that contain another fact, and replies that contain a plausible value but deny it.
"""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

from training.reading import Item

FORMS = Path(__file__).with_name("reader_chat.toml")


def chat_replies(count: int, rng: random.Random) -> list[Item]:
    """Draw questions with replies; about two in three replies contain the answer."""
    forms = tomllib.loads(FORMS.read_text(encoding="utf-8"))
    return [_draw(forms, rng) for _ in range(count)]


def _draw(forms: dict[str, Any], rng: random.Random) -> Item:
    topic, other = rng.sample(forms["topic"], 2)
    value, wrong = rng.sample(topic["values"], 2)
    question = rng.choice(topic["questions"])
    aside = _fill(rng.choice(other["says"]), rng.choice(other["values"]), "")[0]
    (source,) = rng.choices(
        ["says", "given", "corrected", "denies", "denied", "missing", "aside"], [26, 18, 14, 6, 8, 14, 14]
    )
    if source == "aside":
        text, span = aside, None
    else:
        text, span = _fill(rng.choice(topic.get(source) or forms[source]), value, wrong)
    if source in ("denies", "missing", "says", "given") and rng.random() < 0.25:
        extra = aside if rng.random() < 0.7 else rng.choice(forms["missing"])
        if source == "missing":
            extra = aside
        if rng.random() < 0.5:
            text, span = f"{extra} {text}", span and (span[0] + len(extra) + 1, span[1] + len(extra) + 1)
        else:
            text = f"{text} {extra}"
    if rng.random() < 0.15:
        text, question = text.lower(), question.lower()
    if rng.random() < 0.1:
        question = question.rstrip("?")
    return Item(question, text, (span,) if span else (), title=source)


def _fill(form: str, value: str, wrong: str) -> tuple[str, tuple[int, int] | None]:
    """Return the form with its values, and the span of the last mention of the correct value."""
    text = form.replace("{w}", wrong)
    if text.startswith(wrong) and wrong and form.startswith("{w}"):
        text = wrong[0].upper() + wrong[1:] + text[len(wrong) :]
    if "{v}" not in text:
        return text, None
    before, after = text.rsplit("{v}", 1)
    before = before.replace("{v}", value)
    shown = value if before else value[0].upper() + value[1:]
    return f"{before}{shown}{after}", (len(before), len(before) + len(shown))
