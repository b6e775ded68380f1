"""Tests with PyTorch: `make test-models` runs them, elsewhere they are skipped."""

from __future__ import annotations

import importlib.util

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if importlib.util.find_spec("sentence_transformers") is None:
        absent = pytest.mark.skip(reason="sentence-transformers is not installed: make test-models")
        for item in items:
            if item.get_closest_marker("models"):
                item.add_marker(absent)
