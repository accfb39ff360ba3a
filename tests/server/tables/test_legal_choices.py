"""The choices of a scene by the handle that they start with, and what they are called."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import DescribesButtons, HasDescriptions, HasPalette
from realmtable.server.tables.scenes.changes import list_choices_in
from realmtable.server.tables.scenes.legal_choices import (
    add_words,
    choices_by_handle,
    describe_handle,
    labels_of,
    list_choices,
    list_premoves,
)
from tests.seeds import mark_long
from tests.server.support.live_server import Person
from tests.server.support.table_harness import TableHarness

pytestmark = pytest.mark.anyio

GAMES = [info.id for info in registry.infos()]


@pytest.mark.long
@pytest.mark.parametrize("game_id", GAMES)
def test_groups_stand_for_all_choices_in_order(game_id: str) -> None:
    rng, bench = Random(3), open_table(game_id)
    for _ in range(20):
        table = bench.table
        if not table.acting:
            break
        seat = rng.choice(table.acting)
        view = table.game.view(table.match.state, seat)
        choices = list_choices(table.game, table.match.state, seat, view)
        firsts = list(dict.fromkeys(choice["path"][0] for choice in choices))
        groups = choices_by_handle(table, seat, view, None)
        assert list(groups) == firsts
        assert list_choices_in(groups) == sorted(choices, key=lambda choice: firsts.index(choice["path"][0]))
        bench.play(rng)


@pytest.mark.parametrize("game_id", mark_long(GAMES, "modern_realm"))
def test_choices_that_need_a_button_have_words_and_the_notes_have_the_others(game_id: str) -> None:
    rng, bench = Random(4), open_table(game_id)
    game = bench.table.game
    for _ in range(6):
        table = bench.table
        if not table.acting:
            break
        seat, state = rng.choice(table.acting), table.match.state
        view, moves = game.view(state, seat), game.legal_moves(state, seat)
        firsts = sorted({game.handles(view, move)[0] for move in moves})
        shown = set(rng.sample(firsts, len(firsts) // 2))
        groups = choices_by_handle(table, seat, view, shown)
        if not isinstance(game, HasDescriptions):
            assert not any("words" in group for group in groups.values())
            continue
        words = {game.format_move(state, move): game.describe_move(state, move) for move in moves}
        for first, group in groups.items():
            described = {move: words[move] for move in group["moves"]}
            is_button = first not in shown or (isinstance(game, DescribesButtons) and game.describes_button(first))
            assert group.get("words") == (described if is_button else None)
        for first in rng.sample(firsts, min(3, len(firsts))):
            note = describe_handle(game_id, game.encode(state), seat, view, first)
            assert note["words"] == {move: words[move] for move in groups[first]["moves"]}
        bench.play(rng)


def open_table(game_id: str) -> TableHarness:
    return TableHarness(game_id, registry.info(game_id).seats[0]).seat_players()


def test_buttons_tell_what_their_step_costs_where_the_choices_have_words() -> None:
    game = registry.game("realms_of_etherium")
    tiles = "tiles=Portal@0,0;Transmute@1,0;Generate@1,-1 mages=1,0;1,-1;portal/portal;portal;portal"
    reserve = "reserve=Draw;Shift;Lessen;Accord;Bond;Network"
    state = game.decode(f"{tiles} {reserve} etherium=2.0/0.0 phase=enter active=1 entering=1.1 held=1,0")
    choices = list_choices(game, state, 0, game.view(state, 0))
    plain = labels_of(game, choices)
    assert plain == {"make:1:black": "Make Black/Make 1 Black", "skip": "Skip"}
    add_words(game, state, 0, choices)
    told = {"make:1:black": "Make Black/Turn 2 White into 1 Black and gain 1 Black", "skip": "Leave Transmute unused"}
    assert labels_of(game, choices) == told
    longer = [
        {"move": "use", "path": ["use", "again"], "words": "Use it"},
        {"move": "wait", "path": [], "words": "Wait"},
    ]
    assert labels_of(game, longer) == {"use": "Use the power"}


BOARD_GAMES = [info.id for info in registry.infos() if isinstance(registry.game(info.id), HasPalette)]
READY = "medieval_realm"  # its pieces are on the board from the start
PLACING = {"realm": 12}  # steps that place pieces before ordinary turns; no moves are offered meanwhile


async def scene_of(person: Person, table: str) -> dict[str, list[str]]:
    scene: dict[str, list[str]] = await person.get(f"/api/tables/{table}")
    return scene


async def test_the_waiting_player_gets_the_moves_of_a_passed_turn(ann: Person, bob: Person, eve: Person) -> None:
    table = await ann.open_table(bob, game=READY)
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


@pytest.mark.long
async def test_a_move_in_advance_is_played_like_any_other(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game=READY)
    planned = {choice["move"] for choice in (await bob.get(f"/api/tables/{table}/premoves"))["choices"]}
    await ann.play(table)
    legal = planned & {choice["move"] for choice in (await bob.get(f"/api/tables/{table}"))["choices"]}
    assert legal
    await bob.play(table, min(legal))


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
    table = await ann.open_table(bob, game="fantasy_realms")
    for person in (ann, bob):
        assert "premove" not in (await scene_of(person, table))["can"]
        assert (await person.expect_refusal("GET", f"/api/tables/{table}/premoves"))["code"] == "NotYourTurn"
