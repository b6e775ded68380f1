"""Lists page by page: what was accepted is there at once, each item once, nothing beyond the grant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Forbidden, Incorrect
from memstrata.intake import Options, read_text
from memstrata.memory.access import Grant, Right
from memstrata.memory.browsing import Browsing
from memstrata.memory.telling import Telling
from memstrata.settings import Settings, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import Installation

READER = Grant(who="r", groups=("acme/*",), rights=frozenset({Right.READ}))


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with opened(Settings(MEMSTRATA_HOME=tmp_path / "home", MEMSTRATA_EMBEDDER="none")) as made:
        yield made


def _told(installation: Installation, group: str, count: int) -> list[str]:
    drafts = [read_text(f"Note {n} of {group}.", Options(group_id=group)) for n in range(count)]
    return list(Telling(installation=installation).add(drafts).episode_ids)


def test_accepted_episodes_are_listed_before_any_commit_latest_first(installation: Installation) -> None:
    ids = _told(installation, "acme/a", 3)
    page = Browsing(installation=installation).episodes("acme/a")
    assert [one.episode_id for one in page.items] == ids[::-1]
    assert page.following is None


def test_pages_hold_each_episode_once(installation: Installation) -> None:
    ids = _told(installation, "acme/a", 7)
    _told(installation, "acme/b", 4)
    browsing = Browsing(installation=installation, grant=READER)
    seen: list[str] = []
    after: str | None = None
    while True:
        page = browsing.episodes("acme/a", after=after, limit=3)
        seen += [one.episode_id for one in page.items]
        after = page.following
        if after is None:
            break
    assert seen == ids[::-1]


def test_decisions_are_listed_with_the_commit_that_took_them_in(installation: Installation) -> None:
    (episode_id,) = _told(installation, "acme/a", 1)
    telling = Telling(installation=installation)
    telling.commit("acme/a")
    telling.retract("acme/a", episode_id, reason="said in jest")
    waiting = Browsing(installation=installation).decisions("acme/a").items
    assert [(one.decision.kind, one.seq) for one in waiting] == [("retract", None)]
    telling.commit("acme/a")
    (taken,) = Browsing(installation=installation).decisions("acme/a").items
    assert taken.seq is not None
    assert Browsing(installation=installation).episodes("acme/a").items == ()


def test_entities_are_listed_by_id_page_by_page(installation: Installation) -> None:
    drafts = [
        read_text(f"{name} has worked at Acme since 2021.", Options(group_id="acme/a"))
        for name in ("Ada Byron", "Grace Hopper", "Edith Clarke")
    ]
    Telling(installation=installation).remember(drafts)
    browsing = Browsing(installation=installation)
    whole = [one.entity_id for one in browsing.entities("acme/a").items]
    first = browsing.entities("acme/a", limit=2)
    rest = browsing.entities("acme/a", after=first.following, limit=100)
    assert len(whole) >= 3
    assert [one.entity_id for one in (*first.items, *rest.items)] == whole == sorted(whole)


def test_an_episode_is_found_by_its_id_as_soon_as_it_is_accepted(installation: Installation) -> None:
    (episode_id,) = _told(installation, "acme/a", 1)
    assert Browsing(installation=installation).episode("acme/a", episode_id).episode.revision == 1


def test_nothing_is_listed_beyond_the_grant(installation: Installation) -> None:
    _told(installation, "other", 1)
    browsing = Browsing(installation=installation, grant=READER)
    for call in (browsing.episodes, browsing.decisions, browsing.entities, browsing.dead_letters):
        with pytest.raises(Forbidden):
            call("other")


@pytest.mark.parametrize("after", ["x", "-1", "1" * 40, "\u0661"])
def test_a_place_that_no_page_gave_is_refused(installation: Installation, after: str) -> None:
    with pytest.raises(Incorrect, match="take it from the page before"):
        Browsing(installation=installation).episodes("acme/a", after=after)
