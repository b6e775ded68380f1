"""Which episode a draft is, and whether it says something new: RECORD.md 1."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from memstrata.ids import digest, identify
from memstrata.instants import format_instant

if TYPE_CHECKING:
    from memstrata.model import Draft, Speaker

#: Metadata that tells where an episode was read, not what it says: another file name is no new revision.
INCIDENTAL: Final = frozenset({"file", "format"})


def episode_id(draft: Draft) -> str:
    """The caller's key, else a uuid5 of group, source and native id, else of what the draft says.

    Names are compared in Unicode's NFC, so that a path written by another system is the same path.
    """
    if draft.episode_id is not None:
        return draft.episode_id
    source = _nfc(draft.source)
    if draft.native_id is not None:
        return identify(draft.group_id, source, _nfc(draft.native_id))
    saga = None if draft.saga is None else _nfc(draft.saga)
    at = format_instant(draft.reference_time)
    return identify(draft.group_id, source, saga, draft.position, at, draft.content)


def content_hash(draft: Draft) -> str:
    """The digest of everything that makes a draft another revision of its episode, as 64 hex digits."""
    return digest(
        [
            draft.source_type.value,
            draft.content,
            format_instant(draft.reference_time),
            draft.saga,
            draft.position,
            _account(draft.speaker),
            _account(draft.addressee),
            {key: value for key, value in draft.metadata.items() if key not in INCIDENTAL},
        ]
    )


def _account(speaker: Speaker | None) -> list[str | None] | None:
    return None if speaker is None else [speaker.id, speaker.name, speaker.role.value]


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
