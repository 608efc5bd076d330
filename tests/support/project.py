"""A project folder of its own for a test: main.py, config.py, the shipped test sets, and bots written here."""

import shutil
from pathlib import Path
from typing import Any

from tests.support.stand_ins import ROOT

BOTS = {
    # Remembers what it was told; forgets one sentence in three.
    "keeper": '''
from random import Random

from chattest import Chatter


class Keeper(Chatter):
    """Answers with what it was told."""

    def start(self, conversation_id, seed, plan):
        self.chance, self.told, self.asked = Random(seed), [], 0

    def get_response(self, conv_array):
        self.asked += 1
        last = conv_array[-1]
        if not last.endswith("?") and self.chance.random() < 0.7:
            self.told.append(last)
        if last.endswith("?") and self.told:
            return self.chance.choice(self.told)
        return f"I see, number {self.asked}. What do you think of {self.chance.randint(1, 9)} cats?"
''',
    "asker": '''
from random import Random

from chattest import Chatter


class Asker(Chatter):
    """Talks about the day."""

    def start(self, conversation_id, seed, plan):
        self.chance = Random(seed)

    def get_response(self, conv_array):
        return f"On day {self.chance.randint(1, 1000)} I went out."
''',
}

SLOW = '''
import time

from chatters.keeper import Keeper as _Keeper


class Slow(_Keeper):
    """Takes its time."""

    def get_response(self, conv_array):
        time.sleep(0.03)
        return super().get_response(conv_array)
'''


def make_project(folder: Path, **bots: str) -> Path:
    """The folder, with more bots as `name="source"`."""
    (folder / "chatters").mkdir(parents=True)
    (folder / "testsets").symlink_to(ROOT / "testsets")
    (folder / "chattest").symlink_to(ROOT / "chattest")
    for name in ("main.py", "config.py"):
        shutil.copy(ROOT / name, folder / name)
    for name, source in {**BOTS, **bots}.items():
        (folder / "chatters" / f"{name}.py").write_text(source)
    return folder


def cells(workbook: Path) -> dict[str, dict[str, Any]]:
    """Sheet -> place -> what stands there, formulas as formulas."""
    from openpyxl import load_workbook

    book = load_workbook(workbook)
    return {
        sheet.title: {
            cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row if cell.value is not None
        }
        for sheet in book.worksheets
    }
