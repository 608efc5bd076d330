"""Writes a perturbation's golden file, to be read by a person: `python -m tests.perturbations.write NAME TEXT ...`."""

import json
import sys
from dataclasses import asdict
from random import Random

from chattest.perturbations.base import resolve
from tests.support.paths import DATA

SEED = 1


def golden(name: str, texts: list[str]) -> dict[str, object]:
    """The seed and, for each text, every variant that the perturbation makes of it."""
    cases = []
    for text in texts:
        variants = [asdict(variant) for variant in resolve(name).variants(text, Random(SEED))]
        shown = [{key: variant[key] for key in ("kind", "edits", "dose", "text")} for variant in variants]
        cases.append({"text": text, "variants": shown})
    return {"seed": SEED, "cases": cases}


if __name__ == "__main__":
    name, *texts = sys.argv[1:]
    path = DATA / "perturbations" / f"{name}.json"
    path.write_text(json.dumps(golden(name, texts), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{path}: read what it says")
