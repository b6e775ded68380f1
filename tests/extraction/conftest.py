from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from extraction_samples import episode

from memstrata.extraction.offline.extractor import OfflineExtractor
from memstrata.extraction.wire import write_facts

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def extractor() -> OfflineExtractor:
    return OfflineExtractor()


@pytest.fixture(scope="session")
def told(extractor: OfflineExtractor) -> Callable[[str], list[str]]:
    """What the offline extractor says of a text, a line a fact: subject, predicate, object, kind, times."""

    def facts(text: str) -> list[str]:
        lines = map(json.loads, write_facts(extractor.extract(episode(text))))
        return [
            f"{line['subject']} {line['predicate']} {line['object']}: {line['kind']}"
            f" {line['valid_at'] or ''}..{line['invalid_at'] or ''}"
            for line in lines
        ]

    return facts
