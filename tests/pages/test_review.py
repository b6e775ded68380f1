"""The page of what is in doubt: pairs decided by key and mouse, facts withdrawn and restored, the log."""

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

#: First names and their only bearers, whose circumstances differ: each two may be one.
PAIRS = {"Tom": "Tom Weller", "Ann": "Ann Lee", "Eve": "Eve Adams"}
HOSTILE_FIRM = "<img src=x onerror=window.hacked=1>"


@pytest.fixture
def doubtful(open_site: Callable[[], Site]) -> Site:
    site = open_site()
    said = [
        _works(name, HOSTILE_FIRM if name == "Eve Adams" else f"Firm {at}")
        for at, name in enumerate(part for pair in PAIRS.items() for part in pair)
    ]
    site.call("POST", "/v1/episodes", json={"episodes": said, "wait": True})
    site.tell(("Tom Weller lives in Oslo.", "2024-03-01"))
    assert len(_pairs(site)) == len(PAIRS)
    return site


def _works(name: str, firm: str) -> dict[str, Any]:
    who = {"name": name, "type": "Person", "attributes": {"employer": firm}}
    content = {"subject": who, "predicate": "works_at", "object": {"name": firm, "type": "Organization"}}
    return {"content": content, "source_type": "fact_triple", "reference_time": "2024-02-01"}


def _pairs(site: Site) -> list[set[str]]:
    found = site.call("GET", "/v1/review")["items"]
    return [{one["left"]["name"], one["right"]["name"]} for one in found]


def _decisions(site: Site) -> list[dict[str, Any]]:
    return [one["decision"] for one in site.call("GET", "/v1/decisions")["items"]]


def _people(site: Site) -> list[str]:
    return [one["name"] for one in site.call("GET", "/v1/entities")["items"] if one["type"] == "Person"]


def _shown(page: Page) -> set[str]:
    expect(page.locator(".side h2")).to_have_count(2)
    return set(page.locator(".side h2").all_inner_texts())


def _go_to(page: Page, name: str) -> None:
    for _ in PAIRS:
        if name in _shown(page):
            return
        page.keyboard.press("j")
    raise AssertionError(f"no pair has {name}")


def test_two_stand_side_by_side_with_facts_and_words_they_rest_on(watched: Watched, doubtful: Site) -> None:
    page = watched.open(doubtful, "/review?group=default")
    expect(page.locator(".progress")).to_have_text(f"Pair 1 of {len(PAIRS)}")
    assert _shown(page) in _pairs(doubtful)
    expect(page.locator(".why")).to_contain_text("short name")
    _go_to(page, "Tom Weller")
    side = page.locator(".side", has_text="Tom Weller")
    expect(side).to_contain_text("works at Firm 1")
    expect(side.locator("blockquote")).to_contain_text("Tom Weller lives in Oslo")
    side.get_by_role("button", name="Evidence of: Tom Weller works at Firm 1").click()
    expect(page.get_by_role("dialog")).to_contain_text("Tom Weller works at Firm 1")


def test_a_merge_by_key_reaches_the_log_and_the_next_commit_makes_them_one(
    watched: Watched, doubtful: Site
) -> None:
    page = watched.open(doubtful, "/review?group=default")
    _go_to(page, "Tom")
    page.locator("#reason").fill("the same kmj")  # no key that is typed here decides
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(page.locator(".made")).to_contain_text("Merged Tom")
    expect(page.locator(".made").get_by_role("button", name="Undo")).to_be_visible()
    [made] = _decisions(doubtful)
    assert (made["kind"], made["by"], made["reason"]) == ("merge", "person", "the same kmj")
    assert {"Tom", "Tom Weller"} <= set(_people(doubtful))
    doubtful.tell(("Ann Lee lives in Rome.", "2024-04-01"))  # the group's next commit
    assert len({"Tom", "Tom Weller"} & set(_people(doubtful))) == 1
    assert {"Tom", "Tom Weller"} not in _pairs(doubtful)


def test_all_are_decided_by_mouse_and_listed_with_who_and_why(watched: Watched, doubtful: Site) -> None:
    page = watched.open(doubtful, "/review?group=default")
    for left in range(len(PAIRS) - 1, -1, -1):
        page.locator("#reason").fill(f"{left} left")
        page.get_by_role("button", name="Keep apart", exact=False).click()
        expect(page.locator(".made li")).to_have_count(len(PAIRS) - left)
    expect(page.locator(".pair")).to_contain_text("All decided")
    assert _pairs(doubtful) == []
    page.get_by_role("link", name="Decisions").click()
    expect(page.locator("tbody tr")).to_have_count(len(PAIRS))
    expect(page.locator("tbody tr").first).to_contain_text("0 left")
    expect(page.locator("tbody tr").first).to_contain_text("are not one")
    expect(page.locator("tbody tr").first).to_contain_text("with the next pass")
    assert overflow(page) <= 0


