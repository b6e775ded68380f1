"""YAML as nodes, which know where they stand: a mistake is named with its line."""

from __future__ import annotations

from typing import Final

import yaml

from memstrata.errors import Misplaced

#: The loader in C where PyYAML was built with it.
LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def root_of(text: str, file: str | None = None) -> yaml.Node | None:
    """The root of the one document in the text; None of an empty text.

    Raises `Misplaced`, with `file` and the line as far as it is known, for what is not YAML.
    """
    try:
        return yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        line = None if error.problem_mark is None else error.problem_mark.line + 1
        raise Misplaced(f"not YAML: {error.problem or error.context}", file=file, line=line) from None
    except yaml.YAMLError as error:
        raise Misplaced(f"not YAML: {' '.join(str(error).split())}", file=file) from None
