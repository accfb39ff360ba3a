"""Undo where information is hidden: a viewer who did not know of a step does not learn that it was undone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.engine.errors import NothingToUndo
from realmtable.server.tables import actions
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.events.step import MAX_UNDO_STEPS
from realmtable.server.tables.replay_log import replay
from realmtable.server.tables.scenes.move_list import list_moves
from tests.server.support.live_server import Person
from tests.server.support.table_harness import TableHarness, facts, show
from tests.toys import add_games
from tests.toys.dice_duel import DiceDuel, Duel
from tests.toys.long_march import LongMarch, March

pytestmark = pytest.mark.anyio


class OpenPlans(LongMarch):
    """The same, but the next seat reads what is planned."""

    def format_move_for(self, state: March, seat: int, move: str, viewer: int | None) -> str:
        text = super().format_move_for(state, seat, move, viewer)
        return text or (move if viewer == (seat + 1) % len(state.plans) else "")

    def view(self, state: March, seat: int | None) -> dict[str, object]:
        view = super().view(state, seat)
        return view | {"next": None if seat is None else state.plans[seat - 1]}


class UndoableDuel(DiceDuel):
    """Dice that may not be undone, and holding that may."""

    def can_undo(self, state: Duel, seat: int, move: str) -> bool:  # noqa: ARG002 - depends on the step alone
        return True


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    add_games(monkeypatch, LongMarch(), UndoableDuel())


def planning(seats: int = 3, **setup: object) -> TableHarness:
    return TableHarness("long_march", seats, options=("days=8", "longest=60"), **setup).seat_players()


def test_the_latest_step_of_a_seat_is_undone_although_others_have_acted_in_secret() -> None:
    bench = planning()
    for seat, move in ((0, "n"), (1, "e"), (0, "w"), (1, "s"), (1, "s")):
        bench.act(actions.play, seat, move)
    assert "undo" in show(bench.table, (0,))["can"]
    bench.act(actions.undo, (0,))
    assert bench.table.match.state.plans == ("n", "ess", "")
    assert [line["text"] for line in list_moves(bench.table, (0,), 0)] == ["n"]
    assert [line["text"] for line in list_moves(bench.table, (1,), 1)] == ["e,s,s"]
    bench.act(actions.undo, (0,))
    bench.act(actions.undo, (1,))
    assert bench.table.match.state.plans == ("", "es", "")
    with pytest.raises(NothingToUndo):
        bench.act(actions.undo, (0,))
    with pytest.raises(NothingToUndo):
        bench.act(actions.undo, (2,))
    with pytest.raises(NothingToUndo):
        bench.act(actions.undo, ())


@pytest.mark.parametrize("clock", [ClockRule(), ClockRule("game", 600, 3)])
def test_others_see_no_difference_between_steps_and_their_undoing(clock: ClockRule) -> None:
    quiet, busy, rng = planning(clock=clock), planning(clock=clock), Random(7)
    for _ in range(40):
        quiet.now = busy.now = quiet.now + 0.1
        busy.act(actions.play, 0, "n")
        if rng.random() < 0.7:
            busy.act(actions.undo, (0,))
        if rng.random() < 0.3:
            for bench in (quiet, busy):
                bench.act(actions.play, 1, "e")
        for seats in ((), (1,), (2,), (1, 2)):
            one, other = (show(bench.table, seats) for bench in (quiet, busy))
            assert one == other
        assert quiet.table.changed_at == busy.table.changed_at or quiet.table.step == 0
    for bench in (quiet, busy):
        for seat in range(3):
            bench.act(actions.play, seat, "done")
    numbering = busy.table.numbering((2,))
    assert numbering.visible_version(busy.table.version) == quiet.table.numbering((2,)).visible_version(
        quiet.table.version
    )


def test_those_who_knew_of_the_step_hear_that_it_was_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    add_games(monkeypatch, OpenPlans())
    bench = planning()
    bench.act(actions.play, 0, "n")
    before = {seat: show(bench.table, (seat,)) for seat in range(3)}
    bench.act(actions.undo, (0,))
    after = {seat: show(bench.table, (seat,)) for seat in range(3)}
    assert after[2] == before[2]
    for seat in (0, 1):
        assert after[seat]["version"] == before[seat]["version"] + 1
        assert after[seat]["step"] == before[seat]["step"] - 1
        assert after[seat]["news"][-1]["words"] == "Ann undid a step."
        assert after[seat]["lines"] == []


def test_what_the_game_does_not_allow_stays() -> None:
    bench = planning(2)
    for seat, move in ((0, "n"), (0, "done")):
        bench.act(actions.play, seat, move)
    with pytest.raises(NothingToUndo):
        bench.act(actions.undo, (0,))
    assert "undo" not in show(bench.table, (0,))["can"]


def test_a_step_stays_if_its_undoing_would_show() -> None:
    bench = planning(2)
    bench.act(actions.play, 0, "n")
    shown = LongMarch.view
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LongMarch, "view", lambda self, state, seat: shown(self, state, seat) | {"all": state.plans})
        with pytest.raises(NothingToUndo, match="Others have acted"):
            bench.act(actions.undo, (0,))


def test_a_step_stays_if_later_ones_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Copycat(LongMarch):
        def legal_moves(self, state: March, seat: int) -> list[str]:
            moves = super().legal_moves(state, seat)
            return [move for move in moves if seat == 0 or move == "done" or move in state.plans[0]]

    add_games(monkeypatch, Copycat())
    bench = planning(2)
    bench.act(actions.play, 0, "n")
    bench.act(actions.play, 1, "n")
    with pytest.raises(NothingToUndo):
        bench.act(actions.undo, (0,))


def test_a_seat_can_undo_a_limited_number_of_steps() -> None:
    bench = planning(2)
    for _ in range(MAX_UNDO_STEPS + 3):
        bench.act(actions.play, 0, "n")
    for _ in range(MAX_UNDO_STEPS):
        bench.act(actions.undo, (0,))
    with pytest.raises(NothingToUndo):
        bench.act(actions.undo, (0,))
    assert bench.table.match.state.plans[0] == "nnn"


def test_without_secrets_the_game_decides_too_but_dice_stay() -> None:
    bench = TableHarness("dice_duel", 2).seat_players()
    bench.act(actions.play, 0, "roll")
    with pytest.raises(NothingToUndo):
        bench.act(actions.undo, (0,))
    while bench.table.acting == (0,) and bench.table.match.state.pot == 0:
        bench.act(actions.play, 0, "roll")
    if bench.table.acting == (0,):
        pot = bench.table.match.state.pot
        bench.act(actions.play, 0, "hold")
        bench.act(actions.undo, (0,))
        assert bench.table.match.state.pot == pot
        assert facts(replay(bench.row, bench.log)) == facts(bench.table)


MID_GAME = "W:Be8,Bh11,Bb5,Pi10,Pf7,Pc4 B:Be5,Bh2,Bb8,Pg3,Pd6,Pc9 move=W"


async def open_mid_turn_table(person: Person) -> tuple[str, int, dict[str, Any]]:
    """A table of somebody who has taken the first of several steps of a turn, and its version before and after."""
    table = await person.open_table(seats=["me", "me"], position=MID_GAME)
    before = await person.get(f"/api/tables/{table}")
    await person.play(table, "Pi10i9")
    after = await person.get(f"/api/tables/{table}")
    assert "undo" in after["can"]
    return table, before["version"], after


@pytest.mark.parametrize("late", [-1, 1000], ids=["decided before the step", "from the future"])
async def test_a_stale_undo_is_refused_and_the_step_stands(ann: Person, late: int) -> None:
    table, version, after = await open_mid_turn_table(ann)
    wrong = version if late < 0 else after["version"] + late
    answer = await ann.send("POST", f"/api/tables/{table}/undo", {"version": wrong})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "StaleVersion")
    assert answer.json()["error"]["version"] == after["version"]
    assert (await ann.get(f"/api/tables/{table}"))["step"] == after["step"]


async def test_an_undo_at_the_version_one_sees_takes_the_step_back(ann: Person) -> None:
    table, _, after = await open_mid_turn_table(ann)
    answer = await ann.post(f"/api/tables/{table}/undo", {"version": after["version"]})
    undone = await ann.get(f"/api/tables/{table}")
    assert (answer, undone["step"]) == ({"version": undone["version"]}, after["step"] - 1)
