"""Keys and passwords: they stand in the environment alone, and show in nothing that is said, saved or printed."""

import os
import re
from collections.abc import Iterator
from typing import Any

SHORTEST = 8
"""Characters of an environment variable's value from which on it is starred out: shorter ones are words of any text."""

_NAME = re.compile(
    r"\A(?:[a-z0-9]{1,40}[-_ .]){0,9}?"
    r"(?:(?:api|access|auth|bearer|client|private|refresh|secret|service|session)[-_ .]?)?"
    r"(?:key|token|secret|passw(?:or)?d|pwd|passphrase|credentials?|authorization|cookie)",
    re.IGNORECASE,
)
_MODEL_WORD = re.compile(r"(?:[bep]os|bo[sw]|eo[stw]|pad|unk|mask|sep|cls|stop|start|end)[-_ ]?token", re.IGNORECASE)
_VALUE = re.compile(
    r"\bBearer\s+[^\s${]{8}|\b(?:sk|pk|rk)-[\w-]{16}|\bgh[pousr]_\w{20}|\bxox[abprs]-[\w-]{10}|\bAKIA[0-9A-Z]{16}"
    r"|\bAIza[\w-]{30}|\beyJ[\w-]{10,200}\.[\w-]{10}"
)

_FOLDERS = {"PWD", "OLDPWD"}
"""The shell's own, named like passwords."""


def names_a_key(name: str) -> bool:
    """Whether something of this name holds a key: `api_key`, `X-Auth-Token`, `OPENAI_API_KEY`, `password`.

    Not `max_tokens` or `key_env`, nor the marks of language models such as `eos_token`.
    """
    return bool(_NAME.fullmatch(name)) and not _MODEL_WORD.fullmatch(name)


def environment_keys() -> dict[str, str]:
    """Name -> value of the environment variables that hold a key."""
    return {
        name: value
        for name, value in os.environ.items()
        if len(value) >= SHORTEST and names_a_key(name) and name not in _FOLDERS
    }


def masked(text: str) -> str:
    """The text with every key of the environment replaced by stars."""
    for value in sorted(environment_keys().values(), key=len, reverse=True):
        text = text.replace(value, "***")
    return text


def written_out(value: Any, place: str) -> Iterator[str]:
    """What in a setting is a key written out, in words that do not repeat it.

    value: whatever a setting holds. A text is one when an environment variable holds the same, when it looks like one,
    or when its name says so; `${NAME}`, which stands for a variable, and `{slot}` are none.
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            where = f"{place}.{name}"
            if isinstance(inner, str) and names_a_key(str(name)) and inner and not re.search(r"\$?\{\w+\}", inner):
                yield f"{where} looks like a key"
            else:
                yield from written_out(inner, where)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from written_out(inner, f"{place}.{number}")
    elif isinstance(value, str):
        held = [name for name, key in environment_keys().items() if key in value]
        if held:
            yield f"{place} holds what the environment variable {held[0]} holds"
        elif _VALUE.search(value):
            yield f"{place} looks like a key"
