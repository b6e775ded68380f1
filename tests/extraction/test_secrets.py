"""Secrets are refused, and nothing of what is kept repeats them. All of these were made up for the test."""

from __future__ import annotations

import pytest
from extraction_samples import ANA, episode
from hypothesis import given
from hypothesis import strategies as st

from memstrata.extraction.assembly import assemble
from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.offline.extractor import OfflineExtractor
from memstrata.ids import canonical_json
from memstrata.model import Kind, Outcome, Verdict
from memstrata.secrecy import WITHHELD, excerpt, holds_secret, redacted, secret_in
from memstrata.stores.lake.codec import dump

SECRETS = {
    "api key": [
        "sk-" + "a1B2c3D4" * 5,
        "sk-proj-" + "Zz09yX18" * 4,
        "ghp_" + "q7W8e9R0" * 5,
        "AKIA" + "QX7ZJ2LMN4PR8STU",
        "xoxb-" + "123456789012-abcdefGHIJ",
        "AIza" + "Sy0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0",
    ],
    "token": ["eyJhbGciOiJub25lIn0.eyJzdWIiOiJub2JvZHkifQ.c2lnbmF0dXJl"],
    "card number": ["4111 1111 1111 1111", "5500-0000-0000-0004", "340000000000009"],
    "private key": ["-----BEGIN RSA PRIVATE KEY-----"],
}
EVERY = [(kind, secret) for kind, secrets in SECRETS.items() for secret in secrets]
NONE = [
    "6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "4111 1111 1111 1112",
    "0000 0000 0000 0000",
    "call +44 20 7946 0958",
    "order 1234567890123",
    "the password is required",
    "my password was changed yesterday",
    "the password is wrong again",
    "passwords are hard to remember",
    "a token of my love",
    "https://example.org/watch/aB3dE5fG7hI9jK1lM3nO5pQ7",
    "the key is under the mat",
    "the-quick-brown-fox-jumps-over-the-lazy-dog",
]
SAID = [
    ("my password is hunter2", "hunter2"),
    ("The wifi password: blue-Harbour9", "blue-Harbour9"),
    ("the password for the router is swordfish", "swordfish"),
    ('the passphrase is "open sesame"', "open"),
    ("pin is 4821", "4821"),
    ("API key = 9f8e7d6c5b4a", "9f8e7d6c5b4a"),
    ("postgres://app:s3cr3tpw@db.local/x", "s3cr3tpw"),
]


@pytest.mark.parametrize(("kind", "secret"), EVERY)
def test_known_shapes_are_seen_and_withheld(kind: str, secret: str) -> None:
    text = f"use {secret} for it"
    assert secret_in(text) == kind
    assert redacted(text) == f"use {WITHHELD} for it"


@pytest.mark.parametrize("text", NONE)
def test_what_only_looks_long_is_none(text: str) -> None:
    assert secret_in(text) is None
    assert redacted(text) == text


@pytest.mark.parametrize(("text", "secret"), SAID)
def test_a_password_that_is_said_as_such_is_withheld(text: str, secret: str) -> None:
    assert secret_in(text) == "password" or secret_in(text) == "api key"
    assert secret not in redacted(text)


def test_a_long_random_word_is_one_beside_a_word_that_says_so() -> None:
    word = "7d3f9a1c5e8b2046af13"
    assert secret_in(f"the deployment token: {word}") is not None
    assert secret_in(f"the build {word} went out") is None


def _told(secret: str, predicate: str = "uses") -> Candidate:
    return Candidate(
        subject=Name(text="I", speaker=ANA, sentence=f"I use {secret} daily."),
        predicate=predicate,
        object=secret,
        kind=Kind.HOLDS,
        fact=f"Ana uses {secret}",
        quote=f"I use {secret} daily",
    )


