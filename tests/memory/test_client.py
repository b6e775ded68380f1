"""The face for Python, in this process."""

from __future__ import annotations

import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import anyio
import pytest

import memstrata
from memstrata import AsyncMemory, Memory
from memstrata.errors import Forbidden, Incorrect, Misplaced, Unauthenticated
from memstrata.memory.access import Grant, Right
from memstrata.memory.client import AsyncCore, Core
from memstrata.memory.tokens import Tokens
from memstrata.model import By, DecisionKind, Speaker
from memstrata.search.reads import EpisodeRecord, FactHistory
from memstrata.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.settings import Settings

WORKS = {
    "subject": "Ada",
    "predicate": "works_at",
    "object": "Acme",
    "valid_at": "2021-03-01T00:00:00Z",
}
LIVES = {"subject": "Ada", "predicate": "lives_in", "object": "Porto"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(MEMSTRATA_HOME=tmp_path, MEMSTRATA_EMBEDDER="none")


@pytest.fixture
def memory(settings: Settings) -> Iterator[Memory]:
    with Memory(settings=settings) as opened:
        yield opened


def sentences(memory: Memory, **looking: object) -> list[str]:
    return [one.version.fact.fact for one in memory.get_all(**looking).items]  # type: ignore[arg-type]


def test_a_triple_is_found_by_the_next_search_and_in_a_context(memory: Memory) -> None:
    told = memory.add(WORKS, group="g", time="2023-05-02")
    assert told.waiting == ""
    (fact,) = told.created
    (found,) = memory.search("where does Ada work", group="g").facts
    assert found.fact.version.fact == fact
    assert fact.id in memory.context("Ada", 300, group="g").text
    assert memory.search("where does Ada work", group="other").facts == ()


def test_user_id_is_another_word_for_group(memory: Memory) -> None:
    memory.add(WORKS, user_id="ada@example.org")
    assert sentences(memory, group="ada@example.org") == ["Ada works at Acme"]
    with pytest.raises(Incorrect, match="both name the group"):
        memory.add(WORKS, user_id="a", group="b")


def test_what_is_not_waited_for_is_taken_in_by_the_next_pass(memory: Memory) -> None:
    told = memory.add(WORKS, wait=False)
    assert told.created == ()
    assert "next pass" in told.waiting
    record = memory.get(told.episode_ids[0])
    assert isinstance(record, EpisodeRecord)
    done = memory.work()
    assert (done.extracted, done.commits, done.failed) == (1, 1, ())
    assert sentences(memory) == ["Ada works at Acme"]


def test_messages_keep_their_order_and_their_speakers(memory: Memory) -> None:
    said = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Where is Porto?"},
        {"role": "assistant", "content": "In Portugal."},
        {"role": "user", "content": "Thanks."},
    ]
    told = memory.add(said, speaker=Speaker(id="u1", name="Ada"), saga="chat", wait=False)
    memory.add([{"role": "user", "content": "Again."}], speaker="Bob", saga="chat", wait=False)
    turns = [memory.get(one) for one in told.episode_ids]
    episodes = [one.episode for one in turns if isinstance(one, EpisodeRecord)]
    assert [one.content for one in episodes] == ["Where is Porto?", "In Portugal.", "Thanks."]
    assert [one.speaker and one.speaker.id for one in episodes] == ["u1", "assistant", "u1"]
    assert episodes[1].addressee == Speaker(id="u1", name="Ada")
    times = [one.reference_time for one in episodes]
    assert times == sorted(set(times))


def test_the_same_content_at_the_same_time_changes_nothing(memory: Memory) -> None:
    said = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello!"}]
    first = memory.add(said, time="2024-05-01", saga="s", wait=False)
    assert memory.add(said, time="2024-05-01", saga="s", wait=False).episode_ids == first.episode_ids
    assert memory.add(said, time="2024-05-02", saga="s", wait=False).episode_ids != first.episode_ids


