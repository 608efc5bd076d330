"""Run folders as a stranger might make them: honest runs, with settings that would run, fetch or read something."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chattest.storage.run_folder import write_state

SECRET = "k3y-that-nobody-may-see"
PRIVATE = "What-only-the-owner-may-read"

EVIL = """
from pathlib import Path
from chattest import Chatter

Path({marker!r}).write_text("imported")


class Evil(Chatter):
    def get_response(self, conv_array):
        return "yes"
"""


class Stranger:
    """Makes run folders that try to reach out of themselves, and tells whether one did."""

    def __init__(self, project: Path, url: str) -> None:
        """url: that of a server that nobody may ask."""
        self.project, self.url = project, url
        self.marker = project.parent / "it-ran"
        self.private = project.parent / "private"
        self.private.mkdir()
        (self.private / "questions.csv").write_text(f"question,answer\n{PRIVATE}?,yes\n")
        (self.private / "figures.json").write_text(json.dumps({PRIVATE: 1}))
        (self.private / "rubric.txt").write_text(PRIVATE)
        (self.private / "gates.toml").write_text(f'[[gate]]\npattern = "{PRIVATE}"\nmin_pass_rate = 0.5\n')
        # Lies where Python finds it, as any installed package does; the run names it.
        (project / "evil_module.py").write_text(EVIL.format(marker=str(self.marker)))

    @property
    def poisons(self) -> dict[str, dict[str, Any]]:
        """Name -> settings of a run.json that somebody put there."""
        run = [sys.executable, "-c", f"open({str(self.marker)!r}, 'w').write('ran')"]
        send = {"base_url": f"{self.url}/v1", "model": "m", "key_env": "SECRET_KEY", "retries": 0}
        options = {"command": {"command": run, "timeout": 2}, "openai": send, "http": {"url": self.url, "reply": "$.x"}}
        private = str(self.private)
        return {
            "command": {"models": {"match": "chat:command", "yes_no": "chat:command"}, "judge_options": options},
            "every kind": {"models": "chat:command", "judge_options": options},
            "options of the bot": {"models": "chat:command", "chatter_options": options},
            "key": {"models": {"match": "chat:openai", "yes_no": "chat:openai"}, "judge_options": options},
            "code": {"models": {"match": "chat:evil_module:Evil"}, "chatters": ["evil_module:Evil"] * 2},
            "panel": {"models": {"match": ["embedded", "chat:command"]}, "judge_options": options},
            "deferred": {"models": {"match": "chat:command"}, "judge_options": options, "defer": 0.9},
            "compared": {"check_compare_by": "chatter", "check_chatter": "command", "judge_options": options},
            "hub": {"models": {"toxicity": f"{private}/model", "reader": f"{self.url}/model"}},
            "opener": {"opener_model": f"{private}/model", "init_conv_randomly": True},
            "paraphrase": {"perturbation": {"ML-U3": f'model_paraphrase(model="{private}")'}},
            "checks": {"checks": [f'invariance.model_paraphrase(model="{private}")']},
            "files": {"check_files": [{"path": f"{private}/questions.csv"}], "checks": ["accuracy"]},
            "articles": {"check_articles": [f"{private}/questions.csv"], "checks": ["metamorphic"]},
            "rubric": {"judge_rubrics": {"match": f"{private}/rubric.txt"}},
            "figures": {"judge_figures": f"{private}/figures.json"},
            "gates": {"gates": f"{private}/gates.toml"},
            "tests": {"check_tests": f"{private}/questions.csv"},
            "places": {"save_conv_folder": private, "is_load_conversation": True, "load_conv_folder": private},
            "writers": {"reports": ["evil_module"], "executor": "ray"},
        }

    def put(self, honest: str, poison: str, name: str = "evil") -> Path:
        """A folder of runs gets a copy of a run of its own, poisoned."""
        folder = self.project / "reports" / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.project / "reports" / honest, folder)
        change(folder, lambda content: content["settings"].update(self.poisons[poison]))
        return folder


def change(folder: Path, how: Callable[[dict[str, Any]], object]) -> None:
    """Changes the run.json of a folder."""
    path = folder / "run.json"
    content = json.loads(path.read_text())
    how(content)
    write_state(folder, content)
