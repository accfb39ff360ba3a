"""What a waiting player can plan: the steps of their next turn, and placements in the set-up."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import IllegalMove, NotYourTurn
from realmtable.engine.protocol import AnyGame, HasPalette, HasSetup, State
from realmtable.server.tables.scenes.premoves import MAX_STEPS, list_premoves
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

BOARD_GAMES = [info.id for info in registry.infos() if isinstance(registry.game(info.id), HasPalette)]
READY = "medieval_realm"  # its pieces are on the board from the start
PLACING = [("realm", None), ("classic_realm", "free_setup"), ("oriental_realm", "free_setup")]


async def scene_of(person: Person, table: str) -> dict[str, Any]:
    scene: dict[str, Any] = await person.get(f"/api/tables/{table}")
    return scene


def offered(game: AnyGame, state: State, *planned: str) -> list[str]:
    found = list_premoves(game.info.id, game.encode(state), 1 - game.to_move(state)[0], planned)
    return [choice["move"] for choice in found["choices"]]


def play_until_ready(game: AnyGame, preset: str | None = None) -> State:
    state, rng = game.initial(2, game.options(preset)), Random(5)
    while isinstance(game, HasSetup) and game.is_in_setup(state):
        seat = game.to_move(state)[0]
        state = game.play(state, seat, rng.choice(game.legal_moves(state, seat)))
    return state


async def test_the_waiting_player_gets_the_moves_of_a_passed_turn(ann: Person, bob: Person, eve: Person) -> None:
    table = await ann.open_table(bob, game=READY)
    can = ["premove" in (await scene_of(person, table))["can"] for person in (ann, bob, eve)]
    assert can == [False, True, False]
    before = await scene_of(bob, table)
    found = await bob.get(f"/api/tables/{table}/premoves")
    assert {"move", "path", "words"} <= found["choices"][0].keys()
    step = found["choices"][0]["move"]
    assert (await bob.get(f"/api/tables/{table}/premoves?planned={step}"))["choices"] == []  # one move is a turn
    refused = await bob.expect_refusal("GET", f"/api/tables/{table}/premoves?planned={step}&planned={step}")
    assert refused["code"] == "NotYourTurn"
    many = "&".join([f"planned={step}"] * (MAX_STEPS + 1))
    assert (await bob.expect_refusal("GET", f"/api/tables/{table}/premoves?{many}"))["code"] == "BadInput"
    assert await scene_of(bob, table) | {"now": 0} == before | {"now": 0}
    for person in (ann, eve):
        error = await person.expect_refusal("GET", f"/api/tables/{table}/premoves")
        assert error["code"] == "NotYourTurn"


@pytest.mark.long
async def test_a_move_in_advance_is_played_like_any_other(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game=READY)
    planned = {choice["move"] for choice in (await bob.get(f"/api/tables/{table}/premoves"))["choices"]}
    await ann.play(table)
    legal = planned & {choice["move"] for choice in (await scene_of(bob, table))["choices"]}
    assert legal
    await bob.play(table, min(legal))


@pytest.mark.parametrize("game_id", BOARD_GAMES)
def test_a_turn_is_planned_as_if_it_had_been_passed(game_id: str) -> None:
    game, rng = registry.game(game_id), Random(1)
    assert isinstance(game, HasPalette)
    state = play_until_ready(game)
    seat = 1 - game.to_move(state)[0]
    passed = game.decode(game.with_turn(game.encode(state), seat))
    plan: list[str] = []
    while seat in game.to_move(passed):
        legal = game.legal_moves(passed, seat)
        assert offered(game, state, *plan) == [game.format_move(passed, move) for move in legal]
        move = rng.choice(legal)
        plan.append(game.format_move(passed, move))
        passed = game.play(passed, seat, move)
    assert offered(game, state, *plan) == []
    with pytest.raises(NotYourTurn):
        offered(game, state, *plan, plan[-1])


@pytest.mark.parametrize(("game_id", "preset"), PLACING)
def test_placements_are_planned_for_several_turns(game_id: str, preset: str | None) -> None:
    game = registry.game(game_id)
    state = game.initial(2, game.options(preset))
    mover = game.to_move(state)[0]
    possible: set[str] = set()
    for reply in game.legal_moves(state, mover):
        after = game.play(state, mover, reply)
        possible |= {game.format_move(after, move) for move in game.legal_moves(after, 1 - mover)}
    first = offered(game, state)
    assert set(first) == possible
    second = offered(game, state, first[0])
    assert second
    assert first[0] not in second
    assert offered(game, state, first[0], second[-1])
    with pytest.raises(IllegalMove):
        offered(game, state, first[0], first[0])


@pytest.mark.parametrize("game_id", BOARD_GAMES)
def test_something_can_be_planned_whenever_somebody_else_moves(game_id: str) -> None:
    """Also when the other seat has to finish something first, such as founding or ending its turn."""
    game, rng = registry.game(game_id), Random(2)
    state = game.initial(2)
    for _ in range(40):
        seat = game.to_move(state)[0]
        assert offered(game, state)
        state = game.play(state, seat, rng.choice(game.legal_moves(state, seat)))


async def test_a_game_with_secrets_offers_none(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="fantasy_realms")
    for person in (ann, bob):
        assert "premove" not in (await scene_of(person, table))["can"]
        assert (await person.expect_refusal("GET", f"/api/tables/{table}/premoves"))["code"] == "NotYourTurn"
