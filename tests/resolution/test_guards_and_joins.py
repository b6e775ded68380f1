"""Whole resolutions of a few mentions: one rule each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from memstrata.model import Mention, Speaker
from memstrata.resolution import resolve

if TYPE_CHECKING:
    from memstrata.resolution import Resolution

START = datetime(2025, 1, 6, 9, tzinfo=UTC)
Row = (
    tuple[str, str | None]
    | tuple[str, str | None, dict[str, str]]
    | tuple[str, str | None, dict[str, str], str]
)


def resolved(*rows: Row, speaker: Speaker | None = None) -> Resolution:
    made = []
    for number, (name, label, *rest) in enumerate(rows):
        attributes = rest[0] if rest and isinstance(rest[0], dict) else {}
        made.append(
            Mention(
                mention_id="abcdefgh"[number],
                group_id="g",
                episode_id=f"e{number}",
                name=name,
                type=label,
                reference_time=START + timedelta(days=number),
                attributes={key: (value,) for key, value in attributes.items()},
                text=str(rest[1]) if len(rest) > 1 else "",
                speaker=speaker,
            )
        )
    return resolve(made)


def parts(result: Resolution) -> str:
    return " ".join("".join(cluster.members) for cluster in result.clusters)


def listed(result: Resolution) -> set[str]:
    return {review.left + review.right for review in result.reviews}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(
            [
                ("John Parkes", "person", {"birth_date": "1948"}),
                ("John Parkes", "person", {"birth_date": "1948-07-01"}),
            ],
            "ab",
            id="a year agrees with a day in it",
        ),
        pytest.param(
            [
                ("John Parkes", "person", {"birth_date": "1948"}),
                ("John Parkes", "person", {"birth_date": "1949-07-01"}),
            ],
            "a b",
            id="birth dates part",
        ),
        pytest.param(
            [("Ann Lee", "person", {"employer": "Lab"}), ("Ann Lee", "person", {"employer": "Mill"})],
            "ab",
            id="one may change the employer",
        ),
        pytest.param(
            [
                ("Ann Lee", "person", {"employer": "Lab", "city": "Ulm"}),
                ("Ann Lee", "person", {"employer": "Mill", "city": "Bonn"}),
            ],
            "a b",
            id="not employer and city at once",
        ),
        pytest.param(
            [("Ana Peña", "person", {"employer": "Lab"}), ("Ana Pena", "person", {"employer": "Mill"})],
            "a b",
            id="two spellings with different evidence",
        ),
        pytest.param(
            [("John Smith (sales)", "person"), ("John Smith (law)", "person")], "a b", id="qualifiers part"
        ),
        pytest.param(
            [("John Parkes", "person"), ("John Parkes", "person", {}, "Another John Parkes called.")],
            "a b",
            id="a stated contrast parts",
        ),
        pytest.param(
            [("Ann Lee", "person", {"email": "lee@x.org"}), ("Bob Lee", "person", {"email": "lee@x.org"})],
            "a b",
            id="a shared mailbox joins no two first names",
        ),
        pytest.param(
            [("Ann Lee", "person", {"phone": "+1 555"}), ("Anna Lee", "person", {"phone": "+1 555"})],
            "a b",
            id="a household phone joins no alike names",
        ),
        pytest.param(
            [("Jon Lee", "person", {"employer": "Lab"}), ("John Lee", "person", {"employer": "Lab"})],
            "a b",
            id="known names one letter apart are two",
        ),
        pytest.param(
            [("Bob Lee", "person", {"employer": "Lab"}), ("Robert Lee", "person", {"employer": "Lab"})],
            "ab",
            id="a nickname joins with an employer",
        ),
        pytest.param(
            [
                ("Ольга Миронова", "person", {"employer": "Lab"}),
                ("Olga Mironova", "person", {"employer": "Lab"}),
            ],
            "ab",
            id="another script joins with an employer",
        ),
        pytest.param(
            [("R. Quist", "person", {"email": "rq@x.org"}), ("@rq", "person", {"email": "rq@x.org"})],
            "ab",
            id="a handle joins by its account",
        ),
        pytest.param(
            [
                ("Ann Lee", "person", {"github": "bot"}),
                ("@bot", "person", {"github": "bot"}),
                ("Bob Moor", "person", {"github": "bot"}),
            ],
            "a b c",
            id="a service account bridges nobody",
        ),
        pytest.param(
            [("Mr. Lee", "person"), ("Lee", "person"), ("Lee Harper", "person")],
            "a b c",
            id="a titled surname is no first name",
        ),
        pytest.param(
            [("Mr. Okafor", "person"), ("Mrs. Okafor", "person"), ("Karl Okafor", "person")],
            "a b c",
            id="Mr and Mrs do not meet in one",
        ),
        pytest.param([("Kim", "person"), ("Daniel Kim", "person")], "a b", id="a bare surname waits"),
        pytest.param(
            [("Acme Ltd", "organization"), ("Acme GmbH", "organization"), ("Acme", "organization")],
            "a b c",
            id="a bare company between two legal forms",
        ),
        pytest.param(
            [("Jordan", "place"), ("Jordan", None), ("Jordan", "person")],
            "a b c",
            id="an untyped name bridges no types",
        ),
        pytest.param(
            [("Twitter", "organization"), ("X (formerly Twitter)", "organization"), ("X", "organization")],
            "abc",
            id="a rename joins",
        ),
        pytest.param(
            [
                ("Ann Lee", "person", {"aliases": "the CEO"}),
                ("Bob Moor", "person", {"aliases": "the CEO"}),
                ("the CEO", "person"),
            ],
            "a b c",
            id="an office joins nobody",
        ),
        pytest.param(
            [("a1b2c3d", "identifier"), ("a1b2c3d4e5f60718293a4b5c6d7e8f9012345678", "identifier")],
            "ab",
            id="a shortened hash",
        ),
        pytest.param(
            [("a1b2c3d", "identifier"), ("a1b2c3d4", "identifier")],
            "a b",
            id="a longer key is no shortened hash",
        ),
        pytest.param(
            [
                ("Sam", "person", {}, "Sam, my dentist, moved."),
                ("Sam", "person", {}, "My nephew Sam is four; my nephew Sam reads."),
            ],
            "a b",
            id="two roles of one first name",
        ),
        pytest.param(
            [("Galaxy S23", "product"), ("Samsung Galaxy S23", "product", {"maker": "Samsung"})],
            "ab",
            id="a maker in front",
        ),
    ],
)
def test_names_join_or_stay_apart(rows: list[Row], expected: str) -> None:
    assert parts(resolved(*rows)) == expected


def test_another_employer_keeps_a_first_name_from_its_only_candidate() -> None:
    result = resolved(
        ("Tom", "person", {"employer": "Lab"}), ("Tom Weller", "person", {"employer": "Mill"})
    )
    assert parts(result) == "a b"
    assert listed(result) == {"ab"}


def test_what_fits_two_is_listed_with_each() -> None:
    result = resolved(("Alex Kestrel", "person"), ("Alex Ortega", "person"), ("Alex", "person"))
    assert parts(result) == "a b c"
    assert listed(result) == {"ac", "bc"}


def test_an_agreeing_employer_chooses_between_two() -> None:
    lab = {"employer": "Lab"}
    result = resolved(("John Lee", "person", lab), ("Jane Lee", "person"), ("J. Lee", "person", lab))
    assert parts(result) == "ac b"


def test_a_name_that_the_speaker_bears_too_waits_for_a_person() -> None:
    ana = Speaker(id="u1", name="Ana Ribeiro")
    result = resolved(("I", "person"), ("Ana", "person"), ("Ana Ribeiro", "person"), speaker=ana)
    assert parts(result) == "ac b"
    assert listed(result) == {"ab"}


def test_an_entity_is_called_by_its_best_name_and_keeps_the_others() -> None:
    result = resolved(("ann lee", "person"), ("Ann", "person"), ("Dr. Ann Lee", "user"), ("Ann Lee", None))
    (cluster,) = result.clusters
    assert (cluster.name, cluster.type) == ("Ann Lee", "person")
    assert cluster.aliases == ("Ann", "Dr. Ann Lee", "ann lee")
