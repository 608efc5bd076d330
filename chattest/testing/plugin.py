"""A pytest plugin: the fixture `bot` is the bot under test.

    import chattest

    def test_knows_its_name(bot):
        assert "Alice" in bot.ask("What is your name?").text

    def test_tolerates_typos(bot):
        chattest.require(bot, "invariance.letter_typo", min_rate=0.9)

The bot is chatter 2 of the settings file given by `--chattest-config`, by default config.py in pytest's root folder.
The installed package registers the plugin; from a checkout, load it with `-p chattest.testing.plugin`.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from chattest.testing.bot import BotUnderTest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--chattest-config`."""
    group = parser.getgroup("chattest")
    group.addoption("--chattest-config", type=Path, help="settings file of the bot under test; default: config.py")


@pytest.fixture(scope="session")
def bot(pytestconfig: pytest.Config) -> "BotUnderTest":
    """Return the bot under test, with the methods `ask` and `require`."""
    # Imported here, so that only tests that use the fixture pay for it.
    from chattest.settings.file import read_settings
    from chattest.testing.bot import BotUnderTest

    config: Path = pytestconfig.getoption("--chattest-config") or pytestconfig.rootpath / "config.py"
    return BotUnderTest(config.resolve().parent, read_settings(config).changed())
