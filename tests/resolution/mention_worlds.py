"""Small worlds of mentions for property tests: few names, so that they meet, clash and fit each other."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from memstrata.model import By, DecisionKind, Mention, Speaker
from memstrata.resolution import PairVerdict, SeenSignature, Signature, signature_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

START = datetime(2025, 1, 1, tzinfo=UTC)
PERSONS = (
    "Ann Lee", "Ann", "Lee", "A. Lee", "Mr. Lee", "Mrs. Lee", "Ann B. Lee", "Ann C. Lee", "Bob Lee",
    "Robert Lee", "Bob", "R. Lee", "Ann Moor", "Ann M.", "Dr. Ann Lee", "Ann Lee Jr.", "Lee Ann",
    "A. Moor", "B. Lee", "Anna Lee", "I", "my boss", "Ann's boss", "ann lee", "Änn Lee", "Moor",
)  # fmt: skip
THINGS = (
    "Lee",
    "Lee Ltd",
    "Lee GmbH",
    "LEE",
    "LAB",
    "Lee and Bob",
    "Lee Ann Bank",
    "Ann",
    "Lab 7",
    "Lab 8",
)
TYPES = ("person", "person", "organization", "company", "product", None, "user")

_attributes = st.fixed_dictionaries(
    {},
    optional={
        "employer": st.sampled_from([("Lab",), ("Mill",)]),
        "email": st.sampled_from([("a@x.org",), ("b@x.org",), ("info@x.org",)]),
        "birth_date": st.sampled_from([("1950-01-01",), ("1980-01-01",)]),
        "aliases": st.sampled_from([("Ann",), ("Lee Ltd",), ("Robert Lee",), ("LAB",), ("Bo", "Ann Moor")]),
        "city": st.sampled_from([("Ulm",), ("Bonn",)]),
    },
)
_speakers = st.sampled_from([None, None, Speaker(id="u1", name="Ann Lee"), Speaker(id="u2", name="Bob")])


@st.composite
def mentions(draw: st.DrawFn, most: int = 14) -> tuple[Mention, ...]:
    """Up to `most` mentions of one group, with ids m0, m1, ..."""
    made = []
    for number in range(draw(st.integers(1, most))):
        kind = draw(st.sampled_from(TYPES))
        names = PERSONS if kind in ("person", "user") else PERSONS + THINGS if kind is None else THINGS
        made.append(
            Mention(
                mention_id=f"m{number}",
                group_id="g",
                episode_id=f"e{number}",
                name=draw(st.sampled_from(names)),
                type=kind,
                reference_time=START + timedelta(days=draw(st.integers(0, 20))),
                speaker=draw(_speakers),
                attributes=draw(st.just({}) | _attributes),
            )
        )
    return tuple(made)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[tuple[Mention, ...], tuple[PairVerdict, ...]]:
    """Mentions, and a few verdicts on them."""
    made = draw(mentions())
    ids = [mention.mention_id for mention in made]
    verdict = st.builds(
        PairVerdict,
        kind=st.sampled_from([DecisionKind.MERGE, DecisionKind.KEEP_APART]),
        left=st.sampled_from(ids),
        right=st.sampled_from(ids),
        by=st.sampled_from([By.PERSON, By.MODEL]),
        at=st.integers(0, 3).map(lambda days: START + timedelta(days=days)),
    )
    return made, tuple(draw(st.lists(verdict, max_size=3)))


@dataclass(frozen=True)
class Index:
    """Signatures of one group by scanning them: what a store does with an index."""

    signatures: tuple[SeenSignature, ...]

    def under(self, keys: Collection[str]) -> Iterable[SeenSignature]:
        wanted = set(keys)
        return [one for one in self.signatures if one.signature.neighbour_keys & wanted]

    def known(self, signature_ids: Collection[str]) -> Iterable[SeenSignature]:
        return [one for one in self.signatures if one.signature.signature_id in signature_ids]


def collapsed(
    made: Iterable[Mention], verdicts: Iterable[PairVerdict]
) -> tuple[tuple[SeenSignature, ...], tuple[PairVerdict, ...], dict[str, str]]:
    """Seen signatures, the verdicts in their terms, and which mention has which."""
    ruled = tuple(verdicts)
    pinned = {side for verdict in ruled for side in (verdict.left, verdict.right)}
    seen: dict[str, SeenSignature] = {}
    home: dict[str, str] = {}
    for mention in made:
        signature = signature_of(mention, pinned=mention.mention_id in pinned)
        if not isinstance(signature, Signature):
            continue
        key = home[mention.mention_id] = signature.signature_id
        first = (mention.reference_time, mention.mention_id)
        before = seen.get(key)
        seen[key] = SeenSignature(
            signature=signature,
            first=first if before is None else min(first, before.first),
            count=1 if before is None else before.count + 1,
        )
    translated = tuple(
        PairVerdict(kind=one.kind, left=home[one.left], right=home[one.right], by=one.by, at=one.at)
        for one in ruled
        if one.left in home and one.right in home
    )
    return tuple(seen.values()), translated, home
