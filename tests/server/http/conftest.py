"""Fixtures of the tests of requests and responses."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """A stream for the log; afterwards logging is as it was."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()
