from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mention_worlds import START, Index, collapsed, mentions, worlds

from memstrata.model import By, DecisionKind, Mention
from memstrata.resolution import (
    PairVerdict,
    Signature,
    neighbourhood,
    resolve,
    resolve_signatures,
    signature_of,
)
from memstrata.resolution.lattice import exclude

if TYPE_CHECKING:
    from memstrata.resolution import Resolution

World = tuple[tuple[Mention, ...], tuple[PairVerdict, ...]]
RUNS = settings(max_examples=40, deadline=None)


def entities(result: Resolution) -> dict[str, tuple[object, ...]]:
    """What each member stands for: id, name and type, and with whom."""
    return {
        member: (cluster.entity_id, cluster.name, cluster.type, cluster.aliases, cluster.members)
        for cluster in result.clusters
        for member in cluster.members
    }


@RUNS
@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(world: World, rng: random.Random) -> None:
    made, verdicts = world
    expected = resolve(made, verdicts)
    mixed, ruled = list(made), list(verdicts)
    rng.shuffle(mixed)
    rng.shuffle(ruled)
    assert resolve(mixed, ruled) == expected


@RUNS
@given(worlds())
def test_every_mention_is_in_one_cluster_or_refused_once(world: World) -> None:
    made, verdicts = world
    result = resolve(made, verdicts)
    placed = [member for cluster in result.clusters for member in cluster.members]
    placed += [refusal.mention_id for refusal in result.rejected]
    assert sorted(placed) == sorted(mention.mention_id for mention in made)


@RUNS
@given(mentions())
def test_no_cluster_holds_types_that_exclude_one_another(made: tuple[Mention, ...]) -> None:
    types = {mention.mention_id: mention.type for mention in made}
    for cluster in resolve(made).clusters:
        assert not any(exclude(types[a], types[b]) for a in cluster.members for b in cluster.members)


@RUNS
@given(worlds())
def test_entity_ids_are_unique(world: World) -> None:
    ids = [cluster.entity_id for cluster in resolve(*world).clusters]
    assert len(ids) == len(set(ids))


@RUNS
@given(worlds(), st.data())
def test_a_neighbourhood_decides_like_the_whole_group(world: World, data: st.DataObject) -> None:
    seen, verdicts, _ = collapsed(*world)
    assume(seen)
    touched = data.draw(st.lists(st.sampled_from([one.signature for one in seen]), min_size=1, max_size=3))
    around = neighbourhood(touched, Index(seen), verdicts)
    whole, local = (
        entities(resolve_signatures(seen, verdicts)),
        entities(resolve_signatures(around.seen, verdicts)),
    )
    assert {one.signature_id for one in touched} <= around.affected
    assert {key: local[key] for key in around.affected} == {key: whole[key] for key in around.affected}


@RUNS
@given(worlds(), st.data())
def test_what_is_not_affected_keeps_its_entity(world: World, data: st.DataObject) -> None:
    seen, verdicts, _ = collapsed(*world)
    assume(len(seen) > 1)
    arriving = data.draw(
        st.lists(st.sampled_from(seen), min_size=1, max_size=2, unique_by=lambda one: one.signature)
    )
    earlier = tuple(one for one in seen if one not in arriving)
    before, after = (
        entities(resolve_signatures(earlier, verdicts)),
        entities(resolve_signatures(seen, verdicts)),
    )
    touched = [one.signature for one in arriving]
    for index, now, then in ((Index(seen), after, before), (Index(earlier), before, after)):
        affected = neighbourhood(touched, index, verdicts).affected
        unaffected = now.keys() - affected
        assert {key: now[key] for key in unaffected} == {key: then[key] for key in unaffected}


@RUNS
@given(mentions(), st.data())
def test_more_mentions_of_the_same_names_change_no_id(
    made: tuple[Mention, ...], data: st.DataObject
) -> None:
    copied = data.draw(st.sampled_from(made))
    later = replace(copied, mention_id="zz", reference_time=copied.reference_time)
    before, after = entities(resolve(made)), entities(resolve([*made, later]))
    assert {key: before[key][0] for key in before} == {key: after[key][0] for key in before}


@RUNS
@given(mentions(), st.data())
def test_after_a_verdict_the_part_with_the_earliest_mention_keeps_the_id(
    made: tuple[Mention, ...], data: st.DataObject
) -> None:
    whole = [cluster for cluster in resolve(made).clusters if len(cluster.members) > 1]
    assume(whole)
    cluster = data.draw(st.sampled_from(whole))
    first = cluster.first[1]
    other = data.draw(st.sampled_from([member for member in cluster.members if member != first]))
    apart = PairVerdict(
        kind=DecisionKind.KEEP_APART, left=first, right=other, by=By.PERSON, at=made[0].reference_time
    )
    after = entities(resolve(made, [apart]))
    assume(set(after[first][4]) < set(cluster.members))  # else what is left of it has joined another
    assert after[first][0] == cluster.entity_id
    assert after[other][0] != cluster.entity_id


@RUNS
@given(worlds())
def test_what_a_person_keeps_apart_is_apart(world: World) -> None:
    made, verdicts = world
    person = [verdict for verdict in verdicts if verdict.by is By.PERSON]
    assume(all(verdict.kind is DecisionKind.KEEP_APART for verdict in person))
    where = entities(resolve(made, verdicts))
    for verdict in person:
        if verdict.left != verdict.right and verdict.left in where and verdict.right in where:
            assert where[verdict.left][0] != where[verdict.right][0]


def test_ten_thousand_mentions_of_one_name_are_one_signature() -> None:
    one = Mention(
        mention_id="m", group_id="g", episode_id="e", name="Ann Lee", type="person", reference_time=START
    )
    many = [
        replace(one, mention_id=f"m{n}", episode_id=f"e{n}", text=f"Ann Lee sang {n} songs.")
        for n in range(10_000)
    ]
    random.Random(1).shuffle(many)  # noqa: S311 (no secret)
    seen, _, _ = collapsed(many, [])
    assert [found.count for found in seen] == [10_000]


@RUNS
@given(
    st.text(max_size=12),
    st.sampled_from(
        ["person", "organization", "place", "product", "time", "identifier", "event", "concept", None]
    ),
    st.text(max_size=20),
)
def test_any_text_is_a_name_or_refused(name: str, label: str | None, text: str) -> None:
    mention = Mention(
        mention_id="m", group_id="g", episode_id="e", name=name, type=label, text=text, reference_time=START
    )
    found = signature_of(mention)
    if isinstance(found, Signature):
        assert found.direct_keys
        assert signature_of(replace(mention, mention_id="n")) == found
        assert len(resolve([mention]).clusters) == 1
    else:
        assert found.reason