@pytest.mark.parametrize("is_taken_in", [False, True])
def test_a_merge_can_be_undone_before_and_after_it_took_effect(
    watched: Watched, doubtful: Site, *, is_taken_in: bool
) -> None:
    page = watched.open(doubtful, "/review?group=default")
    _go_to(page, "Tom")
    page.keyboard.press("m")
    undo = page.get_by_role("button", name="Undo: keep them apart")
    expect(undo).to_be_visible()
    if is_taken_in:
        doubtful.tell(("Ann Lee lives in Rome.", "2024-04-01"))
        watched.bear("400")  # one of the two ids is gone; the names are asked for next
    undo.click()
    expect(page.locator(".made")).to_contain_text("Kept apart")
    assert [one["kind"] for one in _decisions(doubtful)] == ["keep_apart", "merge"]
    doubtful.tell(("Ann Lee likes Rome.", "2024-05-01"))
    assert {"Tom", "Tom Weller"} <= set(_people(doubtful))


def test_a_verdict_that_is_refused_comes_back_and_says_why(watched: Watched, doubtful: Site) -> None:
    page = watched.open(doubtful, "/review?group=default")
    watched.bear("503")
    pair = _shown(page)
    problem = '{"title": "Service Unavailable", "status": 503, "detail": "the disk is full"}'
    page.route("**/v1/decisions", lambda route: route.fulfill(status=503, body=problem))
    page.locator("#reason").fill("sure of it")
    page.get_by_role("button", name="Merge").click()
    expect(page.locator("#notice")).to_contain_text("the disk is full")
    assert _shown(page) == pair
    expect(page.locator("#reason")).to_have_value("sure of it")
    expect(page.locator(".made li")).to_have_count(0)
    page.unroute("**/v1/decisions")
    page.get_by_role("button", name="Merge").click()
    expect(page.locator(".made li")).to_have_count(1)
    assert [one["reason"] for one in _decisions(doubtful)] == ["sure of it"]


def test_who_may_not_decide_sees_the_pairs_and_why_the_buttons_are_off(
    watched: Watched, doubtful: Site
) -> None:
    token = doubtful.token(can=(Right.READ,))
    watched.bear("401")
    page = watched.open(doubtful, "/review?group=default")
    page.locator("#token").fill(token)
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_contain_text("may read, and not decide")
    expect(page.get_by_role("button", name="Merge")).to_be_disabled()
    assert len(_shown(page)) == 2
    page.keyboard.press("m")
    page.keyboard.press("k")
    page.wait_for_timeout(300)
    expect(page.locator(".made li")).to_have_count(0)


def test_a_fact_is_rejected_and_accepted_again(watched: Watched, doubtful: Site) -> None:
    page = watched.open(doubtful, "/review?group=default&part=facts")
    expect(page.locator(".review-body")).to_contain_text("Nothing is withdrawn")
    page.locator("#find").fill("Tom Weller Oslo")
    page.locator("#why").fill("said in jest")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Reject: Tom Weller lives in Oslo").click()
    withdrawn = page.locator(".made li", has_text="Tom Weller lives in Oslo")
    expect(withdrawn).to_contain_text("said in jest")
    expect(page.get_by_role("button", name="Reject: Tom Weller lives in Oslo")).to_have_text("Withdrawn")
    expect(page.get_by_role("button", name="Reject: Tom Weller lives in Oslo")).to_be_disabled()
    doubtful.tell(("Ann Lee lives in Rome.", "2024-04-01"))
    assert not _facts_of(doubtful, "Tom Weller", "lives")
    page.reload()
    withdrawn.get_by_role("button", name="Accept again").click()
    expect(page.locator(".review-body")).to_contain_text("Nothing is withdrawn")
    doubtful.tell(("Ann Lee likes Rome.", "2024-05-01"))
    assert _facts_of(doubtful, "Tom Weller", "lives")
    assert [one["kind"] for one in _decisions(doubtful)] == ["accept", "reject"]


def _facts_of(site: Site, name: str, words: str) -> list[str]:
    found = site.call("GET", "/v1/facts", params={"about": name})["items"]
    return [said for one in found if words in (said := one["version"]["fact"]["fact"])]


def test_on_a_phone_all_is_within_reach_and_hostile_names_are_names(
    watched: Watched, doubtful: Site
) -> None:
    page = watched.phone(doubtful, "/review?group=default")
    for _ in PAIRS:
        if "Eve" in _shown(page):
            break
        page.get_by_role("button", name="Skip").tap()
    assert "Eve Adams" in _shown(page)
    expect(page.locator(".side", has_text="Eve Adams")).to_contain_text(HOSTILE_FIRM)
    assert page.locator(".side img").count() == 0
    assert page.evaluate("window.hacked") is None
    assert overflow(page) <= 0
    page.get_by_role("button", name="Keep apart").tap()
    expect(page.locator(".made")).to_contain_text("Kept apart")


def test_where_nothing_is_in_doubt_it_says_so(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/review?group=other")
    expect(page.locator(".pair")).to_contain_text("No pair is in doubt")
    expect(page.get_by_role("button", name="Merge")).to_be_hidden()
