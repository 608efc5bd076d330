"""What greets a contributor fits the project: GitHub's forms and workflow, the hooks, and the changelog."""

import re
from pathlib import Path

import pytest
import yaml

from chattest import __version__
from tests.support.stand_ins import ROOT

FORMS = sorted(set((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"})


def text(path: str) -> str:
    """Return the text of a file of the project."""
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_is_one_that_github_takes(form: Path) -> None:
    content = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(content)
    fields = [field for field in content["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in content["body"]} <= {"markdown", "textarea", "input", "dropdown"}
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_the_workflow_calls_make_targets_that_there_are() -> None:
    (job,) = yaml.safe_load(text(".github/workflows/ci.yml"))["jobs"].values()
    called = re.findall(r"make ([\w-]+)", "\n".join(step.get("run", "") for step in job["steps"]))
    assert {"lint", "docs", "test"} <= {target.removesuffix("-all") for target in called}
    assert [target for target in called if not re.search(rf"^{target}:", text("Makefile"), re.MULTILINE)] == []
    (cached,) = (
        step["with"]["cache-dependency-path"].split()
        for step in job["steps"]
        if "with" in step and "cache" in step["with"]
    )
    assert [path for path in cached if not (ROOT / path).exists()] == []


def test_the_hooks_format_as_make_lint_does() -> None:
    revisions = {
        hook["repo"].rpartition("/")[2]: hook["rev"]
        for hook in yaml.safe_load(text(".pre-commit-config.yaml"))["repos"]
    }
    pinned = set(re.findall(r"\bruff==([\d.]+)", "".join(path.read_text() for path in ROOT.glob("requirements*"))))
    assert pinned == {revisions["ruff-pre-commit"].removeprefix("v")}


def test_the_changelog_has_what_is_unreleased_and_then_the_version_of_the_package() -> None:
    versions = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text("CHANGELOG.md"), re.MULTILINE)
    assert versions[0] == ("Unreleased", "")
    assert versions[1][0] == __version__
    assert all(date for _, date in versions[1:])
    headings = set(re.findall(r"^### (.+)$", text("CHANGELOG.md"), re.MULTILINE))
    assert headings <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
