"""What servers repeat of the prompt in their errors: it is of the episodes, and errors are kept longer."""

from __future__ import annotations

import json
from typing import Final

_LEAST: Final = 24
#: What is longer is not shown whole anyway.
_MOST: Final = 2_000
ECHO: Final = "(the prompt)"


def without_echo(said: str, *sent: str) -> str:
    """What was said, on one line and shortened, with `(the prompt)` for 24 characters or more of a part."""
    said = " ".join(said.split())[:_MOST]
    plain = [" ".join(part.split()) for part in sent]
    written = [
        json.dumps(part, ensure_ascii=is_ascii)[1:-1] for part in plain for is_ascii in (True, False)
    ]
    known = "\n".join((*plain, *written))
    told, at = "", 0
    while at < len(said):
        end = at + _LEAST
        if end > len(said) or said[at:end] not in known:
            told, at = told + said[at], at + 1
            continue
        while end < len(said) and said[at : end + 1] in known:
            end += 1
        told, at = told + ECHO, end
    return told
