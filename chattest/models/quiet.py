"""Silence transformers while models are loaded."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silence_transformers() -> Iterator[None]:
    """Turn off the progress bars and warnings of transformers; problems that matter are raised as exceptions."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
