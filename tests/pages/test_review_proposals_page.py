"""Relations that a model proposes to declare, on the review page: seen on facts, accepted and rejected."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pages_world import overflow, served
from playwright.sync_api import expect

from memstrata.language_models.scripted import ScriptedModel
from memstrata.memory.access import Right
from memstrata.workflow.adjudicate import adjudicate
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pages_world import Site, Watched

    from memstrata.ports import Prompt

PATH = "/review?group=default&part=proposals"
HOSTILE = "<img src=x onerror=window.hacked=1>"


def _exclusive(prompt: Prompt) -> str:
    numbers = re.findall(r"^(\d+)\. ", prompt.user, re.MULTILINE)
    told = [{"item": int(one), "reason": "one home at a time", "verdict": "exclusive"} for one in numbers]
    return json.dumps({"answers": told})


@pytest.fixture
def proposed(tmp_path: Path, _bare: None) -> Iterator[Site]:
    """A memory in which a model proposes two relations."""
    with served(tmp_path / "home") as site:
        for predicate, objects in {"settled_in": ("Leeds", "Porto"), "rents": ("a boat", HOSTILE)}.items():
            for name in objects:
                site.declare("Noor Haddad", predicate, name, "2024-05-01")
        asking = replace(site.installation, model=ScriptedModel(_exclusive))
        adjudicate(asking, "default", whole=True)
        work(site.installation)
        yield site


@pytest.fixture
def in_home(watched: Watched, proposed: Site) -> Iterator[Watched]:
    """The browser; its pages are closed before the server ends."""
    del proposed
    yield watched
    for context in watched.browser.contexts:
        context.close()


def _states(site: Site) -> dict[str, str]:
    found = [
        one
        for state in ("open", "accepted", "rejected")
        for one in site.call("GET", "/v1/review/proposals", params={"state": state})["items"]
    ]
    return {one["predicate"]: one["state"] for one in found}


def test_a_proposal_shows_its_reason_and_its_facts_with_their_evidence(
    in_home: Watched, proposed: Site
) -> None:
    page = in_home.open(proposed, "/review?group=default")
    page.get_by_role("link", name="Proposals").click()
    expect(page.locator(".item")).to_have_count(2)
    item = page.locator(".item", has_text="settled in")
    expect(item).to_contain_text("one home at a time")
    expect(item.locator(".conflicting li")).to_have_count(2)
    item.get_by_role("button", name="Leeds").click()
    expect(page.get_by_role("dialog")).to_contain_text("Leeds")
    assert page.evaluate("window.hacked") is None


def test_an_accepted_one_stays_with_what_to_declare_and_who_accepted_it(
    in_home: Watched, proposed: Site
) -> None:
    page = in_home.open(proposed, PATH)
    page.get_by_label("Reason").fill("nobody rents two")
    page.get_by_role("button", name="Accept: rents").press("Enter")
    item = page.locator(".item", has_text="rents")
    expect(item.locator("pre")).to_have_text("- {name: rents, cardinality: one}")
    expect(item).to_contain_text("nobody rents two")
    expect(page.get_by_role("button", name="Accept: rents")).to_have_count(0)
    expect(page.get_by_role("button", name="Reject: rents")).to_be_focused()
    expect(page.get_by_label("Reason")).to_have_value("")
    assert _states(proposed) == {"rents": "accepted", "settled_in": "open"}


def test_a_rejected_one_leaves_the_list_and_can_be_accepted_again(in_home: Watched, proposed: Site) -> None:
    page = in_home.phone(proposed, PATH)
    page.get_by_role("button", name="Reject: settled in").tap()
    expect(page.locator(".item")).to_have_count(1)
    expect(page.get_by_role("button", name="Reject: rents")).to_be_focused()
    page.get_by_role("button", name="Reject: rents").tap()
    expect(page.locator(".empty")).to_contain_text("Nothing is proposed")
    page.get_by_role("button", name="Rejected", exact=True).tap()
    expect(page.locator(".item")).to_have_count(2)
    assert "state=rejected" in page.url
    page.get_by_role("button", name="Accept: rents").tap()
    expect(page.locator(".item")).to_have_count(1)
    assert _states(proposed) == {"rents": "accepted", "settled_in": "rejected"}
    assert overflow(page) <= 0


def test_on_a_phone_the_part_that_is_shown_stands_in_sight_among_the_tabs(
    in_home: Watched, proposed: Site
) -> None:
    for part, title in {"proposals": "Proposals", "decisions": "Decisions"}.items():
        page = in_home.phone(proposed, f"/review?group=default&part={part}")
        tab = page.get_by_role("link", name=title)
        expect(tab).to_be_in_viewport(ratio=0.95)


def test_the_list_of_decisions_tells_proposals_and_the_verdicts_on_them(
    in_home: Watched, proposed: Site
) -> None:
    body = {"predicate": "rents", "verdict": "reject", "reason": "boats", "wait": True}
    proposed.call("POST", "/v1/review/proposals", json=body)
    page = in_home.open(proposed, "/review?group=default&part=decisions")
    expect(page.locator("tbody tr").first).to_contain_text("the proposal to declare rents rejected")
    expect(page.locator("tbody")).to_contain_text("proposed to declare settled_in")


def test_a_refused_verdict_says_why_and_can_be_given_again(in_home: Watched, proposed: Site) -> None:
    page = in_home.open(proposed, PATH)
    in_home.bear("status of 503")
    page.route(
        "**/v1/review/proposals",
        lambda route: (
            route.fulfill(status=503, json={"title": "Away", "detail": "busy", "status": 503})
            if route.request.method == "POST"
            else route.continue_()
        ),
    )
    page.get_by_role("button", name="Reject: rents").click()
    expect(page.locator("#notice")).to_contain_text("busy")
    page.unroute("**/v1/review/proposals")
    page.get_by_role("button", name="Reject: rents").click()
    expect(page.locator(".item")).to_have_count(1)


def test_whoever_may_not_decide_sees_them_with_the_buttons_off(in_home: Watched, proposed: Site) -> None:
    token = proposed.token("default", can=[Right.READ])
    in_home.bear("status of 401")
    page = in_home.open(proposed, PATH)
    page.locator("#token").fill(token)
    page.keyboard.press("Enter")
    expect(page.locator(".item")).to_have_count(2)
    expect(page.locator(".refusal")).to_contain_text("not decide")
    for button in page.locator("button[data-verdict]").all():
        expect(button).to_be_disabled()
