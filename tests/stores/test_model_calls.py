"""What language models were asked and said, in a file of its own."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Unsupported
from memstrata.ports import Call, Finish, ListedBy, Reply, Spent, Stage
from memstrata.stores.sqlite.connection import connect, statement
from memstrata.stores.sqlite.model_calls import ModelCalls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOON = datetime(2024, 5, 14, 12, tzinfo=UTC)


@pytest.fixture
def calls(tmp_path: Path) -> Iterator[ModelCalls]:
    opened = ModelCalls(tmp_path / "models.db")
    yield opened
    opened.close()


def call(
    episode: str = "e1",
    *,
    group: str = "g",
    day: int = 0,
    stage: Stage = Stage.EXTRACT,
    share: float = 1.0,
    model: str = "small",
    failed: float = 0.0,
) -> Call:
    return Call(
        at=NOON + timedelta(days=day),
        group_id=group,
        episode_id=episode,
        stage=stage,
        version="model-1",
        model=model,
        calls=share,
        input_tokens=100 * share,
        output_tokens=10 * share,
        retries=1,
        seconds=0.5,
        failed=failed,
    )


def test_nothing_spent_is_one_sum_of_zeros(calls: ModelCalls) -> None:
    assert calls.spent() == (Spent(),)
    assert calls.spent([ListedBy.DAY]) == ()


def test_what_was_spent_adds_up_by_whatever_it_is_listed_by(calls: ModelCalls) -> None:
    calls.note([call("e1"), call("e2", day=1, stage=Stage.REPAIR), call("e1", group="h", model="large")])

    (whole,) = calls.spent()
    assert (whole.calls, whole.input_tokens, whole.output_tokens, whole.retries) == (3, 300, 30, 3)
    by_day = {one.key[ListedBy.DAY]: one.calls for one in calls.spent([ListedBy.DAY])}
    assert by_day == {"2024-05-14": 2, "2024-05-15": 1}
    by_two = {
        (one.key[ListedBy.GROUP], one.key[ListedBy.STAGE]): one.calls
        for one in calls.spent([ListedBy.STAGE, ListedBy.GROUP])
    }
    assert by_two == {("g", "extract"): 1, ("g", "repair"): 1, ("h", "extract"): 1}
    assert [one.key[ListedBy.MODEL] for one in calls.spent([ListedBy.MODEL])] == ["large", "small"]
    assert {one.key[ListedBy.EPISODE]: one.calls for one in calls.spent([ListedBy.EPISODE])} == {
        "e1": 2,
        "e2": 1,
    }


def test_days_and_a_group_narrow_what_is_counted(calls: ModelCalls) -> None:
    calls.note([call(day=day, group=group) for day in range(4) for group in "gh"])

    (some,) = calls.spent(since=date(2024, 5, 15), until=date(2024, 5, 17), group_id="g")
    assert some.calls == 2


def test_a_shared_call_counts_once_over_its_episodes(calls: ModelCalls) -> None:
    calls.note([call("e1", share=0.5), call("e2", share=0.5)])

    (whole,) = calls.spent()
    assert (whole.calls, whole.input_tokens) == (1, 100)


def test_a_reply_comes_back_as_it_was_in_another_process_too(calls: ModelCalls, tmp_path: Path) -> None:
    reply = Reply(
        text='{"a": "ä"}', input_tokens=7, output_tokens=3, finish=Finish.WHOLE, retries=2, seconds=1.5
    )
    assert calls.get("k") is None
    calls.put("k", reply, [("g", "e1"), ("g", "e2")])

    other = ModelCalls(tmp_path / "models.db")
    assert other.get("k") == reply
    other.close()


def test_evicting_an_episode_takes_every_reply_that_tells_of_it_and_its_bytes(
    calls: ModelCalls, tmp_path: Path
) -> None:
    for key, said, episodes in (
        ("one", "cinnabar", [("g", "e1")]),
        ("shared", "verdigris", [("g", "e1"), ("g", "e2")]),
        ("other", "ochre", [("g", "e2")]),
        ("namesake", "umber", [("h", "e1")]),
    ):
        calls.put(key, Reply(text=said, input_tokens=1, output_tokens=1), episodes)

    assert calls.evict("g", ["e1", "unknown"]) == 2
    assert calls.evict("g", ["e1"]) == 0
    assert calls.get("one") is calls.get("shared") is None
    assert calls.get("other") is not None
    assert calls.get("namesake") is not None
    left = b"".join(path.read_bytes() for path in tmp_path.glob("models.db*"))
    assert b"cinnabar" not in left
    assert b"verdigris" not in left
    assert b"ochre" in left


def test_a_reply_is_removed_for_each_group_and_episode_that_it_tells_of(calls: ModelCalls) -> None:
    reply = Reply(text="cinnabar", input_tokens=1, output_tokens=1)
    told_of = [("g", "e1"), ("g", "shown before"), ("h", "e9")]
    for group, episode in told_of:
        calls.put("k", reply, told_of[:2])
        calls.put("k", reply, told_of[2:])  # the same prompt, for another episode
        assert calls.evict(group, [episode]) == 1
        assert calls.get("k") is None


def test_nothing_is_left_of_a_reply_that_another_has_replaced(calls: ModelCalls, tmp_path: Path) -> None:
    calls.put("k", Reply(text="cinnabar " * 2_000, input_tokens=1, output_tokens=1), [("g", "e1")])
    calls.put("k", Reply(text="ochre", input_tokens=1, output_tokens=1), [("g", "e2")])
    calls.put("other", Reply(text="umber", input_tokens=1, output_tokens=1), [("g", "e3")])
    calls.evict("g", ["e3"])
    left = b"".join(path.read_bytes() for path in tmp_path.glob("models.db*"))
    assert b"ochre" in left
    assert b"cinnabar" not in left


def test_what_another_process_removed_is_gone_here(calls: ModelCalls, tmp_path: Path) -> None:
    calls.put("k", Reply(text="cinnabar", input_tokens=1, output_tokens=1), [("g", "e1")])
    script = (
        "import sys; from pathlib import Path; from memstrata.stores.sqlite.model_calls import ModelCalls; "
        "calls = ModelCalls(Path(sys.argv[1])); print(calls.evict('g', ['e1'])); calls.close()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "models.db"], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "1"
    assert calls.get("k") is None
    calls.note([call()])
    assert b"cinnabar" not in b"".join(path.read_bytes() for path in tmp_path.glob("models.db*"))


def test_processes_may_open_a_new_file_and_note_at_once(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from datetime import UTC, datetime; "
        "from memstrata.ports import Call, Stage; "
        "from memstrata.stores.sqlite.model_calls import ModelCalls; "
        "calls = ModelCalls(Path(sys.argv[1])); "
        "[calls.note([Call(at=datetime.now(UTC), group_id='g', episode_id='e', stage=Stage.EXTRACT, "
        "version='v', model='m', calls=1, input_tokens=1, output_tokens=1)]) for _ in range(25)]; "
        "calls.close()"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, tmp_path / "models.db"]) for _ in range(4)]
    assert [one.wait(timeout=60) for one in running] == [0] * 4
    with closing(ModelCalls(tmp_path / "models.db")) as calls:
        assert calls.spent()[0].calls == 100


def test_calls_that_gave_no_reply_are_counted_among_all(calls: ModelCalls) -> None:
    calls.note([call(), call(failed=1.0), call("e2", share=0.5, failed=0.5)])
    (whole,) = calls.spent()
    assert (whole.calls, whole.failed) == (2.5, 1.5)


def test_a_file_of_the_first_version_is_brought_up_to_date_with_what_is_in_it(tmp_path: Path) -> None:
    with closing(connect(tmp_path / "models.db")) as older:
        older.execute(statement("models/schema"))
        older.execute(
            "INSERT INTO calls VALUES (1, 0, 0, 'g', 'e', 'extract', 'v', 'm', 1, 7, 3, 0, 2, 0.5)"
        )
        older.execute("PRAGMA user_version = 1")
    with closing(ModelCalls(tmp_path / "models.db")) as calls:
        calls.note([call(failed=1.0)])
        (whole,) = calls.spent()
        assert (whole.calls, whole.failed, whole.retries) == (2, 1, 3)
    with closing(ModelCalls(tmp_path / "models.db")) as calls:
        assert calls.spent() == (whole,)


def test_it_is_opened_again_after_it_was_closed(calls: ModelCalls) -> None:
    calls.note([call()])
    calls.close()
    calls.close()
    assert calls.spent()[0].calls == 1


def test_threads_may_note_and_keep_at_once(calls: ModelCalls) -> None:
    def work(number: int) -> None:
        for turn in range(20):
            calls.note([call(f"e{number}")])
            calls.put(f"{number}-{turn}", Reply(text="x", input_tokens=1, output_tokens=1), [("g", "e")])

    threads = [Thread(target=work, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert calls.spent()[0].calls == 80


def test_a_file_of_a_newer_version_is_refused_and_says_what_to_do(tmp_path: Path) -> None:
    newer = connect(tmp_path / "models.db")
    newer.execute("PRAGMA user_version = 99")
    newer.close()

    with pytest.raises(Unsupported, match=r"move the file away"):
        ModelCalls(tmp_path / "models.db").get("k")
