"""10,000 episodes against a language model's server that fails three calls of ten, and three kills.

`memstrata work` runs in a process of its own, set up by environment alone, against a real HTTP
server that fails in every way: rate limits, errors, replies cut off, of wrong types, refused, late,
empty, doubled, hung up, pages of HTML. It is killed three times (kill -9) and started again. Then
the faults stop, what is pending is worked, and the graph must be that of a run without faults.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from benchmarks.workplace import workplace
from memstrata.extraction.model import ModelExtractor
from memstrata.language_models.scripted_server import (
    ScriptedServer,
    failure,
    hung_up,
    page_of_html,
    refusal,
    reply,
    slow,
    tool_calls,
)
from memstrata.model import Draft, Role, SourceType, Speaker, TimeSource
from memstrata.settings import load_settings, opened
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.intake import accept

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.language_models.scripted_server import Asked, Said

SEED: Final = 17
EPISODES: Final = 10_000
KILLS: Final = 3
GROUP: Final = "faults"
_MODEL: Final = "scripted"
_SHARE: Final = 0.3
_TURNS: Final = 25
_START: Final = datetime(2025, 1, 1, tzinfo=UTC)
_PASSES: Final = 12
_KILL_WITHIN: Final = 0.6  # of the calls that a run without faults takes
_CITIES: Final = (
    "Leeds",
    "Porto",
    "Ghent",
    "Tartu",
    "Malmo",
    "Graz",
    "Cork",
    "Basel",
    "Turin",
    "Lviv",
    "Bergen",
)
_TEXT = re.compile(r"<(text-\w+)>\n(.*?)\n</\1>", re.DOTALL)
_SAID = re.compile(r"(Person \w+) (?:moved to|lives in) (\w+)\.")


def run(data: Path | None, *, episodes: int = EPISODES) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; beside them what was asked, how it failed, and where episodes ended."""
    del data
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ScriptedServer() as server:
        clean, faulty = Path(folder, "clean"), Path(folder, "faulty")
        ids = _accepted(clean, episodes)
        _accepted(faulty, episodes)
        script = Failing(SEED, stopped=True)
        server.script = script
        _worked(clean, server.url)
        calls = len(server.asked)
        expected, quiet = _export(clean), time.monotonic() - began
        server.asked.clear()
        script.stopped = False
        watch = Watch(faulty, server)
        for number in range(KILLS):
            _killed(faulty, server, after=round(calls * _KILL_WITHIN * (number + 1) / KILLS))
            watch.look()
        _worked(faulty, server.url)
        watch.look()
        during = _ends(faulty, ids)
        script.stopped = True
        passes = 0
        while _ends(faulty, ids)["pending"] and passes < _PASSES:
            _worked(faulty, server.url)
            watch.look()
            passes += 1
        ends, got = _ends(faulty, ids), _export(faulty)
    return {
        "lost": ends["lost"],
        "paid_twice": watch.paid_twice,
        "same_graph": got == expected,
        "episodes": episodes,
        "kills": KILLS,
        "calls_without_faults": calls,
        "calls": watch.calls,
        "failed_calls": sum(script.failed.values()),
        "failed_by_kind": dict(sorted(script.failed.items())),
        "under_faults": during,
        "in_the_end": ends,
        "passes_after": passes,
        "facts": sum('"record":"fact"' in line for line in expected),
        "differing_lines": len(set(got) ^ set(expected)),
        "differing": sorted(set(got) ^ set(expected))[:8],
        "seconds_without_faults": round(quiet, 1),
        "seconds": round(time.monotonic() - began, 1),
        "seed": SEED,
    }


# --- what is said, and how the server answers ---


def _accepted(home: Path, episodes: int) -> frozenset[str]:
    with workplace(home) as (installation, _):
        batches = accept(installation, (_draft(number) for number in range(episodes)))
        return frozenset(one.episode_id for batch in batches for one in batch.episodes)


