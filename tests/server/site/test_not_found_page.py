"""The page for an unknown URL still shows the visitor's account."""

from __future__ import annotations

import pytest

from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio


async def test_the_page_for_a_wrong_address_shows_who_is_there(ann: Person) -> None:
    await ann.post("/api/tables", {"game": "realm", "seats": ["me", "open"]})  # who does something gets a name
    name = (await ann.get("/api/me"))["player"]["name"]
    for path in ("/nowhere", "/tables/none"):
        answer = await ann.client.get(path, headers={"accept": "text/html"})
        assert answer.status_code == 404
        assert name in answer.text
