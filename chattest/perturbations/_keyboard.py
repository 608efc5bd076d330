"""The English keyboard."""

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SHIFTS = (0.0, 0.25, 0.75)  # how far each row is shifted to the right, in keys


def _near(letter: str) -> str:
    positions = {key: (row, column + _SHIFTS[row]) for row, keys in enumerate(_ROWS) for column, key in enumerate(keys)}
    row, column = positions[letter]
    return "".join(
        key for key, (r, c) in positions.items() if key != letter and abs(r - row) <= 1 and abs(c - column) <= 1
    )


NEIGHBOURS = {letter: _near(letter) for keys in _ROWS for letter in keys}
"""Lower-case letter -> the letters on the keys that touch its key."""
