"""Labels given in the app and in the terminal, and what is left of them in the file."""

import re
import subprocess
from pathlib import Path
from typing import Any

import httpx

from chattest.storage.labels import FILE, read_labels
from tests.support.web_process import command, environment

JSON = {"Accept": "application/json"}


def row_shown(text: str) -> str:
    """The key of the row that a page of the review shows; empty at the end of the queue."""
    found = re.search(r'name="key" value="(\w*)"', text)
    assert found, text
    return found[1]


def label_in_app(client: httpx.Client, run: str, by: str, most: int) -> tuple[set[str], list[str]]:
    """Label row after row in the app; the keys that it acknowledged, and the errors that it told."""
    who: dict[str, Any] = {"by": by, "budget": "200"}
    address = f"/runs/{run}/review"
    client.post(address, data={**who, "action": "start"})
    key = row_shown(client.get(address, params=who).text)
    acknowledged: set[str] = set()
    errors: list[str] = []
    for number in range(most):
        if not key:
            break
        note = f"remark {number} " + "x" * 60
        answer = client.post(address, json={**who, "action": "p", "key": key, "note": note}, headers=JSON)
        if answer.status_code == 200:
            acknowledged.add(key)
            key = row_shown(answer.json()["part"])
        else:
            errors.append(answer.text)
            shown = client.get(address, params={**who, "row": key}).text
            assert note in shown, "what was typed is gone"
    return acknowledged, errors


def label_in_terminal(
    project: Path, run: str, by: str, most: int, bytes_of_a_file: int | None = None
) -> tuple[int, str]:
    """Label row after row in the terminal; how many it acknowledged, and all that it printed."""
    typed = f"n remark {'x' * 60}\np\n" * most
    arguments = ("review", run, "--by", by, "--budget", "200")
    done = subprocess.run(
        command(*arguments, bytes_of_a_file=bytes_of_a_file),
        cwd=project,
        env=environment(),
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    printed = done.stdout + done.stderr
    assert "Traceback" not in printed, printed
    asked = printed.count("\nlabel, ") or most
    return asked - printed.count("Not saved, and not counted"), printed


def labelled_by(folder: Path, by: str) -> set[str]:
    """The keys of the rows that a person labelled, as the file tells; every line of it must be whole."""
    saved = read_labels(folder / FILE)
    assert not saved.cut_off, saved.cut_off
    return {label.key for label in saved.labels if label.by == by}
