"""The page that draws a graph: walked by mouse, by keys and through the list beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from pages_world import HOSTILE_NAME, overflow, served
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pages_world import Site, Watched
    from playwright.sync_api import Locator, Page

VISITORS = 66
PAGE = 20
#: A tree of so many nodes with branches of several sizes, laid out from its links in any order.
_LAID_OUT = """async ([count, isReversed]) => {
  const { layout } = await import("/pages/layout.js");
  const nodes = Array.from({ length: count }, (_, at) => ({ id: `n${at}`, width: 90, height: 60 }));
  const links = nodes.slice(1).map((one, at) => [one.id, `n${at % 7 === 0 ? 0 : Math.floor(at / 7)}`]);
  if (isReversed) { nodes.reverse(); links.reverse(); for (const link of links) link.reverse(); }
  return Object.fromEntries(layout({ centre: "n0", nodes, links }));
}"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory, _bare: None) -> Iterator[Site]:
    """A place that many people have visited, some of whom know each other; one has left again."""
    with served(tmp_path_factory.mktemp("hub") / "home") as made:
        said = []
        for number in range(VISITORS):
            who, place = {"name": _visitor(number), "type": "Person"}, {"name": "Hub", "type": "Place"}
            end = {"invalid_at": "2023-01-01T00:00:00Z"} if number == 0 else {}
            at = f"{1950 + number}-01-01T00:00:00Z"
            said.append({"subject": who, "predicate": "visited", "object": place, "valid_at": at, **end})
        friend = {"name": "Zelda Quill", "type": "Person"}
        last = {"name": _visitor(VISITORS - 1), "type": "Person"}
        said.append({"subject": last, "predicate": "knows", "object": friend})
        said.append({"subject": last, "predicate": "likes", "object": {"literal": "tea"}})
        episodes = [
            {"content": one, "source_type": "fact_triple", "reference_time": "2024-05-14"} for one in said
        ]
        made.call("POST", "/v1/episodes", json={"episodes": episodes, "wait": True})
        yield made


def _visitor(number: int) -> str:
    return f"{'ABCDEFGHIJK'[number // 6]}nn {['Oak', 'Elm', 'Ash', 'Fir', 'Yew', 'Bay'][number % 6]}"


def _path(site: Site, name: str, *more: str) -> str:
    return "&".join([f"/graph?group=default&id={site.entity_id(name)}", *more])


def _node(page: Page, name: str) -> Locator:
    return page.locator(f'.node[aria-label^="{name},"]')


def _names(page: Page) -> set[str]:
    page.locator("[data-drawn]").wait_for(state="attached")
    return {one.split(",")[0] for one in _said(page)}


def _said(page: Page) -> list[str]:
    found: list[str] = page.locator(".node").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    return found


def _places(page: Page) -> dict[str, str]:
    page.locator("[data-drawn]").wait_for(state="attached")
    page.wait_for_timeout(500)  # until it has glided to where it stands
    found: dict[str, str] = page.locator(".node").evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.dataset.id, one.getAttribute('transform')]))"
    )
    return found


