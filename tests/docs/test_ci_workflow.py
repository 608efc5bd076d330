"""The workflow that README gives to users: its steps are run as they stand, save those that need GitHub."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from tests.support.project import make_project
from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow

WORKFLOW = ROOT / "docs" / "ci-workflow.yml"
BOT = '''
from chattest import Chatter


class Mine(Chatter):
    """Finds everything awful; what is written small it does not understand."""

    def get_response(self, conv_array):
        return "A purple xylophone?" if conv_array[-1].islower() else "That is awful."
'''
CONFIG = (
    'chatters = ["asker", "mine"]\nchecks = ["mft.basic_negative", "invariance.uppercase", "{also}"]\n'
    'testsets = ["knowledge", "co/*"]  # no question of these is all small\n'
)


def steps() -> list[dict[str, Any]]:
    (job,) = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


def test_it_is_a_workflow() -> None:
    content = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    assert set(content) == {"name", True, "permissions", "jobs"}  # YAML reads the key `on` as true
    assert set(content[True]) == {"push", "pull_request"}
    for step in steps():
        assert ("run" in step) != ("uses" in step)
        assert set(step) <= {"name", "run", "uses", "with", "if"}
    used = [step["uses"].partition("@")[0] for step in steps() if "uses" in step]
    assert used == ["actions/checkout", "actions/setup-python", "actions/upload-artifact"]
    installed = [step["run"].split()[-1] for step in steps() if "pip install" in step.get("run", "")]
    assert installed == ["requirements.txt"]
    assert (ROOT / installed[0]).exists()


@pytest.mark.parametrize(("also", "code"), [("mft.sarcasm_detection", 0), ("invariance.lowercase", 1)])
def test_its_commands_run_and_fail_the_job_when_a_blocking_gate_is_missed(tmp_path: Path, also: str, code: int) -> None:
    project = make_project(tmp_path / "project", mine=BOT)
    with (project / "config.py").open("a") as file:
        file.write(CONFIG.format(also=also))
    python = Path(sys.executable).parent
    summary = tmp_path / "summary.md"
    given = {**os.environ, "PATH": f"{python}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(summary)}
    codes: list[int] = []
    for step in steps():
        if "run" in step and "pip install" not in step["run"] and (not any(codes) or "if" in step):
            command = ["bash", "-e", "-o", "pipefail", "-c", step["run"]]
            done = subprocess.run(command, cwd=project, env=given, capture_output=True, text=True, check=False)
            codes.append(done.returncode)
    assert codes == [code, 0], done.stderr
    assert "mft.basic_negative" in summary.read_text()
    kept = steps()[-1]["with"]["path"].split()
    assert [path for path in kept if not (project / path).is_file()] == []
    suite = ElementTree.parse(project / "reports" / "ci" / "junit.xml").getroot()
    assert bool(suite.findall(".//failure")) is bool(code)
