"""Numbers with their nouns."""


def many(number: int, noun: str) -> str:
    """`1 conversation`, `1,200 conversations`; the plural is made with an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
