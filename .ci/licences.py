"""Writes docs/licences.md: the licence that each installed package of requirements.lock states of itself."""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = """# Licences of what is installed

Made by `make lock` from what torch and the packages of `requirements.lock` state of themselves. Packages for other
systems only are not among them.

| package | version | licence |
|---|---|---|
"""


def licence(name: str) -> tuple[str, str, str] | None:
    """Name, version and licence of an installed package; `None` where it is not installed."""
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return None
    lines = [line for line in found.get_all("Classifier", []) if line.startswith("License ::")]
    classifiers = [line.rpartition(" :: ")[2] for line in lines]
    stated = found.get("License", "").strip()
    named = found.get("License-Expression") or ", ".join(classifiers)
    if not named or (named == "OSI Approved" and stated):
        named = stated.splitlines()[0] if stated else "not stated"
    return found["Name"], found["Version"], named.replace("|", "/")[:100]


def main() -> None:
    """Writes the file."""
    names = re.findall(r"(?m)^([a-z0-9._-]+)==", (ROOT / "requirements.lock").read_text("utf-8"))
    rows = [row for name in sorted({*names, "torch"}) if (row := licence(name)) is not None]
    table = "".join(f"| {name} | {version} | {named} |\n" for name, version, named in rows)
    (ROOT / "docs" / "licences.md").write_text(HEAD + table, encoding="utf-8")
    print(f"docs/licences.md: {len(rows)} packages")


if __name__ == "__main__":
    main()
