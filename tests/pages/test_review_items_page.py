"""Facts that wait, worked through: words marked, one's place kept, verdicts turned round."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from pages_world import overflow, served
from playwright.sync_api import expect

from memstrata.ports import Days, Promotion, Unextracted
from memstrata.workflow.promotions import promote, rollback
from memstrata.workflow.reextract import run_candidate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from pages_world import Site, Watched

    from memstrata.model import Episode, Extraction
    from memstrata.ports import Extractor

PATH = "/review?group=default&part=items"
REVIEWED = """
relations:
  - {name: lives_in, review: true}
  - {name: works_at, least_confidence: 0.99}
"""
PEOPLE = {"Ada Byron": "London", "Bob Smith": "Berlin", "Carol Jones": "Oslo"}
HOSTILE = "<img src=x onerror=window.hacked=1>"


@pytest.fixture
def town(tmp_path: Path, _bare: None) -> Iterator[Site]:
    """Where people live waits in this memory for whoever reviews it."""
    (tmp_path / "ontology.yaml").write_text(REVIEWED, encoding="utf-8")
    with served(tmp_path / "home", {"MEMSTRATA_ONTOLOGY": tmp_path / "ontology.yaml"}) as site:
        site.tell(
            *(
                (f"It rained all day. {who} lives in {where}.", "2024-02-01")
                for who, where in PEOPLE.items()
            )
        )
        yield site


@pytest.fixture
def in_town(watched: Watched, town: Site) -> Iterator[Watched]:
    """The browser; its pages are closed before the server ends."""
    del town
    yield watched
    for context in watched.browser.contexts:
        context.close()


def _implausible(firm: str, key: str, **also: str) -> dict[str, Any]:
    content = {"subject": "Maren", "predicate": "likes", "object": firm, **also}
    return {
        "episode_id": key,
        "content": content,
        "source_type": "fact_triple",
        "reference_time": "2025-05-01",
    }


def _add(site: Site, *episodes: dict[str, Any]) -> None:
    site.call("POST", "/v1/episodes", json={"episodes": list(episodes), "wait": True})


def _homes(site: Site) -> set[str]:
    return {one["object"] for one in site.call("GET", "/v1/facts")["items"]}


def test_the_words_of_an_item_are_marked_in_its_episode(in_town: Watched, town: Site) -> None:
    page = in_town.open(town, PATH)
    item = page.locator(".item", has_text="Ada Byron")
    expect(item).to_contain_text("is left to review")
    quote = item.locator("blockquote").inner_text()
    assert "Ada Byron lives in London" in quote
    page.get_by_role("button", name="The episode of: Ada Byron").press("Enter")
    expect(page.get_by_role("dialog").locator("pre")).to_contain_text("It rained all day.")
    expect(page.get_by_role("dialog").locator("mark")).to_have_text(quote)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_by_keys_alone_one_verdict_follows_the_other(in_town: Watched, town: Site) -> None:
    page = in_town.open(town, PATH)
    page.locator(".item").first.get_by_role("button", name="Accept").focus()
    for left in (2, 1):
        page.keyboard.press("Enter")
        expect(page.locator(".item")).to_have_count(left)
        expect(page.locator(".item").first.get_by_role("button", name="Accept")).to_be_focused()
        expect(page.locator(".chip").first).to_have_text(f"All {left}")
    page.keyboard.press("Enter")
    expect(page.locator(".empty")).to_contain_text("All decided")
    assert _homes(town) == set(PEOPLE.values())


def test_a_verdict_given_here_can_be_turned_round(in_town: Watched, town: Site) -> None:
    page = in_town.open(town, PATH)
    page.get_by_role("button", name="Reject: Bob Smith").click()
    made = page.locator(".made li", has_text="Bob Smith")
    expect(made).to_contain_text("Rejected")
    assert _homes(town) == set()
    made.get_by_role("button", name="Undo: accept it").click()
    expect(made).to_contain_text("Accepted")
    assert _homes(town) == {"Berlin"}
    made.get_by_role("button", name="Undo: reject it").click()
    expect(made).to_contain_text("Rejected")
    assert _homes(town) == set()


def test_a_form_that_is_left_changes_nothing_and_gives_the_place_back(in_town: Watched, town: Site) -> None:
    page = in_town.open(town, PATH)
    edit = page.get_by_role("button", name="Edit: Carol Jones")
    edit.press("Enter")
    form = page.get_by_role("form", name="Edit: Carol Jones")
    expect(form.get_by_label("Subject", exact=True)).to_be_focused()
    expect(form.get_by_label("Kind").locator("option")).to_have_text(
        ["started", "holds", "ended", "denied"]
    )
    form.get_by_label("Object", exact=True).fill("Bergen")
    page.keyboard.press("Escape")
    expect(form).to_have_count(0)
    expect(edit).to_be_focused()
    assert len(town.call("GET", "/v1/review/items")["items"]) == len(PEOPLE)


def test_the_rule_that_is_looked_at_stands_in_the_address(in_town: Watched, town: Site) -> None:
    _add(town, _implausible("Tea", "t", valid_at="0001-01-01T00:00:00Z"))
    page = in_town.open(town, PATH)
    expect(page.locator(".chip")).to_have_text(["All 4", "is left to review 3", "times are plausible 1"])
    page.get_by_role("button", name="times are plausible").click()
    expect(page.locator(".item")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name="times are plausible")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".item")).to_have_count(1)
    page.get_by_role("button", name="Accept all 1").click()
    page.get_by_role("dialog", name="Accept one waiting fact?").get_by_role(
        "button", name="Accept 1"
    ).click()
    expect(page.locator(".item")).to_have_count(3)
    assert "rule=" not in page.url


def test_a_decision_that_was_lost_says_so_and_is_put_away(in_town: Watched, town: Site) -> None:
    _add(town, _implausible(HOSTILE, "drink", valid_at="0001-01-01T00:00:00Z"))
    [entry] = town.call("GET", "/v1/review/items", params={"rule": "times_are_plausible"})["items"]
    town.call("POST", f"/v1/review/items/{entry['entry_id']}", json={"verdict": "accept", "wait": True})
    _add(town, _implausible("Coffee", "drink"))  # its episode says something else now
    page = in_town.phone(town, PATH)
    page.get_by_role("button", name="lost decisions 1").tap()
    expect(page.locator(".item")).to_have_count(1)
    expect(page.locator(".item")).to_contain_text("it was accepted")
    expect(page.locator(".item")).to_contain_text("Put it away, or leave it")
    expect(page.get_by_role("button", name="all 1")).to_have_count(0)
    page.get_by_role("button", name="Put away").tap()
    expect(page.locator(".made")).to_contain_text("Put away")
    expect(page.get_by_role("button", name="lost decisions")).to_have_count(0)
    assert town.call("GET", "/v1/review/items", params={"matter": "lost"})["items"] == []
    assert page.evaluate("window.hacked") is None
    assert overflow(page) <= 0


def test_verdicts_on_items_are_told_as_such_and_never_as_withdrawn_facts(
    in_town: Watched, town: Site
) -> None:
    page = in_town.open(town, PATH)
    page.get_by_role("button", name="Reject: Ada Byron").click()
    expect(page.locator(".item")).to_have_count(2)
    page.get_by_role("button", name="is left to review").click()
    page.get_by_role("button", name="Accept all 2").click()
    page.get_by_role("dialog").get_by_role("button", name="Accept 2").click()
    expect(page.locator(".empty")).to_contain_text("All decided")
    page.get_by_role("link", name="Decisions").click()
    expect(page.locator("tbody tr").nth(0)).to_contain_text("2 waiting facts accepted (is left to review)")
    expect(page.locator("tbody tr").nth(1)).to_contain_text("ada byron lives in london rejected")
    page.get_by_role("link", name="Facts", exact=True).click()
    expect(page.locator(".review-body")).to_contain_text("Nothing is withdrawn")


class OtherExtractor:
    """Says what another says, by the name of another version."""

    version, context_turns, at_once = "other-2", 0, 1

    def __init__(self, inner: Extractor) -> None:
        self._inner = inner

    def extract_all(
        self, items: Iterable[tuple[Episode, Sequence[Episode]]]
    ) -> Iterator[Extraction | Unextracted]:
        for made in self._inner.extract_all(items):
            yield made if isinstance(made, Unextracted) else replace(made, version=self.version)


def test_promotions_are_told_with_their_version_and_days(in_town: Watched, town: Site) -> None:
    other = OtherExtractor(town.installation.extractor)
    run_candidate(town.installation, days=Days(), extractor=other)
    wanted = Promotion(version="other-2", days=Days(since=date(2024, 1, 1)))
    promote(town.installation, "default", wanted, who="ada")
    rollback(town.installation, "default", who="ada")
    page = in_town.open(town, "/review?group=default&part=decisions")
    expect(page.locator("tbody tr").nth(0)).to_contain_text("promotion of an extractor taken back")
    expect(page.locator("tbody tr").nth(1)).to_contain_text(
        "extractor other-2 promoted for days from 2024-01-01"
    )


def test_the_first_part_in_which_something_waits_is_opened_and_told_how_much(
    in_town: Watched, town: Site
) -> None:
    page = in_town.open(town, "/review?group=default")
    expect(page.locator(".tabs [aria-current]")).to_have_text("Waiting facts 3")
    assert "part=items" in page.url
    page.get_by_role("button", name="Reject: Ada Byron").click()
    expect(page.locator(".tabs [aria-current]")).to_have_text("Waiting facts 2")
    page.get_by_role("link", name="May be one").click()
    expect(page.locator(".pair")).to_contain_text("No pair is in doubt")
    expect(page.get_by_role("link", name="Waiting facts 2")).to_be_visible()
    nothing = in_town.open(town, "/review?group=default")
    nothing.get_by_role("button", name="is left to review").click()
    nothing.get_by_role("button", name="Reject all 2").click()
    nothing.get_by_role("dialog").get_by_role("button", name="Reject 2").click()
    expect(nothing.locator(".tabs [aria-current]")).to_have_text("Waiting facts")


def test_on_a_phone_the_tabs_fade_out_where_they_go_on(in_town: Watched, town: Site) -> None:
    page = in_town.phone(town, "/review?group=default&part=pairs")
    tabs = page.locator(".tabs")
    expect(tabs).to_have_class("tabs after")
    tabs.evaluate("row => { row.scrollLeft = row.scrollWidth }")
    expect(tabs).to_have_class("tabs before")
    last = in_town.phone(town, "/review?group=default&part=decisions")
    expect(last.get_by_role("link", name="Waiting facts 3")).to_have_count(1)
    expect(last.get_by_role("link", name="Decisions")).to_be_in_viewport(ratio=0.95)
    expect(in_town.open(town, PATH).locator(".tabs")).to_have_class("tabs")


def test_the_row_of_an_edit_says_what_it_became_and_short_words_stay_whole(
    in_town: Watched, town: Site
) -> None:
    page = in_town.open(town, PATH)
    page.get_by_role("button", name="Edit: Ada Byron").click()
    page.get_by_label("Object", exact=True).fill("Leeds")
    page.get_by_label("True from").fill("2019")
    page.get_by_role("button", name="Save and accept").click()
    expect(page.locator(".item")).to_have_count(2)
    page.get_by_role("link", name="Decisions").click()
    row = page.locator("tbody tr").first
    expect(row).to_contain_text(
        "ada byron lives in london accepted as: Ada Byron lives in Leeds (holds, 2019"
    )
    for name in ("Who", "In effect"):
        lines = page.locator(f'td[data-name="{name}"]').evaluate_all(
            "all => all.map((one) => { const words = document.createRange(); words.selectNodeContents(one);"
            " return new Set([...words.getClientRects()].map((box) => Math.round(box.top))).size })"
        )
        assert set(lines) == {1}, name


def test_the_form_changes_types_the_sort_of_object_and_confidence_too(in_town: Watched, town: Site) -> None:
    page = in_town.open(town, PATH)
    page.get_by_role("button", name="Edit: Carol Jones").click()
    form = page.get_by_role("form")
    expect(form.get_by_label("Type of the subject")).to_have_value("person")
    form.get_by_label("Type of the subject").fill("employee")
    form.get_by_label("Type of the object").fill("")
    form.get_by_label("The object is").select_option("literal")
    form.get_by_label("Confidence").fill("1")
    form.get_by_role("button", name="Save and accept").click()
    expect(page.locator(".item")).to_have_count(2)
    (fact,) = town.call("GET", "/v1/facts")["items"]
    told = fact["version"]["fact"]
    assert (told["object_kind"], told["object"], told["confidence"]) == ("literal", "Oslo", 1.0)
    made = town.call("GET", "/v1/decisions")["items"][0]
    assert made["decision"]["payload"]["edit"]["subject_type"] == "employee"
