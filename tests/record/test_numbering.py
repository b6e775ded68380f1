from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from record_samples import episode, retraction

from memstrata.stores.lake.numbering import in_order, number
from memstrata.stores.sqlite.record_rows import Head

if TYPE_CHECKING:
    from memstrata.model import Decision, Episode

events = st.lists(
    st.tuples(st.sampled_from(["accept", "retract"]), st.sampled_from("ab"), st.sampled_from("xyz")),
    max_size=12,
)


def records_of(happened: list[tuple[str, str, str]]) -> list[Episode | Decision]:
    return [
        retraction(name, second=second) if what == "retract" else episode(name, content, second=second)
        for second, (what, name, content) in enumerate(happened)
    ]


def naive(happened: list[tuple[str, str, str]]) -> tuple[list[tuple[str, int, str]], set[str]]:
    """The history, one event after the other: (id, revision, content) of each, and who is retracted."""
    kept: list[tuple[str, int, str]] = []
    gone: set[str] = set()
    for what, name, content in happened:
        mine = [one for one in kept if one[0] == name]
        if what == "retract":
            gone |= {name} if mine else set()
        elif not mine or name in gone or mine[-1][2] != content:
            kept.append((name, len(mine) + 1, content))
            gone.discard(name)
    return kept, gone


def known_after(happened: list[tuple[str, str, str]]) -> dict[tuple[str, str], Head]:
    found = number(records_of(happened), {}, ())
    return {
        ("g", one.episode_id): Head(
            revision=one.revision,
            content_hash=one.content_hash,
            withdrawn=found.withdrawn.get(("g", one.episode_id), 0),
            place=None,
            row=1,
        )
        for one in found.episodes
    }


def seen_first(happened: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Without the retractions of what has not been there yet: those are another rule."""
    return [
        event
        for place, event in enumerate(happened)
        if event[0] == "accept" or any(one[:2] == ("accept", event[1]) for one in happened[:place])
    ]


@given(events.map(seen_first))
def test_revisions_are_those_of_telling_the_story_step_by_step(
    happened: list[tuple[str, str, str]],
) -> None:
    found = number(records_of(happened), {}, ())
    kept, gone = naive(happened)
    assert [(one.episode_id, one.revision, one.content) for one in found.episodes] == kept
    latest = {one.episode_id: one.revision for one in found.episodes}
    assert {name for (_, name), revision in found.withdrawn.items() if latest[name] == revision} == gone
    accepted = sum(what == "accept" for what, _, _ in happened)
    assert found.new + found.revised + found.repeated == accepted
    assert (found.new, found.new + found.revised) == (len(latest), len(kept))


@given(events.map(seen_first), st.integers(0, 12))
def test_two_compactions_number_as_one(happened: list[tuple[str, str, str]], cut: int) -> None:
    whole = number(records_of(happened), {}, ())
    records = records_of(happened)
    first = number(records[:cut], {}, ())
    second = number(records[cut:], known_after(happened[:cut]), ())
    assert first.episodes + second.episodes == whole.episodes
    assert {**first.withdrawn, **second.withdrawn} == whole.withdrawn


@given(events.map(seen_first))
def test_what_the_log_holds_is_numbered_as_it_was(happened: list[tuple[str, str, str]]) -> None:
    found = number(records_of(happened), {}, ())
    again = number(in_order(found.episodes, found.decisions), {}, (), logged=True)
    assert (again.episodes, again.decisions, again.withdrawn) == (
        found.episodes,
        found.decisions,
        found.withdrawn,
    )


def test_episodes_go_before_decisions_of_the_same_instant() -> None:
    one, two = episode("a", second=1), retraction("a", second=1)
    assert in_order([one], [two]) == [one, two]
