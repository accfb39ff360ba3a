"""Moves in advance: offered to the waiting player where nothing is hidden, and never stored."""

from __future__ import annotations

import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import HasPalette
from realmtable.server.tables.scenes.legal_choices import list_premoves
from tests.server.support.live_server import Person
from tests.server.tables.test_tables_api import open_table_of_two

pytestmark = pytest.mark.anyio

BOARD_GAMES = [info.id for info in registry.infos() if isinstance(registry.game(info.id), HasPalette)]
READY = "medieval_realm"  # its pieces are on the board from the start
PLACING = {"realm": 12}  # steps that place pieces before ordinary turns; no moves are offered meanwhile


async def scene_of(person: Person, table: str) -> dict[str, list[str]]:
    scene: dict[str, list[str]] = await person.get(f"/api/tables/{table}")
    return scene


async def test_the_waiting_player_gets_the_moves_of_a_passed_turn(ann: Person, bob: Person, eve: Person) -> None:
    table = await open_table_of_two(ann, bob, READY)
    assert ["premove" in (await scene_of(person, table))["can"] for person in (ann, bob, eve)] == [
        False,
        True,
        False,
    ]
    before = await scene_of(bob, table)
    offered = await bob.get(f"/api/tables/{table}/premoves")
    assert offered["choices"]
    assert {"move", "path", "words"} <= offered["choices"][0].keys()
    assert await scene_of(bob, table) | {"now": 0} == before | {"now": 0}
    for person in (ann, eve):
        error = await person.expect_refusal("GET", f"/api/tables/{table}/premoves")
        assert error["code"] == "NotYourTurn"


async def test_a_move_in_advance_is_played_like_any_other(ann: Person, bob: Person) -> None:
    table = await open_table_of_two(ann, bob, READY)
    planned = {choice["move"] for choice in (await bob.get(f"/api/tables/{table}/premoves"))["choices"]}
    first = await ann.get(f"/api/tables/{table}")
    await ann.post(f"/api/tables/{table}/moves", {"version": first["version"], "move": first["choices"][0]["move"]})
    now = await bob.get(f"/api/tables/{table}")
    legal = planned & {choice["move"] for choice in now["choices"]}
    assert legal
    await bob.post(f"/api/tables/{table}/moves", {"version": now["version"], "move": min(legal)})


@pytest.mark.parametrize("game_id", BOARD_GAMES)
def test_the_list_is_that_of_the_position_with_the_turn_passed(game_id: str) -> None:
    game = registry.game(game_id)
    assert isinstance(game, HasPalette)
    state = game.initial(2)
    for _ in range(PLACING.get(game_id, 0)):
        mover = game.to_move(state)[0]
        assert list_premoves(game_id, game.encode(state), 1 - mover) == {"choices": [], "labels": {}}
        state = game.play(state, mover, game.legal_moves(state, mover)[0])
    mover = game.to_move(state)[0]
    offered = list_premoves(game_id, game.encode(state), 1 - mover)
    passed = game.decode(game.with_turn(game.encode(state), 1 - mover))
    legal = [game.format_move(passed, move) for move in game.legal_moves(passed, 1 - mover)]
    assert legal
    assert [choice["move"] for choice in offered["choices"]] == legal


async def test_a_game_with_secrets_offers_none(ann: Person, bob: Person) -> None:
    table = await open_table_of_two(ann, bob, "fantasy_realms")
    for person in (ann, bob):
        assert "premove" not in (await scene_of(person, table))["can"]
        assert (await person.expect_refusal("GET", f"/api/tables/{table}/premoves"))["code"] == "NotYourTurn"
