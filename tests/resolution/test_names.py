# ruff: noqa: RUF001 (letters that look alike are what some of these tests are about)

from __future__ import annotations

import pytest

from memstrata.resolution.names import Shape, form_of


def meet(one: str, other: str, label: str | None) -> bool:
    return bool(form_of(one, label).exact & form_of(other, label).exact)


@pytest.mark.parametrize(
    ("one", "other", "label"),
    [
        ("José Núñez", "Jose\u0301 Nu\u0301n\u0303ez", "person"),
        ("Maeve O’Connor", "Maeve OʼConnor", "person"),
        ("İPEK YILDIZ", "ipek yıldız", "person"),
        ("Jürgen Weiß", "JUERGEN WEISS", "person"),
        ("Lech Wałęsa", "Lech Walesa", "person"),
        ("Søren Møller", "Soeren Moeller", "person"),
        ("ΓΙΩΡΓΟΣ ΠΑΠΠΑΣ", "Γιώργος Παππάς", "person"),
        ("علی کریمی", "علي كريمي", "person"),
        ("Data\u200bForge", "Data\u00adForge", "organization"),
        ("Prof. Dr. Lena Hoffmann, PhD", "Lena Hoffmann", "person"),
        ("Hale, Edmund", "Sir Edmund Hale", "person"),
        ("Henry V", "Henry 5", "person"),
        ("Lee, V.", "V. Lee", "person"),
        ("J. R. Calloway", "JR Calloway", "person"),
        ("Harriet T. Bloom", "Harriet Bloom", "person"),
        ("Tallgrass Robotics, Inc.", "TALLGRASS ROBOTICS INC", "organization"),
        ("SAS Valmont", "Valmont", "organization"),
        ("株式会社ヒバリ", "ヒバリ", "organization"),
        ("Harlow & Byrne LLP", "Harlow and Byrne", "organization"),
        ("The Meridian Group", "Meridian Group", "organization"),
        ("Z.Q.T.A.", "ZQTA", "organization"),
        ("St. Louis", "Saint Louis", "place"),
        ("Node.js", "node js", "product"),
        ("**Heron**", "Heron", "product"),
        ("CO₂ Scrubber", "CO2 Scrubber", "product"),
        ("World War II", "world war 2", "event"),
        ("Chapter Twenty-Four", "Chapter 24", "document"),
        ("Route 1,000", "Route 1000", "place"),
        ("2025 Annual Report", "Annual Report 2025", "document"),
        ("FY 2023", "fiscal year 2023", "time"),
        ("third quarter of 2025", "2025 Q3", "time"),
        ("March 4, 2026", "4 March 2026", "time"),
        ("Mar 2025", "2025-03", "time"),
        ("wind turbines", "wind turbine", "concept"),
        ("Dana.Cole@Example.com", "dana.cole@example.com", "identifier"),
        ("https://Docs.Example.com/setup/", "https://docs.example.com/setup", "identifier"),
        ("+1 (555) 010-0199", "+15550100199", "identifier"),
        ("./src/app/main.py", "src/app/main.py", "identifier"),
        ("PROJ-12", "proj-12", "identifier"),
    ],
)
def test_ways_to_write_one_name_share_a_key(one: str, other: str, label: str) -> None:
    assert meet(one, other, label)


@pytest.mark.parametrize(
    ("one", "other", "label"),
    [
        ("Maeve O’Connor", "Maeve Connor", "person"),
        ("Henry V", "Henry VI", "person"),
        ("Malcolm X", "Malcolm 10", "person"),
        ("Jürgen Weiß", "Jürgen Weis", "person"),
        ("Hale Edmunds", "Edmund Hale", "person"),
        ("Jo Calloway", "J. O. Calloway", "person"),
        ("Ann Elee", "Anne Lee", "person"),
        ("Mr. Lee", "Lee", "person"),
        ("Малахов Андрей", "Малахов Андреи", "person"),
        ("Apple", "Apple Bank", "organization"),
        ("Bank of Ashford", "Ashford Bank", "organization"),
        ("The Limited", "The Company", "organization"),
        ("iPhone 15", "iPhone 15 Pro", "product"),
        ("Model X", "Model 10", "product"),
        ("Vitamin C", "Vitamin 100", "substance"),
        ("Area 10²", "Area 102", "place"),
        ("Room 1½", "Room 11", "place"),
        ("Agent 007", "Agent 7", "work"),
        ("Heron v1.2", "Heron v1.21", "product"),
        ("Heron v1.2", "Heron v12", "product"),
        ("SN-2025-041", "SN-20250-41", "document"),
        ("C", "C++", "product"),
        ("A*", "A", "product"),
        ("FY 2024", "2024", "time"),
        ("2026-03-04", "2026-04-03", "time"),
        ("苹果", "香蕉", "product"),
        ("src/App.py", "src/app.py", "identifier"),
        ("10.0.0.1", "10.0.0.11", "identifier"),
        ("+1 555 010 0198", "+1 555 010 0199", "identifier"),
    ],
)
def test_different_names_share_no_key(one: str, other: str, label: str) -> None:
    assert not meet(one, other, label)


@pytest.mark.parametrize(
    ("name", "label", "shape"),
    [
        ("Ann Lee", "person", Shape.FULL),
        ("Ann", "person", Shape.GIVEN),
        ("Mr. Lee", "person", Shape.TITLED),
        ("Mr. de Groot", "person", Shape.TITLED),
        ("A. Lee", "person", Shape.INITIALED),
        ("Priya R.", "person", Shape.CLIPPED),
        ("Malcolm X", "person", Shape.PLAIN),
        ("张伟", "person", Shape.PLAIN),
        ("WHO", "organization", Shape.ACRONYM),
        ("@mkline", "person", Shape.HANDLE),
        ("Priya", None, Shape.GIVEN),
        ("will", None, Shape.PLAIN),
        ("Alice's manager", "person", Shape.PLAIN),
    ],
)
def test_a_name_has_the_shape_that_decides_whom_it_may_stand_for(
    name: str, label: str, shape: Shape
) -> None:
    assert form_of(name, label).shape is shape


def test_what_tells_two_bearers_apart_is_kept_beside_the_key() -> None:
    assert form_of("Frank Delgado, Jr.", "person").generation == "junior"
    assert (
        form_of("Henry Aldous 3rd", "person").generation == form_of("Henry Aldous III", "person").generation
    )
    assert form_of("Mrs. Okafor", "person").gender == "f"
    assert form_of("John A. Mercer", "person").middle == ("a",)
    assert form_of("Mercury (band)", "organization").qualifier == "band"
    assert form_of("Springfield, Illinois", "place").qualifier == "illinois"
    assert form_of("Northwind GmbH", "organization").legal == "gmbh"


def test_names_stated_inside_a_name_are_claimed() -> None:
    assert form_of("Ingrid Vik (née Solheim)", "person").claims == {"ingrid solheim"}
    assert form_of("X (formerly Twitter)", "organization").claims == {"twitter"}
    assert "ollie trentham" in form_of("Oliver “Ollie” Trentham", "person").claims


@pytest.mark.parametrize(
    "label", ["person", "organization", "place", "product", "time", "identifier", None]
)
@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        ".",
        "'",
        "(x)",
        "()",
        '""',
        ",",
        "a,",
        "Jr.",
        "Dr.",
        "Inc.",
        "@",
        "http://[x",
        "née " * 999,
        "the",
        "\u0301",
        "𝕏",
        "a'b",
    ],
)
def test_odd_names_are_read_without_failing(name: str, label: str | None) -> None:
    form = form_of(name, label)
    assert form.anchor in form.exact
