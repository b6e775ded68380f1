"""Evidence is found however a model sets it, at its place in the text; other letters are other words."""

from __future__ import annotations

import unicodedata

import pytest
from extraction_samples import ANA, episode
from hypothesis import given
from hypothesis import strategies as st

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.verification import Source, outcome_of
from memstrata.extraction.verification.evidence import is_not_recalled, quote_is_in_the_episode
from memstrata.extraction.verification.quoting import Quotable
from memstrata.model import Kind, Verdict

TEXT = (
    "Sie sagte: \u201cI don\u2019t like na\u00efve caf\u00e9s \u2026\u201d and\r\nwent home to the"
    " soft\u00adhyphen \ufb01nal line \u2014 well\u2011known, STRASSE 5."
)


def quoted(quote: str) -> Candidate:
    me = Name(text="I", speaker=ANA)
    return Candidate(subject=me, predicate="p", object="o", kind=Kind.HOLDS, fact="f", quote=quote)


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("\"I don't like na\u00efve caf\u00e9s", "\u201cI don\u2019t like na\u00efve caf\u00e9s"),
        ("I don't like nai\u0308ve cafe\u0301s ...", "I don\u2019t like na\u00efve caf\u00e9s \u2026"),
        ("'and went home.'", "and\r\nwent home"),
        ("\u2026and went home\u2026", "and\r\nwent home"),
        ("softhyphen final line", "soft\u00adhyphen \ufb01nal line"),
        ("soft\u200bhyphen", "soft\u00adhyphen"),
        ("line - well-known", "line \u2014 well\u2011known"),
        ("Stra\u00dfe 5", "STRASSE 5"),
    ],
)
def test_how_a_quote_is_set_does_not_matter(quote: str, stands: str) -> None:
    start, end = next(Quotable(TEXT).places(quote))
    assert TEXT[start:end] == stands
    assert quote_is_in_the_episode(quoted(quote), Source(episode=episode(TEXT))) is None


@pytest.mark.parametrize(
    "quote",
    [
        "I don't like naive cafes",
        "I do like na\u00efve caf\u00e9s",
        "Sie sagte ... went home",
        "went to the soft-hyphen",
        "STRASSE 6",
        "\u2026",
        "...",
        "\u200b",
    ],
)
def test_other_letters_and_stretches_put_together_are_no_quote(quote: str) -> None:
    found = outcome_of(quoted(quote), Source(episode=episode(TEXT.replace(" \u2026", "").rstrip("."))))
    assert found is not None
    assert (found.rule, found.verdict) == ("quote_is_in_the_episode", Verdict.REJECT)


@pytest.mark.parametrize("quote", ["I live in York.", "'ve in Yorkshire", "\u201chire\u201d"])
def test_a_mark_ends_a_word(quote: str) -> None:
    assert not list(Quotable("I live in Yorkshire").places(quote))
    assert list(
        Quotable("\u6211\u4f4f\u5728\u6771\u4eac\u90fd").places(
            "\u201c\u6211\u4f4f\u5728\u6771\u4eac\u201d"
        )
    )


def test_directions_do_not_hide_a_quote() -> None:
    text = "\u202b\u05e9\u05dc\u05d5\u05dd\u202c \u05e2\u05d5\u05dc\u05dd"
    assert list(Quotable(text).places("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"))


def test_what_is_recalled_is_known_though_it_is_quoted_with_other_marks() -> None:
    text = "I don\u2019t drink. Bye."
    source = Source(episode=episode(text, metadata={"recalled": [[0, 14]]}))
    assert source.recalled
    assert is_not_recalled(quoted("I don't drink"), source) is not None
    assert is_not_recalled(quoted("Bye"), source) is None


@given(st.text(max_size=40), st.text(min_size=1, max_size=20), st.text(max_size=40))
def test_what_stands_in_a_text_is_found_in_any_form(before: str, quote: str, after: str) -> None:
    text = f"{before} {quote} {after}"
    sought = Quotable(text)
    spans = list(sought.places(quote))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    seen = [char for char in quote if char.isalnum()]
    if seen and not unicodedata.combining(quote[0]):
        assert spans
        assert list(sought.places(unicodedata.normalize("NFD", quote)))


@pytest.mark.parametrize("stretch", [(0, 3), (4, 7)])
def test_a_quote_is_sought_in_a_stretch(stretch: tuple[int, int]) -> None:
    assert list(Quotable("tea tea").places("TEA", stretch)) == [stretch]
