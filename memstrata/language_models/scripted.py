"""A language model that answers from a script: for tests and examples, and to replay what another said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.ports import Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstrata.ports import Prompt

_CHARACTERS_A_TOKEN = 4


class ScriptedModel:
    """Answers each prompt by a function, or by the first entry of a table whose key occurs in the prompt.

    Tokens are counted as one for four characters. `prompts` keeps what was asked, in order.
    """

    def __init__(
        self, script: Callable[[Prompt], str] | Mapping[str, str], *, name: str = "scripted"
    ) -> None:
        self.name = name
        self.prompts: list[Prompt] = []
        self._script = script

    def complete(self, prompt: Prompt) -> Reply:
        """The scripted answer. Raises `Incorrect` for a prompt that the table does not know."""
        self.prompts.append(prompt)
        text = self._script(prompt) if callable(self._script) else _looked_up(self._script, prompt)
        asked = len(prompt.system) + len(prompt.user)
        return Reply(
            text=text,
            input_tokens=asked // _CHARACTERS_A_TOKEN,
            output_tokens=len(text) // _CHARACTERS_A_TOKEN,
        )


def _looked_up(table: Mapping[str, str], prompt: Prompt) -> str:
    for key, text in table.items():
        if key in prompt.user:
            return text
    known = ", ".join(map(repr, table)) or "nothing"
    raise Incorrect(f"the script has no answer to a prompt ending {prompt.user[-60:]!r}; it knows {known}")
