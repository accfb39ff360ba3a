"""Fixtures of the tests of requests and responses."""

from __future__ import annotations

import io
import logging
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import structlog

from tests.server.support.stub_app import make_client, make_stub_app


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """A stream for the log; afterwards logging is as it was."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
async def visitor() -> AsyncIterator[httpx.AsyncClient]:
    """A visitor of the app with a route for each kind of answer."""
    async with make_client(make_stub_app()) as found:
        yield found
