"""The wire format of `memstrata resolve`: JSON Lines of mentions and decisions in, of clusters out."""

from __future__ import annotations

from datetime import UTC
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from memstrata.errors import Misplaced
from memstrata.ids import canonical_json
from memstrata.model import By, DecisionKind, Mention, Role, Speaker
from memstrata.resolution.resolver import resolve
from memstrata.resolution.verdicts import PairVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memstrata.resolution.entities import Resolution


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _SpeakerLine(_Line):
    id: str
    name: str | None = None
    role: Role = Role.USER


class _MentionLine(_Line):
    record: Literal["mention"]
    group_id: str
    ref: str
    name: str
    type: str | None = None
    text: str = ""
    episode: str | None = None
    saga: str | None = None
    speaker: _SpeakerLine | None = None
    addressee: _SpeakerLine | None = None
    attributes: dict[str, str | list[str]] = Field(default_factory=dict)
    reference_time: AwareDatetime

    def mention(self) -> Mention:
        return Mention(
            mention_id=self.ref,
            group_id=self.group_id,
            episode_id=self.ref if self.episode is None else self.episode,
            name=self.name,
            reference_time=self.reference_time.astimezone(UTC),
            type=self.type,
            text=self.text,
            saga=self.saga,
            speaker=_speaker(self.speaker),
            addressee=_speaker(self.addressee),
            attributes=MappingProxyType(
                {
                    key: (value,) if isinstance(value, str) else tuple(value)
                    for key, value in self.attributes.items()
                }
            ),
        )


class _DecisionLine(_Line):
    record: Literal["decision"]
    group_id: str
    kind: Literal["merge", "keep_apart"]
    refs: tuple[str, str]
    by: Literal["person", "model", "rule"]
    at: AwareDatetime

    def verdict(self) -> PairVerdict:
        left, right = sorted(self.refs)
        return PairVerdict(
            kind=DecisionKind(self.kind), left=left, right=right, by=By(self.by), at=self.at.astimezone(UTC)
        )


_LINE: TypeAdapter[_MentionLine | _DecisionLine] = TypeAdapter(
    Annotated[_MentionLine | _DecisionLine, Field(discriminator="record")]
)


def _speaker(line: _SpeakerLine | None) -> Speaker | None:
    return None if line is None else Speaker(id=line.id, name=line.name, role=line.role)


def read(lines: Iterable[bytes]) -> tuple[list[Mention], list[PairVerdict]]:
    """Mentions and verdicts from JSON Lines; blank lines are skipped, repeated lines count once.

    Raises `Misplaced`, with the line's number, if a line is no such record, if one ref names two different
    mentions, or if a decision names a ref that is not there or is in another group.
    """
    mentions: dict[str, Mention] = {}
    verdicts: dict[PairVerdict, tuple[int, str]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        parsed = _parsed(line, number)
        if isinstance(parsed, _DecisionLine):
            verdicts.setdefault(parsed.verdict(), (number, parsed.group_id))
            continue
        mention = parsed.mention()
        if mentions.setdefault(mention.mention_id, mention) != mention:
            raise Misplaced(
                f"ref {parsed.ref!r} names two different mentions",
                line=number,
                mend="give each its own ref",
            )
    for verdict, (number, group_id) in verdicts.items():
        _check(verdict, number, group_id, mentions)
    return list(mentions.values()), list(verdicts)


def _check(verdict: PairVerdict, number: int, group_id: str, mentions: Mapping[str, Mention]) -> None:
    for ref in (verdict.left, verdict.right):
        if ref not in mentions or mentions[ref].group_id != group_id:
            raise Misplaced(
                f"the decision names {ref!r}, which is no mention of group {group_id!r}",
                line=number,
                mend="name two refs of that group",
            )


def _parsed(line: bytes, number: int) -> _MentionLine | _DecisionLine:
    try:
        return _LINE.validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"][1:]) or None
        raise Misplaced(
            first["msg"], line=number, field=field, mend="`memstrata resolve --help` lists the fields"
        ) from None


def write(result: Resolution) -> Iterator[str]:
    """One JSON line a cluster, refusal or review; sorted by group, kind and smallest ref."""
    rows: list[tuple[tuple[str, str, str], dict[str, object]]] = []
    for cluster in result.clusters:
        row: dict[str, object] = {
            "record": "cluster", "group_id": cluster.group_id, "entity": cluster.entity_id,
            "name": cluster.name, "type": cluster.type, "refs": list(cluster.members),
        }  # fmt: skip
        rows.append(((cluster.group_id, "cluster", cluster.members[0]), row))
    for refusal in result.rejected:
        row = {
            "record": "rejected", "group_id": refusal.group_id, "ref": refusal.mention_id,
            "reason": refusal.reason,
        }  # fmt: skip
        rows.append(((refusal.group_id, "rejected", refusal.mention_id), row))
    for review in result.reviews:
        row = {
            "record": "review", "group_id": review.group_id, "refs": [review.left, review.right],
            "reason": review.reason,
        }  # fmt: skip
        rows.append(((review.group_id, "review", review.left + "\0" + review.right), row))
    return (canonical_json(row) for _, row in sorted(rows, key=lambda item: item[0]))


def resolve_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """`read`, `resolve`, `write`: the whole command."""
    mentions, verdicts = read(lines)
    return write(resolve(mentions, verdicts))
