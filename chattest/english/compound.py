"""Find nouns that form a compound with a noun next to them: "police officers", "exchange student"."""

from chattest.english.part_of_speech import NOUN, find_classes, find_word_class
from chattest.english.tagged import find_token, read_tokens


def is_compound(text: str, start: int, end: int) -> bool:
    """Return True if `text[start:end]` is a noun right next to another noun, so that a synonym may not fit."""
    tokens = read_tokens(text)
    inner = [index for index in range(find_token(tokens, start), find_token(tokens, end)) if tokens[index].end <= end]
    if not inner or not any(NOUN in find_classes(tokens[index].low) for index in inner):
        return False
    if len(inner) == 1 and find_word_class(tokens, inner[0]) not in (NOUN, ""):
        return False
    before, after = inner[0] - 1, inner[-1] + 1
    joined = before >= 0 and text[tokens[before].end : start] == " " and tokens[before].tag == "NN"
    joined = joined and text[tokens[before].start].islower() and find_classes(tokens[before].low) <= {NOUN, "v"}
    if joined and NOUN in find_classes(tokens[before].low):
        return True
    if after == len(tokens) or text[end : tokens[after].start] != " " or not text[tokens[after].start].islower():
        return False
    return tokens[after].tag in ("NN", "NNS") and find_classes(tokens[after].low) == {NOUN}
