"""The chatters and test sets that ship with chattest, and the files that `chattest init` starts a project from.

The folder of an installed package holds them all. In a checkout they lie beside the package, as `chatters/`,
`testsets/` and `config.py`; this package then looks there, so that `chattest.shipped.chatters.eliza` is the same module
in both.
"""

from pathlib import Path

if not (Path(__file__).parent / "chatters").is_dir():
    __path__.append(str(Path(__file__).resolve().parents[2]))
