"""Whether an extraction is as good as asking again would make it, or fell short by the form of a reply.

What a model wrote is judged by verification, once. That its reply could not be read, or was not whole, says
nothing of the episode: another attempt may do better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.model import Verdict

if TYPE_CHECKING:
    from memstrata.model import Extraction, Outcome

#: The rules on the form of replies, by which an item is held though nobody has judged what it says.
NAMES_ITS_EPISODE: Final = "names_its_episode"
FITS_THE_SCHEMA: Final = "fits_the_schema"
VALUES_ARE_READ: Final = "values_are_read"
REPLY_IS_WHOLE: Final = "reply_is_whole"
REPAIR_IS_READ: Final = "repair_is_read"
SECOND_PASS_IS_READ: Final = "second_pass_is_read"  # noqa: S105 (no password)
FORM: Final = frozenset(
    {
        NAMES_ITS_EPISODE,
        FITS_THE_SCHEMA,
        VALUES_ARE_READ,
        REPLY_IS_WHOLE,
        REPAIR_IS_READ,
        SECOND_PASS_IS_READ,
    }
)


def unsettled(extraction: Extraction) -> Outcome | None:
    """The first outcome that stands only because a reply could not be read; None if there is none."""
    return next(
        (
            outcome
            for outcome in extraction.outcomes
            if outcome.rule in FORM and outcome.verdict is Verdict.QUARANTINE
        ),
        None,
    )