@pytest.mark.parametrize(
    ("content", "about", "said"),
    [
        ("", {}, "content: empty"),
        ([], {}, "empty list"),
        ([{"role": "user"}], {}, "nothing to remember"),
        ([{"role": "wizard", "content": "x"}], {}, "role"),
        (3, {}, "expected a text"),
        ({"a": float("nan")}, {}, "no JSON"),
        ({"subject": "Ada", "predicate": "is", "object": "Ada"}, {}, "equal to the subject"),
        ("x", {"grup": "g"}, "did you mean group"),
        ("x", {"time": "soon"}, "time: 'soon' is not a time"),
        ("x", {"type": "novel"}, "there is no type 'novel'"),
        ("x", {"type": "message"}, "give speaker"),
        ("x", {"group": "no spaces"}, "group_id"),
        ("x", {"metadata": {"a": object()}}, "nothing that JSON can hold"),
    ],
)
def test_wrong_input_is_refused_with_what_is_wrong(
    memory: Memory, content: object, about: dict[str, object], said: str
) -> None:
    with pytest.raises(Incorrect, match=said):
        memory.add(content, **about)  # type: ignore[arg-type]
    assert memory.groups() == ()


def test_an_updated_episode_gets_a_further_revision(memory: Memory) -> None:
    told = memory.add(WORKS, id="contract", metadata={"sheet": 1}, time="2022-01-01")
    memory.update("contract", '{"subject": "Ada", "predicate": "works_at", "object": "Initech"}')
    assert sentences(memory) == ["Ada works at Initech"]
    record = memory.get("contract")
    assert isinstance(record, EpisodeRecord)
    assert (record.episode.revision, len(record.earlier)) == (2, 1)
    assert record.episode.metadata == {"sheet": 1}
    assert record.episode.reference_time == record.earlier[0].reference_time
    assert sentences(memory, system_as_of=told.commit and told.commit.instant) == ["Ada works at Acme"]


def test_a_fact_cannot_be_updated_and_the_error_names_its_episode(memory: Memory) -> None:
    told = memory.add(WORKS)
    with pytest.raises(Incorrect, match=told.episode_ids[0]):
        memory.update(told.created[0].id, "Ada works at Initech")
    with pytest.raises(Incorrect, match="is an entity"):
        memory.update(told.created[0].subject, "Ada")


def test_a_retracted_episode_takes_its_facts_along_and_stays_readable(memory: Memory) -> None:
    told = memory.add(WORKS)
    decision = memory.delete(told.episode_ids[0], reason="wrong Ada")
    assert (decision.kind, decision.reason) == (DecisionKind.RETRACT, "wrong Ada")
    assert sentences(memory) == []
    record = memory.get(told.episode_ids[0])
    assert isinstance(record, EpisodeRecord)
    assert record.is_retracted
    gone = memory.get(told.created[0].id)
    assert isinstance(gone, FactHistory)
    assert gone.versions[-1].version.expired_at is not None
    with pytest.raises(Incorrect, match="retracted already"):
        memory.delete(told.episode_ids[0])
    with pytest.raises(Incorrect, match="has been retracted"):
        memory.update(told.episode_ids[0], "x")


def test_a_retracted_fact_goes_alone(memory: Memory) -> None:
    told = memory.add({"sheet": 1}, metadata={"facts": [WORKS, LIVES]})
    by_sentence = {fact.fact: fact.id for fact in told.created}
    memory.retract(by_sentence["Ada works at Acme"])
    assert sentences(memory) == ["Ada lives in Porto"]


def test_an_entity_cannot_be_retracted(memory: Memory) -> None:
    told = memory.add(WORKS)
    with pytest.raises(Incorrect, match="is an entity"):
        memory.retract(told.created[0].subject)
    with pytest.raises(Incorrect, match="is the id of no fact"):
        memory.retract("nothing")


