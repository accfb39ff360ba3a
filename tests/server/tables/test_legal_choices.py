"""The choices of a scene by the handle that they start with, and what they are called."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import CLOCK, DescribesButtons, HasDescriptions
from realmtable.server.tables import actions
from realmtable.server.tables.scenes.changes import list_choices_in
from realmtable.server.tables.scenes.legal_choices import (
    add_words,
    choices_by_handle,
    describe_handle,
    labels_of,
    list_choices,
    plays_forced_steps,
)
from realmtable.server.tables.table import Occupant
from tests.seeds import mark_long
from tests.server.support.table_harness import TableHarness

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


@pytest.mark.parametrize(
    ("game_id", "seats", "plays"),
    [
        ("realm", "pp", True),
        ("realms_of_etherium", "ppp", True),  # even when seats are asked out of turn: nothing is hidden
        ("magic_realm", "pp", False),  # how soon somebody answers would tell what they hold
        ("magic_realm", "p", True),
        ("magic_realm", "pbb", True),
        ("magic_realm", "pbp", False),
        ("fantasy_realms", "pb", True),
        ("fantasy_realms", "ppp", False),
    ],
)
def test_forced_steps_play_themselves_where_that_tells_people_nothing(game_id: str, seats: str, plays: bool) -> None:
    bench = TableHarness(game_id, len(seats))
    for seat, kind in enumerate(seats):
        bench.act(actions.sit, Occupant(f"{kind}{seat}", "level1" if kind == "b" else None), seat)
    assert plays_forced_steps(bench.table) == plays


def test_no_step_is_forced_while_others_may_open_more_choices() -> None:
    bench = TableHarness("fantasy_realms", 3, options=("variant=chaos",))
    for seat, bot in enumerate((None, "level1", "level1")):
        bench.act(actions.sit, Occupant(f"p{seat}", bot), seat)
    assert CLOCK in bench.table.acting  # everyone trades
    assert not plays_forced_steps(bench.table)
