"""Two hundred requests at once, while the folder of a run is being written."""

import asyncio
import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from chattest.files.atomic import write_whole
from chattest.web.project import Project
from tests.support.web_app import let_in, visitor
from tests.support.web_pages import NO_PAGES, pages_of, there

pytestmark = pytest.mark.slow

CROWD = 200


@contextmanager
def _written(folder: Path) -> Iterator[list[int]]:
    """Writes the files of a run again and again meanwhile, at once and in pieces; gives the number of rounds."""
    names = ("results.jsonl", "report.json", "run.json", "conversations/run-001.json")
    whole = {name: (folder / name).read_bytes() for name in names}
    done, rounds = threading.Event(), [0]

    def write() -> None:
        while not done.is_set():
            for name, content in whole.items():
                path = folder / name
                write_whole(path, content, sync=False)
                with path.open("r+b") as file:  # in place, seen half-written by whoever reads now
                    file.truncate(len(content) // 2)
                    file.seek(len(content) // 2)
                    file.write(content[len(content) // 2 :])
                path.unlink()
                write_whole(path, content, sync=False)
            rounds[0] += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield rounds
    finally:
        done.set()
        thread.join()


def test_a_crowd_is_answered_while_a_run_is_written(address: str, place: Project, project: Path) -> None:
    others = ("/testsets", "/testsets/new", "/chat", "/start", "/static/view.js")
    pages = [*pages_of(place, "first"), *(page for page in others if there(place, page))]

    async def crowd() -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=CROWD)
        async with httpx.AsyncClient(base_url=address, cookies=let_in(address), timeout=300, limits=limits) as client:
            wanted = itertools.islice(itertools.cycle(pages), CROWD)
            return await asyncio.gather(*(client.get(page) for page in wanted))

    with _written(project / "reports" / "first") as rounds:
        # In a thread of its own: the browser of other tests has its loop in this one.
        answers = ThreadPoolExecutor(1).submit(lambda: asyncio.run(crowd())).result()
    assert rounds[0] > 0
    assert len(answers) == CROWD
    assert [(answer.url.path, answer.status_code) for answer in answers if answer.status_code >= 500] == []
    with visitor(address) as client:
        pages = [page for page in pages if not NO_PAGES.search(page)]
        assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)
