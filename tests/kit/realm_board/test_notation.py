"""The effects of a step are written without playing it where the rules allow that."""

from __future__ import annotations

from random import Random

import pytest

import realmtable


@pytest.mark.parametrize("game_id", ["classic_realm", "medieval_realm"])
def test_effects_judged_without_playing_are_those_of_the_state_after(game_id: str) -> None:
    game, rng = realmtable.game(game_id), Random(7)
    for _ in range(6):
        state = game.initial(2)
        while game.to_move(state):
            seat = game.to_move(state)[0]
            step = rng.choice(game.legal_moves(state, seat))
            text, after = game.format_move(state, step), game.play(state, seat, step)
            before_cells, cells = (
                {piece["at"]: piece["seat"] for piece in game.view(each, None)["pieces"]} for each in (state, after)
            )
            if "+" in text:
                at = text.partition("+")[2][1:-1]
                assert at in cells
            if "x" in text:
                to = text.partition("x")[2][1:].partition(",")[0].rstrip(")")
                assert (before_cells[to], cells[to]) == (1 - seat, seat)
            state = after
