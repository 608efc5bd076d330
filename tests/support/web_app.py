"""The app served over a real socket, and what a page of it must be."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Page

from chattest.web.app import make_app
from chattest.web.connections import make_server
from chattest.web.project import Project
from chattest.web.security import make_cookie_name, make_cookie_value
from chattest.web.server import open_listener

TOKEN = "open sesame"
"""The token of all apps that tests serve."""
WIDTHS = (360, 390, 768, 1024, 1096, 1280)
"""Widths of windows in pixels; 1096 is just wide enough for tables with all their columns."""
TOO_WIDE = """
[document.documentElement, ...document.querySelectorAll("main .scroll")]
  .filter((box) => box.scrollWidth > box.clientWidth && !box.querySelector(":scope > svg"))
  .map((box) => `${box.getAttribute("aria-label") || box.className || "page"}: ${box.scrollWidth - box.clientWidth}`)
"""
"""What is wider than its place, in JavaScript. Drawings that grow with the number of runs scroll by themselves."""


@contextmanager
def served(place: Project) -> Iterator[str]:
    """The app over a real socket, as `view` serves it; gives its address."""
    listener = open_listener("127.0.0.1", 0)
    server = make_server(make_app(place, TOKEN))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


def let_in(address: str) -> dict[str, str]:
    """The cookie of somebody who has brought the token of the app at an address."""
    return {make_cookie_name(urlsplit(address).netloc): make_cookie_value(TOKEN)}


def visitor(address: str, **options: Any) -> httpx.Client:
    """A client that has brought the token, and says that it comes from the app's own page."""
    return httpx.Client(base_url=address, headers={"Origin": address}, cookies=let_in(address), timeout=60, **options)


def assert_accessible(page: Page) -> None:
    """axe-core finds nothing serious on a page."""
    from axe_playwright_python.sync_playwright import Axe

    page.wait_for_load_state()
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    assert not serious, json.dumps([(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in serious], indent=1)


def assert_fits(page: Page) -> None:
    """Nothing is wider than the window, so that nobody has to scroll sideways."""
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def assert_fits_everywhere(page: Page) -> None:
    """Nobody has to scroll sideways, in the whole page or in a table of it, from a small phone to a desk."""
    before, too_wide = page.viewport_size, {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        found = page.evaluate(TOO_WIDE)
        if found:
            too_wide[width] = found
    if before is not None:
        page.set_viewport_size(before)
    assert not too_wide, json.dumps(too_wide, indent=1)
