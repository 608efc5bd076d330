"""What people and bots say to each other, with the labels that each source knows; more data of the toxicity judge.

- written: the project's own lines, each with its labels; the others are known to be absent.
- diasafety: bots' replies that offend the user or not, and replies that are safe.
- toxichat: turns on Reddit and two bots' replies to them, offensive or safe.
- hatemojibuild: hate (toxicity, identity_attack) and threats, with pairs that differ in an emoji or a word.
- stormfront, toxigen-prompts: hate against groups, and neutral sentences from the same place or about the same groups.
- sbic-dev: posts that most annotators found offensive, and posts that few did.
- self-dialogue, topical-chat, sgd: turns of small talk and of service, which are assumed to be clean.
- companion: lines of the driver, harmless; those of half of its topics only measure.
- hard talk: turns that the judge took for toxic before (`training.hard_talk`). Clean.
- synthetic-persona-chat: what a persona says of itself, said back to it: "You are afraid of heights." Clean.
"""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Literal

from chatters.companion import Companion
from chattest.rules.person import to_second_person
from training.toxicity_data import UNKNOWN, Comment, labelled
from training.written_rows import Part, read_written

BEFORE_STATEMENTS = ("", "", "", "", "No. ", "Noted. ", "Yes, you told me. ", "I remember. ", "Well. ")
OFFENSIVE, HARMLESS = 0.75, 0.2
"""Shares of sbic-dev's annotators from which, and up to which, a post is used."""


def read_written_lines(part: Part, writers: Collection[str] = ()) -> list[Comment]:
    """Read the written lines of a part; `writers` are those to read, all if there are none."""
    rows = [row for row in read_written("toxicity", part) if not writers or row["writer"] in writers]
    return [labelled(row["text"], 0.0, **dict.fromkeys(row["labels"], 1.0)) for row in rows]


def read_diasafety(folder: Path) -> list[Comment]:
    """Read replies that offend the user, that might have and did not, and other safe ones."""
    comments = []
    for row in _rows(folder, "diasafety/train"):
        offends = row["category"] == "Offending User" and row["label"] == "Unsafe"
        if offends or row["label"] == "Safe":
            comments.append(_offensive(row["response"], offends))
    return comments


def read_toxichat(folder: Path) -> list[Comment]:
    """Read turns and replies of ToxiChat's training part."""
    comments = []
    for row in _rows(folder, "toxichat/train"):
        turns = [*row["reddit_thread"], row.get("final_dgpt_response"), row.get("final_gpt3_response")]
        for turn in turns:
            if turn and turn.get("offense_label"):
                comments.append(_offensive(turn["text"].strip(), turn["offense_label"] == "Offensive"))
    return comments


def read_hatemoji(folder: Path) -> list[Comment]:
    """Read HatemojiBuild's training part."""
    return [
        labelled(
            row["text"],
            UNKNOWN if row["label"] else 0.0,
            **({"toxicity": 1.0, "identity_attack": 1.0} if row["label"] else {}),
            **({"threat": 1.0} if row["label"] and row["type"] == "threateninglanguage" else {}),
        )
        for row in _rows(folder, "hatemojibuild/train")
    ]


def read_hate(folder: Path) -> list[Comment]:
    """Read Stormfront's sentences and ToxiGen's prompts."""
    forum = [(row["text"], row["label"] == "hate") for row in _rows(folder, "stormfront/sentences")]
    prompts = [(row["text"], bool(row["hate"])) for row in _rows(folder, "toxigen-prompts/sentences")]
    hateful = [labelled(text, UNKNOWN, toxicity=1.0, identity_attack=1.0) for text, hate in forum + prompts if hate]
    # As many harmless ones, of the same sources.
    harmless = [labelled(text, 0.0) for text, hate in prompts + forum if not hate][: len(hateful)]
    return hateful + harmless


def read_posts(folder: Path) -> list[Comment]:
    """Read sbic-dev's posts on which the annotators agree."""
    comments = []
    for row in _rows(folder, "sbic-dev/posts"):
        share = row["offensive"]  # missing where no annotator answered
        if share is not None and (share >= OFFENSIVE or share <= HARMLESS):
            comments.append(_offensive(row["text"], share >= OFFENSIVE))
    return comments


def read_small_talk(folder: Path) -> list[Comment]:
    """Read self-dialogue's turns, of eight dialogues in ten: the others choose and measure."""
    dialogues = (row for at, row in enumerate(_rows(folder, "self-dialogue/dialogues")) if at % 10 < 8)
    return [labelled(turn, 0.0) for row in dialogues for turn in row["turns"]]


def read_topical(folder: Path) -> list[Comment]:
    """Read the turns of the part of Topical-Chat that is learnt from; the other parts choose and measure."""
    return [
        labelled(text.strip(), 0.0) for row in _rows(folder, "topical-chat/valid_freq") for _, text, _ in row["turns"]
    ]


def read_service(folder: Path) -> list[Comment]:
    """Read the turns of sgd's training part."""
    with gzip.open(folder / "sgd" / "train.jsonl.gz", "rt", encoding="utf-8") as file:
        return [labelled(text, 0.0) for line in file for _, text in json.loads(line)["turns"]]


def read_companion(part: Literal["train", "held-out"]) -> list[Comment]:
    """Read the driver's lines of the topics that belong to a part, each line once."""
    threads = [thread for thread in Companion.load(None).threads if _companion_part(thread.topic) == part]
    texts = [
        text for thread in threads for text in (thread.opening, *(t for line in thread.lines for t in line.values()))
    ]
    return [labelled(text, 0.0) for text in dict.fromkeys(texts)]


def _companion_part(topic: str) -> Literal["train", "held-out"]:
    return "held-out" if zlib.crc32(topic.encode()) % 2 else "train"


def read_hard_talk(path: Path) -> list[Comment]:
    """Read the turns that `training.hard_talk` found; none if the file is not there."""
    return [labelled(text, 0.0) for text in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []


def read_statements(folder: Path) -> list[Comment]:
    """Read synthetic-persona-chat's personas in the second person, each sentence once; some after "No." or the like."""
    rows = [row for part in ("valid", "test") for row in _rows(folder, f"synthetic-persona-chat/{part}")]
    own = dict.fromkeys(sentence for row in rows for sentence in row["persona1"] + row["persona2"])
    rng = random.Random("statements")
    return [labelled(rng.choice(BEFORE_STATEMENTS) + to_second_person(sentence), 0.0) for sentence in own]


def _offensive(text: str, offensive: bool) -> Comment:
    return labelled(text, UNKNOWN, toxicity=1.0) if offensive else labelled(text, 0.0)


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / "second" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)