def _draft(number: int) -> Draft:
    chance = Random(SEED * 1_000_003 + number)
    who = f"Person {_name(chance.randrange(2_000))}"
    verb = chance.choice(("moved to", "lives in"))
    return Draft(
        group_id=GROUP,
        source="faults",
        source_type=SourceType.MESSAGE,
        content=f"Note {number}: {who} {verb} {chance.choice(_CITIES)}.",
        reference_time=_START + timedelta(hours=number),
        time_source=TimeSource.OWN,
        saga=f"talk {number // _TURNS}",
        position=number % _TURNS,
        speaker=Speaker(id="clerk", name="Clerk", role=Role.USER),
    )


def _name(number: int) -> str:
    """A surname of its own for each number."""
    drawn = hashlib.sha256(str(number).encode()).digest()
    consonants, vowels = "bdfgklmnprstvz", "aeiou"
    letters = [
        (consonants, vowels)[at % 2][drawn[at] % len((consonants, vowels)[at % 2])] for at in range(8)
    ]
    return "".join(letters).capitalize()


def told(asked: Asked) -> str:
    """What a model would say to it: where everybody lives; to a repair, the items that it names."""
    texts = [text for _, text in _TEXT.findall(asked.user)]
    wrong = re.findall(r"^(\d+)\. in assertions: (.*)$", asked.user, re.MULTILINE)
    items = []
    for number, text in enumerate(texts, 1):
        found = _SAID.search(text)
        if found is None:
            continue
        item = {
            "subject": found[1],
            "predicate": "lives_in",
            "object": found[2],
            "fact": f"{found[1]} lives in {found[2]}.",
            "kind": "started" if "moved" in found[0] else "holds",
            "evidence": text,  # of its own for each episode, so that a repair knows which it is
            "episode": number,
        }
        if not wrong:
            items.append(item)
        items += [item | {"item": int(at)} for at, shown in wrong if text in shown]
    return json.dumps({"entities": [], "assertions": items})


class Failing:
    """The server's script: fails three of ten requests, each in another way, until it is `stopped`."""

    def __init__(self, seed: int, *, stopped: bool = False) -> None:
        self._chance = Random(seed)
        self._lock = threading.Lock()
        self.stopped = stopped
        self.failed: dict[str, int] = {}

    def __call__(self, asked: Asked) -> Said:
        """See `ScriptedServer`."""
        text = told(asked)
        with self._lock:
            if self.stopped or self._chance.random() > _SHARE:
                return reply(text)
            ways = _ways(text, self._chance.randrange(len(text)))
            kind = self._chance.choice(sorted(ways))
            self.failed[kind] = self.failed.get(kind, 0) + 1
            return ways[kind]


def _ways(text: str, cut: int) -> dict[str, Said]:
    return {
        "429": failure(429, "slow down", wait=0.05),
        "500": failure(500, "it broke"),
        "503": failure(503, "overloaded"),
        "html": page_of_html(),
        "hung up": hung_up(reply(text)),
        "late": slow(reply(text), 3.0),
        "refused": refusal("I cannot help with that."),
        "cut off": reply(text[:cut], finish="length"),
        "wrong kind": reply(text.replace('"started"', "7").replace('"holds"', "7")),
        "wrong key": reply(text.replace('"evidence"', '"proof"')),
        "wrong type": reply(
            text.replace('"subject": "', '"subject": ["').replace('", "predicate"', '"], "predicate"')
        ),
        "no number": reply(text.replace('"episode"', '"chapter"')),
        "empty": reply(""),
        "words": reply("Sure! Here is what I found."),
        "doubled": tool_calls("{}", "{}"),
        "two replies": tool_calls(text, text[::-1]),
    }


# --- the process that works ---


