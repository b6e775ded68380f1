from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from memstrata import intake
from memstrata.errors import Misplaced
from memstrata.model import TimeSource

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memstrata.model import Draft

    Write = Callable[..., Path]

AT = datetime(2025, 2, 3, 10, tzinfo=UTC)
OPTIONS = intake.Options(reference_time=AT)


def note_of(path: Path, options: intake.Options = OPTIONS) -> Draft:
    reading = intake.read(path, options)
    assert (reading.format, reading.refused) == ("markdown_text", ())
    (draft,) = reading.drafts
    return draft


@pytest.mark.parametrize(
    ("front", "at", "source"),
    [
        (
            "created: 2025-01-01\nupdated: 2025-01-03T10:00:00Z\ndate: 2025-01-02",
            "2025-01-03T10:00",
            TimeSource.OWN,
        ),
        ("created: 2025-01-01\ndate: 2025-01-02", "2025-01-02T00:00", TimeSource.OWN),
        ("created: 2025-01-01", "2025-01-01T00:00", TimeSource.OWN),
        ("title: x", "2024-12-24T00:00", TimeSource.FILE_NAME),
    ],
)
def test_the_time_of_a_note_is_its_newest_word_about_it(
    write: Write, front: str, at: str, source: TimeSource
) -> None:
    draft = note_of(write("2024-12-24 plan.md", f"---\n{front}\n---\nWords."))
    assert draft.reference_time == datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert draft.time_source is source


def test_a_date_keeps_its_precision(write: Write) -> None:
    assert note_of(write("2024-12-24.txt", "Words.")).metadata["reference_time_precision"] == "day"


def test_toml_front_matter_is_read(write: Write) -> None:
    draft = note_of(
        write("a.md", '+++\ntitle = "Plan"\ndate = 2025-01-02T10:00:00Z\ntags = ["x", 2]\n+++\nWords.')
    )
    assert draft.content == "Words."
    assert (draft.metadata["title"], draft.metadata["tags"]) == ("Plan", ["x", "2"])
    assert draft.reference_time == datetime(2025, 1, 2, 10, tzinfo=UTC)


def test_yaml_is_read_without_its_guesses(write: Write) -> None:
    draft = note_of(write("a.md", "---\nactive: no\nat: 1:30\ncountry: NO\n---\nWords."))
    assert draft.metadata["properties"] == {"active": "no", "at": "1:30", "country": "NO"}


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("---\na: [1\n---\nWords.", "line 3, front matter"),
        ("---\na: b: c\n---\nWords.", "line 2, front matter, a"),
        ("+++\ntitle = \n+++\nWords.", "line 2, front matter, title"),
        ("---\ndate: someday\n---\nWords.", "front matter, date"),
        ("---\ndate: 2025-05-09 08:00\n---\nWords.", "front matter, date"),
    ],
)
def test_front_matter_that_is_broken_is_named_by_line_and_key(
    write: Write, content: str, place: str
) -> None:
    path = write("a.md", content)
    with pytest.raises(Misplaced) as caught:
        intake.read(path, OPTIONS)
    assert caught.value.place == f"{path}, {place}"


@pytest.mark.parametrize(
    "content",
    [
        "---\n\nA rule first.\n\n---\nMore.",
        "---\nNo block, just words",
        "Words.\n---\na: b\n---\n",
        "---\njust words\n---\nMore.",
    ],
)
def test_a_rule_is_no_front_matter(write: Write, content: str) -> None:
    assert note_of(write("a.md", content)).content == content.strip("\n")


@pytest.mark.parametrize("block", ["---\n---\n", "---\n# only a remark\n---\n", "---\na: b\n...\n"])
def test_front_matter_without_a_word_of_its_own_goes(write: Write, block: str) -> None:
    assert note_of(write("a.md", f"{block}Words.")).content == "Words."


def test_links_show_their_words_and_are_kept(write: Write) -> None:
    draft = note_of(
        write("a.md", "Met [[people/Runa#work|Runa]] at [[Merlin Labs]] ![[map.png]]%%secret%%.")
    )
    assert draft.content == "Met Runa at Merlin Labs ."
    assert draft.metadata["links"] == [
        {"target": "people/Runa", "text": "Runa"},
        {"target": "Merlin Labs", "text": "Merlin Labs"},
    ]
    assert draft.metadata["attachments"] == ["map.png"]


