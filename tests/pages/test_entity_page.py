"""An entity's page: its life as bars, what holds, its summary, what was believed when, who it is."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from pages_world import HOSTILE_NAME, overflow
from playwright.sync_api import expect

from memstrata.model import Block, Summary

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages_world import Site, Watched
    from playwright.sync_api import Locator, Page


@pytest.fixture
def ada(watched: Watched, site: Site) -> Page:
    return watched.open(site, site.entity_page("Ada Byron"))


def _bar(page: Page, told: str) -> Locator:
    return page.locator(".life").get_by_role("button", name=re.compile(f"^{told}"))


def test_a_life_is_drawn_by_relation_with_a_bar_for_each_fact(ada: Page) -> None:
    expect(ada.get_by_role("heading", level=1)).to_have_text("Ada Byron")
    expect(ada.locator(".relation-name").first).to_be_visible()
    names = ada.locator(".relation-name").all_text_contents()
    assert {"works at", "lives in", "is married to", "manages (of others)"} <= set(names)
    past, present = _bar(ada, "Ada Byron works at Acme"), _bar(ada, "Ada Byron works at Globex")
    expect(past).to_have_class(re.compile("past"))
    expect(past).to_have_attribute("aria-label", re.compile(r"2019-03 \.\. 2022$"))
    expect(present).to_have_class(re.compile("holds"))
    assert _right(past) <= _left(present)
    assert _left(_bar(ada, "Ada Byron moved to Berlin")) < _left(present)


def _left(bar: Locator) -> float:
    box = bar.locator(".body").bounding_box()
    assert box is not None
    return box["x"]


def _right(bar: Locator) -> float:
    box = bar.locator(".body").bounding_box()
    assert box is not None
    return box["x"] + box["width"]


def test_what_is_contested_and_what_began_nobody_knows_when_are_marked(ada: Page) -> None:
    expect(ada.locator(".bar.contested").first).to_have_attribute("aria-label", re.compile("contested$"))
    unknown = ada.locator(".bar.unknown-start")
    expect(unknown).to_have_attribute("aria-label", re.compile(r"Charles Babbage, \? \.\. 2023-06"))


def test_a_bar_tells_its_fact_and_opens_its_evidence(ada: Page) -> None:
    bar = _bar(ada, "Ada Byron works at Globex")
    bar.hover()
    expect(ada.get_by_role("tooltip")).to_contain_text("2022-06 .. now")
    bar.focus()
    ada.keyboard.press("Enter")
    drawer = ada.get_by_role("dialog", name="Evidence")
    expect(drawer.locator("blockquote")).to_contain_text("She works at Globex since June 2022.")
    ada.keyboard.press("Escape")
    expect(bar).to_be_focused()
    ada.keyboard.press("ArrowDown")
    expect(bar).not_to_be_focused()


def test_the_slider_of_valid_time_shows_what_held_then(ada: Page) -> None:
    expect(ada.locator(".holding")).to_contain_text("Ada Byron works at Globex")
    ada.get_by_label("True as of, date in UTC").fill("2020-06-01")
    expect(ada.locator(".holding h2")).to_contain_text("Held on 2020-06-01")
    expect(ada.locator(".holding")).to_contain_text("Ada Byron works at Acme")
    expect(ada.locator(".holding")).not_to_contain_text("Globex")
    expect(_bar(ada, "Ada Byron works at Acme")).to_have_class(re.compile("holds"))
    expect(_bar(ada, "Ada Byron works at Globex")).to_have_class(re.compile("past"))
    expect(ada.locator(".mark-line.chosen")).to_have_count(1)
    assert "as_of=2020-06-01" in ada.url
    assert "as_of=2020-06-01" in (
        ada.get_by_role("link", name="Graph around it").get_attribute("href") or ""
    )


def test_the_slider_of_system_time_shows_what_was_believed_then(ada: Page, site: Site) -> None:
    expect(_bar(ada, "Ada Byron works at Globex")).to_be_visible()
    facts = site.call("GET", "/v1/facts", params={"about": "William King"})["items"]
    then = facts[0]["version"]["created_at"]
    at = ada.url
    ada.goto(f"{at}&system_as_of={then}")
    expect(_bar(ada, "Ada Byron is married to William King")).to_be_visible()
    expect(_bar(ada, "Ada Byron works at Globex")).to_have_count(0)
    expect(_bar(ada, "Ada Byron works at Acme")).to_have_attribute("aria-label", re.compile(r"\.\. now$"))


def test_history_tells_what_was_believed_when(ada: Page) -> None:
    ada.locator("summary", has_text="History").click()
    ended = ada.locator(".chronicle li", has_text="Ada Byron works at Acme").filter(has_text="became")
    expect(ended).to_contain_text("ended")
    expect(ended).to_contain_text("2019-03 .. now became 2019-03 .. 2022")
    expect(ada.locator(".chronicle .turn.learned").first).to_be_visible()


def test_names_and_verdicts_say_who_it_is_and_who_decided(watched: Watched, site: Site) -> None:
    page = watched.open(site, site.entity_page("Bob Smith"))
    page.locator("summary", has_text="Names and merges").click()
    names = page.locator(".identity table")
    expect(names).to_contain_text("Bob Smith")
    expect(names).to_contain_text("Robert Smith")
    expect(page.locator(".verdicts")).to_contain_text("are one")
    expect(page.locator(".verdicts")).to_contain_text("one badge")
    names.get_by_role("button").last.click()
    expect(page.get_by_role("dialog", name="Episode").locator("pre")).to_contain_text("Smith")


def test_a_summary_cites_facts_that_open_their_evidence(
    watched: Watched, open_site: Callable[[], Site]
) -> None:
    site = open_site()
    site.tell(("Ada Byron has worked at Acme since 2019.", "2020-01-01"))
    (fact,) = [one["version"]["fact"] for one in site.call("GET", "/v1/facts")["items"]]
    block = Block(topic="works at", text="Works at Acme.", facts=(fact["id"],), evidence=())
    site.installation.graph.put_summaries(
        [
            Summary(
                entity_id=fact["subject"],
                group_id="default",
                blocks=(block,),
                input_hash="1",
                created_at=datetime.now(UTC),
            )
        ]
    )
    page = watched.open(site, site.entity_page("Ada Byron"))
    expect(page.locator(".summary .block")).to_contain_text("Works at Acme.")
    page.get_by_role("button", name="Evidence 1").click()
    expect(page.get_by_role("dialog", name="Evidence")).to_contain_text(
        "Ada Byron has worked at Acme since 2019."
    )


def test_who_is_gone_leads_to_whom_the_names_stand_for_now(
    watched: Watched, open_site: Callable[[], Site]
) -> None:
    site = open_site()
    site.tell(("Bob Smith works at Acme.", "2020-01-01"), ("Robert Smith lives in Berlin.", "2020-02-01"))
    before = {site.entity_id(name): name for name in ("Bob Smith", "Robert Smith")}
    body = {"kind": "merge", "pair": list(before.values()), "wait": True}
    site.call("POST", "/v1/decisions", json=body)
    (gone,) = set(before) - {site.entity_id("Bob Smith")}
    page = watched.open(site, f"/entity?group=default&id={gone}")
    expect(page.locator(".gone")).to_contain_text("It is gone")
    page.locator(".gone a").click()
    expect(page.locator(".life")).to_be_visible()
    expect(page.locator(".holding")).to_contain_text("Acme")


def test_a_name_that_means_harm_is_shown_as_it_is(watched: Watched, site: Site) -> None:
    page = watched.open(site, site.entity_page(HOSTILE_NAME))
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE_NAME)
    expect(page.locator(".bar text").first).to_have_text("<b>Acme</b>")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 0


def test_an_id_that_nobody_has_is_said_with_what_to_do(watched: Watched, site: Site) -> None:
    watched.bear("status of 404")
    page = watched.open(site, "/entity?group=default&id=nobody")
    expect(page.get_by_role("alert")).to_contain_text("nobody")
    expect(page.get_by_role("alert")).to_contain_text("search for its name")


def test_an_address_without_an_entity_leads_to_the_search(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/entity")
    page.locator("main").get_by_role("link", name="Search").click()
    expect(page.locator("#query")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["Ada Byron", HOSTILE_NAME])
def test_nothing_is_wider_than_a_phone(watched: Watched, site: Site, name: str, scheme: str) -> None:
    page = watched.phone(site, site.entity_page(name), color_scheme=scheme)
    expect(page.locator(".bar").first).to_be_visible()
    for fold in page.locator("details.fold > summary").all():
        fold.click()
    expect(page.locator(".chronicle")).to_be_visible()
    expect(page.locator(".identity table")).to_be_visible()
    assert overflow(page) == 0
    page.locator(".bar").first.tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert overflow(page) == 0


def test_of_a_long_life_the_latest_is_drawn_first_and_the_rest_on_demand(
    watched: Watched, open_site: Callable[[], Site]
) -> None:
    site = open_site()
    episodes = [
        {
            "content": {"subject": "Ulyssa", "predicate": "VISITED", "object": f"Port {number}"},
            "source_type": "fact_triple",
            "reference_time": f"{1900 + number}-01-01",
        }
        for number in range(50)
    ]
    site.call("POST", "/v1/episodes", json={"episodes": episodes, "wait": True})
    page = watched.open(site, site.entity_page("Ulyssa"))
    expect(page.locator(".bar")).to_have_count(40)
    expect(_bar(page, "Ulyssa VISITED Port 49")).to_be_visible()
    expect(_bar(page, "Ulyssa VISITED Port 0")).to_have_count(0)
    page.get_by_role("button", name="Show the 10 earlier ones too").click()
    expect(page.locator(".bar")).to_have_count(50)
    expect(page.locator(".holding .fact")).to_have_count(20)
    page.get_by_role("button", name="Show all 50").click()
    expect(page.locator(".holding .fact")).to_have_count(50)