@pytest.mark.parametrize(("kind", "secret"), EVERY)
def test_a_secret_reaches_nothing_that_is_kept(kind: str, secret: str) -> None:
    raw = Outcome(
        item=canonical_json({"object": secret}), rule="r", verdict=Verdict.QUARANTINE, reason=secret
    )
    beside = Candidate(
        subject=Name(text="I", speaker=ANA, sentence=f"I use {secret} daily and I like tea."),
        predicate="likes",
        object="tea",
        kind=Kind.HOLDS,
        fact="Ana likes tea",
        quote="I like tea",
    )
    told = episode(f"I use {secret} daily and I like tea.", speaker=ANA)
    found = assemble(told, [_told(secret), beside], version="v", outcomes=[raw])
    assert [one.object for one in found.assertions] == ["tea"]
    assert found.held == ()
    assert ("holds_no_secret", Verdict.REJECT, WITHHELD) in [
        (one.rule, one.verdict, one.item) for one in found.outcomes
    ]
    assert any(kind in one.reason for one in found.outcomes)
    assert secret not in dump(found).decode()


def test_a_value_is_a_secret_where_its_relation_says_so() -> None:
    found = assemble(
        episode("I use tulip daily", speaker=ANA), [_told("tulip", "wifi_password")], version="v"
    )
    assert [one.rule for one in found.outcomes] == ["holds_no_secret"]
    assert b"tulip" not in dump(found)


def test_what_was_left_to_a_person_is_refused_if_it_is_a_secret() -> None:
    settled = Outcome(item="x", rule="fits_the_schema", verdict=Verdict.QUARANTINE, reason="kind: unknown")
    secret = SECRETS["api key"][0]
    held = Candidate(
        **{**{name: getattr(_told(secret), name) for name in Candidate.__slots__}, "settled": settled}
    )
    found = assemble(episode(f"I use {secret} daily"), [held], version="v")
    assert found.held == ()
    assert secret not in dump(found).decode()


def test_attributes_of_a_name_are_kept_without_secrets() -> None:
    key = SECRETS["api key"][0]
    name = Name(
        text="Oakmere", attributes={"email": ("a@oak.example",), "password": ("tulip",), "note": (key,)}
    )
    likes = Candidate(
        subject=name, predicate="makes", object="tea", kind=Kind.HOLDS, fact="Oakmere makes tea"
    )
    found = assemble(episode("Oakmere makes tea"), [likes], version="v")
    assert found.mentions[0].attributes == {"email": ("a@oak.example",)}


@pytest.mark.parametrize(("text", "secret"), SAID)
def test_the_offline_extractor_keeps_none(text: str, secret: str) -> None:
    found = OfflineExtractor().extract(episode(f"I work at Oakmere. By the way, {text}.", speaker=ANA))
    assert secret not in dump(found).decode()


@given(st.text(max_size=200))
def test_withholding_never_fails_and_is_done_once(text: str) -> None:
    once = redacted(text)
    assert secret_in(once) is None or redacted(once) == redacted(redacted(once))
    if secret_in(text) is None:
        assert once == text


@pytest.mark.parametrize(
    "value",
    [
        {"subject": "Ann", "predicate": "password", "object": "tulip"},
        {"subject": "Ann", "predicate": "has_pin", "object": 4471},
        {"name": "Ann", "attributes": [{"name": "api key", "value": "tulip"}]},
        {"entities": [{"name": "Ann", "attributes": {"passcode": "tulip"}}]},
        [["x", {"note": "the password is tulip77"}]],
        "AKIAQX7ZJ2LMN4PR8STU",
    ],
)
def test_a_secret_is_found_anywhere_in_json(value: object) -> None:
    assert holds_secret(value)


@pytest.mark.parametrize(
    "value",
    [
        {"subject": "Ann", "predicate": "changed", "object": "her password"},
        {"name": "password", "type": "thing"},
        {"predicate": "password", "object": ""},
        {"password": None, "pin": False},
        None,
        12,
        [],
    ],
)
def test_what_only_speaks_of_one_is_none(value: object) -> None:
    assert not holds_secret(value)


@pytest.mark.parametrize(
    "text",
    [
        '{"predicate": "password", "object": "tulip"}',
        "here it is: sk-" + "a1B2c3D4" * 5,
        '[{"predicate":"has_password","object":"tulip"',
        "x" * 70 + " pin code 4471",
    ],
)
def test_nothing_is_shown_of_a_text_that_speaks_of_secrets(text: str) -> None:
    assert excerpt(text, 80) == WITHHELD


def test_an_excerpt_is_one_line_and_short() -> None:
    assert excerpt("Sure!\n  Here is  what I found", 12) == "Sure! Here i"
