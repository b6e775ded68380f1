"""The current belief does not depend on what arrived when, nor on how it was batched."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from belief_world import World
from histories import drafts
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstrata.model import DecisionKind

if TYPE_CHECKING:
    from memstrata.model import Draft

_little = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))


def _believed(batches: list[list[Draft]], *, retracted: list[Draft]) -> dict[str, tuple[str, ...]]:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        for batch in batches:
            world.accept(*batch)
            world.work()
        for one in retracted:
            world.retract(str(one.episode_id), one.group_id)
        world.work()
        return {group: world.canonical(group) for group in "gh"}


@given(
    st.data(),
    st.lists(drafts(), min_size=2, max_size=7, unique_by=lambda one: (one.group_id, one.episode_id)),
)
@_little
def test_any_order_and_batching_give_the_same_canonical_export(
    data: st.DataObject, said: list[Draft]
) -> None:
    shuffled = data.draw(st.permutations(said))
    cut = data.draw(st.integers(0, len(said)))
    passing = data.draw(st.sampled_from(said))
    once = _believed([[one for one in said if one is not passing]], retracted=[])
    in_turns = _believed([shuffled[:cut], *([one] for one in shuffled[cut:])], retracted=[passing])
    assert in_turns == once


@given(st.data(), st.lists(drafts().filter(lambda one: one.group_id == "g"), min_size=2, max_size=4))
@_little
def test_a_verdict_counts_whether_it_comes_between_arrivals_or_after_them(
    data: st.DataObject, said: list[Draft]
) -> None:
    kind = data.draw(st.sampled_from((DecisionKind.MERGE, DecisionKind.KEEP_APART)))
    with TemporaryDirectory() as one, TemporaryDirectory() as other, World(Path(one)) as late:
        late.accept(*said)
        late.work()
        mentions = late.mentions()
        if len(mentions) < 2:
            return
        pair = data.draw(st.permutations(mentions))[:2]
        late.judge(kind, *pair)
        late.work()
        with World(Path(other)) as early:
            for each in said:
                early.accept(each)
                early.work()
                if each is said[0]:
                    early.judge(kind, *pair)
            assert early.canonical() == late.canonical()
