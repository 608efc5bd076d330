"""Training data of the coherence judge besides task dialogues: fitting and unfitting replies, mostly to small talk.

Small talk comes from `small_talk.toml`; its first lines describe its format. Every fifth dialogue, and every fifth
reaction of its lists, is held out of training and used to choose the thresholds. For each turn:

| kind | fits? | the reply |
|---|---|---|
| true | yes | the turn that came next |
| reaction | yes | something that fits nearly any question, or nearly any statement |
| said back | yes | the other's statement about themselves, in the second person, as simple bots reply |
| elsewhere | no | a turn of another dialogue |
| written | no | written to be wrong here: often the first words of the true reply, but another topic |
| earlier | no | an earlier turn, by either speaker |
| echo | no | the prompt itself |
| salad | no | the words of the true reply, shuffled |
| jumble | no | most words of the prompt, shuffled, sometimes with one from elsewhere |
| never | no | an invoice, a news line, an error message |
| misreaction | no | a reaction to statements after a question, or vice versa |
| other back | no | another speaker's statement in the second person |
| denied | no | the other's statement about themselves, in the second person with a "not" |
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chattest.models.embedded.coherence_network import MAX_TURNS
from chattest.rules.person import to_second_person

SMALL_TALK = Path(__file__).with_name("small_talk.toml")
FACTS = Path(__file__).with_name("match.toml")
KEPT_OUT = 5
"""One in this many dialogues and reactions of `small_talk.toml` is held out of training."""
UNSURE = ("don't know", "can't remember", "no idea", "never told", "haven't told", "forgot")
"""Marks of the forms of `match.toml` that fit any question about the user."""
EITHER = frozenset(["yes", "yeah", "sure", "okay", "ok", "hm", "hmm", "mhm", "aha", "right", "lol", "haha", "cool"])
"""First words of reactions that can follow a question too."""
STATEMENT = re.compile(r"(I|I'm|I've|My|We|We're|Our|He|She|It|They|The|On|A|An|There)\b.*\.\Z")
ABOUT_SPEAKER = re.compile(r"\b(I|I'm|I've|my|we|our)\b", re.IGNORECASE)
NOT_YET = re.compile(r"\b(you are|your \w+ is|you were|you can|you will|you would)\b(?! not| never)", re.IGNORECASE)
DO = re.compile(r"\byou (like|love|hate|have|want|need|work|live|play|think|feel|know|collect|prefer)\b", re.IGNORECASE)
SAID_BACK = (
    "{}", "I will remember that. {}", "Noted. {}", "Good to know. {}", "All right. {}", "Thanks for telling me. {}",
    "You said: {}", "I see. {}",
)  # fmt: skip
"""How a simple bot repeats a statement."""
REFLECTED = (
    "Why do you say that {}?", "How do you feel about the fact that {}?", "Is it good for you that {}?",
    "I did not know that {}.", "Interesting that {}.", "So {}. Why?", "Do you often think about it, that {}?",
)  # fmt: skip
"""How ELIZA repeats one."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A reply, the turns before it, and whether it fits."""

    context: tuple[str, ...]
    """The turns before it, oldest first, at most `MAX_TURNS`."""
    reply: str
    """The reply."""
    true: bool
    """Whether it fits."""
    sort: str
    """Kind of reply; see the docstrings of this module and of `sgd`."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A dialogue of `small_talk.toml`."""

    turns: tuple[str, ...]
    """What was said, in order."""
    unfit: tuple[tuple[str, ...], ...]
    """For each turn, replies that would not fit in its place."""


@dataclass(frozen=True, slots=True)
class SmallTalk:
    """A part of `small_talk.toml`."""

    talks: tuple[Talk, ...]
    """Dialogues."""
    on_statements: tuple[str, ...]
    """Reactions to statements."""
    on_questions: tuple[str, ...]
    """Reactions to questions."""
    never: tuple[str, ...]
    """Texts that never fit."""


