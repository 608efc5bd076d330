"""A project with runs, the app served from it over a real socket, a client and a browser."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from chattest.web.project import Project
from tests.support.browser import CHROMIUM
from tests.support.web_app import let_in, served, visitor
from tests.support.web_runs import make_project

# Playwright's own five seconds are too few on two busy cores.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def _project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once; tests get copies."""
    return make_project(tmp_path_factory.mktemp("view") / "project")


@pytest.fixture
def project(_project: Path, tmp_path: Path) -> Path:
    """A copy of a project with the runs of `tests.support.web_runs`; the code in it is a link to this checkout's."""
    return Path(shutil.copytree(_project, tmp_path / "project", symlinks=True))


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of runs waits until all are read, however busy the machine is."""
    monkeypatch.setattr("chattest.web.pages.runs.MOMENT", 60.0)


@pytest.fixture
def place(project: Path) -> Project:
    """The project as the app sees it. Its visitors may choose any bot; `test_permissions` has those who may not."""
    return Project(project, project / "reports", allow_commands=True)


@pytest.fixture
def address(place: Project) -> Iterator[str]:
    """The app's address."""
    with served(place) as at:
        yield at


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """A client that says it comes from the app's own page."""
    with visitor(address) as client:
        yield client


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; closed after this folder, as Playwright's event loop stays in the thread of the tests."""
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Opens a path of the app in a context of its own; what its console says as an error fails the test."""
    said: list[str] = []
    contexts = []

    def opened(path: str = "/", width: int = 1200, dark: bool = False) -> Page:
        scheme: Literal["dark", "light"] = "dark" if dark else "light"
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        context.add_cookies([{"name": name, "value": value, "url": address} for name, value in let_in(address).items()])
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    # A status that the app answers on purpose is no fault of the page.
    assert not [text for text in said if "Failed to load resource" not in text]
