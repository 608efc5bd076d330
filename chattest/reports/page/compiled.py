"""Keep compiled templates while the process lasts: a run may write its page several times."""

from types import CodeType

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class Compiled(BytecodeCache):
    """A cache in memory, for environments that differ only in where they find templates."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the compiled template, if it was compiled before with the same text."""
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the compiled template."""
        self._kept[bucket.key, bucket.checksum] = bucket.code


COMPILED = Compiled()
