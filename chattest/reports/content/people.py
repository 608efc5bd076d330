"""What a report says about the verdicts that people have reviewed."""

from chattest.records.result import Result


def mark(result: Result) -> str:
    """`reviewed: pass`, or nothing."""
    return f"reviewed: {result.person}" if result.person else ""
