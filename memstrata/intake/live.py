"""One text or message that somebody hands over now, as `memstrata add` and the API do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memstrata.intake.door import validate
from memstrata.intake.json_text import without_surrogates
from memstrata.intake.options import Options, check_options
from memstrata.model import Draft, SourceType, TimeSource

if TYPE_CHECKING:
    from memstrata.model import Json, Speaker

_SOURCE: Final = "live"


def read_text(
    content: str,
    options: Options | None = None,
    *,
    speaker: Speaker | None = None,
    addressee: Speaker | None = None,
    episode_id: str | None = None,
    now: datetime | None = None,
) -> Draft:
    """The draft of one text, or of one message if it has a speaker.

    Without `options.reference_time` it happened `now` (the clock's, if not given), and says so: its
    `time_source` is `received`. Lone surrogates become U+FFFD, noted as `metadata["mended"]`. Raises
    `Misplaced` for what the door refuses.
    """
    options = options or Options()
    check_options(options)
    at = options.reference_time or now or datetime.now(UTC)
    text = without_surrogates(content)
    metadata: dict[str, Json] = (
        {} if text == content else {"mended": "lone surrogates were replaced by U+FFFD"}
    )
    draft = Draft(
        group_id=options.group_id,
        source=options.source or _SOURCE,
        source_type=SourceType.TEXT if speaker is None else SourceType.MESSAGE,
        content=text.replace("\r\n", "\n"),
        reference_time=at if at.utcoffset() is None else at.astimezone(UTC),
        time_source=TimeSource.RECEIVED if options.reference_time is None else TimeSource.OPTION,
        episode_id=episode_id,
        saga=options.saga,
        speaker=speaker,
        addressee=addressee,
        metadata=metadata,
    )
    validate(draft)
    return draft
