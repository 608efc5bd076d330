"""Sentences per second that the perturbations alter, compared with nlpaug and LangTest where they have the same one.

    python -m venv rivals
    rivals/bin/pip install nlpaug langtest openai pytest pytest-benchmark rapidfuzz num2words
    rivals/bin/python benchmarks/perturbations.py

runs all in one process, one after another on the same sentences, and prints a table. LangTest's import needs the
openai package. A rival that is not installed is left out. Each figure is the
best of twelve rounds in processor time, so that what else the machine does matters little.
"""

import importlib.util
import json
import math
import sys
import tempfile
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

SENTENCES = [
    "What is the name of my cat?",
    "My cat Mimmi is 3 years old, and I do not like dogs.",
    "I live in Paris with my brother.",
    "Do you know what color my car is?",
    "She is happy because the weather is good today.",
    "I have been working as a teacher for 12 years",
    "Where did you buy the big red jacket?",
    "It is too cold to swim in the lake, but my friends want to try!",
] * 25

FEW = {"abbreviations": 24, "speech-to-text typo": 8}
"""Perturbations measured on fewer sentences, because the rival takes a tenth of a second or more for each."""

# What is compared -> chattest's name, the rival, and how the rival is told to do the same.
SHARED = {
    "typing mistakes in a third of the words": ("typo", "nlpaug", "char:KeyboardAug", {}),
    "one typing mistake (keyboard)": (
        "letter_typo", "nlpaug", "char:KeyboardAug",
        {"aug_char_max": 1, "aug_word_max": 1, "include_special_char": False, "include_numeric": False},
    ),
    "one pair of letters swapped": (
        "letter_typo", "nlpaug", "char:RandomCharAug", {"action": "swap", "aug_char_max": 1, "aug_word_max": 1},
    ),
    "one letter left out": (
        "letter_typo", "nlpaug", "char:RandomCharAug", {"action": "delete", "aug_char_max": 1, "aug_word_max": 1},
    ),
    "OCR errors": ("ocr_typo", "nlpaug", "char:OcrAug", {}),
    "words swapped": ("word_order", "nlpaug", "word:RandomWordAug", {"action": "swap"}),
    "words left out": ("mask", "nlpaug", "word:RandomWordAug", {"action": "delete"}),
    "random words": (
        "random_word", "nlpaug", "word:RandomWordAug",
        {"action": "substitute", "target_words": ["banana", "apple", "street", "cloud", "garden"]},
    ),
    "one typing mistake": ("letter_typo", "langtest", "AddTypo", {}),
    "upper case": ("uppercase", "langtest", "UpperCase", {}),
    "lower case": ("lowercase", "langtest", "LowerCase", {}),
    "title case": ("titlecase", "langtest", "TitleCase", {}),
    "punctuation added": ("add_punctuation", "langtest", "AddPunctuation", {}),
    "punctuation stripped": ("strip_punctuation", "langtest", "StripPunctuation", {}),
    "all punctuation stripped": ("strip_all_punctuation", "langtest", "StripAllPunctuation", {}),
    "contractions": ("contraction", "langtest", "AddContraction", {}),
    "OCR typo": ("ocr_typo", "langtest", "AddOcrTypo", {}),
    "dyslexia word swap": ("dyslexia_word_swap", "langtest", "DyslexiaWordSwap", {}),
    "numbers to words": ("number_to_word", "langtest", "NumberToWord", {}),
    "abbreviations": ("abbreviation", "langtest", "AbbreviationInsertion", {}),
    "speech-to-text typo": ("speech_to_text_typo", "langtest", "AddSpeechToTextTypo", {}),
    "slang": ("slang", "langtest", "AddSlangifyTypo", {}),
    "ages": ("age", "langtest", "RandomAge", {}),
    "new lines": ("new_lines", "langtest", "AddNewLines", {}),
    "tabs": ("tabs", "langtest", "AddTabs", {}),
}  # fmt: skip


def ours(name, sentences):
    from chattest.perturbations.base import resolve

    part, rng = resolve(name), Random(1)
    return lambda: [part.draw(sentence, rng).text for sentence in sentences]


def rival(tool, what, options, sentences):
    """The rival's way of altering all sentences, its own defaults but for `options`."""
    if tool == "nlpaug":
        package, _, name = what.partition(":")
        augmenter = getattr(importlib.import_module(f"nlpaug.augmenter.{package}"), name)(**options)
        return lambda: [augmenter.augment(sentence) for sentence in sentences]
    transform = getattr(importlib.import_module("langtest.transform.robustness"), what).transform
    return lambda: transform(list(sentences), **options)


INSTALLED = [what for what, (_, tool, _, _) in SHARED.items() if importlib.util.find_spec(tool)]


@pytest.mark.parametrize(
    ("what", "side"),  # side by side, so that both meet the same state of the machine
    [(what, side) for what in SHARED for side in ("ours", "rival") if side == "ours" or what in INSTALLED],
)
def test_speed(benchmark, what, side):
    name, tool, theirs, options = SHARED[what]
    sentences = SENTENCES[: FEW.get(what)]
    alter = ours(name, sentences) if side == "ours" else rival(tool, theirs, options, sentences)
    benchmark.extra_info.update(what=what, side=side, sentences=len(sentences))
    altered = benchmark.pedantic(alter, rounds=2 if what in FEW else 12, warmup_rounds=1)
    assert len(altered) >= len(sentences)


def table(measured):
    """The lines of a Markdown table, and the geometric means of the ratios."""
    yield "| what | chattest | sentences/s | rival | sentences/s | ratio |"
    yield "|---|---|---:|---|---:|---:|"
    ratios = {"nlpaug": [], "langtest": []}
    for what, (name, tool, _, _) in SHARED.items():
        mine, theirs = measured.get((what, "ours")), measured.get((what, "rival"))
        if theirs:
            ratios[tool].append(mine / theirs)
            yield f"| {what} | `{name}` | {mine:,.0f} | {tool} | {theirs:,.0f} | {mine / theirs:.1f} |"
    for tool, all_of_it in ratios.items():
        if all_of_it:
            mean = math.exp(sum(map(math.log, all_of_it)) / len(all_of_it))
            yield f"\n{tool}: geometric mean {mean:.1f} over {len(all_of_it)}, least {min(all_of_it):.1f}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "speed.json"
        code = pytest.main(
            [__file__, "-q", "--benchmark-timer=time.process_time", f"--benchmark-json={out}", "-p", "no:warnings"]
        )
        if code:
            return code
        runs = json.loads(out.read_text("utf-8"))["benchmarks"]
    measured = {
        (info["what"], info["side"]): info["sentences"] / run["stats"]["min"]
        for run in runs
        if (info := run["extra_info"])
    }
    print(*table(measured), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
