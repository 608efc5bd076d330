"""A little of every set that the trunk learns from or is measured on."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

TURNS = [
    "Hello there.",
    "Do you like tea?",
    "I drink coffee.",
    "With milk?",
    "Black.",
    "Strong stuff.",
    "It is.",
    "Bye.",
]
NLI = ("snli-devtest/dev", "snli-devtest/test", "breaking-nli/dataset", "negation-nli/MNLI", "negation-nli/SNLI")
SIZES = ("readings.FORMS", "readings.STRANGERS", "readings.BREAKING", "readings.SCOPE", "answers.FROM_SQUAD",
         "readings.JUMBLED", "answers.OFF_TOPIC", "talk.WRITTEN_MINED", "talk.JUMBLED")  # fmt: skip
OTHERS = [
    "Good morning.",
    "Is it cold out?",
    "It snows.",
    "How deep?",
    "To the knee.",
    "Stay in then.",
    "I will.",
    "Ha.",
]


def write(path: Path, *rows: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in rows).encode()))


def first_collection(data: Path) -> None:
    (data / "circa").mkdir()
    lines = ["id\tquestion-X\tanswer-Y\tjudgements\tgoldstandard2"]
    lines += [f"{n}\tIs it number {n}?\tIt is {n}, said {n}.\tYes#No\t{'Yes' if n % 2 else 'No'}" for n in range(8)]
    (data / "circa" / "circa-data.tsv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (data / "circa" / "matched-dev.ids").write_text("1\n")
    (data / "circa" / "matched-test.ids").write_text("2\n3\n")
    rows = []
    for number in range(8):
        row: dict[str, Any] = {"question": f"who is {number}", "golden_answer": f"Ann/Bob{number}", "improper": False}
        for system in ("fid", "gpt35", "chatgpt", "gpt4", "newbing"):
            row |= {f"answer_{system}": f"It is Ann, by {system}", f"judge_{system}": system != "fid"}
        rows.append(row)
    (data / "evouna").mkdir()
    (data / "evouna" / "NQ.json.gz").write_bytes(gzip.compress(json.dumps(rows).encode()))
    asked = [{"id": "a", "question": "When?", "answers": ["in 1973", "October 1973"], "answer_start": [0, 0]}]
    write(data / "squad" / "dev-v1.1.jsonl.gz", {"title": "t", "context": "c", "qas": asked})
    for name in ("bert", "r-net", "slqa", "match-lstm", "logreg-baseline"):
        write(data / "squad" / f"pred-1.1-{name}.json.gz", {"a": f"Louis {name}"})


def second_collection(second: Path) -> None:
    nli = [{"premise": f"It is {n}.", "hypothesis": f"It is not {n}.", "label": "contradiction"} for n in range(4)]
    for name in (*NLI, "scone/train"):
        write(second / f"{name}.jsonl.gz", *nli)
    write(
        second / "condaqa" / "dev.jsonl.gz",
        {"passage": "It is old. It is rarely cold. It is far.", "question": "Cold?", "label": "NO", "cue": "rarely"},
    )
    longer = ["Where did all the birds go today?", "They all flew south for the long winter."]
    write(second / "self-dialogue" / "dialogues.jsonl.gz", {"turns": TURNS}, {"turns": OTHERS}, {"turns": longer})
    persona = {"turns": TURNS, "persona1": ["I like tea."], "persona2": ["My dog barks."]}
    for part in ("valid", "test"):
        write(second / "synthetic-persona-chat" / f"{part}.jsonl.gz", persona, persona | {"turns": OTHERS})
    rated = [[str(n % 2), text, "Poor" if n == 3 else "Good"] for n, text in enumerate(TURNS)]
    for name in ("valid_freq", "valid_rare", "test_freq", "test_rare"):
        write(second / "topical-chat" / f"{name}.jsonl.gz", {"turns": rated}, {"turns": rated})
    for part in ("train", "dev", "test"):
        replies = {
            f"final_{bot}_response": {"text": f"{part} reply of {bot}", "coherence": plausible}
            for bot, plausible in (("dgpt", "Plausible"), ("gpt3", "Not plausible"))
        }
        write(
            second / "toxichat" / f"{part}.jsonl.gz",
            *[{"reddit_thread": [{"text": f"{part} {n}"}]} | replies for n in range(3)],
        )
    wild = [["Human", "Hi!", None], ["Bot", "wild one", 1], ["Human", "What?", None], ["Bot", "wild two", 0]]
    for name in ("data_intermediate", "data_volunteers"):
        write(second / "convai2-wild" / f"{name}.jsonl.gz", {"turns": wild})
    write(
        second / "efficientqa" / "test_annotated.jsonl.gz",
        {
            "question": "who",
            "answer": ["Ann"],
            "def_correct_predictions": ["Anne"],
            "def_incorrect_predictions": ["Bo"],
        },
    )
    write(
        second / "nq301-human" / "judged.jsonl.gz",
        {"question": "who", "expected": ["Ann"], "reply": "A", "label": "Yes"},
    )
    senses = [{"words": [f"w{n}", f"v{n}"], "definition": f"thing number {n}; odd", "kind": "tool"} for n in range(3)]
    write(second / "wordnet" / "noun-verb.jsonl.gz", *senses)
