"""Keys and passwords. They are kept in environment variables and never sent to a report, a log or the terminal."""

import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import quote

STARS = "***"
SHORTEST_CORE = 8
"""Fewest characters of base64 that count as a secret's: fewer may occur anywhere."""
_NAMED = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
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
    """Return True if a setting or variable of this name holds a secret: `api_key`, `X-Auth-Token`, `OPENAI_API_KEY`.

    False for `max_tokens` and `key_env`, and for the special tokens of language models, such as `eos_token`.
    """
    return bool(_NAME.fullmatch(name)) and not _MODEL_WORD.fullmatch(name)


def read_environment_secrets() -> dict[str, str]:
    """Return the secrets of the environment by variable: their value, or the password of a URL in it."""
    secrets = {}
    for name, value in os.environ.items():
        if name not in _SHELL_VARIABLES and is_secret_name(name):
            secrets[name] = value
        elif password := find_url_password(value):
            secrets[name] = password
    return {name: secret for name, secret in secrets.items() if len(secret) >= SHORTEST_SECRET}


def find_url_password(text: str) -> str:
    """Return the password of a URL such as `https://user:password@host`; empty without one."""
    match = _PASSWORD.search(text) if "://" in text else None
    return match[1] if match else ""


def mask_secrets(text: str) -> str:
    """Return the text with every secret of the environment replaced by `***`, however it is escaped or encoded."""
    return mask(text, read_environment_secrets().values())


def mask(text: str, secrets: Iterable[str]) -> str:
    """Return the text with secrets replaced by stars, in every form that `Forms` knows."""
    for secret in sorted({*secrets}, key=len, reverse=True):
        text = _get_forms(secret).mask(text)
    return text


def find_literal_secrets(value: Any, where: str) -> Iterator[str]:
    """Yield a message for each secret that a setting contains in plain text; the messages do not repeat the secret.

    A text counts as a secret if it contains the value of an environment variable that holds one, if it looks like one,
    or if its key names one. `${NAME}`, which stands for a variable, and `{slot}` are no secrets.

    Args:
        value: the setting's value.
        where: its name, for the messages.
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            inner_where = f"{where}.{name}"
            if isinstance(inner, str) and is_secret_name(str(name)) and inner and not re.search(r"\$?\{\w+\}", inner):
                yield f"{inner_where} looks like a key"
            else:
                yield from find_literal_secrets(inner, inner_where)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from find_literal_secrets(inner, f"{where}.{index}")
    elif isinstance(value, str):
        variables = [name for name, secret in read_environment_secrets().items() if secret in value]
        if variables:
            yield f"{where} contains the value of the environment variable {variables[0]}"
        elif _VALUE.search(value):
            yield f"{where} looks like a key"


# A secret does not stay as it is: an exception's `repr` doubles its backslashes, JSON escapes its quotes, a URL holds
# it in per cent, and a password goes out as `Basic`, in base64.


class Forms:
    """The forms of one secret."""

    def __init__(self, secret: str) -> None:
        """Prepare the forms of a secret, which must not be empty."""
        runs: list[str] = re.findall(r"[A-Za-z0-9]+", secret)
        self._sure = max(runs, key=len, default="")
        """A part that every form but base64 has; searched first, because that is quick."""
        self._escaped = re.compile(_make_pattern(secret))
        self._cores = _find_cores(secret)

    def mask(self, text: str) -> str:
        """Return the text with every form of the secret replaced by stars."""
        if self._sure in text:
            text = self._escaped.sub(STARS, text)
        for core in self._cores:
            if core in text:
                text = re.sub(rf"[\w+/-]*{re.escape(core)}[\w+/=-]*", STARS, text)
        return text


@lru_cache(maxsize=256)
def _get_forms(secret: str) -> Forms:
    """Return the forms of a secret; the latest are cached."""
    return Forms(secret)


def _make_pattern(secret: str) -> str:
    r"""Return an expression for the secret in which any character may be escaped, any number of times.

    Backslashes are counted once for a whole run: two of `\\+` next to each other would take for ever on a text of
    backslashes.
    """
    parts = []
    slashes = 0
    for char in secret:
        if char == "\\":
            slashes += 1
        else:
            parts.append(_escape_after_slashes(slashes, char))
            slashes = 0
    if slashes:
        parts.append(rf"(?:\\{{{slashes},}}|{_quote_char(chr(92)) * slashes})")
    return rf"(?<!\\){''.join(parts)}" if parts[0].startswith("(?:\\") else "".join(parts)


def _escape_after_slashes(slashes: int, char: str) -> str:
    """Return an expression for a character after so many backslashes."""
    if char.isascii() and char.isalnum():
        after, escaped = re.escape(char), ""
    else:
        after = f"(?:{'|'.join([re.escape(char), *_list_entities(char), _quote_char(char)])})"
        escaped = rf"\\+(?:{'|'.join([re.escape(char), *_list_escapes(char)])})"
    if not slashes:
        return f"(?:{escaped}|{after})" if escaped else after
    more = f"(?:{'|'.join([after, *_list_escapes(char)])})" if escaped else after
    return rf"(?:\\{{{slashes},}}{more}|{_quote_char(chr(92)) * slashes}{after})"


def _list_escapes(char: str) -> list[str]:
    """Return the characters after the backslash when Python or JSON escapes a character."""
    number = ord(char)
    forms = [f"(?i:x{number:02x})"] if number < 256 else []
    forms += [f"(?i:u{number:04x})"] if number < 65536 else [f"(?i:U{number:08x})", _escape_surrogates(number)]
    if number > 127:
        forms.append(r"\\+".join(f"(?i:x{byte:02x})" for byte in _encode(char)))
    return [*forms, *([_NAMED[char]] if char in _NAMED else [])]


def _escape_surrogates(number: int) -> str:
    high, low = divmod(number - 0x10000, 0x400)
    return rf"(?i:u{0xD800 + high:04x})\\+(?i:u{0xDC00 + low:04x})"


def _quote_char(char: str) -> str:
    """Return an expression for a character in a URL."""
    encoded = "".join(f"%{byte:02x}" for byte in _encode(char))
    return f"(?i:{encoded})" if char != " " else r"(?:%20|\+)"


def _list_entities(char: str) -> list[str]:
    """Return a character's entities in HTML."""
    named = escape(char)
    return [*([re.escape(named)] if named != char else []), f"&#0*{ord(char)};", f"(?i:&#x0*{ord(char):x};)"]


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape") if _is_encodable(text) else text.encode("utf-8", "replace")


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" for char in text)


def _find_cores(secret: str) -> list[str]:
    """Return the base64 that the secret's bytes make, at each of the three possible offsets.

    The text before and after, such as `user:`, decides only the characters at the ends, which are left out.
    """
    raw = _encode(secret)
    cores: dict[str, None] = {}
    for offset in range(3):
        encoded = b64encode(bytes(offset) + raw).decode()
        core = encoded[-(-8 * offset // 6) : 8 * (offset + len(raw)) // 6]
        if len(core) >= SHORTEST_CORE:
            safe = core.replace("+", "-").replace("/", "_")
            cores |= dict.fromkeys((core, safe, quote(core, safe="")))
    return list(cores)
