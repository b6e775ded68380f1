"""Targets crossed with things: what is sent, what comes back, and what of it is a leak.

A leak is a word or id of the foreign group that no caller has sent, or an answer by which a thing can be
told from its twin that never was.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from benchmarks.isolation_slots import put
from benchmarks.isolation_world import FOREIGN, NEVER, OWN, Thing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks.isolation_slots import Place, Slots
    from benchmarks.isolation_world import Caller

_GROUPS: Final = frozenset({"group_id", "groups", "group_ids"})
_GROUP: Final = Thing(kind="group", there=FOREIGN, never=NEVER)
#: What differs between two answers to one and the same request.
_FLEETING: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z|\d+(?:\.\d+)?(?:e-?\d+)?"
)
#: What both groups are called, however it is spelt.
_NAMES: Final = re.compile("|".join(one.rpartition("/")[2] for one in (FOREIGN, NEVER)), re.IGNORECASE)
#: Places of words: there the answers differ as the words do.
_WORDS: Final = frozenset({"query", "content", "text", "reason", "episode_body", "fact", "mapping"})
#: Ways to write a group's name that must not come to mean it.
_FORMS: Final = (
    "{}", "{}/", "{}/*", "/{}", "{}/../vault7", "{}/.", "{}%2F", " {}", "{} ", "{}\u200b", "{}\0", "{}*",
)  # fmt: skip
_PATTERNS: Final = ("*", "acme/*", "acme/*/..", "acme/eng/../vault7", "acme/v*", "**", "/*")
#: What is asked for in the foreign group itself too: there every other thing is refused alike.
_AIMED: Final = frozenset({"name", "fact", "entity"})
#: What is enough for who writes, and for callers who differ from the first by their tokens alone.
_ENOUGH: Final = frozenset({"group", "name", "episode", "fact", "entity", "decision", "operation"})
#: What is waited for where it is written; of the rest it is enough that it is taken or refused.
_AWAITED: Final = frozenset({"name", "entity"})
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """All that came back, headers too."""

    status: str
    text: str
    is_done: bool
    is_fault: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A route or tool, with the places that it has and a way to ask it."""

    name: str
    slots: Slots
    is_reading: bool
    send: Callable[[Mapping[str, Any]], Answer]


@dataclass(slots=True)
class Tally:
    """What was tried, and what came of it."""

    ids: tuple[str, ...]
    tried: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    server_errors: list[str] = field(default_factory=list)
    _written: str = ""

    def ask(self, caller: Caller, target: Target, given: Mapping[str, Any]) -> Answer:
        """Asks, counts, and looks whether the answer tells what it should not."""
        answer = target.send(given)
        sent = f"{target.name} {json.dumps(given, ensure_ascii=False)}"
        if not target.is_reading and caller.is_let_in:
            self.note(sent)
        self.look(caller, sent, answer)
        return answer

    def note(self, sent: str) -> None:
        """Bears in mind what was written: whoever may read it there may be told it."""
        self._written += sent.lower()

    def look(self, caller: Caller, sent: str, answer: Answer) -> None:
        """As `ask`, of a request that was sent otherwise."""
        self.tried[caller.name] += 1
        self.answers[answer.status] += 1
        where = f"{caller.name}: {sent}: {answer.status}"
        if answer.is_fault:
            self.server_errors.append(f"{where} {answer.text[:_SHOWN]}")
        known = sent.lower() + self._written
        told = answer.text
        for listed in (", ".join(caller.reach), json.dumps(caller.reach, separators=(",", ":"))):
            told = told.replace(listed, "") if caller.reach else told  # what its own token reaches
        told = told.lower()
        secrets = (*caller.secrets, *self.ids)
        self.leaks.extend(f"{where} tells {one!r}" for one in secrets if one in told and one not in known)
        if not caller.is_let_in and answer.status != "401":
            self.leaks.append(f"{where}: let in")

    def compare(self, target: Target, thing: Thing, there: Answer, never: Answer) -> None:
        """Looks whether two answers tell that one thing is there and its twin is not.

        What a write in the own group came to differs with every write before it: of that, the status.
        """
        if there.status == never.status and there.is_done and not target.is_reading:
            return
        one, other = _without(there.text, thing), _without(never.text, thing)
        if there.status != never.status or one != other:
            shown = f"{there.status} {one[:_SHOWN]!r} / {never.status} {other[:_SHOWN]!r}"
            self.leaks.append(f"{target.name}: {thing} is told from its twin: {shown}")


