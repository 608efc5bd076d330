"""Waits until the app has judged a run again."""

import time

import httpx


def until_saved(client: httpx.Client, answer: httpx.Response) -> str:
    """Waits until what was answered is done; the page that tells so."""
    assert answer.status_code == 303, answer.text
    until = time.monotonic() + 60
    while not client.get(answer.headers["location"], headers={"Accept": "application/json"}).json()["done"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    return client.get(answer.headers["location"]).text