def _environment(home: Path, url: str) -> dict[str, str]:
    return {
        **os.environ,
        "MEMSTRATA_HOME": str(home),
        "MEMSTRATA_EMBEDDER": "none",
        "MEMSTRATA_LLM_MODEL": _MODEL,
        "MEMSTRATA_LLM_CONCURRENCY": "16",
        "MEMSTRATA_LLM_TIMEOUT": "1.5",
        "MEMSTRATA_LLM_RETRIES": "8",
        "OPENAI_BASE_URL": url,
        "OPENAI_API_KEY": "no-secret",
    }


@contextmanager
def _process(home: Path, url: str, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "memstrata", "work", *options]
    with subprocess.Popen(
        command, env=_environment(home, url), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        yield process


def _worked(home: Path, url: str) -> None:
    with _process(home, url, "--once") as process:
        _, complaints = process.communicate()
    if process.returncode not in (0, 1):
        raise RuntimeError(f"memstrata work ended with {process.returncode}: {complaints.decode()[-500:]}")


def _killed(home: Path, server: ScriptedServer, *, after: int) -> None:
    """Lets it work until the server has been asked so often, and kills it there."""
    with _process(home, server.url) as process:
        while len(server.asked) < after and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)


# --- what came of it ---


def _ends(home: Path, ids: frozenset[str]) -> dict[str, int]:
    """Where every accepted episode is: extracted, a dead letter, pending, or lost."""
    with workplace(home) as (installation, _):
        record = installation.record
        record.compact(context_turns=6)
        dead = {one.episode_id for one in record.letters(GROUP)}
        pending = {one.episode_id for one in record.awaiting(limit=10 * len(ids))}
        committed = record.committed(GROUP, ids)
        extracted = {episode.episode_id for episode, _ in committed}
        waiting = {episode.episode_id for episode, _ in record.pending(GROUP, limit=len(ids)).episodes}
        held = sum(
            any(one.verdict.value == "quarantine" for one in extraction.outcomes)
            for _, extraction in committed
        )
    return {
        "extracted": len(extracted - pending),
        "with_quarantine": held,
        "dead_letters": len(dead),
        "pending": len(pending | waiting),
        "lost": len(ids - extracted - dead - pending - waiting),
    }


def _export(home: Path) -> list[str]:
    with workplace(home) as (installation, _):
        return list(canonical_lines(installation.graph, GROUP))


@dataclass(slots=True)
class Watch:
    """Counts the calls for an episode whose whole reply was in the cache before the process began."""

    home: Path
    server: ScriptedServer
    calls: int = 0
    paid_twice: int = 0
    _stored: frozenset[str] = field(default_factory=frozenset)

    def look(self) -> None:
        """After a process has ended: what it asked is held against what had been stored, then forgotten."""
        asked = list(self.server.asked)
        self.server.asked.clear()
        self.calls += len(asked)
        for one in asked:
            is_first = "items of your reply" not in one.user and "Your reply to this" not in one.user
            texts = {text for _, text in _TEXT.findall(one.user)}
            self.paid_twice += is_first and bool(texts & self._stored)
        self._stored = self._texts_stored()

    def _texts_stored(self) -> frozenset[str]:
        """The texts that the extractor of the next process will find a whole reply for."""
        settings = load_settings(
            MEMSTRATA_HOME=self.home,
            MEMSTRATA_EMBEDDER="none",
            MEMSTRATA_LLM_MODEL=_MODEL,
            OPENAI_BASE_URL=self.server.url,
        )
        with opened(settings) as installation:
            record, extractor = installation.record, installation.extractor
            if not isinstance(extractor, ModelExtractor):
                raise TypeError("the settings choose no language model")
            turns = [episode for _, episode in record.listed(GROUP, limit=10**6)]
            shown = [(one, record.preceding(one, extractor.context_turns)) for one in turns]
            lacking = {one.episode_id for episodes, _ in extractor.first_prompts(shown) for one in episodes}
        return frozenset(one.content for one in turns if one.episode_id not in lacking)
