"""The page that searches: what is found, at which times, opened by mouse and by keyboard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from pages_world import HOSTILE_NAME, HOSTILE_TEXT, overflow
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages_world import Site, Watched
    from playwright.sync_api import Page


def _parameters(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def _facts(page: Page) -> list[str]:
    return page.locator("#results .fact .sentence").all_inner_texts()


def test_what_is_typed_is_found_and_kept_in_the_address(page: Page, watched: Watched, site: Site) -> None:
    expect(page.locator("#query")).to_be_focused()
    page.keyboard.type("where does Ada work", delay=5)
    expect(page.locator("#results")).to_contain_text("Ada Byron works at Globex")
    expect(page.locator("#said")).to_contain_text("facts")
    again = watched.open(site, page.url)
    expect(again.locator("#query")).to_have_value("where does Ada work")
    expect(again.locator("#results")).to_contain_text("Ada Byron works at Globex")


def test_a_fact_leads_to_its_subject_and_its_object(page: Page) -> None:
    page.locator("#query").fill("Ada Globex")
    line = page.locator(".fact", has_text="Ada Byron works at Globex")
    expect(line.locator(".time")).to_have_text("2022-06 .. now")
    line.get_by_role("link", name="Globex").click()
    expect(page.locator("h1")).to_have_text("Globex")
    page.go_back()
    expect(page.locator("#results")).to_contain_text("Ada Byron works at Globex")


def test_chips_narrow_what_is_looked_for_and_how_it_is_ranked(page: Page) -> None:
    page.locator("#query").fill("Ada")
    expect(page.get_by_role("heading", name="Entities")).to_be_visible()
    page.get_by_role("button", name="Facts", exact=True).click()
    expect(page.get_by_role("heading", name="Entities")).to_be_hidden()
    page.get_by_role("button", name="Latest first").click()
    expect(page.get_by_role("button", name="Latest first")).to_have_attribute("aria-pressed", "true")
    assert _parameters(page) | {"q": ""} == {"q": "", "for": "fact", "way": "_recency"}
    page.get_by_role("button", name="Summaries", exact=True).click()
    expect(page.locator("#results")).to_contain_text("Nothing found")
    assert "way" not in _parameters(page)


def test_the_slider_of_valid_time_shows_what_held_then(page: Page) -> None:
    page.locator("#query").fill("where does Ada live")
    expect(page.locator("#results")).to_contain_text("Berlin")
    field = page.get_by_label("True as of, date in UTC")
    field.fill("2020-01-01")
    expect(page.locator("#results .fact", has_text="London")).to_be_visible()
    expect(page.locator("#results .fact", has_text="Ada Byron moved to Berlin")).to_have_count(0)
    assert _parameters(page)["as_of"] == "2020-01-01"
    page.locator("#valid-range").press("End")
    expect(page.locator("#results .fact", has_text="Berlin").first).to_be_visible()
    assert "as_of" not in _parameters(page)


def test_the_slider_moves_by_keys_between_the_ends_of_the_data(page: Page) -> None:
    slider = page.get_by_role("slider", name="True as of")
    expect(slider).to_have_attribute("aria-valuetext", "now")
    page.locator("#query").fill("Ada")
    expect(page.locator("#results")).to_contain_text("Ada Byron works at Globex")
    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^201[0-8]"))
    expect(page.locator("#results")).not_to_contain_text("Ada Byron works at Globex")
    first = _parameters(page)["as_of"]
    slider.press("ArrowRight")
    page.wait_for_function("before => !location.search.includes(before)", arg=first)
    assert _parameters(page)["as_of"] > first
    page.locator(".moment", has=slider).get_by_role("button", name="now").click()
    expect(page.locator("#results")).to_contain_text("Ada Byron works at Globex")


def test_the_slider_of_system_time_shows_what_was_believed_then(page: Page, site: Site) -> None:
    system = page.get_by_role("slider", name="Believed as of")
    page.wait_for_load_state("networkidle")
    assert system.input_value() == system.get_attribute("max")
    learned = site.call("GET", "/v1/facts", params={"about": "William King"})["items"][0]["version"]
    page.locator("#query").fill("William King")
    expect(page.locator("#results .fact", has_text="married")).to_be_visible()
    system.press("Home")
    expect(page.locator("#results .fact", has_text="married")).to_have_count(0)
    assert _parameters(page)["system_as_of"] < learned["created_at"]


def test_an_answer_that_came_late_is_not_shown(page: Page) -> None:
    page.route(
        "**/v1/search",
        lambda route: (
            page.wait_for_timeout(600) if "Globex" in (route.request.post_data or "") else None,
            route.continue_(),
        ),
    )
    page.locator("#query").fill("Globex")
    page.wait_for_timeout(300)
    page.locator("#query").fill("William King")
    expect(page.locator("#results .fact", has_text="married")).to_be_visible()
    page.wait_for_timeout(700)
    expect(page.locator("#results .fact", has_text="married")).to_be_visible()


def test_all_of_history_finds_what_is_over(page: Page) -> None:
    page.locator("#query").fill("Ada Acme")
    expect(page.locator("#results .fact").first).to_be_visible()
    assert "Ada Byron works at Acme" not in _facts(page)
    page.get_by_role("button", name="All of history").click()
    expect(page.locator("#results .fact", has_text="2019-03 .. 2022")).to_be_visible()
    expect(page.locator("#valid-range")).to_be_disabled()


def test_the_drawer_opens_the_evidence_and_escape_closes_it(page: Page) -> None:
    page.locator("#query").fill("Ada Globex")
    sentence = page.get_by_role("button", name="Ada Byron works at Globex")
    sentence.click()
    drawer = page.get_by_role("dialog", name="Evidence")
    expect(drawer).to_contain_text("2022-06 .. now")
    expect(drawer.locator("blockquote")).to_contain_text("She works at Globex since June 2022.")
    expect(drawer.locator("pre")).to_contain_text("Ada Byron left Acme in 2022.")
    expect(drawer.locator("mark").first).to_be_visible()
    assert "fact" in _parameters(page)
    page.reload()
    expect(drawer.locator("blockquote")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(page).not_to_have_url(re.compile("fact="))


def test_the_page_is_walked_by_keyboard_alone(page: Page) -> None:
    page.locator("#query").fill("Ada Globex")
    expect(page.locator("#results .fact").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    first = page.locator("#results [data-walk]").first
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(first).not_to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#query")).to_be_focused()
    expect(page.locator("#query")).to_have_value("Ada Globex")


def test_the_first_stop_of_the_keyboard_skips_to_the_page(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/?q=Ada")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_names_and_texts_that_mean_harm_are_shown_as_they_are(page: Page) -> None:
    page.locator("#query").fill("img onerror hacked Acme")
    expect(page.locator("#results")).to_contain_text(HOSTILE_NAME)
    page.locator("#query").fill("Carol Jones")
    expect(page.locator("#results")).to_contain_text(HOSTILE_TEXT)
    page.locator(".fact .sentence", has_text="Carol Jones").first.click()
    expect(page.get_by_role("dialog").locator("pre")).to_contain_text(HOSTILE_TEXT)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script, dialog script").count() == 0


def test_an_address_that_means_harm_does_none(watched: Watched, site: Site) -> None:
    page = watched.open(
        site, "/?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E&for=__proto__&way=%22&group=default"
    )
    expect(page.locator("#query")).to_have_value(HOSTILE_NAME)
    page.wait_for_timeout(300)
    assert page.evaluate("window.hacked") is None


def test_an_empty_memory_says_how_to_fill_it(watched: Watched, open_site: Callable[[], Site]) -> None:
    page = watched.open(open_site())
    expect(page.locator(".empty")).to_contain_text("memstrata add")


def test_a_group_is_chosen_for_all_that_follows(page: Page) -> None:
    page.get_by_label("Group").select_option("other")
    expect(page.locator("#results")).to_contain_text("Dan Gray")
    page.locator("#query").fill("who works where")
    expect(page.locator("#results")).to_contain_text("Initech")
    expect(page.locator("#results")).not_to_contain_text("Globex")
    expect(page.locator("#nav a", has_text="Review")).to_have_attribute("href", "/review?group=other")


def test_what_goes_wrong_is_said_with_what_to_do(watched: Watched, site: Site) -> None:
    watched.bear("status of 400")
    page = watched.open(site, "/?q=Ada&way=_mmr&group=no/such//group")
    notice = page.get_by_role("alert")
    expect(notice).to_be_visible()
    expect(notice).to_contain_text("group")
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_be_hidden()


def test_a_server_that_is_away_is_told_apart(page: Page, watched: Watched) -> None:
    watched.bear("Failed to load resource")
    expect(page.locator("#results .card").first).to_be_visible()
    page.context.set_offline(True)
    page.locator("#query").fill("Ada")
    expect(page.get_by_role("alert")).to_contain_text("memstrata serve")
    page.context.set_offline(False)
    page.locator("#query").fill("Ada Byron")
    expect(page.locator("#results .fact").first).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/", "/?q=Ada", "/?q=onerror", "/?q=Carol&for=episode", "/?q=zzzz&as_of=2020-01-01"]
)
def test_nothing_is_wider_than_a_phone(watched: Watched, site: Site, path: str, scheme: str) -> None:
    page = watched.phone(site, path, color_scheme=scheme)
    expect(page.locator("#results > *").first).to_be_visible()
    assert overflow(page) == 0
