"""How many follow-up questions of the metamorphic relations are grammatical, and of how many the relation holds.

    python benchmarks/relation_grammar.py BOOLQ_DEV.jsonl.gz
    python benchmarks/relation_grammar.py BOOLQ_CONTRAST_SET.json.gz --most 30 --alone

Takes for each relation its follow-ups of the shipped articles and then, in an order fixed by a hash of line numbers,
those of the file, up to `--most` together; `--alone` leaves out the shipped ones, `--show RELATION` prints them. All
were read by a person: `tests/data/relations/read.toml` holds the labels, but no text of the file, only the numbers of
its questions, each with a hash of the follow-up that was read. A follow-up that is no longer what it was counts as
unread. Labels: `y` grammatical; `s` no worse than its source question, which is broken English; `n` neither; then `-`
where the relation does not hold for this question, even for somebody who answers rightly.
"""

import argparse
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from chattest.checks.relations.base import Relation, relations  # noqa: E402
from chattest.datasets.articles import read_articles  # noqa: E402
from chattest.datasets.questions import LabelledQuestion  # noqa: E402

WIDTHS = (16, 6, 6, 12, 5, 8, 8)
LABELS = ROOT / "tests" / "data" / "relations" / "read.toml"


def hashed(text: str) -> str:
    """The first eight digits of a text's SHA-256."""
    return sha256(text.encode()).hexdigest()[:8]


def follow_ups(relation: Relation, entries: list[LabelledQuestion], most: int) -> list[tuple[int, str, str]]:
    """Number of the question, source and follow-up, of the first `most` by hash to which the relation applies.

    For a relation that changes the article, source and follow-up are the articles. An article that several questions
    share is read once.
    """
    found: list[tuple[int, str, str]] = []
    seen: set[str] = set()
    for number in sorted(range(1, len(entries) + 1), key=lambda number: hashed(f"{relation.name}/{number}")):
        if len(found) == most:
            break
        source = entries[number - 1].question
        new = relation.follow_up(source)
        if new is None:
            continue
        before, after = (source.text, new.text) if new.text != source.text else (source.context, new.context)
        if after not in seen:
            seen.add(after)
            found.append((number, before, after))
    return found


def main() -> None:
    """Prints a row for each relation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="BoolQ's dev.jsonl or the BoolQ contrast set, as it is or packed with gzip")
    parser.add_argument("--most", type=int, default=100, help="follow-ups of each relation")
    parser.add_argument("--alone", action="store_true", help="without those of the shipped articles")
    parser.add_argument("--show", choices=sorted(relations.names()), help="print the follow-ups of one relation")
    given = parser.parse_args()
    (shipped,) = read_articles(ROOT, [], None, 1).items()
    (own,) = read_articles(Path(), [given.file], None, 1).items()
    entries = own[1]
    labels = tomllib.loads(LABELS.read_text(encoding="utf-8")) if LABELS.exists() else {}
    heads = ("applies to", "read", "good", "source bad", "bad", "share", "holds")
    print(f"{'relation':14}" + "".join(f"{head:>{width}}" for head, width in zip(heads, WIDTHS, strict=True)))
    for relation in sorted(relations, key=lambda known: known.code):
        if given.show not in (None, relation.name):
            continue
        chosen: list[tuple[str, int, str, str]] = []
        for name, questions in [own] if given.alone else [shipped, own]:
            chosen += [(name, *pair) for pair in follow_ups(relation, questions, given.most - len(chosen))]
        known = labels.get(relation.name, {})
        counts = dict.fromkeys("ysn-?", 0)
        for name, number, before, after in chosen:
            label = known.get(f"{name}-{number}-{hashed(after)}", "?")
            counts[label[0]] += 1
            counts["-"] += label.endswith("-")
            if given.show:
                print(f"{name}-{number}-{hashed(after)} {label} | {before}\n    {after}")
        applies = sum(relation.follow_up(entry.question) is not None for entry in entries)
        read = len(chosen) - counts["?"]
        good = (counts["y"] + counts["s"]) / read if read else 0.0
        holds = 1 - counts["-"] / read if read else 0.0
        print(
            f"{relation.name:14}{f'{applies} of {len(entries)}':>16}{read:>6}{counts['y']:>6}{counts['s']:>12}"
            f"{counts['n']:>5}{good:>8.1%}{holds:>8.1%}" + (f"  {counts['?']} unread" if counts["?"] else "")
        )


if __name__ == "__main__":
    main()
