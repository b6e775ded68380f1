"""What stands before the parse: languages, turns, blocks, answers, masks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from extraction_samples import ANA, BOT, episode
from hypothesis import given
from hypothesis import strategies as st

from memstrata.extraction.dates import find_dates
from memstrata.extraction.offline.answers import answer_to, last_question
from memstrata.extraction.offline.inflection import gerund, past, third_person
from memstrata.extraction.offline.language import is_english
from memstrata.extraction.offline.masking import mask
from memstrata.extraction.offline.turns import Shape, blocks_of, turns_of

THURSDAY = datetime(2025, 7, 24, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "The server is down.",
        "ok",
        "42",
        "Renew passport",
        "Tickets: 3 open, 2 closed",
        "User: I live in São Paulo.",
        'She said "c\'est la vie" and left the office.',
        "2025-12-02 18:31 service=cart-api status=ok",
        "Bruna Ferreira da Silva works at Banco do Sul.",
    ],
)
def test_english_and_mere_names_are_read(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Der Server ist seit gestern nicht erreichbar.",
        "Wir haben das Büro in Köln geschlossen.",
        "Mi hermana vive en Sevilla desde 2019.",
        "Elle travaille pour la mairie de Brest.",
        "Il mio capo non è contento.",
        "Ze woont niet meer in Utrecht.",
        "Hun bor ikke i Bergen lenger, og det er synd.",
        "Он больше не работает в банке.",
        "林晓彤去年搬到了厦门。",
        "私は東京に住んでいます。",
        "هي تعمل في المستشفى",
        "Nie lubię kawy, ale piję herbatę.",
    ],
)
def test_other_languages_are_left_alone(text: str) -> None:
    assert not is_english(text)


def test_speaker_lines_are_turns_and_go_on_to_the_next_label() -> None:
    first, second = turns_of(episode("Ilse: I keep bees.\nThey are calm.\nJory: I keep rabbits."))
    assert (first.speaker.name, first.text.strip()) == ("Ilse", "I keep bees.\nThey are calm.")
    assert (second.speaker.name, second.addressee.name) == ("Jory", "Ilse")


def test_an_assistant_is_known_by_its_label() -> None:
    user, assistant = turns_of(episode("User: Hi there\nAssistant: Hello"))
    assert (user.by_assistant, assistant.by_assistant) == (False, True)


def test_a_field_is_no_speaker() -> None:
    (turn,) = turns_of(episode("Account: Dunmore Press\n- Industry: printing\nSubject: Printer jam"))
    assert turn.speaker is None


def test_a_message_is_its_speakers() -> None:
    (turn,) = turns_of(episode("I moved.", speaker=ANA, addressee=BOT))
    assert (turn.speaker, turn.addressee) == (ANA, BOT)


def test_a_label_that_is_the_account_binds_to_it() -> None:
    (turn,) = turns_of(episode("Ana Ribeiro: I moved.", speaker=ANA))
    assert turn.speaker is ANA


def test_a_senders_line_names_who_writes() -> None:
    (turn,) = turns_of(episode("From: Casimir Roth <c@roth.example>\nOur office has moved."))
    assert turn.speaker.name == "Casimir Roth"


def test_lists_fields_and_logs_are_blocks_of_their_own() -> None:
    content = (
        "Notes:\n- first item\n- Owner: Bo\n2025-12-02T18:31:00Z WARN disk full\nA line\nthat goes on."
    )
    (turn,) = turns_of(episode(content))
    blocks = blocks_of(turn)
    assert [block.shape for block in blocks] == [
        Shape.PROSE,
        Shape.ITEM,
        Shape.FIELD,
        Shape.LOG,
        Shape.PROSE,
    ]
    assert blocks[1].heading == "Notes:"
    assert (blocks[2].key, blocks[2].text) == ("Owner", "Bo")
    assert (blocks[3].stamp, blocks[3].text) == ("2025-12-02T18:31:00Z", "disk full")
    assert blocks[4].text == "A line\nthat goes on."


def test_a_very_long_line_is_cut_at_ends_of_sentences() -> None:
    content = "Ingrid owns a boat. " * 3000
    (turn,) = turns_of(episode(content))
    blocks = blocks_of(turn)
    assert "".join(block.text for block in blocks) == content.rstrip()
    assert all(len(block.text) <= 20_000 and block.text.endswith("boat.") for block in blocks)


@given(st.text(alphabet=st.sampled_from("Aab :.-*\n1\t"), max_size=80))
def test_a_block_stands_where_it_says(content: str) -> None:
    whole = episode(content or " ")
    for turn in turns_of(whole):
        assert whole.content[turn.start : turn.start + len(turn.text)] == turn.text
        for block in blocks_of(turn):
            assert whole.content[block.start : block.start + len(block.text)] == block.text


@pytest.mark.parametrize(
    ("question", "reply", "sentence"),
    [
        ("Where do you live?", "In Bergen.", "I live in Bergen."),
        ("And where do you work?", "At the port, mostly.", "I work at the port, mostly."),
        ("Who is your employer?", "Plinth Software.", "My employer is Plinth Software."),
        ("What's your name?", "Tove Lind", "My name is Tove Lind."),
        ("Do you smoke?", "No.", "I do not smoke."),
        ("Do you smoke?", "Not any more.", "I no longer smoke."),
        ("Do you own your flat?", "Yes, I do.", "I own my flat."),
        ("Are you vegetarian?", "Yes", "I am vegetarian."),
        ("Any allergies?", "Penicillin.", "My allergy is Penicillin."),
    ],
)
def test_an_answer_counts_as_the_full_sentence(question: str, reply: str, sentence: str) -> None:
    assert answer_to(question, reply).sentence == sentence


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Where do you live?", "I live in Bergen."),
        ("Where do you live?", "Why?"),
        ("Where do you live?", "No idea."),
        ("Did you hear about Benedikt?", "Yes, he got the job."),
        ("Is it raining?", "Yes."),
    ],
)
def test_a_reply_that_speaks_for_itself_is_left_alone(question: str, reply: str) -> None:
    assert answer_to(question, reply) is None


def test_only_a_question_at_the_end_of_a_turn_waits_for_an_answer() -> None:
    assert last_question("Hm. Where do you live?") == "Where do you live?"
    assert last_question("Where do you live? I forgot.") is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("He left on 3 May 2020.", "He left then."),
        ("In 2022 Jasper quit.", "Then Jasper quit."),
        ("Invoice INV-20931 was paid.", "Invoice Zeta was paid."),
        ("Write to a.b@c.example now", "Write to Zeta now"),
        ("Torrance & Vale called", "Zeta called"),
        ("We bought a Lintel 300.", "We bought a Zeta."),
        ("It costs €1,450.50 a month", "It costs Zeta a month"),
        ("the 2019 report", "the 2019 report"),
        ("Tuesday works for me", "Tuesday works for me"),
        ("last year's report", "last year's report"),
        ("a 3-year plan", "a 3-year plan"),
        ("the 1st of them", "the 1st of them"),
    ],
)
def test_times_and_codes_are_masked(text: str, plain: str) -> None:
    assert mask(text, find_dates(text, THURSDAY)).text == plain


def test_a_name_the_parser_never_met_is_masked_and_common_words_are_not() -> None:
    text = "Invoice for Moravia Hansen"
    assert mask(text, (), frozenset({"invoice", "Hansen"})).text == "Invoice for Peter Hansen"


@given(
    st.lists(
        st.sampled_from(["Since 2019", "on 3 May 2020", "INV-7", "Moravia", "said", ",", "a & b", ";"]),
        max_size=9,
    )
)
def test_the_way_back_from_a_masked_text_is_exact(words: list[str]) -> None:
    text = " ".join(words)
    masked = mask(text, find_dates(text, THURSDAY), frozenset({"since", "said"}))
    assert masked.words(0, len(masked.text)) == text
    for cut in masked.cuts:
        assert masked.offsets(cut.start, cut.end) == (cut.begin, cut.stop)


@pytest.mark.parametrize(
    ("lemma", "present", "before", "going"),
    [
        ("work", "works", "worked", "working"),
        ("live", "lives", "lived", "living"),
        ("study", "studies", "studied", "studying"),
        ("play", "plays", "played", "playing"),
        ("stop", "stops", "stopped", "stopping"),
        ("visit", "visits", "visited", "visiting"),
        ("teach", "teaches", "taught", "teaching"),
        ("have", "has", "had", "having"),
        ("go", "goes", "went", "going"),
        ("quit", "quits", "quit", "quitting"),
        ("refer", "refers", "referred", "referring"),
        ("agree", "agrees", "agreed", "agreeing"),
    ],
)
def test_verbs_are_inflected(lemma: str, present: str, before: str, going: str) -> None:
    assert (third_person(lemma), past(lemma), gerund(lemma)) == (present, before, going)
