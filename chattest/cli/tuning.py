"""`validate --tune`: show how the settings file would change, and change it if the user agrees."""

import sys
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from chattest.cli.invocation import invocation, say
from chattest.errors import InputError, Problem

if TYPE_CHECKING:
    from chattest.validation.measured import Validation


def tune(validations: "list[Validation]", agreed: bool) -> None:
    """Propose thresholds, and write them into the settings file.

    Args:
        validations: The measured judges.
        agreed: Write without asking. This is needed if the input is no terminal.

    Raises:
        InputError: There is no settings file, or it sets a threshold in a way that cannot be changed.
        StoreError: The file cannot be written.
    """
    from chattest.files.atomic import write_whole
    from chattest.settings.edit import replace_value
    from chattest.validation.tune import propose_thresholds

    changes, stays = propose_thresholds(validations)
    say(stays)
    for change in changes:
        recall, specificity = change.recalls, change.specificities
        print(
            f"{change.kind}: {change.setting} {change.before:g} -> {change.after:g}; recall {recall[0]:.2f} -> "
            f"{recall[1]:.2f}, specificity {specificity[0]:.2f} -> {specificity[1]:.2f}"
        )
    if not changes:
        return
    path = _find_settings_file()
    before = after = path.read_text(encoding="utf-8")
    for change in changes:
        after = replace_value(after, change.setting, change.after, str(path))
    say(list(unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))[2:])  # without a head
    print("These shares are of the replies that the thresholds were chosen on; on others they will be a little lower.")
    if agreed or _ask_consent(path):
        write_whole(path, after.encode())
        print(f"Written: {path}")
    else:
        print("Nothing was written." if sys.stdin.isatty() else "Nothing was written; add --yes to write it.")


def _find_settings_file() -> Path:
    path = invocation.config or invocation.root / "config.py"
    if not path.exists():
        remedy = "Name the file with --config, or write it first: python main.py init ."
        raise InputError([Problem(str(path), "there is no such settings file", remedy)])
    return path


def _ask_consent(path: Path) -> bool:
    if not sys.stdin.isatty():
        return False
    print(f"Write {path}? [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
