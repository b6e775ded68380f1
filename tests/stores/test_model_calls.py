"""What language models were asked and said, in a file of its own."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Unsupported
from memstrata.ports import Call, Finish, ListedBy, Reply, Spent, Stage
from memstrata.stores.sqlite.connection import connect
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
