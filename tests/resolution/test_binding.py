# ruff: noqa: RUF001 (letters that look alike are what some of these tests are about)

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memstrata.model import Mention, Role, Speaker
from memstrata.resolution.binding import Binding, Refusal, bind

MONDAY = datetime(2026, 1, 5, 9, tzinfo=UTC)
ANA = Speaker(id="u-ana", name="Ana Ribeiro")
BOT = Speaker(id="a-1", role=Role.ASSISTANT)


def said(
    name: str,
    text: str = "",
    label: str | None = "person",
    *,
    by: Speaker | None = ANA,
    to: Speaker | None = None,
) -> Binding | Refusal:
    return bind(
        Mention(
            mention_id="m", group_id="g", episode_id="e", name=name, type=label, text=text,
            reference_time=MONDAY, saga="s", speaker=by, addressee=to,
        )
    )  # fmt: skip


def account(found: Binding | Refusal) -> str | None:
    assert isinstance(found, Binding)
    return found.account


def test_first_person_is_the_speaker_by_account() -> None:
    assert account(said("I")) == account(said("Me")) == "u-ana"
    assert account(said("I", by=BOT, to=ANA)) == "a-1"


def test_you_and_the_user_are_who_is_spoken_to() -> None:
    assert account(said("you", by=BOT, to=ANA)) == account(said("the user", by=BOT, to=ANA)) == "u-ana"
    assert account(said("you", by=ANA, to=BOT)) == "a-1"


def test_first_person_inside_a_quotation_is_who_is_quoted() -> None:
    assert said("I", 'Ben Adler said: "I will come."') == Binding(name="Ben Adler")
    assert said("me", '"Call me", said Ben.') == Binding(name="Ben")
    assert account(said("I", 'I told her "I will come."')) == "u-ana"
    assert isinstance(said("I", 'Somewhere it read "I was here".'), Refusal)


def test_a_speaker_who_introduces_themselves_is_bound_to_the_account() -> None:
    assert account(said("Ana", "Hi, I'm Ana.")) == "u-ana"
    assert account(said("Ana", "I am Ana's sister.")) is None
    assert account(said("Ana", "I am here with Ana.")) is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "...",
        "—",
        "\u200b\ufeff",
        "he",
        "They",
        "we",
        "someone",
        "who",
        "the",
        "This",
        "N/A",
        "unknown",
        "None",
    ],
)
def test_what_names_nobody_is_refused_with_a_reason(name: str) -> None:
    found = said(name, label=None)
    assert isinstance(found, Refusal)
    assert found.reason


def test_first_person_without_a_speaker_is_refused() -> None:
    assert isinstance(said("I", by=None), Refusal)
    assert isinstance(said("you"), Refusal)


@pytest.mark.parametrize(
    ("name", "label"), [("WHO", "organization"), ("It", "work"), ("X", "organization"), ("May", "person")]
)
def test_a_type_may_show_that_a_word_is_a_real_name(name: str, label: str) -> None:
    assert said(name, label=label) == Binding(name=name)


def test_roles_belong_to_somebody() -> None:
    mother = said("my mom")
    assert isinstance(mother, Binding)
    assert mother.role == ("account:u-ana", "mother")
    assert mother.unnamed
    named = said("my brother Leo")
    assert isinstance(named, Binding)
    assert (named.name, named.role, named.unnamed) == ("Leo", ("account:u-ana", "brother"), False)
    hers = said("Alice’s manager")
    assert isinstance(hers, Binding)
    assert hers.role == ("name:alice", "manager")


def test_voice_labels_hold_in_their_saga() -> None:
    voice = said("SPEAKER_00", by=None)
    assert isinstance(voice, Binding)
    assert voice.scope == "s"


@pytest.mark.parametrize(
    ("name", "text", "day"),
    [
        ("today", "", "2026-01-05"),
        ("tomorrow", "", "2026-01-06"),
        ("Monday", "We meet on Monday.", "2026-01-05"),
        ("Friday", "We meet on Friday.", "2026-01-09"),
        ("Friday", "We met on Friday.", "2026-01-02"),
        ("last Friday", "", "2026-01-02"),
        ("next Monday", "", "2026-01-12"),
    ],
)
def test_a_relative_day_is_the_day_that_it_means_at_the_reference_time(
    name: str, text: str, day: str
) -> None:
    found = said(name, text, "time")
    assert isinstance(found, Binding)
    assert found.day == day
