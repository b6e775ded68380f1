"""What the memory gave is known again, however it comes back; what is said beside it is not."""

from __future__ import annotations

import textwrap
import time
from datetime import UTC, datetime
from uuid import UUID, uuid5

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata.errors import Misplaced
from memstrata.extraction.recalled import noting, recalled_spans, spans_of
from memstrata.marks import mark
from memstrata.model import Episode, Role, SourceType, Speaker, TimeSource

AT = datetime(2026, 5, 1, tzinfo=UTC)
ROOT = UUID(int=7)


def an_id(name: str) -> str:
    return str(uuid5(ROOT, name))


FACTS = [
    f"- {subject} -{said}-> {target} (valid from {since} to present, episode {an_id(target)}): {told} "
    f"{mark('fact', an_id(told))}"
    for subject, said, target, since, told in [
        (
            "Noor Haddad",
            "works_at",
            "Brill & Co",
            "2024-02",
            "Noor Haddad has worked at Brill & Co since May.",
        ),
        ("Noor Haddad", "lives_in", "St. Ives", "unknown", "Noor Haddad lives in St. Ives."),
        ("Tomas", "has_pet", "a cat", "2021-04-05T10:00:00Z", "Tomas has a cat. It is called Miso."),
    ]
]
SUMMARIES = [f"- Noor Haddad: She works for a publisher and swims. {mark('summary', an_id('noor'))}"]
TURNS = [
    f"- 2026-04-30T08:00:00Z Noor Haddad: I moved to St. Ives! Love it. {mark('episode', an_id('t1'))}",
    f"- 2026-04-29 assistant: You sold the boat - well done… {mark('episode', 'chat-7/4')}",
]
CORE = ["Core human:", f"  Allergic to peanuts. {mark('core memory', 'human')}"]
TEXT = "\n".join(
    [
        "From memory as of 2026-05-01:",
        *CORE,
        "Facts:",
        *FACTS,
        "Summaries:",
        *SUMMARIES,
        "What was said:",
        *TURNS,
        "Left out for want of room: 3 facts, 1 turn.",
    ]
)


def episode(
    content: str, *, role: Role | None = None, metadata: dict[str, object] | None = None
) -> Episode:
    return Episode(
        episode_id="e",
        revision=1,
        group_id="g",
        source="test",
        source_type=SourceType.TEXT if role is None else SourceType.MESSAGE,
        content=content,
        reference_time=AT,
        time_source=TimeSource.OWN,
        ingested_at=AT,
        content_hash="",
        speaker=None if role is None else Speaker(id=role.value, role=role),
        metadata=metadata or {},  # type: ignore[arg-type]
    )


def left(content: str, **about: object) -> str:
    """The words of the content that are not recalled."""
    told, at = "", 0
    for start, end in recalled_spans(episode(content, **about)):  # type: ignore[arg-type]
        told += content[at:start] + " "
        at = end
    return " ".join((told + content[at:]).split())


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def wrapped(text: str, width: int = 40) -> str:
    return "\n".join(textwrap.fill(line, width, subsequent_indent="  ") for line in text.splitlines())


@pytest.mark.parametrize(
    "shape",
    [
        str,
        quoted,
        wrapped,
        lambda text: quoted(wrapped(text, 60)),
        lambda text: quoted(quoted(text)),
        lambda text: textwrap.indent(text, "      "),
        lambda text: text.replace("\n", "\\n"),
        lambda text: " ".join(text.split()),
        lambda text: text.replace("- ", "* "),
        lambda text: text.replace("[", "\\[").replace("]", "\\]"),
    ],
    ids=[
        "as it is",
        "quoted",
        "wrapped",
        "both",
        "twice",
        "indented",
        "in json",
        "one paragraph",
        "bullets",
        "escaped",
    ],
)
def test_nothing_of_a_whole_context_is_news(shape: object) -> None:
    rest = left(shape(TEXT))  # type: ignore[operator]
    assert not set(rest) - set("> \\n"), rest


def test_a_context_in_a_fence_amid_other_text_leaves_the_other_text() -> None:
    content = f"Here is what I know.\n```\n{TEXT}\n```\nNoor sold her boat yesterday."
    assert left(content) == "Here is what I know. ``` ``` Noor sold her boat yesterday."


@pytest.mark.parametrize("line", [*FACTS, *SUMMARIES, TURNS[0], TURNS[1], CORE[1]])
def test_each_line_is_known_by_itself(line: str) -> None:
    assert left(line) == ""
    assert left(wrapped(line, 30)) == ""
    assert left(line.removeprefix("- ")) == ""


def test_what_a_person_says_between_the_lines_counts() -> None:
    mail = (
        quoted(FACTS[0])
        + "\nActually I left Brill in May.\n"
        + quoted(FACTS[1])
        + "\n\nAnd I bought a boat."
    )
    assert left(mail, role=Role.USER) == "Actually I left Brill in May. And I bought a boat."


