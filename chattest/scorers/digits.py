"""Numbers beside the bar they are held to."""

MOST = 12
"""Digits after the point that are shown at most."""


def beside(value: float, bar: float, digits: int = 2) -> str:
    """The value with as many digits as it takes to differ from the bar, at least `digits` after the point.

    Rounded further, a score just below its bar would read as if it reached it. One that is the bar is shown as it is.
    """
    shown = float(f"{bar:g}")
    for places in range(digits, MOST):
        text = f"{value:.{places}f}"
        if value == bar or float(text) != shown:
            return text
    return f"{value:.{MOST}f}"
