"""Does once what nearly every run does before its own work: half of a small run's seconds (see `warm`)."""

import gc
from pathlib import Path
from tempfile import TemporaryDirectory

from chattest.datasets.testsets import read_testsets
from chattest.planning.planner import plan
from chattest.reports.writers import html, xlsx
from chattest.settings.declaration import Settings
from tests.support.paths import TESTSETS
from tests.support.sample_report import sample
from tests.support.surroundings import judge_at_the_end

plan(Settings(), read_testsets(TESTSETS), 1)  # registries, tables of words, a thousand regular expressions
with TemporaryDirectory() as _folder:
    for _writer in (html, xlsx):  # templates
        _writer.write(sample(1, nasty=False), Path(_folder))
judge_at_the_end()
gc.collect()
gc.freeze()  # or every process would go through all that is loaded, and so copy it, when it collects its own garbage
