"""Candidates to an extraction: verified, without repeats, with deterministic ids.

Ids rest on what was said and where, not on the order of rules, so that a later extractor version that
says the same gives the same ids (RECORD.md 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.verification import folded, objection
from memstrata.ids import identify
from memstrata.model import Assertion, Extraction, ExtractionStatus, Mention, ObjectKind, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.extraction.candidates import Candidate
    from memstrata.model import Episode, Outcome


class Mentions:
    """The mentions of one episode: one for each name at each place, numbered by occurrence."""

    def __init__(self, episode: Episode, names: Iterable[Name]) -> None:
        self._ids: dict[Name, str] = {}
        self.made: list[Mention] = []
        counts: dict[tuple[str, str | None], int] = {}
        for name in sorted(dict.fromkeys(names), key=_place):
            said = (name.text, name.type)
            occurrence = counts.get(said, 0)
            counts[said] = occurrence + 1
            mention = _mention(episode, name, occurrence)
            self._ids[name] = mention.mention_id
            self.made.append(mention)

    def id_of(self, name: Name) -> str:
        """The id of the mention made for `name`."""
        return self._ids[name]


def _place(name: Name) -> tuple[int, int, str, str]:
    start, end = name.span or (-1, -1)
    return (start, end, name.text, name.type or "")


def _mention(episode: Episode, name: Name, occurrence: int) -> Mention:
    return Mention(
        mention_id=identify(
            "mention", episode.group_id, episode.episode_id, name.text, str(occurrence), name.type or ""
        ),
        group_id=episode.group_id,
        episode_id=episode.episode_id,
        name=name.text,
        reference_time=episode.reference_time,
        type=name.type,
        text=name.sentence,
        span=name.span,
        saga=episode.saga,
        speaker=name.speaker,
        addressee=name.addressee,
        attributes=name.attributes,
    )


def assemble(
    episode: Episode,
    candidates: Iterable[Candidate],
    *,
    version: str,
    context_hash: str = "",
    outcomes: Sequence[Outcome] = (),
) -> Extraction:
    """Verifies `candidates` and makes the extraction of `episode`; each rejected one leaves an outcome."""
    kept: dict[tuple[str, ...], Candidate] = {}
    found = list(outcomes)
    for candidate in candidates:
        refused = _objection(candidate, episode)
        if refused is not None:
            found.append(refused)
        else:
            kept.setdefault(_said(candidate), candidate)
    mentions = Mentions(episode, (name for candidate in kept.values() for name in _names(candidate)))
    return Extraction(
        episode_id=episode.episode_id,
        revision=episode.revision,
        context_hash=context_hash,
        version=version,
        status=ExtractionStatus.EXTRACTED if kept else ExtractionStatus.NOTHING,
        mentions=tuple(mentions.made),
        assertions=tuple(_assertions(episode, kept, mentions)),
        outcomes=tuple(found),
        group_id=episode.group_id,
    )


def _objection(candidate: Candidate, episode: Episode) -> Outcome | None:
    """What stands against it: what was decided before, else what verification finds."""
    if candidate.settled is not None and candidate.settled.verdict is not Verdict.ACCEPT:
        return candidate.settled
    return objection(candidate, episode.content, episode.reference_time)


def _names(candidate: Candidate) -> Iterable[Name]:
    yield candidate.subject
    if isinstance(candidate.object, Name):
        yield candidate.object


def _said(candidate: Candidate) -> tuple[str, ...]:
    """What makes two candidates of one episode the same: everything but wording and place."""
    times = (candidate.valid_at, candidate.invalid_at)
    return (
        folded(candidate.subject.said),
        candidate.predicate,
        folded(candidate.object_said),
        candidate.kind.value,
        *["" if time is None else f"{time.at.isoformat()}/{time.precision}" for time in times],
    )


def _assertions(
    episode: Episode, kept: dict[tuple[str, ...], Candidate], mentions: Mentions
) -> Iterable[Assertion]:
    occurrences: dict[tuple[str, ...], int] = {}
    for said, candidate in kept.items():
        key = said[:4]
        occurrence = occurrences.get(key, 0)
        occurrences[key] = occurrence + 1
        target = candidate.object
        yield Assertion(
            assertion_id=identify("assertion", episode.group_id, episode.episode_id, *key, str(occurrence)),
            group_id=episode.group_id,
            episode_id=episode.episode_id,
            subject=mentions.id_of(candidate.subject),
            predicate=candidate.predicate,
            object=target if isinstance(target, str) else mentions.id_of(target),
            object_kind=ObjectKind.LITERAL if isinstance(target, str) else ObjectKind.ENTITY,
            fact=candidate.fact,
            kind=candidate.kind,
            reference_time=episode.reference_time,
            valid_at=candidate.valid_at,
            invalid_at=candidate.invalid_at,
            confidence=candidate.confidence,
            quote=candidate.quote,
            span=candidate.span,
        )
