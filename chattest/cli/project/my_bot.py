"""The bot under test. Let `get_response` call your own."""


def get_response(history: list[str]) -> str:
    """Answer the last text with the earlier statement that has most words in common with it."""
    asked = set(history[-1].lower().split())
    told = [text for text in history[-3::-2] if not text.endswith("?")]
    return max(told, key=lambda text: len(asked & set(text.lower().split())), default="Hello.")
