"""The bot under test. Let `get_response` call your own."""

from chattest import Chatter


class MyBot(Chatter):
    """Says again what it was told, the sentence that shares most words with what it is asked."""

    def get_response(self, conv_array: list[str]) -> str:
        """The reply to the last text of the conversation, `conv_array[-1]`."""
        asked = set(conv_array[-1].lower().split())
        told = [text for text in conv_array[-3::-2] if not text.endswith("?")]
        return max(told, key=lambda text: len(asked & set(text.lower().split())), default="Hello.")
