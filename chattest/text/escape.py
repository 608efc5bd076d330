"""Makes untrusted text safe to show. All text for a terminal or a report is escaped here."""

import re

# Shown as escapes: control characters except tab and line feed, lone surrogates, U+FFFE and U+FFFF (XML allows none of
# these), line separators, and the characters that reverse the reading order.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def visible(text: str) -> str:
    r"""Write every invisible or unprintable character as a Python escape, such as `\x1b`.

    Tabs and line breaks stay; a carriage return before a line feed is part of the break.
    """
    return text if text.isprintable() else _UNSEEN.sub(_escape, text.replace("\r\n", "\n"))
