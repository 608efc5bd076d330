"""Where the conversations are looked for that a folder stands for."""

import json
from pathlib import Path

import pytest

from chattest.errors import InputError
from chattest.storage.source import find_conversations


@pytest.mark.parametrize(
    ("files", "kept_in", "asked", "run", "found"),
    [
        (["r/a/conversations/run-001.json"], "", "r/a", "", "r/a/conversations"),
        (["r/a/conversations/run-001.json"], "", "r/a/conversations", "", "r/a/conversations"),
        (["s/a/run-001.json"], "s", "r/a", "", "s/a"),
        (["s/a/run-001.json"], "s", "s/a", "", "s/a"),
        (["s/a/run-003.json"], "s", "s", "", "s/a"),
        (["s/a/run-001.json", "s/a/clean/run-001.json"], "s", "s", "", "s/a"),
        (["s/a/run-001.json", "s/b/run-001.json"], "s", "s", "b", "s/b"),
        (["r/a/run-001.json"], "r", "r/a", "", "r/a"),  # saved beside the report, without `conversations`
        (["s/a/run-001.json"], "s", "r/a-2", "", "r/a-2"),  # nothing there
        (["old/talk 1.txt"], "", "old", "", "old"),
        (["r/a/answers.jsonl"], "", "r/a", "", "r/a"),
        ([], "", "nowhere", "", "nowhere"),
    ],
)
def test_conversations_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: list[str], kept_in: str, asked: str, run: str, found: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (*files, "r/a/run.json"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(json.dumps({"settings": {"save_conv_folder": kept_in}}))
    assert find_conversations(Path(asked), run).resolve() == Path(found).resolve()


def test_which_of_several_runs_is_meant_must_be_said(tmp_path: Path) -> None:
    for run in ("a", "b"):
        (tmp_path / run).mkdir()
        (tmp_path / run / "run-001.json").touch()
    with pytest.raises(InputError, match=r"several runs: a, b\n.*save_analysis_name = \"b\""):
        find_conversations(tmp_path, "first-run")