def read_small_talk(kept_out: bool) -> SmallTalk:
    """Read the part that is held out of training, or the rest."""
    data = tomllib.loads(SMALL_TALK.read_text(encoding="utf-8"))
    talks = []
    for block in data["dialogues"].strip().split("\n\n"):
        turns, unfit = list[str](), list[list[str]]()
        for line in block.splitlines():
            if line.startswith("x "):
                unfit[-1].append(line[2:])
            else:
                turns.append(line)
                unfit.append([])
        talks.append(Talk(tuple(turns), tuple(map(tuple, unfit))))
    lists = (talks, data["on_statements"], data["on_questions"], data["never"])
    return SmallTalk(
        *(
            tuple(item for index, item in enumerate(items) if (index % KEPT_OUT == KEPT_OUT - 1) == kept_out)
            for items in lists
        )
    )


def small_talk_fits(talk: SmallTalk, draws: int, rng: random.Random) -> Iterator[Fit]:
    """Yield fitting and unfitting replies to every turn.

    Args:
        talk: The small talk to draw from.
        draws: How many reactions, and turns from elsewhere, are drawn for each turn.
        rng: Source of randomness.
    """
    statements = [turn for dialogue in talk.talks for turn in dialogue.turns if _about_speaker(turn)]
    on_statements = [text for text in talk.on_statements if not text.endswith("?") and _words(text)[0] not in EITHER]
    for dialogue in talk.talks:
        turns = dialogue.turns
        for index in range(1, len(turns)):
            context, true, prompt = turns[max(0, index - MAX_TURNS) : index], turns[index], turns[index - 1]
            asks, states = prompt.endswith("?"), STATEMENT.match(prompt)

            def fit(reply: str, fits: bool, sort: str, before: tuple[str, ...] = context) -> Fit:
                return Fit(before, reply, fits, sort)

            yield fit(true, True, "true")
            yield from (fit(reply, False, "written") for reply in dialogue.unfit[index])
            for _ in range(draws):
                yield fit(_elsewhere(talk, dialogue, true, rng), False, "elsewhere")
                if asks:
                    yield fit(rng.choice(talk.on_questions), True, "reaction")
                elif states:
                    yield fit(rng.choice(talk.on_statements), True, "reaction")
            if (asks or states) and rng.random() < 0.5:
                yield fit(rng.choice(on_statements if asks else talk.on_questions), False, "misreaction")
            if _about_speaker(prompt) and rng.random() < 0.5:
                yield fit(_said_back(prompt, rng), True, "said back")
                if (denied := _denied(to_second_person(prompt))) and rng.random() < 0.5:
                    yield fit(rng.choice(SAID_BACK).format(_sentence(denied)), False, "denied")
                yield fit(
                    _said_back(rng.choice([text for text in statements if text != prompt]), rng), False, "other back"
                )
            if earlier := [turn for turn in turns[: index - 1] if len(_words(turn)) > 3 and turn != true]:
                yield fit(rng.choice(earlier), False, "earlier")
            if len(_words(prompt)) > 4 and rng.random() < 0.25:
                yield fit(prompt, False, "echo")
            for sort, text in (("salad", true), ("jumble", prompt)):
                if len(_words(text)) > 3 and rng.random() < 0.4:
                    yield fit(_jumbled(text, rng.choice(statements), rng), False, sort)
            if rng.random() < 0.25:
                yield fit(rng.choice(talk.never), False, "never")


def _about_speaker(text: str) -> bool:
    """Return True if a text is a statement of the speaker about themselves."""
    return bool(STATEMENT.match(text) and ABOUT_SPEAKER.search(text)) and len(_words(text)) > 2


def _elsewhere(talk: SmallTalk, own: Talk, true: str, rng: random.Random) -> str:
    """Draw a turn of another dialogue that is not so short that it fits everywhere."""
    while True:
        other = rng.choice(talk.talks)
        reply = other.turns[rng.randrange(1, len(other.turns))]
        if other is not own and reply != true and len(_words(reply)) > 2:
            return reply


def _said_back(statement: str, rng: random.Random) -> str:
    """Repeat a statement of a speaker about themselves in the second person."""
    said = to_second_person(statement)
    if rng.random() < 0.7:
        return rng.choice(SAID_BACK).format(said)
    return rng.choice(REFLECTED).format(said[0].lower() + said[1:].rstrip("."))


