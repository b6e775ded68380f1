"""The review page's facts that wait for a verdict: by rule, accepted, rejected, edited, refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pages_world import overflow
from playwright.sync_api import expect

from memstrata.memory.access import Right

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages_world import Site, Watched
    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=window.hacked=1>"
PATH = "/review?group=default&part=items"


def _dated_to_the_year_1(firm: str) -> dict[str, Any]:
    content = {"subject": "Maren", "predicate": "works_at", "object": firm}
    return {
        "content": {**content, "valid_at": "0001-01-01T00:00:00Z"},
        "source_type": "fact_triple",
        "reference_time": "2025-05-01",
    }


@pytest.fixture
def waiting(open_site: Callable[[], Site]) -> Site:
    site = open_site()
    told = [_dated_to_the_year_1(firm) for firm in ("Oakmere", "Ashby", HOSTILE)]
    site.call("POST", "/v1/episodes", json={"episodes": told, "wait": True})
    return site


def _facts(site: Site) -> list[str]:
    return [one["version"]["fact"]["fact"] for one in site.call("GET", "/v1/facts")["items"]]


def _item(page: Page, words: str) -> Any:
    return page.locator(".item", has_text=words)


def test_each_waits_with_its_rule_its_reason_and_its_episode(watched: Watched, waiting: Site) -> None:
    page = watched.open(waiting, PATH)
    expect(page.locator(".item")).to_have_count(3)
    expect(_item(page, "Oakmere")).to_contain_text("times are plausible")
    expect(_item(page, "Oakmere")).to_contain_text("dated to the year 1")
    expect(page.locator(".chip")).to_have_text(["All 3", "times are plausible 3"])
    _item(page, "Oakmere").get_by_role("button", name="The episode of").click()
    expect(page.get_by_role("dialog")).to_contain_text("Oakmere")
    assert page.evaluate("window.hacked") is None


def test_accepted_and_rejected_they_wait_no_more_and_count_or_not(watched: Watched, waiting: Site) -> None:
    page = watched.open(waiting, PATH)
    page.locator("#item-why").fill("it is that old")
    page.get_by_role("button", name="Accept: Maren works at Oakmere").click()
    expect(page.locator(".item")).to_have_count(2)
    page.get_by_role("button", name="Reject: Maren works at Ashby").click()
    expect(page.locator(".item")).to_have_count(1)
    assert _facts(waiting) == ["Maren works at Oakmere"]
    reasons = [one["decision"]["reason"] for one in waiting.call("GET", "/v1/decisions")["items"]]
    assert sorted(reasons) == ["", "it is that old"]


def test_an_edit_that_cannot_stand_is_refused_in_the_form_and_a_good_one_counts(
    watched: Watched, waiting: Site
) -> None:
    watched.bear("400 (Bad Request)")
    page = watched.open(waiting, PATH)
    page.get_by_role("button", name="Edit: Maren works at Oakmere").click()
    page.get_by_label("True from").fill("the other day")
    page.get_by_role("button", name="Save and accept").click()
    expect(page.locator(".edit .refusal")).to_contain_text("or a date such as 2019")
    assert _facts(waiting) == []
    page.get_by_label("True from").fill("2019")
    page.get_by_label("Object", exact=True).fill("Elmford")
    page.get_by_role("button", name="Save and accept").click()
    expect(page.locator(".item")).to_have_count(2)
    (fact,) = waiting.call("GET", "/v1/facts")["items"]
    assert (fact["object"], fact["version"]["fact"]["valid_at"][:4]) == ("Elmford", "2019")


def test_all_that_one_rule_keeps_are_ruled_on_once_that_is_confirmed(
    watched: Watched, waiting: Site
) -> None:
    page = watched.open(waiting, PATH)
    expect(page.get_by_role("button", name="Reject all")).to_have_count(0)
    page.locator(".chip", has_text="times are plausible").click()
    page.get_by_role("button", name="Reject all 3").dblclick()
    asked = page.get_by_role("dialog", name="Reject 3 waiting facts?")
    expect(asked).to_contain_text("times are plausible")
    expect(asked.get_by_role("button", name="Not now")).to_be_focused()
    page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    assert len(waiting.call("GET", "/v1/review/items")["items"]) == 3
    page.get_by_role("button", name="Reject all 3").click()
    asked.get_by_role("button", name="Reject 3").click()
    expect(page.locator(".empty")).to_contain_text("All decided")
    expect(page.locator(".made")).to_contain_text(
        "Rejected all 3 facts that the rule “times are plausible” kept waiting"
    )
    assert waiting.call("GET", "/v1/review/items")["items"] == []
    assert _facts(waiting) == []


def test_whoever_may_not_decide_sees_them_with_the_buttons_off(watched: Watched, waiting: Site) -> None:
    token = waiting.token(can=[Right.READ])
    watched.bear("401")  # before the token is given
    page = watched.open(waiting, "/")
    page.evaluate("token => sessionStorage.setItem('memstrata-token', token)", token)
    page.goto(PATH)
    expect(page.locator("#refusal")).to_contain_text("not decide")
    expect(page.locator(".item .buttons button:enabled")).to_have_count(0)
    expect(page.locator(".item")).to_have_count(3)


def test_on_a_phone_nothing_is_wider_than_the_screen(watched: Watched, waiting: Site) -> None:
    page = watched.phone(waiting, PATH)
    page.get_by_role("button", name="Edit: Maren works at Oakmere").click()
    expect(page.locator("form.edit")).to_be_visible()
    assert overflow(page) == 0