def test_a_list_of_ones_own_stays_beside_a_recalled_line() -> None:
    assert left(f"- I bought a car\n{FACTS[0]}\n- I sold the boat") == "- I bought a car - I sold the boat"


def test_a_cited_sentence_is_recalled_and_its_neighbours_are_not() -> None:
    cited = (
        f"Thanks for asking! Noor works at Brill & Co {mark('fact', an_id('x'))}. I booked a table for May."
    )
    assert left(cited, role=Role.ASSISTANT) == "Thanks for asking! . I booked a table for May."


def test_a_line_that_lost_its_mark_is_known_by_its_beginning() -> None:
    line = FACTS[0].rpartition(" [")[0]
    assert left(f"I recall this: {line} But she left in June.") == "But she left in June."
    assert left(line[:-8]) == ""


def test_a_list_that_was_cut_off_ends_in_what_is_recalled() -> None:
    cut = TEXT[: TEXT.index("You sold the boat") + 12]
    assert left(cut) == ""


def test_a_program_that_repeats_a_recalled_sentence_tells_nothing() -> None:
    before = episode(TEXT, role=Role.TOOL)
    answer = "Sure. As far as I know Noor Haddad lives in St. Ives, and the weather is fine there."
    spans = recalled_spans(episode(answer, role=Role.ASSISTANT), [before])
    assert [answer[slice(*span)] for span in spans] == ["Noor Haddad lives in St. Ives"]


def test_a_person_who_says_the_same_says_it() -> None:
    assert recalled_spans(episode("Noor Haddad lives in St. Ives.", role=Role.USER), [episode(TEXT)]) == ()


@pytest.mark.parametrize(
    "content",
    [
        "I watched [episode 5] and liked it.",
        "See [fact sheet] for more: a -> b (valid always).",
        "2024-03-12 Ana: I moved to Leeds.",
        "Facts:\n- Ana lives in Leeds.\nSummaries: none.",
        "He came from memory care: a home in Leeds.",
        "The [core team] met on Friday; Ana leads it.",
    ],
)
def test_what_looks_a_little_alike_is_not_recalled(content: str) -> None:
    assert recalled_spans(episode(content)) == ()


def test_spans_and_texts_are_noted_in_characters() -> None:
    content = "I know: Noor lives in Leeds. She swims."
    assert noting(content, [[8, 28]]) == {"recalled": [[8, 28]]}
    assert noting(content, ["noor  lives in\nLeeds"]) == {"recalled": [[8, 27]]}
    assert noting(content, [f"From memory:\n- x: Noor lives in Leeds. {mark('summary', an_id('a'))}"]) == {
        "recalled": [[8, 27]]
    }
    assert noting(content, None) == noting(content, ["Somebody else entirely."]) == {}


@pytest.mark.parametrize("wrong", [[5, 5], [0, 99], [-1, 2], 3, {"start": 1}, [1, 2, 3], None])
def test_what_is_neither_span_nor_text_is_refused(wrong: object) -> None:
    with pytest.raises(Misplaced, match=r"recalled\.0: .* no text and no span of the 6 characters"):
        spans_of("a text", [wrong])  # type: ignore[list-item]


LINES = [*FACTS, *SUMMARIES, TURNS[0]]


@settings(max_examples=150, deadline=None)
@given(
    kept=st.lists(st.sampled_from(LINES), min_size=1, max_size=5, unique=True),
    width=st.integers(25, 200),
    prefix=st.sampled_from(["", "> ", "    ", ">> ", "| "]),
    around=st.tuples(
        st.sampled_from(["", "I bought a red boat.\n\n"]), st.sampled_from(["", "\n\nIt is red."])
    ),
)
def test_some_lines_in_any_shape_are_known_and_the_rest_is_not(
    kept: list[str], width: int, prefix: str, around: tuple[str, str]
) -> None:
    block = "\n".join(
        prefix + line for line in wrapped("\n".join(kept), max(25, width - len(prefix))).splitlines()
    )
    rest = left(around[0] + block + around[1])
    assert rest.replace(">", "").replace("|", "").split() == (around[0] + around[1]).split()


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab .\n->[]()facteplisodvr123456789:", max_size=300))
def test_any_text_has_ordered_spans_within_it(content: str) -> None:
    spans = recalled_spans(episode(content))
    assert all(0 <= start < end <= len(content) for start, end in spans)
    assert list(spans) == sorted(spans)


def test_a_long_text_of_marks_and_brackets_takes_no_long_time() -> None:
    content = ("[episode " * 2_000) + (" -a-> b " * 2_000) + (FACTS[0] * 500)
    assert recalled_spans(episode(content))


@pytest.mark.parametrize(
    "content", ["\n> " * 60_000 + FACTS[0], "a -x-> b (valid from 2 " * 4_000, '"hi. ' * 4_000 + FACTS[0]]
)
def test_texts_made_to_be_slow_are_read_at_once(content: str) -> None:
    began = time.process_time()
    assert recalled_spans(episode(content))
    assert time.process_time() - began < 5.0
