"""Assertions that collide: few objects, few instants next to one another, every precision, every kind."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from memstrata.instants import TICK, Precision, StatedTime
from memstrata.model import Kind, Placement
from memstrata.ontology import Cardinality, Ontology, OntologyStream, Relation

if TYPE_CHECKING:
    from collections.abc import Callable

START = datetime(2019, 1, 1, tzinfo=UTC)
INSTANTS = (
    START - TICK,
    START,
    START + TICK,
    datetime(2019, 1, 31, tzinfo=UTC),
    datetime(2019, 2, 1, tzinfo=UTC),
    datetime(2019, 2, 15, tzinfo=UTC),
    datetime(2019, 2, 15, tzinfo=UTC) + TICK,
    datetime(2019, 3, 1, tzinfo=UTC),
    datetime(2019, 4, 1, tzinfo=UTC),
    datetime(2020, 1, 1, tzinfo=UTC),
    datetime(2020, 2, 29, tzinfo=UTC),
    datetime(2021, 1, 1, tzinfo=UTC),
)
SYSTEM = tuple(datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in range(6))

PLAIN = Ontology(
    relations=(Relation(name="one", cardinality=Cardinality.ONE), Relation(name="both", symmetric=True))
)

instants = st.sampled_from(INSTANTS)
stated = st.builds(StatedTime, instants, st.sampled_from(Precision))


def _makes_sense(said: Placement) -> bool:
    begin, end = said.valid_at, said.invalid_at
    if begin and end:
        return begin.at <= end.at or end.covers(begin.at)
    return not (begin and said.kind is Kind.ENDED and begin.at > said.reference_time)


@st.composite
def placement(draw: Callable[..., object], id_: str, kinds: tuple[Kind, ...] = tuple(Kind)) -> Placement:
    subject, object_ = draw(st.sampled_from([("s", "A"), ("s", "B"), ("s", "C"), ("A", "s"), ("t", "A")]))
    return Placement(
        id=id_,
        group_id="g",
        episode_id=f"e-{id_}",
        subject=subject,
        predicate=draw(st.sampled_from(["one", "one", "many", "both"])),
        object=object_,
        fact=f"so says {id_}",
        kind=draw(st.sampled_from(kinds)),
        reference_time=draw(instants),
        recorded_at=SYSTEM[0],
        valid_at=draw(st.none() | stated),
        invalid_at=draw(st.none() | stated),
        confidence=draw(st.sampled_from([0.5, 1.0])),
    )


@st.composite
def placements(draw: Callable[..., object], max_size: int = 8) -> list[Placement]:
    """Live placements of one system time, of distinct ids; now and then mostly ends, or mostly starts."""
    kinds = draw(
        st.sampled_from(
            [
                tuple(Kind),
                (Kind.STARTED, Kind.HOLDS),
                (Kind.ENDED, Kind.ENDED, Kind.ENDED, Kind.HOLDS, Kind.DENIED),
                (Kind.STARTED, Kind.DENIED),
            ]
        )
    )
    count = draw(st.integers(1, max_size))
    return [draw(placement(f"a{number}", kinds).filter(_makes_sense)) for number in range(count)]


@st.composite
def line_of_one(draw: Callable[..., object], max_size: int = 8) -> list[Placement]:
    """Placements that all share one timeline."""
    return [
        replace(said, subject="s", object=said.object if said.object != "s" else "D", predicate="one")
        for said in draw(placements(max_size))
    ]


@st.composite
def lives(draw: Callable[..., object], max_size: int = 6) -> list[Placement]:
    """Placements over system time: each id is added, perhaps moved, restated, retracted, put back."""
    found: list[Placement] = []
    for said in draw(placements(max_size)):
        times = sorted(draw(st.lists(st.sampled_from(SYSTEM), min_size=1, max_size=4)))
        for number, recorded in enumerate(times):
            retracted = (
                times[number + 1] if number + 1 < len(times) else draw(st.sampled_from([None, SYSTEM[-1]]))
            )
            other = draw(placement(said.id).filter(_makes_sense)) if draw(st.booleans()) else said
            found.append(
                replace(other, episode_id=said.episode_id, recorded_at=recorded, retracted_at=retracted)
            )
    return found


@st.composite
def ontologies(draw: Callable[..., object]) -> Ontology:
    default = draw(st.sampled_from(Cardinality))
    relations = []
    for name in draw(st.sets(st.sampled_from(["one", "many", "both"]))):
        symmetric = draw(st.booleans())
        cardinality = Cardinality.MANY if symmetric else draw(st.sampled_from(Cardinality))
        relations.append(Relation(name=name, cardinality=cardinality, symmetric=symmetric))
    return Ontology(relations=tuple(relations), default_cardinality=default)


@st.composite
def streams(draw: Callable[..., object]) -> OntologyStream:
    changes = sorted(draw(st.sets(st.sampled_from(SYSTEM), max_size=2)))
    return OntologyStream(
        first=draw(ontologies()), later=tuple((since, draw(ontologies())) for since in changes)
    )
