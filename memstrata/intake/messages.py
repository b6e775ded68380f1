"""One message in OpenAI's form: its words, its tool calls, the call whose result it is.

Fields are those of openai-python's `types/chat`; the legacy `function_call` becomes a tool call. What is no
text (images, audio, files) is counted, not imported.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import nearest
from memstrata.intake.json_text import dump, kind_of
from memstrata.intake.notes import at_place

if TYPE_CHECKING:
    from memstrata.intake.json_text import Value
    from memstrata.intake.notes import Notes, Place
    from memstrata.model import Json

ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function")
_TEXT_PARTS: Final = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
_OTHER_PARTS: Final = {"image_url": "image_part", "input_audio": "audio_part", "file": "file_part"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call. `id` is `given_id`, the file's, or a made-up one; `arguments` is JSON in a string."""

    id: str
    given_id: str | None
    name: str
    arguments: str
    custom: bool = False

    def wire(self) -> dict[str, Json]:
        """The call as OpenAI writes it."""
        if self.custom:
            return {"id": self.id, "type": "custom", "custom": {"name": self.name, "input": self.arguments}}
        return {
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": self.arguments},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message, read: `text` is empty where it says nothing; `given` is what the file holds."""

    given: dict[str, Value]
    role: str
    text: str
    id: str | None = None
    name: str | None = None
    model: str | None = None
    calls: tuple[Call, ...] = ()
    result_of: str | None = None
    attachments: tuple[str, ...] = ()


def read_message(given: Value, *, at: Place, notes: Notes, fresh_id: str) -> Message:
    """The message that a JSON object spells out; `fresh_id` names calls that have no id.

    Raises `Misplaced` with the field that is wrong.
    """
    if not isinstance(given, dict):
        raise at.fault(f"a message must be an object, is {kind_of(given)}")
    role = _role(given.get("role"), at.within("role"))
    texts, attachments = _content(given.get("content"), at=at.within("content"), notes=notes)
    refusal = given.get("refusal")
    if isinstance(refusal, str):
        texts.append(refusal)
    if (
        not texts
        and isinstance(audio := given.get("audio"), dict)
        and isinstance(audio.get("transcript"), str)
    ):
        texts.append(str(audio["transcript"]))
    calls = _calls(given, at=at, notes=notes, fresh_id=fresh_id) if role == "assistant" else ()
    return Message(
        given=given,
        role=role,
        text="\n\n".join(text for text in texts if text and not text.isspace()),
        id=_optional(given, "id", at),
        name=_optional(given, "name", at),
        model=_optional(given, "model", at),
        calls=calls,
        result_of=_optional(given, "tool_call_id", at),
        attachments=tuple(attachments),
    )


def _role(role: Value, at: Place) -> str:
    if role is None:
        raise at.fault(f"missing; known: {', '.join(ROLES)}")
    if not isinstance(role, str):
        raise at.fault(f"must be a string, is {kind_of(role)}")
    if role not in ROLES:
        near = nearest(role, ROLES)
        known = f'unknown role "{role}"; known: {", ".join(ROLES)}'
        raise at.fault(known, mend=f"did you mean {near}?" if near else None)
    return role


def _optional(given: dict[str, Value], key: str, at: Place) -> str | None:
    value = given.get(key)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise at.within(key).fault(f"must be a string, is {kind_of(value)}")
    return str(value)


def _content(content: Value, *, at: Place, notes: Notes) -> tuple[list[str], list[str]]:
    if content is None:
        return [], []
    if isinstance(content, str):
        return [content.replace("\r\n", "\n")], []
    if not isinstance(content, list):
        raise at.fault(f"must be a string, null or a list of parts, is {kind_of(content)}")
    texts: list[str] = []
    attachments: list[str] = []
    for index, part in enumerate(content):
        where = at.within(f"[{index}]")
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            raise where.fault("a part must be an object with a type")
        kind = str(part["type"])
        if kind in _TEXT_PARTS:
            text = part.get(_TEXT_PARTS[kind])
            if not isinstance(text, str):
                raise where.within(_TEXT_PARTS[kind]).fault(f"must be a string, is {kind_of(text)}")
            texts.append(text.replace("\r\n", "\n"))
            continue
        notes.skip(_OTHER_PARTS.get(kind, f"{kind}_part"))
        if kind not in _OTHER_PARTS:
            notes.warn_once(
                f"part {kind}", f"{at_place(where)}: parts of type {kind!r} are unknown and skipped"
            )
        if isinstance(file := part.get("file"), dict) and isinstance(file.get("filename"), str):
            attachments.append(str(file["filename"]))
    return texts, attachments


def _calls(given: dict[str, Value], *, at: Place, notes: Notes, fresh_id: str) -> tuple[Call, ...]:
    listed = given.get("tool_calls")
    if listed is not None and not isinstance(listed, list):
        raise at.within("tool_calls").fault(f"must be a list, is {kind_of(listed)}")
    calls = [
        _call(call, at=at.within(f"tool_calls[{index}]"), notes=notes, fresh_id=f"{fresh_id}_{index}")
        for index, call in enumerate(listed or ())
    ]
    legacy = given.get("function_call")
    if legacy is not None:
        where = at.within("function_call")
        name, arguments = _function(legacy, "arguments", at=where, notes=notes)
        calls.append(Call(id=fresh_id, given_id=None, name=name, arguments=arguments))
    return tuple(calls)


def _call(call: Value, *, at: Place, notes: Notes, fresh_id: str) -> Call:
    if not isinstance(call, dict):
        raise at.fault(f"a call must be an object, is {kind_of(call)}")
    given_id = _optional(call, "id", at)
    if call.get("type") == "custom":
        name, text = _function(call.get("custom"), "input", at=at.within("custom"), notes=notes)
        return Call(id=given_id or fresh_id, given_id=given_id, name=name, arguments=text, custom=True)
    name, arguments = _function(call.get("function"), "arguments", at=at.within("function"), notes=notes)
    return Call(id=given_id or fresh_id, given_id=given_id, name=name, arguments=arguments)


def _function(given: Value, key: str, *, at: Place, notes: Notes) -> tuple[str, str]:
    """The name and the arguments of a call; broken arguments are kept as they are, with a warning."""
    if not isinstance(given, dict):
        raise at.fault(f"must be an object, is {kind_of(given)}")
    name = given.get("name")
    if not isinstance(name, str) or not name:
        raise at.within("name").fault("missing: the call names no tool")
    arguments = given.get(key)
    if arguments is None:
        return name, "" if key == "input" else "{}"
    if not isinstance(arguments, str):
        return name, dump(arguments)
    if key == "arguments":
        try:
            json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            notes.warn(f"{at_place(at.within(key))} is not JSON")
    return name, arguments
