"""What a user has set, or how busy the machine is, that must not decide how a test ends.

The processes that tests start have the variables of the process that runs the tests, so that they are cleaned there,
before any is started. pytest itself has read its own by then.
"""

import os
import signal
import threading

from chattest.runner import background_scoring

FOR_PYTEST = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_DEBUG", "PYTEST_THEME")
FOR_TERMINALS = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "CLICOLOR_FORCE", "TTY_COMPATIBLE")
FOR_PYTHON = (
    "PYTHONIOENCODING",
    "PYTHONWARNINGS",
    "PYTHONOPTIMIZE",
    "PYTHONSAFEPATH",
    "PYTHONSTARTUP",
    "PYTHONINSPECT",
)
# Servers of tests are on this machine, and nothing else is asked.
FOR_THE_WEB = tuple(
    spelled for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy") for spelled in (name, name.upper())
)
DROPPED = (*FOR_PYTEST, *FOR_TERMINALS, *FOR_PYTHON, *FOR_THE_WEB)


def clean_environment() -> None:
    """Drop the variables that would change what the processes of tests print, find or ask."""
    for name in DROPPED:
        os.environ.pop(name, None)


def restore_signals() -> None:
    """Let the processes of tests be stopped by signals that were ignored when the tests were started.

    A shell that starts a program in the background has it ignore Ctrl-C, `nohup` the end of the terminal, and every
    process inherits that. A handler of our own is not inherited, so that these processes begin with the default.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)


def judge_at_the_end() -> None:
    """Have no run of this process start a second one that judges while the bots talk.

    Whether it is started depends on how long the bots talk, and so on how busy the machine is. It loads all judges
    anew, and the run waits for it. tests/runner/test_background_scoring.py starts it at once.
    """
    background_scoring.AFTER = 86_400.0
