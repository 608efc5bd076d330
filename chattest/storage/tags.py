"""The tags of a run: words that people give it to find it again, in `tags.json` in its folder."""

import json
from collections.abc import Iterable
from pathlib import Path

from chattest.errors import InputError, Problem
from chattest.files.atomic import write_whole
from chattest.files.links import read_plain
from chattest.storage.changes import lock_for_change

FILE = "tags.json"
LONGEST = 40
"""Characters that a tag may have."""
MOST = 20
"""Tags that a run may have."""
REMEDY = "Delete the file; only the tags are lost."


def read_tags(folder: Path) -> list[str]:
    """Read the tags of a run's folder, sorted; none if the file is missing.

    Raises:
        InputError: the file is damaged.
    """
    path = folder / FILE
    try:
        content = json.loads(read_plain(path))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError) as error:
        raise InputError([Problem(str(path), f"cannot be read: {error}", REMEDY)]) from error
    if not isinstance(content, list) or not all(isinstance(tag, str) for tag in content):
        raise InputError([Problem(str(path), "is not a list of texts", REMEDY)])
    return sorted(set(content))


def change_tags(folder: Path, add: Iterable[str] = (), remove: Iterable[str] = (), run_id: str = "") -> list[str]:
    """Add and remove tags; return all tags of the run. Spaces around a tag, and repeated spaces, do not count.

    Args:
        folder: the run's.
        add: new tags.
        remove: old tags.
        run_id: id of the intended run, as for `lock_for_change`.

    Raises:
        InputError: a tag is empty, too long, or no line of text, or there are too many.
        StoreError: they cannot be saved.
    """
    new = [" ".join(tag.split()) for tag in add]
    for tag in new:
        if not tag or len(tag) > LONGEST or not tag.isprintable():
            raise InputError([Problem("tag", f"{tag!r} is not a line of 1 to {LONGEST} characters", "Write a word.")])
    with lock_for_change(folder, run_id):
        tags = sorted({*read_tags(folder), *new} - set(remove))
        if len(tags) > MOST:
            raise InputError([Problem("tag", f"a run may have {MOST} tags", "Remove another tag first.")])
        write_whole(folder / FILE, json.dumps(tags, ensure_ascii=False).encode("utf-8", "backslashreplace"))
    return tags
