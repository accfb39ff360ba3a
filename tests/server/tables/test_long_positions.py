"""Positions that are too long for the API, although their game can read them."""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.world import position_reader
from realmtable.server.api.models import MAX_POSITION_LENGTH, NewTableRequest
from tests.server.support.live_server import Person

SENTENCE = "position: a position may have at most 20,000 characters; start from a record instead."


@pytest.mark.anyio
async def test_a_long_position_is_refused_with_the_way_to_continue(ann: Person) -> None:
    assert position_reader.MAX_TEXT > MAX_POSITION_LENGTH
    text = "x" * (MAX_POSITION_LENGTH + 1)
    for path, body in (
        ("/api/tables", {"game": "magic_realm", "seats": ["me"]}),
        ("/api/games/magic_realm/checks", {"seats": 1}),
    ):
        answer = await ann.send("POST", path, body | {"position": text})
        assert (answer.status_code, answer.json()["error"]["message"]) == (422, SENTENCE)
        answer = await ann.send("POST", path, body | {"position": text[1:]})
        assert "at most" not in answer.text


def test_the_schema_names_the_limit() -> None:
    position = NewTableRequest.model_json_schema()["properties"]["position"]
    assert position["anyOf"][0] == {"maxLength": MAX_POSITION_LENGTH, "minLength": 1, "type": "string"}
