"""What is sent for a prompt, in the form that an endpoint takes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from memstrata.language_models.abilities import Form
from memstrata.language_models.schemas import loose_schema, strict_schema
from memstrata.ports import Prompt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.language_models.abilities import Abilities
    from memstrata.model import Json

#: The least of prompts, to see whether a model answers at all.
PROBE: Final = Prompt(system="You answer with one word.", user="Say yes.")

_SEED: Final = 0
_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_ASKED_IN_WORDS: Final = (
    "Answer with one JSON object and nothing else: no words before or after it, no code fence. "
    "It must keep to this JSON schema:\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A prompt on its way to a model that has those abilities."""

    model: str
    prompt: Prompt
    abilities: Abilities
    most_tokens: int | None = None
    temperature: float | None = None

    @property
    def text(self) -> str:
        """All that the model reads: the schema is part of it in any form."""
        schema = self.prompt.schema
        return "\n".join((self._system, self.prompt.user, "" if schema is None else _written(schema)))

    @property
    def sent(self) -> tuple[str, str]:
        """The parts of the prompt, which an endpoint may repeat in its errors."""
        return self.prompt.system, self.prompt.user

    def body(self) -> dict[str, Any]:
        """The arguments of `chat.completions.create`."""
        able = self.abilities
        body: dict[str, Any] = {"model": self.model, "messages": self._messages()}
        if self.most_tokens is not None and able.limit:
            body[able.limit] = self.most_tokens
        if able.temperature and self.temperature is not None:
            body["temperature"] = self.temperature
        if able.seed:
            body["seed"] = _SEED
        wanted = self._response_format()
        return body if wanted is None else {**body, "response_format": wanted}

    @property
    def _is_in_words(self) -> bool:
        return self.prompt.schema is not None and self.abilities.form >= Form.OBJECT

    @property
    def _system(self) -> str:
        asked = f"\n\n{_ASKED_IN_WORDS}{_written(self.prompt.schema or {})}" if self._is_in_words else ""
        return f"{self.prompt.system}{asked}"

    def _messages(self) -> list[dict[str, str]]:
        system, user = _sendable(self._system), _sendable(self.prompt.user)
        if not self.abilities.system:
            return [{"role": "user", "content": f"{system}\n\n{user}"}]
        return [{"role": "system", "content": system}, {"role": "user", "content": user}]

    def _response_format(self) -> dict[str, Any] | None:
        schema = self.prompt.schema
        if schema is None or self.abilities.form is Form.TEXT:
            return None
        if self.abilities.form is Form.OBJECT:
            return {"type": "json_object"}
        strict = strict_schema(schema)
        shape: dict[str, Any] = {
            "name": _NAME.sub("_", self.prompt.name)[:64] or "reply",
            "schema": strict or loose_schema(schema),
        }
        if self.abilities.form is Form.STRICT:
            shape["strict"] = True
        return {"type": "json_schema", "json_schema": shape}


def _written(schema: Mapping[str, Json]) -> str:
    return json.dumps(loose_schema(schema), ensure_ascii=False, separators=(",", ":"))


def _sendable(text: str) -> str:
    """The text without lone surrogates, which no JSON in UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode()