def _denied(statement: str) -> str:
    """Insert a "not" into a statement about "you"; return an empty text if it has no known verb."""
    negated = NOT_YET.sub(r"\1 not", statement, count=1)
    if negated != statement:
        return negated
    return DO.sub(r"you don't \1", statement, count=1) if DO.search(statement) else ""


def _jumbled(text: str, other: str, rng: random.Random) -> str:
    """Return most words of a text in random order, sometimes with one of another text."""
    words = _words(text)
    rng.shuffle(words)
    words = words[: rng.randint(max(4, len(words) * 2 // 3), max(4, len(words)))]
    if rng.random() < 0.4:
        words.insert(rng.randrange(len(words)), rng.choice(_words(other)))
    return " ".join(words).capitalize() + rng.choice(("", ".", ".", "?", "!"))


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower()) or [""]


def read_pairs(folder: Path) -> dict[str, list[list[str]]]:
    """Read sequences of consecutive turns: circa's questions and answers, and FriendsQA's dialogues."""
    with gzip.open(folder / "circa" / "circa-data.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    friends = []
    for part in ("dev", "tst"):
        with gzip.open(folder / "friendsqa" / f"friendsqa_{part}.json.gz", "rt", encoding="utf-8") as file:
            for scene in json.load(file)["data"]:
                for passage in scene["paragraphs"]:
                    said = [turn["utterance"] for turn in passage["utterances:"]]
                    friends.append([text for text in said if text[:1] not in ("[", "(")])  # stage directions
    return {"circa": [[row["question-X"], row["answer-Y"]] for row in rows], "friends": friends}


def run_fits(runs: Sequence[Sequence[str]], number: int, rng: random.Random) -> Iterator[Fit]:
    """Yield true next turns and random ones from sequences of turns."""
    long_enough = [run for run in runs if len(run) > 1]
    for _ in range(number):
        run, other = rng.choice(long_enough), rng.choice(long_enough)
        index = rng.randrange(1, len(run))
        context = tuple(run[max(0, index - MAX_TURNS) : index])
        yield Fit(context, run[index], True, "true")
        if other is not run:
            yield Fit(context, other[rng.randrange(1, len(other))], False, "random")


def about_user_fits(number: int, rng: random.Random) -> Iterator[Fit]:
    """Yield questions about the user with a statement on the same topic (fits, true or not) and on another topic."""
    data = tomllib.loads(FACTS.read_text(encoding="utf-8"))
    unsure = [form for form in data["wrong"] if "{" not in form and any(sign in form for sign in UNSURE)]

    def statement(fact: dict[str, str]) -> str:
        text: str = fact["statement"].format(rng.choice(data["values"][fact["values"]]).split("|")[0])
        text = rng.choice(["{}.", "I think {}.", "you told me that {}.", "{}!", "if I remember rightly, {}."]).format(
            text
        )
        return text[0].upper() + text[1:]

    for _ in range(number):
        fact, other = rng.sample(data["facts"], 2)
        said = statement(fact)
        context = (fact["question"],)
        yield Fit(context, rng.choice(unsure) if rng.random() < 0.2 else said, True, "true")
        if other["values"] != fact["values"]:
            yield Fit(context, statement(other), False, "random")


def told_fits(number: int, rng: random.Random) -> Iterator[Fit]:
    """Yield facts that the user states, repeated correctly and with another value."""
    data = tomllib.loads(FACTS.read_text(encoding="utf-8"))
    for _ in range(number):
        fact = rng.choice(data["facts"])
        value, other = (alternatives.split("|")[0] for alternatives in rng.sample(data["values"][fact["values"]], 2))
        right, wrong = (_sentence(fact["statement"].format(filler)) for filler in (value, other))
        context = (_sentence(to_second_person(right)),)
        yield Fit(context, rng.choice(SAID_BACK).format(right), True, "said back")
        yield Fit(context, rng.choice(SAID_BACK).format(wrong), False, "other value")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip(".") + "."
