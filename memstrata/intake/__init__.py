"""The door: what people bring, read into drafts of episodes, and bad input refused with a reason.

Reading files is `read`, one live text `read_text`; every draft, wherever it comes from, passes `validate`.
Accepting drafts (spool, revisions) is not here: that is `memstrata.workflow`.
"""

from memstrata.intake.door import MAX_CONTENT, check_group, validate
from memstrata.intake.identity import content_hash, episode_id
from memstrata.intake.live import read_text
from memstrata.intake.mapping import load_mapping
from memstrata.intake.notes import Refusal
from memstrata.intake.options import Options
from memstrata.intake.reading import Reading, Summary, read

__all__ = [
    "MAX_CONTENT",
    "Options",
    "Reading",
    "Refusal",
    "Summary",
    "check_group",
    "content_hash",
    "episode_id",
    "load_mapping",
    "read",
    "read_text",
    "validate",
]