def _without(text: str, thing: Thing) -> str:
    """An answer without what differs between a thing and its twin, and from one answer to the next."""
    for one in (thing.there, thing.never):
        text = text.replace(one, "*")
    return _FLEETING.sub("#", _NAMES.sub("*", text))


def cross(targets: Sequence[Target], caller: Caller, things: tuple[Thing, ...], tally: Tally) -> None:
    """Asks every target with every thing in every place; of who is not let in, each once."""
    for target in targets:
        if not caller.is_let_in:
            tally.ask(caller, target, target.slots.sample())
            continue
        is_whole = caller.is_compared and target.is_reading
        fitting = things if is_whole else tuple(one for one in things if one.kind in _ENOUGH)
        spelt = _spelt() if caller.is_compared else (_GROUP, Thing(kind="pattern", there="*"))
        for at, thing, there, never in _crossings(target.slots, fitting, tuple(spelt)):
            if not target.is_reading and thing.kind not in _AWAITED:
                there, never = _hurried(target.slots, there), _hurried(target.slots, never)  # noqa: PLW2901
            answer = tally.ask(caller, target, there)
            if thing.never and caller.is_compared:
                twin = tally.ask(caller, target, never)
                if _WORDS.isdisjoint(map(str, at)):
                    tally.compare(target, thing, answer, twin)


def _crossings(
    slots: Slots, things: tuple[Thing, ...], spelt: tuple[Thing, ...]
) -> Iterator[tuple[Place, Thing, Any, Any]]:
    """Each place and thing, with the value that holds it, and the one with its twin."""
    sample = slots.sample()
    places = list(slots.places())
    groups = [at for at in places if _name(at) in _GROUPS]
    own = _aimed(sample, groups, OWN)
    foreign, never = _aimed(sample, groups, FOREIGN), _aimed(sample, groups, NEVER)
    for at in places:
        is_group = at in groups
        for thing in spelt if is_group else things:
            yield at, thing, put(own, at, thing.there), put(own, at, thing.never)
            if groups and not is_group and thing.kind in _AIMED:
                yield at, _GROUP, put(foreign, at, thing.there), put(never, at, thing.there)
    for at in groups:
        if at[-1] == 0:
            second = (*at[:-1], 1)
            yield at, _GROUP, put(own, second, FOREIGN), put(own, second, NEVER)
    if not places:
        yield (), Thing(kind="nothing", there=""), sample, sample


def _hurried(slots: Slots, value: Any) -> Any:
    """The same, not waited for where that can be said."""
    flags = [at for at in slots.places("boolean") if at[-1] == "wait"]
    for at in flags:
        value = put(value, at, False)
    return value


def _aimed(value: Any, groups: Sequence[Place], group: str) -> Any:
    for at in groups:
        value = put(value, at, group)
    return value


def _name(at: Place) -> str:
    return next((step for step in reversed(at) if isinstance(step, str)), "")


def _spelt() -> Iterator[Thing]:
    for form in _FORMS:
        yield Thing(kind="group", there=form.format(FOREIGN), never=form.format(NEVER))
    for changed in (str.upper, str.title, lambda text: text.replace("/", "\uff0f")):
        yield Thing(kind="group", there=changed(FOREIGN), never=changed(NEVER))
    for pattern in _PATTERNS:
        yield Thing(kind="pattern", there=pattern)
