from chattest import Chatter


class Parrot(Chatter):
    """Answers yes and repeats what it hears."""

    def get_response(self, conv_array: list[str]) -> str:
        """A yes, and the last text."""
        return f"Yes. {conv_array[-1]}"
