"""The SQLite store keeps the contract, and what is particular to a file."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest
from contract import MODEL, NOW, GraphStoreContract, asked, embed, everything, unit
from contract_world import found_episodes, labels
from graph_samples import GROUP, at, commit, episode, fact, triples

from memstrata.bitemporal import Moment
from memstrata.errors import Conflict, Damaged, Fault, Incorrect, Missing
from memstrata.ports import Beside, Changes, Filters, Scope, Subject, VectorModel
from memstrata.stores.sqlite import SqliteGraph, schema

if TYPE_CHECKING:
    from collections.abc import Iterator


class TestSqliteGraph(GraphStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SqliteGraph]:
        with SqliteGraph(tmp_path / "graph.db") as graph:
            yield graph


@contextmanager
def writer(path: Path, group: str, *, batch: int) -> Iterator[subprocess.Popen[str]]:
    """Another process that commits batches; the block begins when its first is in."""
    program = [
        sys.executable,
        str(Path(__file__).with_name("graph_writer.py")),
        str(path),
        group,
        str(batch),
    ]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_everything_is_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with SqliteGraph(path) as graph:
        graph.apply(everything())
        embed(graph, {"Tom works at Acme.": unit(1, 0, 0, 0)})
        before = list(graph.all_versions(GROUP))
    with SqliteGraph(path) as graph:
        assert graph.last_seq(GROUP) == 1
        assert list(graph.all_versions(GROUP)) == before
        assert asked(graph, "tom") == ["Tom works at Acme."]
        assert len(graph.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3)) == 1


def test_an_empty_file_gets_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    path.touch()
    with SqliteGraph(path) as graph:
        assert graph.counts() == ()
    connection = apsw.Connection(str(path))
    assert schema.version_of(connection) == schema.VERSION
    connection.close()


def test_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    SqliteGraph(path).close()
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    with pytest.raises(
        Incorrect, match=rf"version {schema.VERSION + 1} .* up to {schema.VERSION}; upgrade"
    ):
        SqliteGraph(path)
    assert schema.version_of(connection) == schema.VERSION + 1
    connection.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    path.write_text("Dear diary, " * 1000)
    with pytest.raises(Fault, match="not a SQLite file"):
        SqliteGraph(path)


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="create its folder"):
        SqliteGraph(tmp_path / "none" / "graph.db")


def test_an_older_file_is_brought_up_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "graph.db"
    with SqliteGraph(path) as graph:
        graph.apply(everything())
    steps = {
        f"schema/{schema.VERSION + 1}": "CREATE TABLE a (b)",
        f"schema/{schema.VERSION + 2}": "DROP TABLE a",
    }
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 2)
    monkeypatch.setattr(schema, "statement", steps.__getitem__)
    with SqliteGraph(path) as graph:
        assert [one.id for one in graph.all_facts(GROUP)] == ["f1"]
    connection = apsw.Connection(str(path))
    assert schema.version_of(connection) == schema.VERSION
    connection.close()


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    """A file as Memstrata of version 1 of the tables wrote it.

    `everything()`, then the turns of a talk between Ann and an assistant (source "chat"), a lone episode
    with two revisions, a pending turn, vectors for all that was committed by then, two runs of summaries
    and procedures.
    """
    path = tmp_path / "graph.db"
    packed = Path(__file__).with_name("graph_of_version_1.db.gz").read_bytes()
    path.write_bytes(gzip.decompress(packed))
    return path


def test_a_file_of_version_1_keeps_everything(old_file: Path) -> None:
    with SqliteGraph(old_file) as graph:
        (counted,) = graph.counts()
        assert (counted.last_seq, counted.episodes, counted.pending_episodes) == (3, 5, 1)
        assert (counted.entities, counted.facts, counted.versions, counted.placements) == (2, 1, 2, 1)
        assert counted.facts_without_vector == 0
        assert asked(graph, "tom", scope=replace(NOW, moment=Moment(valid=at(9)))) == ["Tom works at Acme."]
        assert (
            len(
                graph.nearest(Subject.FACT, unit(1, 0, 0, 0), Scope(groups=(GROUP,), history=True), limit=5)
            )
            == 2
        )
        assert found_episodes(graph, "zebra") == ["An old zebra."]
        past = replace(NOW, moment=Moment(valid=at(100), system=at(2)))
        assert found_episodes(graph, "zebra", scope=past) == ["A zebra."]
        assert found_episodes(graph, "good") == ["Good, see you."]
        graph.apply(Changes(commit=commit(4), episodes=(episode("e9"),)))
    connection = apsw.Connection(str(old_file))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_turns_of_a_file_of_version_1_get_their_neighbours(old_file: Path) -> None:
    with SqliteGraph(old_file) as graph:
        scope = replace(NOW, filters=Filters(sources=("chat",), speakers=("Ann",)))
        hits = graph.match(Subject.EPISODE, ["tuesday"], NOW, limit=9)
        assert sorted(labels(graph, Subject.EPISODE, [hit.handle for hit in hits])) == ["t1", "t2", "t3"]
        found = [hit.handle for hit in graph.match(Subject.EPISODE, ["tuesday"], scope, limit=9)]
        assert sorted(labels(graph, Subject.EPISODE, found)) == ["t1", "t3"]
        (middle,) = {hit.handle for hit in hits} - set(found)
        assert graph.beside([middle], NOW)[middle] == Beside(before=min(found), after=max(found))
        waiting = [text for _, text in graph.without_vector(Subject.EPISODE, limit=9)]
        assert "Ann: We sail on Tuesday.\nWhich day?" in waiting
        assert len(waiting) == 4  # the turns read otherwise now, and the second zebra never had a vector
        assert graph.vocabulary([GROUP]).properties == ("room", "tags")


def test_summaries_and_procedures_of_a_file_of_version_1_are_searched(old_file: Path) -> None:
    with SqliteGraph(old_file) as graph:
        before = replace(NOW, moment=Moment(system=at(5)))
        for scope, day, text in ((NOW, None, "Tom left Acme."), (before, at(5), "Tom works at Acme.")):
            (hit,) = graph.match(Subject.SUMMARY, ["acme"], scope, limit=9)
            assert graph.summaries_at([hit.handle])[hit.handle].text == text
            summary = graph.summary(GROUP, "id-tom", at=day)
            assert summary is not None
            assert summary.text == text
        hits = graph.match(Subject.PROCEDURE, ["look_up"], before, limit=9)
        found = graph.procedures_at([hit.handle for hit in hits]).values()
        assert sorted(one.name for one in found) == ["book", "cancel"]
        assert [one.support for one in graph.procedures(GROUP)] == [3]
        assert len(graph.without_vector(Subject.SUMMARY, limit=9)) == 2


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "graph.db"
    SqliteGraph(path).close()
    old = schema.VERSION
    monkeypatch.setattr(schema, "VERSION", old + 1)
    monkeypatch.setattr(schema, "statement", lambda _: "CREATE TABLE a (b); CREATE TABLE a (b)")
    with pytest.raises(apsw.SQLError):
        SqliteGraph(path)
    connection = apsw.Connection(str(path))
    assert schema.version_of(connection) == old
    assert not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'a'").fetchall()
    connection.close()


def test_two_stores_on_one_file_see_each_other_at_once(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with SqliteGraph(path) as one, SqliteGraph(path) as other:
        one.apply(everything())
        assert asked(other, "tom") == ["Tom works at Acme."]
        assert other.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3) == ()
        embed(one, {"Tom works at Acme.": unit(1, 0, 0, 0)})
        assert len(other.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3)) == 1
        with pytest.raises(Conflict):
            other.apply(everything())
        other.apply(Changes(commit=commit(2), facts_expired=("f1",)))
        assert one.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3) == ()
        one.forget()
        other.apply(Changes(commit=commit(3), facts_created=(fact("f1"),)))
        assert other.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3) == ()
        ((handle, _), *_) = one.without_vector(Subject.ENTITY, limit=9)
        two = VectorModel(name="two", dimension=2, engine="hand")
        one.put(Subject.ENTITY, two, [handle], unit(0, 1)[np.newaxis])
        assert len(other.nearest(Subject.ENTITY, unit(0, 1), NOW, limit=3)) == 1


def test_threads_share_a_store(tmp_path: Path) -> None:
    with SqliteGraph(tmp_path / "graph.db") as graph:
        graph.apply(everything())
        embed(graph, {"Tom works at Acme.": unit(1, 0, 0, 0)})
        found: list[int] = []

        def work(number: int) -> None:
            for seq in range(1, 6):
                graph.apply(triples(seq, 3, group=f"g{number}"))
                found.append(len(asked(graph, "tom")))
                found.append(len(graph.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3)))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [1] * 40
        assert [one.last_seq for one in graph.counts()] == [1, 5, 5, 5, 5]


def test_bits_choose_the_same_neighbours_as_all_vectors(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    size, dimension = 6_000, 64
    centres = random.normal(size=(300, dimension))
    vectors = centres[random.integers(300, size=size)] + 0.7 * random.normal(size=(size, dimension)) + 2
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    facts = tuple(fact(f"f{n}", f"text {n}", subject=f"s{n}") for n in range(size))
    with SqliteGraph(tmp_path / "graph.db") as graph:
        graph.apply(Changes(commit=commit(1), facts_created=facts))
        waiting = graph.without_vector(Subject.FACT, limit=size)
        handles = [handle for handle, _ in waiting]
        model = VectorModel(name="clusters", dimension=dimension, engine="hand")
        graph.put(Subject.FACT, model, handles, vectors)
        kept = 0
        for question in vectors[::300]:
            hits = graph.nearest(Subject.FACT, question, NOW, limit=10)
            exact = {handles[place] for place in np.argsort(-(vectors @ question))[:10]}
            kept += len(exact & {hit.handle for hit in hits})
        assert kept / (10 * len(vectors[::300])) >= 0.98


def test_many_versions_of_few_texts_are_all_compared(tmp_path: Path) -> None:
    """History may hold more versions than there are vectors: then there are no bits to choose by."""
    with SqliteGraph(tmp_path / "graph.db") as graph:
        facts = tuple(fact(f"f{n}", f"text {n}", subject=f"s{n}") for n in range(1_500))
        ids = tuple(one.id for one in facts)
        graph.apply(Changes(commit=commit(1), facts_created=facts))
        waiting = graph.without_vector(Subject.FACT, limit=2_000)
        rows = np.random.default_rng(1).normal(size=(len(waiting), 4)).astype(np.float32)
        graph.put(Subject.FACT, MODEL, [handle for handle, _ in waiting], rows)
        for seq in (2, 3):
            graph.apply(Changes(commit=commit(seq), facts_expired=ids, facts_created=facts))
        ever = Scope(groups=(GROUP,), history=True)
        assert len(graph.nearest(Subject.FACT, unit(1, 0, 0, 0), ever, limit=5_000)) == 4_500


def test_another_store_forgets_the_vectors_of_passages_that_were_replaced(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    north = unit(1, 0, 0, 0)
    with SqliteGraph(path) as one, SqliteGraph(path) as other:
        one.apply(Changes(commit=commit(1), episodes=(episode("e1", "zebra"),)))
        embed(one, {"zebra": north}, Subject.EPISODE)
        assert len(other.nearest(Subject.EPISODE, north, NOW, limit=3)) == 1
        one.apply(Changes(commit=commit(2), passages=(("e1", ("zebra", "more")), ("none", ("x",)))))
        assert len(other.nearest(Subject.EPISODE, north, NOW, limit=3)) == 1
        one.apply(Changes(commit=commit(3), passages=(("e1", ("the zebra",)),)))
        assert other.nearest(Subject.EPISODE, north, NOW, limit=3) == ()
        embed(one, {"the zebra": north}, Subject.EPISODE)
        assert len(other.nearest(Subject.EPISODE, north, NOW, limit=3)) == 1


@pytest.mark.slow
def test_recall_at_20_000_facts_and_filters_that_few_pass(tmp_path: Path) -> None:
    """Like e5's, the vectors lie in a cone, around topics; one fact in 2,000 has the rare relation."""
    random = np.random.default_rng(11)
    size, dimension = 20_000, 96
    centres = random.normal(size=(200, dimension))
    noise = 0.9 * random.normal(size=(size, dimension))
    vectors = (centres[random.integers(200, size=size)] + noise + 2).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    relation = ["rare" if n % 2_000 == 7 else "common" for n in range(size)]
    facts = tuple(fact(f"f{n}", f"text {n}", subject=f"s{n}", predicate=relation[n]) for n in range(size))
    with SqliteGraph(tmp_path / "graph.db") as graph:
        graph.apply(Changes(commit=commit(1), facts_created=facts))
        handles = [handle for handle, _ in graph.without_vector(Subject.FACT, limit=size)]
        model = VectorModel(name="cone", dimension=dimension, engine="hand")
        graph.put(Subject.FACT, model, handles, vectors)
        questions = centres[:100] + 0.9 * random.normal(size=(100, dimension)) + 2
        questions = (questions / np.linalg.norm(questions, axis=1, keepdims=True)).astype(np.float32)
        exact = np.argsort(-(questions @ vectors.T), axis=1)
        rare = replace(NOW, filters=Filters(relations=("rare",)))
        kept = 0
        for question, order in zip(questions, exact, strict=True):
            hits = graph.nearest(Subject.FACT, question, NOW, limit=10)
            kept += len({handles[at] for at in order[:10]} & {hit.handle for hit in hits})
        for question, order in zip(questions[:10], exact[:10], strict=True):
            hits = graph.nearest(Subject.FACT, question, rare, limit=10)
            few = [handles[at] for at in order if relation[at] == "rare"]
            assert [hit.handle for hit in hits] == few
        assert kept / 1_000 >= 0.95


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with SqliteGraph(path) as graph:
        graph.apply(everything())
        connection = graph._connections.here()
        pages = connection.pragma("page_count")
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        many = triples(1, 300, group="many")
        with pytest.raises(Fault, match="full; nothing was written: make room"):
            graph.apply(many)
        assert [one.group_id for one in graph.counts()] == [GROUP]
        assert asked(graph, "tom") == ["Tom works at Acme."]
        connection.execute("PRAGMA max_page_count = 1000000")
        graph.apply(many)
        assert graph.last_seq("many") == 1


