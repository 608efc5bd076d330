"""The app served over a real socket, and what a page of it must be."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from playwright.sync_api import Page

from chattest.web.app import make_app
from chattest.web.place import Place
from chattest.web.server import _listener


@contextmanager
def served(place: Place, **options: Any) -> Iterator[str]:
    """The app over a real socket; gives its address."""
    listener = _listener("127.0.0.1", 0)
    config = uvicorn.Config(make_app(place, **options), log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


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