def test_lives_histories_and_changes_are_told(memory: Memory) -> None:
    first = memory.add(WORKS, time="2021-04-01")
    memory.add(WORKS | {"object": "Initech", "valid_at": "2024-01-01T00:00:00Z"}, time="2024-02-01")
    assert first.commit is not None
    assert [one.fact.object for one in memory.timeline("Ada").spells] == ["Acme", "Initech"]
    assert {one.versions[-1].object for one in memory.history("Ada works_at")} == {"Acme", "Initech"}
    changed = memory.diff(first.commit.instant, about="Ada")
    assert "Initech" in {one.now.object for one in changed.changes if one.now is not None}
    assert sentences(memory, as_of="2022") == ["Ada works at Acme"]


def test_all_facts_come_page_by_page_each_once(memory: Memory) -> None:
    for number in range(7):
        memory.add(
            {"subject": f"Person {number}", "predicate": "knows", "object": "Ada"},
            group=f"acme/{number % 2}",
        )
    seen, cursor = [], None
    while True:
        page = memory.get_all(group="acme/*", limit=2, cursor=cursor)
        seen += [one.version.fact.id for one in page.items]
        cursor = page.following
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 7
    assert [one.subject for one in memory.get_all(group="acme/*", about="Person 3").items] == ["Person 3"]


@pytest.mark.parametrize("cursor", ["", "nonsense", "W10", "WzFd", "é"])
def test_a_cursor_of_another_list_is_refused(memory: Memory, cursor: str) -> None:
    memory.add(WORKS)
    with pytest.raises(Incorrect, match="is no cursor of this list"):
        memory.get_all(cursor=cursor)


def test_an_agent_edits_its_core_blocks_and_each_edit_is_a_decision(memory: Memory) -> None:
    core = memory.core
    assert core.get("persona") is None
    core.set("persona", "You are brief.", reason="asked to")
    core.append("persona", "You are kind.")
    core.replace("persona", "brief", "very brief", by="person")
    block = core.get("persona")
    assert block is not None
    assert block.text == "You are very brief.\nYou are kind."
    assert [(one.by, one.reason) for one in core.history("persona")] == [
        (By.MODEL, "asked to"),
        (By.MODEL, ""),
        (By.PERSON, ""),
    ]
    memory.add(LIVES)
    core.rule("human", "Ada", most=3)
    assert [one.label for one in core.blocks()] == ["persona", "human"]
    assert "You are very brief." in memory.context("Ada").text
    assert core.clear("persona") is None
    with pytest.raises(Incorrect, match="'model' or 'person'"):
        core.set("persona", "x", by="policy")
    with pytest.raises(Incorrect, match="2,000"):
        core.set("persona", "x" * 2_001)


def test_a_keyword_that_there_is_not_is_named_with_the_nearest(memory: Memory) -> None:
    for call in (memory.search, memory.context, memory.get_all):
        with pytest.raises(Incorrect, match="did you mean relations"):
            call("x", relation="works_at") if call != memory.get_all else call(relation="works_at")  # type: ignore[operator]
    with pytest.raises(Incorrect, match="as_of is no keyword here"):
        memory.timeline("Ada", as_of="2024")  # type: ignore[call-arg]


def test_what_a_token_does_not_reach_is_refused(settings: Settings, tmp_path: Path) -> None:
    with Memory(settings=settings) as owner:
        owner.add(WORKS, group="acme/eng")
    tokens = Tokens(tmp_path)
    token, text = tokens.create("reader", groups=["acme/*"], rights=[Right.READ])
    with Memory(settings=settings, token=text) as scoped:
        assert sentences(scoped, group="acme/*") == ["Ada works at Acme"]
        with pytest.raises(Forbidden, match="may not write"):
            scoped.add(WORKS, group="acme/eng")
        with pytest.raises(Forbidden, match="does not reach"):
            scoped.search("Ada")
        tokens.revoke(token.token_id)
        with pytest.raises(Unauthenticated):
            scoped.search("Ada", group="acme/eng")


