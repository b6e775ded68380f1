"""Candidates to an extraction: verified, without repeats, with deterministic ids.

Ids rest on what was said and where, not on the order of rules, so that a later extractor version that
says the same gives the same ids (RECORD.md 1).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.verification import Source, folded, named, outcome_of
from memstrata.ids import identify
from memstrata.model import Assertion, Extraction, ExtractionStatus, Held, Mention, ObjectKind, Verdict
from memstrata.secrecy import WITHHELD, redacted, secret_in, without_secrets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memstrata.extraction.candidates import Candidate
    from memstrata.model import Episode, Outcome


class Mentions:
    """The mentions of one episode: one for each name at each place, numbered by occurrence."""

    def __init__(self, episode: Episode, names: Collection[Name]) -> None:
        self._episode = episode
        self._made: dict[Name, Mention] = {}
        self._counts: dict[tuple[str, str | None], int] = {}
        self.made = self.add(names)

    def add(self, names: Collection[Name]) -> tuple[Mention, ...]:
        """The mentions of these names, in the order of the text; those of new ones are numbered on."""
        for name in sorted((name for name in dict.fromkeys(names) if name not in self._made), key=_place):
            said = (name.text, name.type)
            occurrence = self._counts.get(said, 0)
            self._counts[said] = occurrence + 1
            self._made[name] = _mention(self._episode, name, occurrence)
        return tuple(self._made[name] for name in sorted(dict.fromkeys(names), key=_place))

    def id_of(self, name: Name) -> str:
        """The id of the mention made for `name`."""
        return self._made[name].mention_id


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
        text=redacted(name.sentence),
        span=name.span,
        saga=episode.saga,
        speaker=name.speaker,
        addressee=name.addressee,
        attributes=without_secrets(name.attributes),
    )


def assemble(
    episode: Episode,
    candidates: Iterable[Candidate],
    *,
    version: str,
    context_hash: str = "",
    outcomes: Sequence[Outcome] = (),
    source: Source | None = None,
) -> Extraction:
    """Verifies `candidates` and makes the extraction of `episode`; each that is refused leaves an outcome.

    `source` is what they are judged by, the episode alone by default. What is in quarantine is held for a
    person, unless the same was accepted too.
    """
    source = source or Source(episode=episode)
    kept: dict[tuple[str, ...], Candidate] = {}
    doubtful: dict[tuple[str, ...], tuple[Candidate, Outcome]] = {}
    found = [_without_secrets(outcome) for outcome in outcomes]
    for given in candidates:
        candidate = named(given, source.ontology)
        outcome = _outcome(candidate, source)
        if outcome is not None:
            found.append(outcome)
        if outcome is None or outcome.verdict is Verdict.ACCEPT:
            kept.setdefault(_said(candidate), candidate)
        elif outcome.verdict is Verdict.QUARANTINE:
            doubtful.setdefault(_said(candidate), (candidate, outcome))
    mentions = Mentions(episode, [name for candidate in kept.values() for name in _names(candidate)])
    waiting = [one for said, one in doubtful.items() if said not in kept]
    ids = _AssertionIds(episode)
    return Extraction(
        episode_id=episode.episode_id,
        revision=episode.revision,
        context_hash=context_hash,
        version=version,
        status=ExtractionStatus.EXTRACTED if kept or waiting else ExtractionStatus.NOTHING,
        mentions=mentions.made,
        assertions=tuple(_assertion(episode, one, mentions, ids.next(said)) for said, one in kept.items()),
        outcomes=tuple(found),
        group_id=episode.group_id,
        held=tuple(_held(episode, waiting, mentions, ids)),
    )


def _outcome(candidate: Candidate, source: Source) -> Outcome | None:
    """What becomes of it: what was decided before, unless verification is stricter.

    A doubt that no second pass has answered is a person's.
    """
    found, settled = outcome_of(candidate, source), candidate.settled
    if settled is None:
        return found if found is None else _unanswered(found)
    if settled.verdict is Verdict.ACCEPT:
        is_doubted = found is not None and found.verdict is Verdict.SECOND_PASS
        return _without_secrets(settled) if is_doubted else found
    is_refused = found is not None and found.verdict is Verdict.REJECT and found.rule != settled.rule
    return found if is_refused else _without_secrets(settled)


def _unanswered(found: Outcome) -> Outcome:
    return replace(found, verdict=Verdict.QUARANTINE) if found.verdict is Verdict.SECOND_PASS else found


def _without_secrets(outcome: Outcome) -> Outcome:
    """The outcome as it may be kept: what holds a secret is not repeated."""
    item, reason = outcome.item, redacted(outcome.reason)
    if secret_in(item) is not None:
        return replace(outcome, item=WITHHELD, reason=reason)
    return outcome if reason == outcome.reason else replace(outcome, reason=reason)


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


class _AssertionIds:
    """The ids of assertions: of two that differ in their times alone, the later one is numbered on."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._occurrences: dict[tuple[str, ...], int] = {}

    def next(self, said: tuple[str, ...]) -> str:
        key = said[:4]
        occurrence = self._occurrences.get(key, 0)
        self._occurrences[key] = occurrence + 1
        episode = self._episode
        return identify("assertion", episode.group_id, episode.episode_id, *key, str(occurrence))


def _assertion(episode: Episode, candidate: Candidate, mentions: Mentions, assertion_id: str) -> Assertion:
    target = candidate.object
    return Assertion(
        assertion_id=assertion_id,
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


def _held(
    episode: Episode,
    doubtful: Sequence[tuple[Candidate, Outcome]],
    mentions: Mentions,
    ids: _AssertionIds,
) -> Iterable[Held]:
    """What waits for a person, numbered after what was accepted: that keeps its ids, whatever waits."""
    for candidate, outcome in doubtful:
        named = mentions.add(tuple(_names(candidate)))
        yield Held(
            assertion=_assertion(episode, candidate, mentions, ids.next(_said(candidate))),
            mentions=named,
            rule=outcome.rule,
            reason=outcome.reason,
        )
