"""The dashboard: what fails first, each check over time, walked by keys, in the groups of the token."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from pages_world import TOLD, overflow
from playwright.sync_api import expect

from memstrata.drift import EVERY_GROUP, Finding
from memstrata.memory.access import Right
from memstrata.ports import Call, Severity, Stage
from memstrata.workflow.judging import note_findings, note_inability

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from pages_world import Site, Watched
    from playwright.sync_api import Locator, Page

LAST = datetime.now(UTC).date() - timedelta(days=1)
HOSTILE = "<img src=x onerror=window.hacked=1>"


def ago(days: int) -> date:
    return LAST - timedelta(days=days)


def note(
    site: Site,
    check: str,
    values: Sequence[float],
    *,
    group: str = "default",
    limit: float = 0.1,
    severity: Severity = Severity.WARNING,
) -> None:
    """One value a day, the last on the last day; above the limit fails, and says so."""
    for place, value in enumerate(values):
        day = ago(len(values) - 1 - place)
        finding = Finding(
            check=check,
            group_id=group,
            value=value,
            threshold=limit,
            passed=value <= limit,
            sentence=f"{check} was {value:g} on {day}: run `memstrata doctor`. {HOSTILE}",
        )
        note_findings(site.installation, [finding], day=day, severity=severity)


@pytest.fixture
def site(open_site: Callable[[], Site]) -> Site:
    """Sixty days of results of two groups: one check fails since yesterday, and failed a month ago."""
    made = open_site()
    made.tell(*TOLD[:2])
    made.tell(TOLD[2], group="other")
    calm = [0.05, 0.06] * 30
    note(made, "orphan_entities", [*calm[:29], 0.3, *calm[30:59], 0.2])
    note(made, "stale_facts", [0.01, 0.02] * 30, limit=0.05)
    note(made, "log_store_parity", [0.0] * 60, limit=0.0, severity=Severity.ERROR)
    note(made, "orphan_entities", calm, group="other")
    note(made, "episodes_suite", [0.0] * 58, group=EVERY_GROUP, limit=0.0)
    note_inability(made.installation, "episodes_suite", "This check could not run: no disk", day=ago(59))
    return made


def card(page: Page, title: str) -> Locator:
    return page.locator("article.check", has=page.get_by_role("heading", name=title, exact=True)).first


def test_what_fails_stands_first_with_what_to_do(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/dashboard?group=default")
    first = page.locator("article.check").first
    expect(first.get_by_role("heading")).to_have_text("Orphan entities")
    expect(first).to_contain_text(f"orphan_entities was 0.2 on {LAST}: run memstrata doctor. {HOSTILE}")
    expect(first.locator("code")).to_have_text("memstrata doctor")
    expect(first.locator(".number")).to_have_text("20\u00a0%")
    expect(first.locator(".badge")).to_have_text("warning")
    assert page.evaluate("window.hacked") is None
    expect(page.locator(".states")).to_contain_text("1 failing of 4")
    expect(page.get_by_role("heading", name="Passing")).to_be_visible()
    expect(page.locator("#said")).to_have_text("1 of the checks shown fail.")


def test_a_check_has_its_number_its_limit_its_usual_band_and_its_failures(
    watched: Watched, site: Site
) -> None:
    page = watched.open(site, "/dashboard?group=default")
    plot = card(page, "Orphan entities").locator(".plot")
    for part in ("value", "limit", "band", "usual", "failed"):
        expect(plot.locator(f"path.{part}")).to_have_count(1)
    assert (plot.locator("path.failed").get_attribute("d") or "").count("M") == 2
    expect(card(page, "Orphan entities").locator(".readout")).to_contain_text(
        f"{LAST} · limit 10\u00a0% · usually 5\u00a0% to 6\u00a0%"
    )


def test_the_days_of_a_plot_are_walked_by_keys_and_by_the_pointer(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/dashboard?group=default")
    plot = page.get_by_role("slider", name="Orphan entities, day by day")
    plot.focus()
    expect(plot).to_have_attribute("aria-valuetext", re.compile(f"^{LAST}: 20\u00a0%, limit .*, fails$"))
    page.keyboard.press("ArrowLeft")
    expect(plot).to_have_attribute("aria-valuetext", re.compile(f"^{ago(1)}: 5\u00a0%"))
    page.keyboard.press("Home")
    expect(plot).to_have_attribute("aria-valuetext", f"{ago(59)}: 5\u00a0%, limit 10\u00a0%")
    expect(card(page, "Orphan entities").locator(".readout")).to_contain_text(str(ago(59)))
    page.keyboard.press("Tab")
    expect(card(page, "Orphan entities").locator(".readout")).to_contain_text(str(LAST))
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * (29 / 59), box["y"] + 10)
    expect(card(page, "Orphan entities").locator(".readout")).to_contain_text(f"{ago(30)}: 30\u00a0%")


def test_a_day_that_failed_before_says_again_what_it_said(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/dashboard?group=default")
    card(page, "Orphan entities").get_by_role("combobox").select_option(str(ago(30)))
    expect(card(page, "Orphan entities").locator(".said")).to_contain_text(
        f"{ago(30)}: orphan_entities was 0.3"
    )


def test_the_window_is_chosen_and_kept_in_the_address(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/dashboard?group=default")
    days = card(page, "Stale facts").locator(".days span").first
    expect(days).to_have_text(str(ago(59)))
    page.get_by_role("button", name="30 days").press("Enter")
    expect(days).to_have_text(str(ago(29)))
    expect(page.get_by_role("button", name="30 days")).to_be_focused()
    assert "days=30" in page.url
    again = watched.open(site, page.url)
    expect(card(again, "Stale facts").locator(".days span").first).to_have_text(str(ago(29)))


def test_all_groups_show_what_fails_anywhere_and_how_each_group_stands(
    watched: Watched, site: Site
) -> None:
    page = watched.open(site, "/dashboard")
    expect(page.locator(".states")).to_contain_text("1 failing of 5")
    expect(page.locator("section.failing article")).to_have_count(1)
    row = page.locator("tr", has_text="other")
    expect(row).to_contain_text("1 pass")
    expect(page.locator("tr", has_text="default")).to_contain_text("Orphan entities")
    row.get_by_role("link").click()
    expect(page.locator(".board-head")).to_contain_text("What checks found in other")
    expect(page.locator(".states")).to_contain_text("all pass")
    assert "group=other" in page.url


def test_the_lag_and_what_is_held_stand_beside(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/dashboard?group=default")
    lag = page.get_by_role("region", name="How far behind")
    expect(lag).to_contain_text("From acceptance to commit, of the last 3 episodes")
    expect(lag).to_contain_text("Waiting for extraction")
    expect(page.get_by_role("region", name="What is held")).to_contain_text("2 facts")


def test_a_memory_that_was_never_checked_says_how_checks_are_run(
    watched: Watched, open_site: Callable[[], Site]
) -> None:
    made = open_site()
    made.tell(TOLD[0])
    page = watched.open(made, "/dashboard")
    expect(page.locator(".empty")).to_contain_text("make up")
    expect(page.locator(".empty")).to_contain_text("docs/operations.md")
    expect(page.locator("article.check")).to_have_count(0)


def test_a_token_of_one_group_sees_nothing_of_the_others(watched: Watched, site: Site) -> None:
    token = site.token("other", can=[Right.READ])
    watched.bear("401")
    page = watched.open(site, "/dashboard")
    page.locator("#token").fill(token)
    page.get_by_role("button", name="Enter").click()
    expect(page.locator(".states")).to_contain_text("all pass of 1")
    expect(page.locator("article.check")).to_have_count(1)
    expect(page.locator("main")).not_to_contain_text("default")
    expect(page.locator("main")).not_to_contain_text("Episodes as expected")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/dashboard", "/dashboard?group=default"])
def test_a_phone_has_everything_within_its_width(
    watched: Watched, site: Site, path: str, scheme: str
) -> None:
    page = watched.phone(site, path, color_scheme=scheme)
    expect(page.locator("article.check").first).to_be_visible()
    assert overflow(page) == 0
    failing = page.locator("section.failing").bounding_box()
    held = page.get_by_role("region", name="What is held").bounding_box()
    assert failing is not None
    assert held is not None
    assert failing["y"] < held["y"]


def test_the_first_view_asks_for_checks_once(watched: Watched, site: Site) -> None:
    asked: list[str] = []
    page = watched.open(site, "/")
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/dashboard?group=default")
    expect(page.locator("article.check").first).to_be_visible()
    assert len([url for url in asked if "/v1/checks" in url]) == 1


def test_what_models_cost_is_shown_where_any_was_asked(watched: Watched, site: Site) -> None:
    page = watched.open(site, "/dashboard?group=default")
    expect(page.locator(".states")).to_contain_text("Lag")
    expect(page.get_by_label("Cost", exact=True)).to_be_hidden()
    assert site.installation.calls is not None
    of_a_call = {"group_id": "default", "episode_id": "e", "version": "v", "calls": 1.0}
    of_a_call |= {"input_tokens": 1_000_000.0, "output_tokens": 0.0, "at": datetime.now(UTC)}
    site.installation.calls.note(
        [
            Call(**of_a_call, stage=Stage.EXTRACT, model="gpt-5-mini"),  # type: ignore[arg-type]
            Call(**of_a_call, stage=Stage.REPAIR, model=HOSTILE, failed=1.0),  # type: ignore[arg-type]
        ]
    )
    page = watched.open(site, "/dashboard?group=default")
    cost = page.get_by_label("Cost", exact=True)
    expect(cost).to_contain_text("0.25 USD and unknown")
    expect(cost).to_contain_text("in 90 days; today 0.25 USD and unknown")
    expect(cost).to_contain_text("2 calls of language models, 2,000,000 tokens read")
    expect(cost).to_contain_text("Failed calls1")
    figures = [page.get_by_label("Cost", exact=True), page.get_by_role("region", name="How far behind")]
    for figure in (one.locator(".figure") for one in figures):
        assert figure.evaluate("one => one.getClientRects().length") == 1
        assert figure.evaluate("one => one.offsetHeight < 1.9 * parseFloat(getComputedStyle(one).fontSize)")
    expect(cost).to_contain_text(f"No price is known of {HOSTILE}")
    assert page.evaluate("window.hacked") is None
    expect(watched.open(site, "/dashboard?group=other").get_by_label("Cost", exact=True)).to_be_hidden()
