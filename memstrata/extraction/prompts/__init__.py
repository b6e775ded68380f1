"""The prompts: Markdown files with a front matter of name and version, hashed into versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from memstrata.ids import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

_FRONT = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFile:
    """A prompt as it stands in its file: the rules (`system`), and the form filled for each episode."""

    name: str
    version: str
    system: str
    form: str
    hash: str

    def filled(self, slots: Mapping[str, str]) -> str:
        """The form with each `{{slot}}` replaced. A slot without a value is a mistake of the caller."""
        return _SLOT.sub(lambda match: slots[match[1]], self.form)

    def ruled(self, slots: Mapping[str, str]) -> str:
        """The rules with their slots replaced, as `filled`."""
        return _SLOT.sub(lambda match: slots[match[1]], self.system)


@cache
def prompt_named(name: str) -> PromptFile:
    """The prompt file `name.md` of this package: rules above the line `# Episode`, the form from there."""
    text = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    match = _FRONT.fullmatch(text)
    if match is None:
        raise ValueError(f"prompts/{name}.md has no front matter; start it with --- name, version ---")
    head = dict(line.split(": ", 1) for line in match["head"].splitlines())
    system, _, form = match["body"].partition("# Episode\n")
    return PromptFile(
        name=head["name"],
        version=head["version"],
        system=system.strip(),
        form=form.strip(),
        hash=digest(text),
    )
