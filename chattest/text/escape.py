"""Makes untrusted text safe to show: everything that goes to a terminal or into a report passes through here."""

import re

# Shown as escapes: control characters but tab and line feed, halves of surrogate pairs and U+FFFE and U+FFFF (XML
# carries none of them), line separators, and the marks that reverse the reading order of what follows.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def visible(text: str) -> str:
    """The text with every character that cannot be seen or printed as a Python escape, such as `\\x1b`.

    Tabs and line breaks stay; a carriage return before a line feed is part of the break.
    """
    return _UNSEEN.sub(_escape, text.replace("\r\n", "\n"))
