"""The pages where a token is needed: asked for once, kept in the tab, forgotten when one says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pages_world import overflow
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages_world import Site, Watched


@pytest.fixture
def locked(open_site: Callable[[], Site]) -> tuple[Site, str]:
    site = open_site()
    site.tell(("Ada Byron has worked at Acme since 2021.", "2024-05-14"))
    site.tell(("Dan Gray works at Initech.", "2024-05-14"), group="other")
    return site, site.token("default")


def test_a_token_is_asked_for_kept_in_the_tab_and_forgotten(
    watched: Watched, locked: tuple[Site, str]
) -> None:
    watched.bear("status of 401")
    site, token = locked
    page = watched.open(site, "/?q=Ada")
    dialog = page.get_by_role("dialog", name="This memory needs a token")
    expect(dialog).to_be_visible()
    expect(page.get_by_label("Token", exact=True)).to_be_focused()
    page.keyboard.type(token)
    page.keyboard.press("Enter")
    expect(page.locator("#results")).to_contain_text("Ada Byron")
    expect(dialog).to_have_count(0)
    page.reload()
    expect(page.locator("#results")).to_contain_text("Ada Byron")
    assert token not in page.url
    assert page.context.cookies() == []
    assert page.evaluate("JSON.stringify(localStorage)") == "{}"
    page.get_by_role("button", name="Forget token").click()
    expect(dialog).to_be_visible()
    assert page.evaluate("JSON.stringify(sessionStorage)") == "{}"
    expect(page.locator("#results")).not_to_contain_text("Ada Byron")


def test_another_tab_knows_nothing_of_the_token(watched: Watched, locked: tuple[Site, str]) -> None:
    watched.bear("status of 401")
    site, token = locked
    page = watched.open(site)
    page.get_by_label("Token", exact=True).fill(token)
    page.keyboard.press("Enter")
    expect(page.locator("#results .card").first).to_be_visible()
    other = page.context.new_page()
    other.goto("/")
    expect(other.get_by_role("dialog")).to_be_visible()


def test_a_token_that_is_not_valid_is_asked_for_again(watched: Watched, locked: tuple[Site, str]) -> None:
    watched.bear("status of 401")
    site, token = locked
    page = watched.open(site)
    page.get_by_label("Token", exact=True).fill("mst_nonsense")
    page.keyboard.press("Enter")
    again = page.get_by_role("dialog", name="That token is not valid")
    expect(again).to_be_visible()
    page.get_by_label("Token", exact=True).fill(token)
    page.keyboard.press("Enter")
    expect(page.locator("#results .card").first).to_be_visible()


def test_who_gives_no_token_is_told_how_to_come_by_one(watched: Watched, locked: tuple[Site, str]) -> None:
    watched.bear("status of 401")
    page = watched.phone(locked[0])
    expect(page.get_by_role("dialog")).to_be_visible()
    assert overflow(page) == 0
    page.get_by_role("button", name="Not now").tap()
    expect(page.get_by_role("alert")).to_contain_text("memstrata token create")


def test_nothing_of_another_group_is_shown(watched: Watched, locked: tuple[Site, str]) -> None:
    watched.bear("status of 401")
    watched.bear("status of 403")
    site, token = locked
    page = watched.open(site)
    page.get_by_label("Token", exact=True).fill(token)
    page.keyboard.press("Enter")
    expect(page.locator("#results .card").first).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("other")
    page.goto("/?q=Dan&group=other")
    expect(page.get_by_role("alert")).to_contain_text("Choose a group that this token reaches")
    expect(page.locator("#results")).not_to_contain_text("Initech")