def test_tables_that_went_away_are_told_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with SqliteGraph(path) as graph:
        graph.apply(everything())
        outside = apsw.Connection(str(path))
        outside.execute("DROP TABLE facts; DROP TABLE fact_words; DROP TABLE terms")
        outside.close()
        with pytest.raises(Damaged, match=r"graph\.db was changed .* \(memstrata rebuild\)"):
            asked(graph, "tom")
        with pytest.raises(Damaged, match="nothing was written"):
            graph.apply(everything(2))


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_taken_away_while_open_is_missed_at_once(tmp_path: Path, *, replaced: bool) -> None:
    path = tmp_path / "graph.db"
    with SqliteGraph(path) as graph:
        graph.apply(everything())
        path.rename(tmp_path / "away.db")
        if replaced:
            path.touch()
        with pytest.raises(
            Damaged, match=r"deleted or replaced while it was open; .* \(memstrata rebuild\)"
        ):
            graph.last_seq(GROUP)
        with pytest.raises(Damaged, match="nothing was written"):
            graph.apply(everything(2))


@pytest.mark.slow
def test_processes_read_and_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with writer(path, "one", batch=20), writer(path, "two", batch=20), SqliteGraph(path) as graph:
        graph.apply(everything())
        until = time.monotonic() + 2
        while time.monotonic() < until:
            assert asked(graph, "tom") == ["Tom works at Acme."]
            for counted in graph.counts():
                if counted.group_id != GROUP:
                    assert counted.facts == counted.placements == counted.episodes == 20 * counted.last_seq
        assert min(graph.last_seq("one"), graph.last_seq("two")) > 1


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.0, 0.011, 0.023, 0.037, 0.052])
def test_a_killed_writer_leaves_whole_commits(tmp_path: Path, pause: float) -> None:
    path = tmp_path / "graph.db"
    with writer(path, "one", batch=200):
        time.sleep(pause)
    with SqliteGraph(path) as graph:
        (counted,) = graph.counts()
        assert counted.last_seq >= 1
        assert counted.facts == counted.placements == counted.episodes == 200 * counted.last_seq
        assert counted.entities == 400 * counted.last_seq
        scope = Scope(groups=("one",), history=True)
        assert len(graph.match(Subject.FACT, ["place"], scope, limit=10**6)) == min(3000, counted.facts)
        graph.apply(triples(counted.last_seq + 1, 5, group="one"))
    connection = apsw.Connection(str(path))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_vectors_of_another_model_are_named_in_the_refusal(tmp_path: Path) -> None:
    with SqliteGraph(tmp_path / "graph.db") as graph:
        graph.apply(everything())
        embed(graph, {"Tom works at Acme.": unit(1, 0, 0, 0)})
        other = VectorModel(name="other-model", dimension=4, engine="hand")
        with pytest.raises(Conflict, match=rf"{MODEL.name} .*other-model"):
            graph.put(Subject.FACT, other, [1], unit(1, 0, 0, 0)[np.newaxis])