def _kept(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_the_picture_and_the_list_tell_the_same(watched: Watched, site: Site) -> None:
    page = watched.open(site, _path(site, "Ada Byron"))
    assert {"Ada Byron", "Globex", "William King"} <= _names(page)
    expect(page.locator("h1")).to_have_text("Around Ada Byron")
    expect(page.locator(".link text", has_text="works at")).to_have_count(1)
    line = page.locator(".told .facts li", has_text="Globex")
    expect(line).to_contain_text("works at")
    expect(line).to_contain_text("2022-06 .. now")
    expect(page.locator(".told .facts li")).to_have_count(page.locator(".links > g").count())
    expect(page.locator(".legend")).to_contain_text("no type")


def test_a_click_shows_more_and_a_double_click_centres(watched: Watched, site: Site) -> None:
    page = watched.open(site, _path(site, "Ada Byron"))
    assert "Robert Smith" not in _names(page)
    before = page.locator(".node").count()
    _node(page, "Globex").click()
    expect(page.locator(".told h2")).to_have_text("Globex")
    assert page.locator(".node").count() >= before
    page.wait_for_timeout(700)
    _node(page, "William King").dblclick()
    expect(page.locator("h1")).to_have_text("Around William King")
    assert _kept(page)["id"] == site.entity_id("William King")
    page.go_back()
    expect(page.locator("h1")).to_have_text("Around Ada Byron")


def test_keys_walk_along_links_show_more_centre_and_open(watched: Watched, hub: Site) -> None:
    last = _visitor(VISITORS - 1)
    page = watched.open(hub, _path(hub, last))
    assert _names(page) == {last, "Hub", "Zelda Quill", "tea"}
    _node(page, last).focus()
    reached = set()
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp") * 2:
        page.keyboard.press("Home")
        page.keyboard.press(key)
        reached.add(page.evaluate("document.activeElement.getAttribute('aria-label').split(',')[0]"))
    assert len(reached - {last}) >= 2
    _node(page, "Hub").focus()
    expect(page.locator(".told h2")).to_have_text("Hub")
    page.keyboard.press("Enter")
    expect(page.locator(".told")).to_contain_text(f"The latest {PAGE} of {VISITORS - 1} facts")
    expect(_node(page, "Hub")).to_be_focused()
    page.keyboard.press("c")
    expect(page.locator("h1")).to_have_text("Around Hub")
    _node(page, last).focus()
    page.keyboard.press("o")
    expect(page).to_have_url(hub.url + f"/entity?group=default&id={hub.entity_id(last)}")


def test_a_hub_shows_its_latest_and_says_how_many_more_there_are(watched: Watched, hub: Site) -> None:
    page = watched.open(hub, _path(hub, "Hub"))
    assert len(_names(page)) == 1 + PAGE
    assert _visitor(VISITORS - 1) in _names(page)
    assert _visitor(1) not in _names(page)
    expect(page.locator(".told")).to_contain_text(f"The latest {PAGE} of {VISITORS - 1} facts")
    expect(page.locator(".node.centre .more")).to_have_text(f"+{VISITORS - 1 - PAGE}")
    page.get_by_role("button", name="Show 20 more").click()
    expect(page.locator(".told .facts li")).to_have_count(2 * PAGE)
    for _ in range(2):
        page.locator(".told .acts button.main").click()
        page.wait_for_timeout(300)
    expect(page.locator(".told")).to_contain_text(f"All {VISITORS - 1} facts")
    assert len(_names(page)) == VISITORS
    again = watched.open(hub, page.url)
    assert len(_names(again)) == VISITORS


def test_the_same_graph_gives_the_same_picture(watched: Watched, hub: Site) -> None:
    last, friend = _visitor(VISITORS - 1), "Zelda Quill"
    one = watched.open(hub, _path(hub, last))
    _names(one)
    _node(one, "Hub").click()
    expect(one.locator(".told h2")).to_have_text("Hub")
    one.wait_for_timeout(700)
    _node(one, friend).click()
    places = _places(one)
    assert len(places) == 4 + PAGE - 1
    assert _places(watched.open(hub, one.url)) == places
    other_way = _path(hub, last, f"open={hub.entity_id(friend)}%20{hub.entity_id('Hub')}")
    assert _places(watched.open(hub, other_way)) == places


@pytest.mark.parametrize("count", [5, 50, 150])
def test_nobody_overlaps_and_order_does_not_matter(watched: Watched, hub: Site, count: int) -> None:
    page = watched.open(hub, "/graph")
    places = page.evaluate(_LAID_OUT, [count, False])
    assert page.evaluate(_LAID_OUT, [count, True]) == places
    points = list(places.values())
    assert len(points) == count
    overlapping = [
        (one, other)
        for at, one in enumerate(points)
        for other in points[:at]
        if abs(one["x"] - other["x"]) < 84 and abs(one["y"] - other["y"]) < 55
    ]
    assert len(overlapping) <= count // 50


def test_what_ended_is_dashed_and_what_is_contested_is_marked(watched: Watched, site: Site) -> None:
    page = watched.open(site, _path(site, "Ada Byron"))
    assert "Acme" not in _names(page)
    page.get_by_label("Show what ended, too").check()
    expect(_node(page, "Acme")).to_be_visible()
    assert _kept(page)["history"] == "true"
    ended = page.locator(".link.ended", has_text="works at").locator("path")
    assert ended.evaluate("one => getComputedStyle(one).strokeDasharray") not in ("none", "")
    expect(page.locator(".told .facts li", has_text="Acme")).to_contain_text("ended")
    expect(page.locator(".link.contested text").first).to_contain_text("(contested)")
    expect(page.locator(".legend")).to_contain_text("contested")


def test_an_earlier_time_has_the_graph_of_then(watched: Watched, site: Site) -> None:
    page = watched.open(site, _path(site, "Ada Byron", "as_of=2020-06-01"))
    assert {"Acme", "London"} <= _names(page)
    assert "Globex" not in _names(page)
    page.locator("#valid-range").locator("xpath=..").get_by_role("button", name="now").click()
    expect(_node(page, "Globex")).to_be_visible()
    assert "as_of" not in _kept(page)


def test_wheel_buttons_keys_and_drag_move_the_picture(watched: Watched, hub: Site) -> None:
    page = watched.open(hub, _path(hub, "Hub"))
    _places(page)

    def view() -> str | None:
        return page.locator(".picture > g").get_attribute("transform")

    seen = [view()]
    page.locator(".picture").hover(position={"x": 30, "y": 30})
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(100)
    seen.append(view())
    page.get_by_role("button", name="Zoom out").click()
    seen.append(view())
    page.mouse.move(*_corner(page))
    page.mouse.down()
    page.mouse.move(*(part + 60 for part in _corner(page)), steps=5)
    page.mouse.up()
    seen.append(view())
    assert len(set(seen)) == len(seen)
    page.locator(".node.centre").focus()
    page.keyboard.press("0")
    assert view() == seen[0]


def _corner(page: Page) -> tuple[float, float]:
    box = page.locator(".picture").bounding_box()
    assert box is not None
    return box["x"] + 12, box["y"] + 12


def test_hostile_names_are_names(watched: Watched, site: Site) -> None:
    page = watched.open(site, _path(site, HOSTILE_NAME))
    assert HOSTILE_NAME in _names(page)
    expect(page.locator(".told h2")).to_have_text(HOSTILE_NAME)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main b").count() == 0


def test_somebody_who_is_not_there_is_told(watched: Watched, site: Site) -> None:
    watched.bear("400")
    page = watched.open(site, "/graph?group=default&id=nobody")
    expect(page.locator(".told")).to_contain_text("Nobody is there")


def test_on_a_phone_the_list_stands_below_and_a_tap_shows_more(watched: Watched, hub: Site) -> None:
    page = watched.phone(hub, _path(hub, _visitor(VISITORS - 1)))
    _places(page)
    assert overflow(page) <= 0
    drawn, told = page.locator(".drawn").bounding_box(), page.locator(".told").bounding_box()
    assert drawn is not None
    assert told is not None
    assert told["y"] >= drawn["y"] + drawn["height"]
    _node(page, "Hub").tap()
    expect(page.locator(".told h2")).to_have_text("Hub")
    expect(page.locator(".told")).to_contain_text(f"of {VISITORS - 1} facts")
