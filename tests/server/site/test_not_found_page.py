"""The page for an unknown URL still shows the visitor's account."""

from __future__ import annotations

import pytest

from realmtable.server.services import Services
from tests.server.support.fake_workers import open_browsers

pytestmark = pytest.mark.anyio


async def test_the_page_for_a_wrong_address_shows_who_is_there(services: Services) -> None:
    async with open_browsers(services, 1) as (ann,):
        await ann.post("/api/tables", {"game": "realm", "seats": ["me", "open"]})  # who does something gets a name
        name = (await ann.get("/api/me"))["player"]["name"]
        for path in ("/nowhere", "/tables/none"):
            answer = await ann.client.get(path, headers={"accept": "text/html"})
            assert answer.status_code == 404
            assert name in answer.text
