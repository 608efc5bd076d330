"""Keys and passwords. They are kept in environment variables and never sent to a report, a log or the terminal."""

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from chattest.files.secret_forms import forms_of

SHORTEST_SECRET = 8
"""Fewest characters of a value that is masked: a shorter one may be an ordinary word."""

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

_PASSWORD = re.compile(r"://[^/?#\s@:]*:([^/?#\s@]+)@")
_SHELL_VARIABLES = {"PWD", "OLDPWD"}
"""Variables of the shell whose names look like passwords."""


def is_secret_name(name: str) -> bool:
    """Whether a setting or variable of this name holds a secret: `api_key`, `X-Auth-Token`, `OPENAI_API_KEY`.

    False for `max_tokens` and `key_env`, and for the special tokens of language models, such as `eos_token`.
    """
    return bool(_NAME.fullmatch(name)) and not _MODEL_WORD.fullmatch(name)


def environment_secrets() -> dict[str, str]:
    """Name -> secret, for the environment variables that hold one: their value, or the password of a URL in it."""
    secrets = {}
    for name, value in os.environ.items():
        if name not in _SHELL_VARIABLES and is_secret_name(name):
            secrets[name] = value
        elif password := url_password(value):
            secrets[name] = password
    return {name: secret for name, secret in secrets.items() if len(secret) >= SHORTEST_SECRET}


def url_password(text: str) -> str:
    """Return the password of a URL such as `https://user:password@host`; empty without one."""
    found = _PASSWORD.search(text) if "://" in text else None
    return found[1] if found else ""


def mask_secrets(text: str) -> str:
    """The text with every secret of the environment replaced by `***`, however it is escaped or encoded."""
    return starred(text, environment_secrets().values())


def starred(text: str, secrets: Iterable[str]) -> str:
    """Return the text with secrets replaced by stars, in every form of `chattest.files.secret_forms`."""
    for secret in sorted({*secrets}, key=len, reverse=True):
        text = forms_of(secret).starred(text)
    return text


def literal_secrets(value: Any, where: str) -> Iterator[str]:
    """A message for each secret that a setting contains in plain text; the messages do not repeat the secret.

    value: the setting's value. where: its name, for the messages. A text counts as a secret if it contains the value of
    an environment variable that holds one, if it looks like one, or if its key says so. `${NAME}`, which stands for a
    variable, and `{slot}` are no secrets.
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            inner_where = f"{where}.{name}"
            if isinstance(inner, str) and is_secret_name(str(name)) and inner and not re.search(r"\$?\{\w+\}", inner):
                yield f"{inner_where} looks like a key"
            else:
                yield from literal_secrets(inner, inner_where)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from literal_secrets(inner, f"{where}.{index}")
    elif isinstance(value, str):
        variables = [name for name, secret in environment_secrets().items() if secret in value]
        if variables:
            yield f"{where} contains the value of the environment variable {variables[0]}"
        elif _VALUE.search(value):
            yield f"{where} looks like a key"