@pytest.mark.parametrize(
    "code",
    [
        "`a [[b]] %%c%%`",
        "``a ` [[b]]``",
        "```\n[[b]] %%c%%\nk:: v\n```",
        "~~~\n[[b]]\n~~~",
        "```\n[[b]] open to the end",
    ],
)
def test_code_stays_as_it_is(write: Write, code: str) -> None:
    draft = note_of(write("a.md", f"Before.\n\n{code}"))
    assert draft.content == f"Before.\n\n{code}"
    assert not {"links", "fields"} & draft.metadata.keys()


def test_code_inside_a_comment_goes_with_it(write: Write) -> None:
    draft = note_of(write("a.md", "One %%`x` hidden%% two `[[y]]`."))
    assert draft.content == "One  two `[[y]]`."


def test_plain_text_is_no_markdown(write: Write) -> None:
    content = "---\na: b\n---\n100%% [[sure]] 50%%"
    assert note_of(write("a.txt", content)).content == content


def test_line_ends_become_one_kind(write: Write) -> None:
    assert note_of(write("a.txt", "One.\r\nTwo.\rThree.")).content == "One.\nTwo.\nThree."


def test_an_edit_of_a_note_is_a_revision(write: Write) -> None:
    before = note_of(write("vault/a.md", "Ship in June."))
    after = note_of(write("vault/a.md", "Ship in July."))
    assert intake.episode_id(before) == intake.episode_id(after)
    assert intake.content_hash(before) != intake.content_hash(after)


def test_notes_of_one_name_in_two_folders_are_two(write: Write) -> None:
    one, two = note_of(write("ada/plan.md", "Mine.")), note_of(write("bob/plan.md", "Mine."))
    assert intake.episode_id(one) != intake.episode_id(two)


def test_a_note_has_one_id_by_whatever_path_it_is_given(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("vault/a.md", "Words.")
    write("vault/b/c.md", "Words.")
    monkeypatch.chdir(path.parent)
    relative = [note_of(type(path)(given)) for given in ("a.md", "./a.md", "../vault/a.md")]
    (inside, _) = intake.read(path.parent, OPTIONS).drafts
    assert {intake.episode_id(draft) for draft in (*relative, inside)} == {intake.episode_id(note_of(path))}
    assert str(path.parent) not in repr(inside)


def test_a_faulty_note_of_a_folder_is_refused_by_itself(write: Write) -> None:
    folder = write("vault/good.md", "Words.").parent
    write("vault/sub/bad.md", "---\na: [1\n---\nWords.")
    write("vault/empty.md", "\n")
    write("vault/photo.png", b"\x89PNG")
    reading = intake.read(folder, OPTIONS)
    assert [draft.native_id for draft in reading.drafts] == ["good.md"]
    assert [one.place for one in reading.refused] == ["sub/bad.md, line 3, front matter"]
    assert reading.skipped == {"empty": 1, "other_file": 1}


def test_a_folder_without_notes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misplaced, match="without notes"):
        intake.read(tmp_path, OPTIONS)


def test_a_folder_is_no_table(write: Write) -> None:
    folder = write("vault/good.md", "Words.").parent
    with pytest.raises(Misplaced, match="is a folder"):
        intake.read(folder, intake.Options(mapping={"id": "x"}, reference_time=AT))


def test_a_note_without_a_time_is_refused_with_the_ways_to_give_one(write: Write) -> None:
    with pytest.raises(Misplaced, match="--reference-time"):
        intake.read(write("a.md", "Words."))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7", "byte 0: not text: PDF document"),
        (b"PK\x03\x04", "unpack it first"),
        (b"One.\0", "byte 4: not text: holds a NUL"),
        (b"\n\n", "empty"),
        ("x" * (intake.MAX_CONTENT + 1), "content: has 1,048,577 characters"),
    ],
)
def test_what_is_no_note_is_refused(write: Write, content: bytes | str, said: str) -> None:
    with pytest.raises(Misplaced) as caught:
        intake.read(write("a.txt", content), intake.Options(reference_time=AT, strict=True))
    assert said in str(caught.value)


def test_a_file_in_another_encoding_than_declared_is_refused(write: Write) -> None:
    with pytest.raises(Misplaced, match=r"not ascii.*another --encoding"):
        intake.read(write("a.txt", "é"), intake.Options(reference_time=AT, encoding="ascii"))
