"""How many tokens a prompt is, before any endpoint has counted it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memstrata.ports import Prompt

_BYTES_A_TOKEN: Final = 4


def tokens_of(prompt: Prompt) -> int:
    """About how many: a quarter of the bytes of everything that is sent, the reply's schema included."""
    sent = prompt.system + prompt.user
    if prompt.schema is not None:
        sent += json.dumps(dict(prompt.schema), ensure_ascii=False, separators=(",", ":"))
    return tokens_in(sent)


def tokens_in(text: str) -> int:
    """About how many tokens a text is; rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN)
