from typing import Any

from chattest.mutation.base import operator


@operator("sign flip")
def sign_flip(weights: Any, share: float, chance: Any) -> None:
    """Turns the sign of every weight."""
    weights *= -1
