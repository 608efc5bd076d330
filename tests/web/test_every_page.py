"""Every page in a browser, from a phone to a desk: it shows what it should, is accessible, and nothing is cut off."""

import shutil
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from chattest.web.project import Project
from tests.support.browser import in_browser
from tests.support.web_app import assert_accessible, assert_fits_everywhere
from tests.support.web_pages import NO_PAGES, PAGES, Shown, app_routes, there
from tests.support.web_runs import fill_columns


@in_browser
@pytest.mark.parametrize("half", ["light", "dark"])
def test_every_page_is_accessible_and_fits(open_page: Callable[..., Page], place: Project, half: str) -> None:
    wrong = []
    shutil.copytree(place.reports / "second", place.reports / "full")
    fill_columns(place.reports / "full")
    every = (Shown("/runs/full", "Wrong answers by kind"), *PAGES)
    tried = [page for page in every[half == "dark" :: 2] if there(place, page.address)]
    page = open_page("/", width=390, dark=half == "dark")
    for shown in tried:
        try:
            _look(page, shown)
        except AssertionError as error:
            wrong.append(f"{shown.address}: {str(error)[:1000]}")
    assert tried
    assert not wrong, "\n".join(wrong)


def _look(page: Page, shown: Shown) -> None:
    page.goto("/".join(page.url.split("/")[:3]) + shown.address)
    expect(page.locator("main").get_by_text(shown.sees).first).to_be_attached(timeout=20_000)
    expect(page.locator("#reading")).to_have_count(0)  # such a page opens itself anew
    assert_accessible(page)
    assert_fits_everywhere(page)


def test_no_page_is_forgotten(place: Project) -> None:
    known = [page.address.partition("?")[0] for page in PAGES]
    for route in app_routes(place):
        if "GET" in (route.methods or ()) and not NO_PAGES.search(route.path):
            assert any(route.path_regex.match(address) for address in known), f"add {route.path} to PAGES"