def test_a_grant_narrows_an_installation_that_is_open(settings: Settings) -> None:
    from memstrata.settings import install

    grant = Grant(who="ada", groups=("g",), rights=frozenset({Right.READ, Right.WRITE}))
    with Memory.on(install(settings), grant=grant) as memory:
        memory.add(WORKS, group="g")
        with pytest.raises(Forbidden):
            memory.delete("anything", group="g2")


def test_sixteen_threads_use_one_memory_at_once(memory: Memory) -> None:
    def person(number: int) -> int:
        name = f"Person {number}"
        for place in ("Lisbon", "Porto", "Braga"):
            memory.add({"subject": name, "predicate": "visited", "object": place}, group=f"g{number % 4}")
            memory.core.append("notes", f"{name} visited {place}", group=f"g{number % 4}")
        found = memory.search(name, group=f"g{number % 4}", limit=50).facts
        return len({one.fact.object for one in found if one.fact.subject == name})

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(person, range(16))) == [3] * 16
    assert sum(one.facts for one in memory.groups()) == 48
    assert all(len(memory.core.history("notes", group=f"g{group}")) == 12 for group in range(4))


def test_a_closed_memory_says_so(settings: Settings) -> None:
    memory = Memory(settings=settings)
    memory.close()
    memory.close()
    with pytest.raises(Incorrect, match="has been closed"):
        memory.groups()


def test_home_and_settings_exclude_one_another(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(Incorrect, match="both home"):
        Memory(home=tmp_path, settings=settings)
    with pytest.raises(Incorrect, match="for a memory in this process"):
        Memory("http://127.0.0.1:1", home=tmp_path)
    with pytest.raises(Incorrect, match="is no address"):
        Memory("127.0.0.1:8765")


def test_coroutines_do_the_same_in_worker_threads(settings: Settings) -> None:
    async def tell() -> list[str]:
        async with AsyncMemory(settings=settings) as memory:
            async with anyio.create_task_group() as group:
                for number in range(8):
                    triple = {"subject": f"Person {number}", "predicate": "knows", "object": "Ada"}
                    group.start_soon(memory.add, triple)
            await memory.core.set("persona", "Be brief.")
            page = await memory.get_all()
            assert (await memory.core.get("persona")) is not None
            return [one.version.fact.fact for one in page.items]

    assert len(anyio.run(tell)) == 8


def test_both_faces_have_the_same_verbs_with_the_same_parameters() -> None:
    def surface(kind: type) -> dict[str, str]:
        methods = {
            name: str(inspect.signature(method))
            for name, method in inspect.getmembers(kind, inspect.isfunction)
            if not name.startswith("_") and name != "close"
        }
        assert all(getattr(kind, name).__doc__ for name in methods)
        return methods

    assert surface(Memory) == surface(AsyncMemory)
    assert surface(Core) == surface(AsyncCore)
    assert "replace" in surface(Core)
    assert str(inspect.signature(Memory.search)).startswith("(self, query: 'str', *, limit")


def test_the_package_has_nothing_else() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Memori'"):
        memstrata.Memori  # noqa: B018


def test_misplaced_input_keeps_its_field(memory: Memory) -> None:
    with pytest.raises(Misplaced) as caught:
        memory.add("x", group="a//b")
    assert caught.value.field == "group_id"


def test_what_an_agent_recalls_and_stores_again_changes_no_fact(memory: Memory) -> None:
    memory.add(WORKS, group="g", time="2023-05-02")
    given = memory.context("Ada", 300, group="g").text
    before = memory.get_all(group="g").items
    memory.add(f"What I know:\n> {given}".replace("\n", "\n> "), group="g", speaker="agent")
    memory.add("I recall that Ada works at Acme.", group="g", recalled=["Ada works at Acme", (0, 8)])
    assert memory.get_all(group="g").items == before


def test_spans_of_what_is_recalled_must_stand_in_the_content(memory: Memory) -> None:
    with pytest.raises(Misplaced, match=r"recalled\.0: .* no span of the 4 characters"):
        memory.add("Ada.", recalled=[(0, 9)])
