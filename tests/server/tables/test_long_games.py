"""Games of thousands of steps: the move list is paged, few states are held, and steps are played once."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any
from unittest.mock import ANY

import pytest

from realmtable.engine.errors import BadNotation, GameOver, IllegalMove, NotYourTurn, Refused
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE
from realmtable.server.errors import TooLarge
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.events.undo import HistoryNeeded
from realmtable.server.tables.live import table_driver
from realmtable.server.tables.live.table_memory import KEPT_STEPS, MAX_HELD_STEPS, forget_history
from realmtable.server.tables.replay_log import replay, take_snapshot
from realmtable.server.tables.scenes import move_list
from realmtable.server.tables.scenes.move_list import (
    MAX_JOINED_STEPS,
    MAX_RECENT_LINES,
    PAGE_LINES,
    RECENT_LINES,
    list_moves,
    list_recent_moves,
    page_of_moves,
)
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.support.live_server import Person, wait_until
from tests.server.support.table_harness import TableHarness, register_toys, show, start_table
from tests.toys import add_games
from tests.toys.long_march import LongMarch, March

LONG = ("days=8", "longest=60")


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    add_games(monkeypatch, LongMarch())


def pick_step(table: Table, rng: Random) -> tuple[int, str]:
    """A step of a seat that acts, with plans as long as possible."""
    seat = rng.choice(table.acting)
    legal = table.game.legal_moves(table.match.state, seat)
    move = rng.choice([move for move in legal if move != "done"] or legal)
    return seat, table.game.format_move(table.match.state, move)


def play_steps(bench: TableHarness, steps: int, seed: int = 1) -> TableHarness:
    rng = Random(seed)
    while bench.table.step < steps and bench.table.acting:
        bench.act(actions.play, *pick_step(bench.table, rng))
    return bench


def march(steps: int, seats: int = 3) -> TableHarness:
    return play_steps(TableHarness("long_march", seats, options=LONG).seat_players(), steps)


def held_states(match: Match) -> int:
    node, count = match, 1
    while node.parent is not None:
        node, count = node.parent, count + 1
    return count


# ---- lines


@pytest.mark.long
@pytest.mark.parametrize("seats", [(), (0,), (2,), (0, 1)])
def test_the_pages_of_the_move_list_are_the_whole_list(seats: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_list, "MAX_JOINED_STEPS", 3)
    table, viewer = march(1500).table, seats[0] if seats else None
    whole = list_moves(table, seats, viewer)
    lines, earlier = list_recent_moves(table, seats, viewer)
    assert RECENT_LINES <= len(lines) <= MAX_RECENT_LINES
    assert lines == whole[-len(lines) :]
    while earlier:
        page, earlier = page_of_moves(table, seats, viewer, before=lines[0]["steps"][0])
        assert 0 < len(page) <= PAGE_LINES
        lines = page + lines
    assert lines == whole
    assert page_of_moves(table, seats, viewer, before=0) == ([], False)


@pytest.mark.long
def test_the_lines_of_a_topic_and_ones_own_are_found() -> None:
    table = march(1500).table
    whole = list_moves(table, (1,), 1)
    assert {line["topic"] for line in whole} == {"", "plan", "walk", "weather"}
    for wish, fits in (
        ({"topic": "weather"}, lambda line: line["topic"] == "weather"),
        ({"topic": "plan"}, lambda line: line["topic"] == "plan"),
        ({"mine": True}, lambda line: line["seat"] == 1),
        ({"mine": True, "topic": "walk"}, lambda line: line["seat"] == 1 and line["topic"] == "walk"),
        ({"topic": "nothing"}, lambda _: False),
    ):
        found, earlier = page_of_moves(table, (1,), 1, **wish)
        wanted = [line for line in whole if fits(line)]
        assert found == wanted[-PAGE_LINES:]
        assert earlier == (len(wanted) > PAGE_LINES)
    assert page_of_moves(table, (), None, topic="plan") == ([], False), "plans are secret"


@pytest.mark.long
def test_the_lines_of_a_viewer_are_extended_and_cut_as_if_they_were_listed_anew() -> None:
    bench, rng = march(0, seats=2), Random(3)
    for _ in range(400):
        if rng.random() < 0.3 and any(bench.table.undo_steps):
            seat = next(seat for seat, steps in enumerate(bench.table.undo_steps) if steps)
            bench.act(actions.undo, (seat,))
        else:
            bench.act(actions.play, *pick_step(bench.table, rng))
        for viewer in (None, 0, 1):
            seats = () if viewer is None else (viewer,)
            kept = list_moves(bench.table, seats, viewer)
            bench.table.viewer_caches.clear()
            assert list_moves(bench.table, seats, viewer) == kept
            if rng.random() < 0.5:
                bench.table.viewer_caches.clear()


def test_a_line_has_a_bounded_number_of_steps() -> None:
    bench = TableHarness("fantasy_realms", 3, options=("variant=chaos",)).seat_players()
    card = bench.table.match.view(0)["hand"][0]
    for _ in range(MAX_JOINED_STEPS):
        bench.act(actions.play, 0, f"offer {card}")
        bench.act(actions.play, 0, f"withdraw {card}")
    texts = [line["text"] for line in list_moves(bench.table, (), None) if line["seat"] == 0]
    assert [len(text.split(", ")) for text in texts] == [MAX_JOINED_STEPS] * 2


@pytest.mark.long
def test_a_scene_of_a_long_game_stays_small() -> None:
    table = march(2500).table
    shown = show(table, (0,))
    assert shown["earlier"]
    assert len(shown["lines"]) <= MAX_RECENT_LINES
    assert [each["topic"] for each in shown["topics"]] == ["plan", "walk", "weather"]
    short = show(start_table("realm").table, (0,))
    assert (short["earlier"], short["topics"], short["lines"]) == (False, [], [])


# ---- snapshots


def test_each_text_is_stored_once_and_older_snapshots_are_still_read() -> None:
    bench = march(300)
    snapshot = take_snapshot(bench.table)
    assert all(len(line[2]) <= 2 for line in snapshot.data["lines"])
    assert replay(bench.row, bench.log, snapshot).move_list == bench.table.move_list
    for line in snapshot.data["lines"]:  # as versions before topics wrote them: a text for spectators and each seat
        line[2:] = [[line[2][reader] for reader in line[5]], *line[3:5]]
    del snapshot.data["undo"]
    again = replay(bench.row, bench.log, snapshot)
    for viewer in (None, 0, 1, 2):
        old, new = (list_moves(table, (), viewer) for table in (again, bench.table))
        texts = [",".join(line["text"] for line in lines) for lines in (old, new)]
        assert texts[0] == texts[1]


def test_a_snapshot_in_the_middle_of_a_plan_replays_to_the_same_table() -> None:
    bench = march(120)
    assert bench.table.match.is_turn_running()
    snapshot = take_snapshot(bench.table)
    play_steps(bench, 200, seed=5)
    again, whole = replay(bench.row, bench.log, snapshot), replay(bench.row, bench.log)
    assert (again.snapshot_step, whole.snapshot_step) == (120, 0)
    assert (again.move_list, again.hidden_steps, again.undo_steps, again.match.state) == (
        whole.move_list,
        whole.hidden_steps,
        whole.undo_steps,
        whole.match.state,
    )


def test_an_undo_of_a_step_before_the_snapshot_replays_the_whole_log() -> None:
    bench = TableHarness("long_march", 2, options=LONG).seat_players()
    bench.act(actions.play, 0, "n")
    for _ in range(9):
        bench.act(actions.play, 1, "e")
    snapshot = take_snapshot(bench.table)
    bench.act(actions.undo, (0,))
    again = replay(bench.row, bench.log, snapshot)
    assert again.snapshot_step == 0
    assert again.match.state == bench.table.match.state
    assert again.match.state.plans == ("", "e" * 9)


# ---- memory


@pytest.mark.long
@pytest.mark.parametrize("game", ["long_march", "realm"])
def test_a_table_forgets_old_states_and_goes_on_as_before(game: str) -> None:
    options = LONG if game == "long_march" else ()
    one, other, rng = (
        TableHarness(game, 2, options=options).seat_players(),
        TableHarness(game, 2, options=options).seat_players(),
        Random(2),
    )
    while one.table.step < 600 and one.table.acting:
        step = pick_step(one.table, rng)
        one.act(actions.play, *step)
        other.act(actions.play, *step)
        other.table = forget_history(other.table)
        assert held_states(other.table.match) <= MAX_HELD_STEPS + 1 + 20 * (game == "realm")
    assert other.table.snapshot_step > 100
    assert show(one.table, (0,)) == show(other.table, (0,))
    assert held_states(other.table.match) == other.table.step - other.table.snapshot_step + 1


def test_what_was_forgotten_is_asked_for() -> None:
    bench = start_table("realm")
    rng = Random(4)
    for _ in range(MAX_HELD_STEPS):
        bench.play(rng)
    while bench.table.match.is_turn_running():
        bench.play(rng)
    bench.table = forget_history(bench.table)
    assert KEPT_STEPS <= bench.table.step - bench.table.snapshot_step < MAX_HELD_STEPS
    for _ in range(200):  # turn by turn back to the first state in memory
        try:
            bench.act(actions.offer, (0, 1), "takeback")
        except HistoryNeeded:
            return
    raise AssertionError


async def open_march(services: Services, *bots: str | None, options: tuple[str, ...] = LONG) -> Table:
    """A table of the services; None is a seat of one and the same guest."""
    player, _ = await services.accounts.create_guest()
    sitters = [
        Occupant(player.id) if bot is None else Occupant((await services.accounts.bot_player(bot)).id, bot)
        for bot in bots
    ]
    return await services.table_service.open_table(Setup("long_march", len(bots), options), player, sitters)


async def play(services: Services, table: Table, seat: int, move: str) -> Table:
    return await services.table_service.act(table.id, lambda now: actions.play(now, seat, move))


@pytest.mark.long
@pytest.mark.anyio
async def test_a_long_table_holds_few_states_and_all_of_its_history_can_be_seen(services: Services) -> None:
    table, rng = await open_march(services, None, None), Random(1)
    while table.step < 700:
        table = await play(services, table, *pick_step(table, rng))
        assert held_states(table.match) <= MAX_HELD_STEPS + 1
    assert (await services.store.snapshot(table.id)) is not None
    live = await services.table_service.find(table.id)
    whole = await services.table_service.replay_log(live, table.version)
    assert len(whole.match.log()) == table.step
    assert whole.move_list == table.move_list


@pytest.mark.long
@pytest.mark.anyio
async def test_a_step_that_is_no_longer_in_memory_can_be_undone(services: Services) -> None:
    table = await open_march(services, None, None, None, options=("days=8", "longest=60"))
    table = await play(services, table, 0, "n")
    for seat in (1, 2):
        for _ in range(60):
            table = await play(services, table, seat, "e")
    for _ in range(30):
        table = await services.table_service.act(table.id, lambda now: actions.undo(now, (2,)))
        table = await play(services, table, 2, "s")
    assert table.snapshot_step == 0 or table.snapshot_step > 1
    service = services.table_service
    live = await service.find(table.id)
    live.table = table = forget_history_now(live.table)
    assert table.snapshot_step > 1
    table = await service.act(table.id, lambda now: actions.undo(now, (0,)))
    assert table.match.state.plans[0] == ""
    events = await services.store.events(table.id)
    assert replay(live.row, events).match.state == table.match.state


def forget_history_now(table: Table) -> Table:
    """Forget old states now, as a table with many states does."""
    step = table.step - KEPT_STEPS
    fields = {name: getattr(table, name) for name in table.__dataclass_fields__}
    return Table(**fields | {"match": table.match.forget_before(KEPT_STEPS), "snapshot_step": step})


@pytest.mark.anyio
async def test_moments_of_a_long_game_follow_a_deep_undo(services: Services, ann: Person) -> None:
    body = {"game": "long_march", "seats": ["me", "me"], "options": {"days": 8, "longest": 60}}
    table = (await ann.post("/api/tables", body))["table"]
    live = await services.table_service.find(table)
    for seat, text in ((0, ",".join("n" * 5)), (1, ",".join("e" * 60)), (1, "done"), (0, ",".join("s" * 40))):
        await play(services, live.table, seat, text)
    live.table = forget_history_now(live.table)
    assert (await ann.get(f"/api/tables/{table}/moments/9"))["step"] == 9
    known = services.replay_cache.encoded_tables.get(table)
    assert known is not None
    assert known.covers(live.table, 9)
    for _ in range(32):
        await services.table_service.act(table, lambda now: actions.undo(now, (0,)))
    assert known.covers(live.table, 9) == (live.table.move_list[known.place] is known.line)
    assert (await ann.get(f"/api/tables/{table}/moments/9"))["step"] == 9


# ---- the page's requests


@pytest.mark.long
@pytest.mark.anyio
async def test_earlier_lines_are_asked_for_by_step_topic_and_seat(
    services: Services, ann: Person, eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_list, "MAX_JOINED_STEPS", 2)
    body = {"game": "long_march", "seats": ["me", "me"], "options": {"days": 8, "longest": 60}}
    table = (await ann.post("/api/tables", body))["table"]
    rng = Random(1)
    now = await services.table_service.table(table)
    while now.step < 600:
        now = await play(services, now, *pick_step(now, rng))
    seen = await ann.get(f"/api/tables/{table}")
    assert seen["earlier"]
    page = await ann.get(f"/api/tables/{table}/lines?before={seen['lines'][0]['steps'][0]}")
    assert page["lines"][-1]["steps"][1] < seen["lines"][0]["steps"][0]
    weather = await eve.get(f"/api/tables/{table}/lines?topic=weather")
    assert {line["seat"] for line in weather["lines"]} == {CHANCE}
    assert (await eve.get(f"/api/tables/{table}/lines?mine=true"))["lines"] == []
    assert (await eve.get(f"/api/tables/{table}/lines?topic=plan"))["lines"] == []
    answer = await eve.send("GET", f"/api/tables/{table}/lines?before=-1")
    assert answer.status_code == 422


# ---- several steps in one text


async def open_planning(ann: Person) -> str:
    body = {"game": "long_march", "seats": ["me", "open"], "options": {"longest": 4}}
    table: str = (await ann.post("/api/tables", body))["table"]
    return table


@pytest.mark.anyio
async def test_the_steps_before_an_illegal_one_stand_and_the_answer_is_its_refusal(
    services: Services, ann: Person, bob: Person
) -> None:
    table = await open_planning(ann)
    await bob.post(f"/api/tables/{table}/seats")
    version = (await ann.get(f"/api/tables/{table}"))["version"]
    body = {"version": version, "move": "n,e,s,w,n,n", "key": "k1"}
    first = await ann.send("POST", f"/api/tables/{table}/moves", body)
    assert (first.status_code, first.json()["error"]["code"], first.json()["error"]["clause"]) == (
        409,
        "IllegalMove",
        "M1",
    )
    scene = await ann.get(f"/api/tables/{table}")
    assert (scene["view"]["plan"], scene["version"]) == ("nesw", first.json()["error"]["version"])
    again = await ann.send("POST", f"/api/tables/{table}/moves", body)
    assert again.json() == first.json()
    services.table_service.live.clear()  # a restart knows of it too
    later = await ann.send("POST", f"/api/tables/{table}/moves", body)
    assert later.json() == first.json()
    after = await ann.get(f"/api/tables/{table}")
    for seat in (*scene["seats"], *after["seats"]):
        del seat["away_since"]  # a restarted server has noticed it later
    assert after == scene | {"now": ANY}
    nothing = await ann.send("POST", f"/api/tables/{table}/moves", {"version": scene["version"], "move": "x,n"})
    assert (nothing.status_code, nothing.json()["error"]["code"]) == (422, "BadNotation")
    assert (await ann.get(f"/api/tables/{table}"))["version"] == scene["version"]
    rest = await ann.send("POST", f"/api/tables/{table}/moves", {"version": scene["version"], "move": "done,n"})
    assert rest.json()["error"]["code"] == "NotYourTurn"
    assert (await ann.get(f"/api/tables/{table}"))["acting"] == [1]
    many = {"version": scene["version"], "move": ",".join("n" * 101)}
    assert (await ann.send("POST", f"/api/tables/{table}/moves", many)).status_code in (409, 413)


def test_a_text_may_stand_for_a_limited_number_of_steps() -> None:
    bench = march(0)
    with pytest.raises(TooLarge):
        bench.act(actions.play, 0, ",".join("n" * (actions.MAX_COMPOSITE_STEPS + 1)))


def test_a_refusal_is_kept_as_data() -> None:
    for refusal in (
        IllegalMove("M1", "No."),
        NotYourTurn("No."),
        BadNotation("No."),
        GameOver("No."),
        Refused("No."),
    ):
        again = actions.refusal_in({"refused": actions.refusal_data(refusal)})
        assert (type(again), str(again)) == (type(refusal), str(refusal))
    assert actions.refusal_in({"move": "n"}) is None


# ---- each step is played once


class CountingMarch(LongMarch):
    """Counts how often steps are read and played."""

    def __init__(self) -> None:
        self.played = self.parsed = 0

    def play(self, state: March, seat: int, move: str) -> March:
        self.played += 1
        return super().play(state, seat, move)

    def parse_move(self, state: March, text: str) -> str:
        self.parsed += 1
        return super().parse_move(state, text)


@pytest.mark.anyio
async def test_a_step_is_read_and_played_once(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    game = CountingMarch()
    add_games(monkeypatch, game)
    table = await open_march(services, None, None, options=("longest=1",))
    for seat, move in ((0, "n"), (0, "done"), (1, "e"), (1, "done")):
        table = await play(services, table, seat, move)
    assert (game.played, game.parsed) == (4, 4)
    await play(services, table, 0, "go")
    assert (game.played, game.parsed) == (6, 5), "the weather was drawn and played as well"


# ---- the pace of bots


class Planner:
    """A bot that plans one step after another, or all of them at once."""

    count = 1

    def __init__(self, *, at_once: bool, delay_s: float = 0.0) -> None:
        self.at_once, self.delay_s, self.asked = at_once, delay_s, 0

    async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:  # noqa: ARG002 - as workers
        self.asked += 1
        await asyncio.sleep(self.delay_s)
        state = LongMarch().decode(position)
        if state.walker >= 0:
            return ["go"] * (len(state.plans[seat]) if self.at_once else 1)
        return ["n"] * 5 if not state.plans[seat] else ["done"]


async def watch_bot(services: Services, planner: Planner, pace_s: float) -> tuple[Table, list[int], list[float]]:
    """Play a day with a bot: the table, how many steps each change had, and when it was made."""
    services.table_driver.move_chooser = planner
    services.table_driver.pace_s = pace_s
    table = await open_march(services, None, "random", options=("days=1", "longest=5"))
    live, clock = await services.table_service.find(table.id), asyncio.get_running_loop()
    sizes, times, steps = [], [], table.step

    def note(changed: Table) -> None:
        nonlocal steps
        if changed.id == table.id and changed.step > steps:
            sizes.append(changed.step - steps)
            times.append(clock.time())
            steps = changed.step

    services.table_service.on_change.append(note)
    begun = clock.time()
    await play(services, table, 0, "done")

    async def is_over() -> bool:
        return live.table.result is not None

    assert await wait_until(is_over)
    return live.table, sizes, [time - begun for time in times]


@pytest.mark.long
@pytest.mark.anyio
@pytest.mark.parametrize("at_once", [True, False])
async def test_a_bots_run_of_steps_is_one_change_and_its_secret_steps_do_not_wait(
    services: Services, at_once: bool
) -> None:
    _, sizes, times = await watch_bot(services, Planner(at_once=at_once), 0.4)
    assert sizes in ([5, 1, 1, 6], [1, 5, 1, 6]), "the plan, both done, and the walk with the weather"
    assert min(times[sizes.index(5)], 9) < 0.4
    assert times[-1] >= 0.8, "being done and the walk are seen"


@pytest.mark.long
@pytest.mark.anyio
async def test_a_slow_bot_is_shown_when_the_pace_allows(services: Services) -> None:
    _, sizes, _ = await watch_bot(services, Planner(at_once=False, delay_s=0.15), 0.1)
    assert sizes[-5:] == [1, 1, 1, 1, 2]


@pytest.mark.anyio
async def test_a_bot_that_has_planned_too_far_plays_what_is_possible(services: Services) -> None:
    class Dreamer(Planner):
        async def choose(self, *args: Any) -> list[str]:
            found = await super().choose(*args)
            return [*found, "x"] if found[0] != "n" else [*found, "n"]

    table, *_ = await watch_bot(services, Dreamer(at_once=True), 0.0)
    assert table.match.state.north == (0, 5)


def test_a_bots_run_is_limited() -> None:
    assert table_driver.MAX_BOT_RUN <= MAX_HELD_STEPS
