"""Another installed package adds one part of each sort: each is listed, and each is used by a run."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.project import make_project
from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow

LISTED = {
    "chatters": r"^parrot: Answers yes and repeats what it hears\.$",
    "cases": r"^ML-X1\s+personality\.short_reply\s+Answers in a few words",
    "perturbations": r"^wave\s+noise\s+keeps\s+wave\s+Puts a greeting",
    "scorers": r"^short_reply\s+-\s+Words of a reply",
    "relations": r"^politely\s+MRX-1\s+the same answer\s+A question",
    "checks": r"^metamorphic\.politely\s+MRX-1: A question that is asked(.|\n)*^greeting\.hello\s+Answers a greeting",
    "operators": r"^sign flip\s+share\s+Turns the sign",
    "reports": r"^codes\s+on request\s+`codes\.txt`: the codes of the checks",
    "models": r"^models = \{'toxicity': 'forbidden_word'\}\s+A text with the word parrot in it is toxic",
}

SETTINGS = {
    "check_floor": False,  # this bot is no better than one that understands nothing
    "chatters": ["asker", "parrot"],
    "max_runs": 1,
    "conversation_length": 12,
    "p": {"ML-U3": 0.5},
    "perturbation": {"ML-U3": "wave"},
    "is_analyze": {"ML-I2": False, "ML-I3": False, "ML-A6": False, "ML-A7": False, "ML-X1": True},
    "models": {"toxicity": "forbidden_word"},
    "checks": ["greeting", "metamorphic.politely"],
    "check_articles_drawn": 4,
    "reports": ["jsonl", "codes"],
}

OPERATE = """
import torch
from chattest.mutation.base import operators
weights = torch.ones(2, 3)
operators.get("sign flip").alter(weights, 0.1, torch.Generator())
print(operators.names(), weights.tolist())
"""

PRINTS = """
from pathlib import Path
from chattest.models.cache import ScoreCache
from chattest.models.fingerprint import compute_fingerprint
print(compute_fingerprint("toxicity", "forbidden_word", "", ScoreCache(Path("scores.sqlite")).digest).hex())
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the package is installed into by pip."""
    source, target = tmp_path_factory.mktemp("source") / "plugin", tmp_path_factory.mktemp("site-packages")
    shutil.copytree(ROOT / "tests/data/plugin", source, ignore=shutil.ignore_patterns("__pycache__"))
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source)]
    subprocess.run(pip, check=True, capture_output=True, text=True)
    return target


def python(folder: Path, *arguments: str, on_path: Path) -> subprocess.CompletedProcess[str]:
    """A Python process in a folder, with more packages installed."""
    environment = os.environ | {"PYTHONPATH": f"{on_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_project(tmp_path_factory.mktemp("plugins") / "project")
    (made / "config.py").write_text("".join(f"{name} = {value!r}\n" for name, value in SETTINGS.items()))
    return made


def test_every_part_of_an_installed_package_is_listed(project: Path, installed: Path) -> None:
    listed = python(project, "main.py", "list", on_path=installed)
    assert not listed.stderr
    sections = re.split(r"^([A-Z]+)\n\n", listed.stdout, flags=re.MULTILINE)[1:]
    lists = dict(zip(sections[::2], sections[1::2], strict=False))
    for what, line in LISTED.items():
        assert re.search(line, lists[what.upper()], re.MULTILINE), f"{what}:\n{lists[what.upper()]}"


def test_without_the_package_none_of_its_parts_is_known(project: Path, tmp_path: Path) -> None:
    refused = python(project, "main.py", "plan", on_path=tmp_path)
    assert refused.returncode == 2
    assert 'there is no chatter "parrot"' in refused.stderr
    assert 'no such case "ML-X1"' in refused.stderr
    assert '"codes"' in refused.stderr
    listed = python(project, "main.py", "--config", str(ROOT / "config.py"), "list", on_path=tmp_path).stdout
    assert not [what for what, line in LISTED.items() if re.search(line, listed, re.MULTILINE)]


def test_a_run_uses_every_part(project: Path, installed: Path) -> None:
    done = python(project, "main.py", on_path=installed)
    assert done.returncode == 0, done.stderr
    folder = project / "reports" / "first-run"
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    by_check = {check: [row for row in rows if row["check"] == check] for check in {row["check"] for row in rows}}
    assert set(by_check) == {"ML-U3", "ML-P1", "ML-X1", "greeting.hello", "metamorphic.politely"}
    assert all(row["reply"].startswith("Yes. ") for row in by_check["ML-X1"])
    assert {row["reason"] for row in by_check["ML-X1"]} <= {f"{count} words" for count in range(1, 100)}
    asked = [row for row in by_check["ML-U3"] if row["kind"] == "wave"]
    assert asked
    assert all(row["prompt"].startswith("Hello there! ") for row in asked)
    # 0.8 passes: the judge brings its own threshold, 0.9.
    assert {row["score"]["value"] for row in by_check["ML-P1"]} == {0.8}
    assert {row["verdict"] for row in by_check["ML-P1"]} == {"PASS"}
    assert [row["verdict"] for row in by_check["greeting.hello"]] == ["PASS"]
    pairs = [row for row in by_check["metamorphic.politely"] if "\nPlease tell me: " in row["prompt"]]
    assert len(pairs) == 4
    # What the judge makes of a parrot's answers is not the matter here: that the relation is asked and judged is.
    assert all(" reads " in row["reason"] for row in pairs)
    verdicts = {row["verdict"] for row in pairs}
    assert "ERROR" not in verdicts
    assert verdicts & {"PASS", "FAIL"}
    assert (folder / "codes.txt").read_text().split() == sorted(by_check)
    assert not list(folder.glob("*.xlsx"))


def test_an_operator_of_an_installed_package_alters_weights(tmp_path: Path, installed: Path) -> None:
    done = python(tmp_path, "-c", OPERATE, on_path=installed)
    names = ["gaussian fuzzing", "weight shuffling", "neuron effect blocking", "neuron switch", "sign flip"]
    assert done.stdout == f"{names} {[[-1.0] * 3] * 2}\n", done.stderr


def test_cached_scores_belong_to_the_packages_version_and_its_module(tmp_path: Path, installed: Path) -> None:
    copy = tmp_path / "site-packages"
    shutil.copytree(installed, copy)
    prints = [python(tmp_path, "-c", PRINTS, on_path=copy).stdout for _ in range(2)]
    assert len(prints[0].strip()) == 64
    assert prints[0] == prints[1]
    module = copy / "sample_parts" / "judges.py"
    module.write_text(module.read_text() + "\n# Changed.\n")
    prints.append(python(tmp_path, "-c", PRINTS, on_path=copy).stdout)
    (metadata,) = copy.glob("*.dist-info/METADATA")
    metadata.write_text(metadata.read_text().replace("Version: 1.2", "Version: 1.3"))
    prints.append(python(tmp_path, "-c", PRINTS, on_path=copy).stdout)
    assert len(set(prints)) == 3


def package(folder: Path, name: str, group: str, value: str, source: str) -> Path:
    """A package as pip leaves it: a module, and the metadata that names its entry point."""
    metadata = folder / f"{name}-0.1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\nmine = {value}\n")
    (folder / f"{name}.py").write_text(source)
    return folder


SECOND_U3 = '''
from chattest.cases.base import ReplyCase, case

@case
class Mine(ReplyCase):
    """Mine."""

    code = "ML-U3"
    name = "personality.mine"
    scorer = "toxicity"
'''


@pytest.mark.parametrize(
    ("group", "value", "source", "said"),
    [
        (
            "chattest.cases",
            "clash",
            SECOND_U3,
            'case "ML-U3" is registered twice: by chattest.cases.ml_u3 and by clash (package clash 0.1); rename one',
        ),
        ("chattest.cases", "clash", "import nothing_of_this_name", "cannot be loaded: ModuleNotFoundError: No module"),
        ("chattest.cases", "clash", "1 / 0", "cannot be loaded: ZeroDivisionError"),
        ("chattest.cases", "clash", "import sys; sys.exit(0)", "cannot be loaded: SystemExit: 0"),
        ("chattest.cases", "clash:Mine", "", "cannot be loaded: AttributeError"),
        ("chattest.cases", "clash", "", "of chattest.cases registers no case"),
    ],
)
def test_a_package_whose_part_cannot_be_used_is_told_with_the_remedy(
    tmp_path: Path, group: str, value: str, source: str, said: str
) -> None:
    site = package(tmp_path / "site", "clash", group, value, source)
    refused = python(tmp_path, str(ROOT / "main.py"), "list", "cases", on_path=site)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert "clash 0.1" in refused.stderr
    assert "Update the package, or remove it: pip uninstall clash" in refused.stderr


def test_a_case_of_a_package_whose_scorer_does_not_exist_is_told(tmp_path: Path) -> None:
    source = SECOND_U3.replace("ML-U3", "ML-X8").replace('"toxicity"', '"toxcity"')
    site = package(tmp_path / "site", "clash", "chattest.cases", "clash", source)
    refused = python(tmp_path, str(ROOT / "main.py"), "list", "cases", on_path=site)
    assert refused.returncode == 2
    assert 'clash, case ML-X8: there is no scorer "toxcity"\n    Did you mean "toxicity"?' in refused.stderr


def test_two_packages_with_a_chatter_of_one_name_are_both_told(tmp_path: Path) -> None:
    source = "def get_response(history):\n    return 'Yes.'\n"
    site = package(tmp_path / "site", "one", "chattest.chatters", "one:get_response", source)
    package(site, "other", "chattest.chatters", "other:get_response", source)
    refused = python(tmp_path, str(ROOT / "main.py"), "list", "chatters", on_path=site)
    assert refused.returncode == 2
    told = (
        'chatter "mine" is registered twice: by one:get_response (package one 0.1) and by other:get_response (package'
    )
    assert told in refused.stderr


def test_a_file_of_the_project_comes_before_a_chatter_of_an_installed_package(tmp_path: Path, installed: Path) -> None:
    source = '"""Mine."""\nfrom chattest import Chatter\n\nclass Parrot(Chatter):\n    """The project\'s own."""\n'
    source += "    def get_response(self, conv_array):\n        return 'Mine.'\n"
    made = make_project(tmp_path / "project", parrot=source)
    listed = python(made, "main.py", "list", "chatters", on_path=installed)
    assert "parrot: The project's own." in listed.stdout, listed.stderr


def test_neither_help_nor_the_import_reads_entry_points(tmp_path: Path) -> None:
    site = package(tmp_path / "site", "clash", "chattest.cases", "clash", "1 / 0")
    assert python(tmp_path, str(ROOT / "main.py"), "--help", on_path=site).returncode == 0
    loaded = "import sys, chattest; print('importlib.metadata' in sys.modules, 'clash' in sys.modules)"
    assert python(tmp_path, "-c", loaded, on_path=site).stdout == "False False\n"
