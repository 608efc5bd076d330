"""Finds a secret in the forms in which errors, logs and requests hold it.

A secret does not stay as it is: an exception's `repr` doubles its backslashes, JSON escapes its quotes, a URL holds it
in per cent, and a URL's password goes out as `Basic` with a user's name, in base64.
"""

import re
from base64 import b64encode
from functools import lru_cache
from html import escape
from urllib.parse import quote

STARS = "***"
SHORTEST_CORE = 8
"""Fewest characters of base64 that are taken for a secret's: fewer may stand anywhere."""
_NAMED = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}


class Forms:
    """The forms of one secret."""

    def __init__(self, secret: str) -> None:
        """secret: not empty."""
        runs: list[str] = re.findall(r"[A-Za-z0-9]+", secret)
        self._sure = max(runs, key=len, default="")
        """What every form but base64 has; looked for first, since that is quick."""
        self._escaped = re.compile(_pattern(secret))
        self._cores = _cores(secret)

    def starred(self, text: str) -> str:
        """Return the text with every form of the secret replaced by stars."""
        if self._sure in text:
            text = self._escaped.sub(STARS, text)
        for core in self._cores:
            if core in text:
                text = re.sub(rf"[\w+/-]*{re.escape(core)}[\w+/=-]*", STARS, text)
        return text


@lru_cache(maxsize=256)
def forms_of(secret: str) -> Forms:
    """Return the forms of a secret; those of the last ones are kept."""
    return Forms(secret)


def _pattern(secret: str) -> str:
    """Return an expression for the secret in which any character may be escaped, any number of times over.

    Backslashes are counted once for a whole run: two of `\\\\+` side by side would take for ever on a text of them.
    """
    parts = []
    slashes = 0
    for char in secret:
        if char == "\\":
            slashes += 1
        else:
            parts.append(_with_slashes(slashes, char))
            slashes = 0
    if slashes:
        parts.append(rf"(?:\\{{{slashes},}}|{_per_cent(chr(92)) * slashes})")
    return rf"(?<!\\){''.join(parts)}" if parts[0].startswith("(?:\\") else "".join(parts)


def _with_slashes(slashes: int, char: str) -> str:
    """Return an expression for a character after so many backslashes."""
    if char.isascii() and char.isalnum():
        after, escaped = re.escape(char), ""
    else:
        after = f"(?:{'|'.join([re.escape(char), *_entities(char), _per_cent(char)])})"
        escaped = rf"\\+(?:{'|'.join([re.escape(char), *_escapes(char)])})"
    if not slashes:
        return f"(?:{escaped}|{after})" if escaped else after
    more = f"(?:{'|'.join([after, *_escapes(char)])})" if escaped else after
    return rf"(?:\\{{{slashes},}}{more}|{_per_cent(chr(92)) * slashes}{after})"


def _escapes(char: str) -> list[str]:
    """Return what follows the backslash where Python or JSON escapes a character."""
    number = ord(char)
    forms = [f"(?i:x{number:02x})"] if number < 256 else []
    forms += [f"(?i:u{number:04x})"] if number < 65536 else [f"(?i:U{number:08x})", _surrogates(number)]
    if number > 127:
        forms.append(r"\\+".join(f"(?i:x{byte:02x})" for byte in _bytes(char)))
    return [*forms, *([_NAMED[char]] if char in _NAMED else [])]


def _surrogates(number: int) -> str:
    high, low = divmod(number - 0x10000, 0x400)
    return rf"(?i:u{0xD800 + high:04x})\\+(?i:u{0xDC00 + low:04x})"


def _per_cent(char: str) -> str:
    """Return an expression for a character in a URL."""
    encoded = "".join(f"%{byte:02x}" for byte in _bytes(char))
    return f"(?i:{encoded})" if char != " " else r"(?:%20|\+)"


def _entities(char: str) -> list[str]:
    """Return a character's entities in HTML."""
    named = escape(char)
    return [*([re.escape(named)] if named != char else []), f"&#0*{ord(char)};", f"(?i:&#x0*{ord(char):x};)"]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape") if _is_encodable(text) else text.encode("utf-8", "replace")


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" for char in text)


def _cores(secret: str) -> list[str]:
    """Return the base64 that the secret's own bytes make, at each of the three offsets that others can put it.

    What comes before and after, such as `user:`, decides only the characters at the ends, which are left out.
    """
    raw = _bytes(secret)
    cores: dict[str, None] = {}
    for offset in range(3):
        encoded = b64encode(bytes(offset) + raw).decode()
        core = encoded[-(-8 * offset // 6) : 8 * (offset + len(raw)) // 6]
        if len(core) >= SHORTEST_CORE:
            safe = core.replace("+", "-").replace("/", "_")
            cores |= dict.fromkeys((core, safe, quote(core, safe="")))
    return list(cores)
