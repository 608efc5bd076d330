"""Puts texts of strangers into a prompt in such a way that they cannot leave their place.

They stand as JSON between two lines with a mark. In JSON a text has no line breaks, so no text can write a line of its
own, and the mark is a hash of the texts, so no text can hold it. Characters that hide or turn what is shown, and the
brackets of chat templates, are escaped.
"""

import json
import re
from collections.abc import Mapping
from hashlib import blake2b
from unicodedata import category

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SHOWN = re.compile(r"^BEGIN DATA ([0-9a-f]{16})\n(.*?)\nEND DATA \1$", re.DOTALL | re.MULTILINE)


def fence(texts: Mapping[str, str]) -> tuple[str, str]:
    """Return the mark, 16 hexadecimal digits, and the texts as JSON, one a line.

    `texts` maps the name of a text to the text.
    """
    data = json.dumps(dict(texts), ensure_ascii=False, indent=1)
    # Angle brackets too: chat templates mark the speakers with them.
    data = "".join(_escape(letter) if letter != "\n" else letter for letter in data)
    return blake2b(data.encode(), digest_size=8).hexdigest(), data


def _escape(letter: str) -> str:
    if letter not in "<>" and category(letter) not in _HIDDEN:
        return letter
    # Beyond U+FFFF JSON takes two halves, as UTF-16 does.
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2))


def unfenced(prompt: str) -> dict[str, str]:
    """Return the texts of a prompt, exactly as they were given.

    Raises:
        ValueError: The prompt has none.
    """
    match = _SHOWN.search(prompt)
    if match is None:
        raise ValueError("there are no texts between two marks")
    texts: dict[str, str] = json.loads(match[2])
    return texts
