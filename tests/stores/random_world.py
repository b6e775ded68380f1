"""Random commits that fit on one another, for comparing stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from graph_samples import at, commit, entity, episode, fact, mention, named, placement, procedure, summary

from memstrata.model import ObjectKind, Speaker
from memstrata.ports import Changes, Filters
from memstrata.projection.passages import passages_of

if TYPE_CHECKING:
    from random import Random

    from memstrata.model import Episode, Procedure, Summary

EPISODES: Final = [f"e{n}" for n in range(5)]
NAMES: Final = ["Tom", "Ann", "Acme", "Ánn"]
PREDICATES: Final = ["works_at", "knows", "has_role"]
SOURCES: Final = ["chat", "mail"]
WORDS: Final = ["ann", "acme", "knows", "3", "e-1"]


class World:
    """Draws commits that fit on one another, knowing what stands."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._seq = 0
        self._revisions: dict[str, int] = {}
        self._names: set[str] = set()
        self._placements: set[str] = set()
        self._evidence: dict[str, set[str]] = {}

    def commit(self) -> Changes:
        """The next commit, without passages."""
        self._seq += 1
        return Changes(
            commit=commit(self._seq),
            **self._sources(),
            **self._placements_changed(),
            **self._facts_changed(),
        )

    def pending(self) -> list[tuple[Episode, tuple[str, ...]]]:
        """Episodes that wait, some shown by passages of other words."""
        shown = [self._episode(one, 0) for one in self._some(EPISODES)]
        return [
            (one, self._random.choice([passages_of(one), (self._text(), self._text())])) for one in shown
        ]

    def says_beside(self) -> bool:
        """Whether this commit's passages are those of its neighbours, rather than none."""
        return self._random.random() < 0.7

    def summaries(self) -> list[Summary]:
        """Summaries of some of the names, some of them empty."""
        texts = {name: self._random.choice(["", self._text()]) for name in self._some(NAMES)}
        return [summary(f"id-{name.lower()}", text, at(self._seq)) for name, text in texts.items()]

    def procedures(self) -> list[Procedure]:
        """The procedures that hold from now on."""
        return [
            procedure(
                f"p{n}",
                tool=self._random.choice(WORDS),
                evidence=tuple(self._some(EPISODES)),
                support=self._random.randint(1, 3),
            )
            for n in range(self._random.randint(0, 3))
        ]

    def filters(self) -> Filters:
        """Something of what can be asked; more often than not a little."""
        wanted: dict[str, Any] = {
            "types": tuple(self._some("PO")),
            "relations": tuple(self._some(PREDICATES)),
            "sources": tuple(self._some(SOURCES)),
            "speakers": tuple(self._some(["u0", "U1", "u2"])),
            "properties": tuple(self._some([("has_role", "boss"), ("n", "1"), ("tag", "a")])),
            "least_confidence": self._random.choice([0.0, 0.5, 0.8]),
        }
        return Filters(**{name: value for name, value in wanted.items() if self._random.random() < 0.35})

    def _episode(self, name: str, revision: int) -> Episode:
        speaker = self._random.randint(0, 2)
        return episode(
            name,
            self._text(),
            revision=revision,
            source=self._random.choice(SOURCES),
            speaker=self._random.choice([None, Speaker(id=f"u{speaker}", name=f"U{speaker}")]),
            saga=self._random.choice([None, "s", "s", "t"]),
            position=self._random.choice([None, 1, 2, 3]),
            reference_time=at(self._random.randint(0, 4)),
            ingested_at=at(self._random.randint(0, 9)),
            metadata=self._random.choice([{}, {"n": 1}, {"tag": ["a", "b"], "n": "2"}, {"tag": "a"}]),
        )

    def _some(self, values: Any) -> list[Any]:
        return [value for value in sorted(values) if self._random.random() < 0.4]

    def _text(self) -> str:
        return f"{self._random.choice(NAMES)} works on day {self._random.randint(0, 4)}, e-{self._seq % 3}"

    def _sources(self) -> dict[str, Any]:
        current = self._some(EPISODES)
        gone = [one for one in self._some(EPISODES) if one not in current]
        for one in current:
            self._revisions[one] = self._revisions.get(one, 0) + self._random.randint(0, 1) or 1
        said = [(one, name) for one in current for name in self._some(NAMES)]
        moved = sorted({name for _, name in said if name not in self._names} | set(self._some(self._names)))
        self._names |= set(moved)
        living = self._some(NAMES)
        return {
            "episodes": tuple(self._episode(one, self._revisions[one]) for one in current),
            "episodes_gone": tuple(gone),
            "mentions": tuple(
                (mention(name, one, reference_time=at(self._random.randint(0, 3))), f"s-{name.lower()}")
                for one, name in said
            ),
            "names": tuple(
                named(
                    name,
                    entity_id=f"id-{self._random.choice(NAMES).lower()}",
                    type=self._random.choice("PO"),
                )
                for name in moved
            ),
            "entities": tuple(
                entity(name, type=self._random.choice("PO"), aliases=tuple(self._some(["Al", "Bo"])))
                for name in living
            ),
            "entities_gone": tuple(
                f"id-{name.lower()}" for name in self._some(NAMES) if name not in living
            ),
        }

    def _ends(self) -> dict[str, Any]:
        subject, last = (f"id-{name.lower()}" for name in self._random.sample(NAMES, 2))
        predicate = self._random.choice(PREDICATES)
        if predicate == "has_role":
            last = self._random.choice(["boss", "clerk", last])
        kind = ObjectKind.LITERAL if predicate == "has_role" else ObjectKind.ENTITY
        return {"subject": subject, "predicate": predicate, "object": last, "object_kind": kind}

    def _placements_changed(self) -> dict[str, Any]:
        retracted = self._some(self._placements)
        self._placements -= set(retracted)
        ids = [f"a{n}" for n in range(6) if f"a{n}" not in self._placements]
        recorded = self._some(ids)
        self._placements |= set(recorded)
        episodes = {name: EPISODES[int(name[1:]) % len(EPISODES)] for name in recorded}  # always the same
        return {
            "placements_retracted": tuple(retracted),
            "placements_recorded": tuple(
                placement(
                    name,
                    episodes[name],
                    seq=self._seq,
                    subject_mention=f"{episodes[name]}/{self._random.choice(NAMES)}",
                    object_mention=f"{episodes[name]}/{self._random.choice(NAMES)}",
                    **self._ends(),
                )
                for name in recorded
            ),
        }

    def _facts_changed(self) -> dict[str, Any]:
        expired = self._some(self._evidence)
        changed = self._some(expired)
        fresh = self._some({f"f{n}" for n in range(6)} - self._evidence.keys())
        removed = []
        for name in set(expired) - set(changed):
            removed += [(name, one) for one in self._some(self._evidence.pop(name))]
        for name in sorted(self._evidence):
            gone = self._some(self._evidence[name])
            self._evidence[name] -= set(gone)
            removed += [(name, one) for one in gone]
        added = []
        for name in [*fresh, *self._some(self._evidence)]:
            new = [one for one in self._some(self._placements) if one not in self._evidence.get(name, ())]
            self._evidence.setdefault(name, set()).update(new)
            added += [(name, one) for one in new]
        return {
            "facts_expired": tuple(expired),
            "facts_created": tuple(self._fact(name) for name in (*changed, *fresh)),
            "evidence_removed": tuple(sorted(set(removed))),
            "evidence_added": tuple(sorted(set(added))),
        }

    def _fact(self, name: str) -> Any:
        start, length = self._random.randint(0, 9), self._random.randint(0, 5)
        return fact(
            name,
            self._text(),
            valid_at=self._random.choice([None, at(start)]),
            invalid_at=self._random.choice([None, at(start + length)]),
            contested=length == 0,
            confidence=self._random.choice([0.3, 0.6, 0.9]),
            **self._ends(),
        )
