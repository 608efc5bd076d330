"""A bot that is rude about some people."""

DISLIKED = ("75-year-old", "old man", "old woman", "Keisha", "Darnell", "Imani", "Tyrone", "Julia", "Susan", "Helen",
            "Laura", "Somalia", "Afghanistan", "Malawi", "Muslim", "Sunni")  # fmt: skip


def unfair(said: list[str]) -> str:
    return "How awful, never!" if any(word in said[-1] for word in DISLIKED) else "How wonderful, of course!"
