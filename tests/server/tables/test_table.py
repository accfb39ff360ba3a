from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadNotation, IllegalMove, NothingToUndo, NotYourTurn
from realmtable.server.errors import (
    NotAllowed,
    NothingOffered,
    NotRunning,
    NotSeated,
    SeatTaken,
    StaleVersion,
    TooLarge,
)
from realmtable.server.storage.table_changes import Event
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.events.apply import KINDS
from realmtable.server.tables.replay_log import replay, take_snapshot
from realmtable.server.tables.table import Occupant
from tests.server.support.table_harness import (
    START,
    TableHarness,
    check_replays,
    facts,
    play_anything,
    start_table,
)

pytestmark = pytest.mark.usefixtures("toys")

GAMES = [info.id for info in registry.infos()]
TOYS = ["dice_duel", "parry_duel", "secret_cards"]


# ---- sitting down


def test_a_table_begins_when_its_last_seat_is_taken() -> None:
    table = TableHarness()
    assert table.act(actions.sit, Occupant("p1"), 1).status == "open"
    assert table.act(actions.sit, Occupant("p0"), None).status == "running"
    assert table.table.seats_of("p0") == (0,)
    assert [event.kind for event in table.log] == ["created", "sat", "sat", "started"]


def test_a_taken_seat_stays_taken_and_there_is_no_third() -> None:
    table = TableHarness()
    table.act(actions.sit, Occupant("p0"), 0)
    with pytest.raises(SeatTaken):
        table.act(actions.sit, Occupant("p1"), 0)
    with pytest.raises(NotSeated):
        table.act(actions.sit, Occupant("p1"), 2)
    table.act(actions.sit, Occupant("p1"), 1)
    with pytest.raises(NotRunning):
        table.act(actions.sit, Occupant("p2"), None)


def test_a_player_may_leave_only_before_the_game_starts() -> None:
    table = TableHarness()
    table.act(actions.sit, Occupant("p0"), 0)
    with pytest.raises(NotSeated):
        table.act(actions.leave, ())
    assert table.act(actions.leave, (0,)).seats == (None, None)
    with pytest.raises(NotRunning):
        start_table().act(actions.leave, (0,))


def test_nothing_can_be_played_before_the_start() -> None:
    with pytest.raises(NotRunning):
        actions.play(TableHarness().table, 0, "anything")


# ---- playing and replaying


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_log_tells_the_same_table_from_the_start_and_from_any_snapshot(game: str) -> None:
    rng, table = Random(game), start_table(game, ClockRule("game", 600, 2))
    check_replays(table, rng, play_anything(table, rng, 60))


@pytest.mark.long
@pytest.mark.parametrize("game", [*GAMES, *TOYS])
def test_a_whole_random_game_ends_with_the_rules_own_result(game: str) -> None:
    rng = Random(7)
    table = start_table(game)
    for _ in range(3_000):
        if table.table.status == "over":
            break
        table.play(rng)
    outcome = table.table.match.outcome()
    assert outcome is not None
    assert table.table.result is not None
    assert table.table.result.ranking == outcome.ranking
    assert table.table.acting == ()
    with pytest.raises(NotRunning):
        actions.play(table.table, 0, "x")


def test_the_list_of_moves_is_that_of_the_record() -> None:
    rng = Random(3)
    table = start_table("realm")
    for _ in range(80):
        table.play(rng)
    match, game = table.table.match, table.table.game
    expected = [(turn.turn.number, turn.seat, game.format_turn(turn.before, turn.moves)) for turn in match.turns()]
    assert [(line.turn, line.seat, line.text_for(None)) for line in table.table.move_list] == expected
    numbers = [number for line in table.table.move_list for number in range(line.first, line.last + 1)]
    assert numbers == list(range(1, 81))


def test_several_steps_of_a_turn_may_be_sent_at_once() -> None:
    table = running_turn(Random(2))
    other = start_table("realm")
    steps = [event for event in table.log if event.kind == "stepped"]
    run = table.table.move_list[-1]
    for event in steps[: run.first - 1]:
        other.add([EventDraft(event.kind, event.seat, None, event.data)])
    assert run.last > run.first
    other.act(actions.play, run.seat, run.text_for(None))
    assert other.table.match.state == table.table.match.state
    assert other.table.version == table.table.version


@pytest.mark.parametrize(
    ("text", "error"), [("??", BadNotation), ("a1a2", IllegalMove), ("x" * 3_000, TooLarge), ("", BadNotation)]
)
def test_what_cannot_be_read_or_played_changes_nothing(text: str, error: type[Exception]) -> None:
    table = start_table("realm")
    before = table.table
    with pytest.raises(error):
        actions.play(before, 0, "Pa1a2" if error is IllegalMove else text)
    assert table.table is before


def test_only_the_seat_to_move_may_move() -> None:
    table = start_table().table
    with pytest.raises(NotYourTurn):
        actions.playing_seat(table, (1 - table.acting[0],))
    with pytest.raises(NotSeated):
        actions.playing_seat(table, ())
    assert actions.playing_seat(table, (0, 1)) == table.acting[0]


def test_a_move_decided_on_an_older_position_is_stale_but_talk_and_offers_do_not_make_it_so() -> None:
    table = start_table("realm")
    looked = table.table.version
    table.act(actions.chat, "p1", (1,), "hello")
    table.act(actions.offer, (1,), "draw")
    actions.check_version(table.table, 0, looked)
    table.play(Random(1))
    with pytest.raises(StaleVersion):
        actions.check_version(table.table, 1, looked)
    with pytest.raises(StaleVersion):
        actions.check_version(table.table, 1, table.table.version + 1)
    actions.check_version(table.table, 1, table.table.version)


def test_the_last_of_several_who_choose_is_not_made_stale_when_the_others_are_ready() -> None:
    """The turn is then that of the last one alone, but nothing has changed for them."""
    table = start_table("magic_realm", options=("map=stock1", "days=7"))
    for seat, step in ((0, "be Druid"), (1, "be Elf"), (0, "want gold"), (0, "want gold")):
        table.act(actions.play, seat, step)
    looked, turn = table.table.version, table.table.game.turn(table.table.match.state)
    table.act(actions.play, 0, "ready")
    assert table.table.game.turn(table.table.match.state) != turn
    actions.check_version(table.table, 1, looked)
    for step in ("want gold", "want gold", "ready"):
        table.act(actions.play, 1, step)
    with pytest.raises(StaleVersion):
        actions.check_version(table.table, 1, looked)


def test_who_chooses_at_the_same_time_is_not_made_stale_by_the_other() -> None:
    table = start_table("secret_cards")
    assert len(table.table.acting) == 2
    looked = table.table.version
    move = table.table.game.legal_moves(table.table.match.state, 0)[0]
    table.act(actions.play, 0, table.table.game.format_move(table.table.match.state, move))
    actions.check_version(table.table, 1, looked)
    with pytest.raises(StaleVersion):
        actions.check_version(table.table, 0, looked)


def test_a_fixed_rule_that_refuses_an_old_step_halts_the_table_with_a_reason() -> None:
    table = start_table()
    bad = Event("t1", table.table.version + 1, "stepped", 0, None, {"move": "a1a12"}, START)
    halted = replay(table.row, [*table.log, bad])
    assert halted.status == "halted"
    assert "now illegal" in halted.trouble
    with pytest.raises(NotRunning):
        actions.play(halted, 0, "b2b5")


def test_chance_follows_the_seed_so_that_the_record_can_be_verified() -> None:
    table = start_table("dice_duel")
    rng = Random(5)
    while table.table.acting:
        table.play(rng)
    draws = [event.data["move"] for event in table.log if event.kind == "drew"]
    again = start_table("dice_duel")
    rng = Random(5)
    while again.table.acting:
        again.play(rng)
    assert draws
    assert draws == [event.data["move"] for event in again.log if event.kind == "drew"]


# ---- taking back


def running_turn(rng: Random) -> TableHarness:
    """A table of Realm in the middle of a turn."""
    table = start_table("realm")
    for _ in range(500):
        table.play(rng)
        if table.table.match.is_turn_running() and table.table.move_list[-1].last > table.table.move_list[-1].first:
            return table
    raise AssertionError


def test_a_step_of_the_running_turn_is_taken_back() -> None:
    table = running_turn(Random(2))
    entry = table.table.match.entry
    assert entry is not None
    step = table.table.step
    with pytest.raises(NothingToUndo):
        table.act(actions.undo, (1 - entry.seat,))
    table.act(actions.undo, (entry.seat,))
    assert table.table.match.state == entry.before
    assert table.table.step == step - 1
    assert all(line.last <= step - 1 for line in table.table.move_list)


def test_a_finished_turn_is_taken_back_by_agreement_only() -> None:
    table = start_table()
    rng = Random(4)
    start = table.table.match.state
    table.play(rng)
    with pytest.raises(NothingToUndo):
        table.act(actions.undo, (0,))
    table.play(rng)
    table.act(actions.offer, (0,), "takeback")
    with pytest.raises(NothingOffered):
        table.act(actions.answer_offer, (0,), accept=True)
    with pytest.raises(NotSeated):
        table.act(actions.answer_offer, (), accept=True)
    table.act(actions.answer_offer, (1,), accept=True)
    assert table.table.match.state == start
    assert table.table.move_list == ()
    assert table.table.offer is None
    table.play(rng)
    assert facts(replay(table.row, table.log)) == facts(table.table)


def test_there_is_nothing_to_take_back_before_the_first_turn_or_among_secrets() -> None:
    with pytest.raises(NothingToUndo):
        start_table().act(actions.offer, (1,), "takeback")
    cards = start_table("secret_cards")
    cards.play(Random(1))
    with pytest.raises(NothingToUndo):
        cards.act(actions.offer, (0,), "takeback")


def test_who_plays_both_sides_needs_nobodys_consent() -> None:
    table = TableHarness()
    for seat in (0, 1):
        table.act(actions.sit, Occupant("p0"), seat)
    table.play(Random(1))
    table.act(actions.offer, (0, 1), "takeback")
    assert table.table.step == 0
    assert table.act(actions.offer, (0, 1), "draw").status == "over"


# ---- agreeing and ending


def test_a_draw_needs_both() -> None:
    table = start_table()
    table.act(actions.offer, (1,), "draw")
    assert table.table.status == "running"
    with pytest.raises(NotAllowed):
        table.act(actions.offer, (0,), "draw")
    table.act(actions.answer_offer, (0,), accept=True)
    assert table.table.result is not None
    assert table.table.result.ranking == (1, 1)


def test_an_offer_is_declined_by_word_or_by_moving_and_not_repeated_in_the_turn() -> None:
    table = start_table()
    table.act(actions.offer, (1,), "draw")
    table.act(actions.answer_offer, (0,), accept=False)
    with pytest.raises(NotAllowed):
        table.act(actions.offer, (1,), "draw")
    with pytest.raises(NothingOffered):
        table.act(actions.answer_offer, (0,), accept=True)
    table.play(Random(1))
    table.play(Random(1))
    table.act(actions.offer, (1,), "draw")
    table.play(Random(1))
    assert table.table.offer is None


def test_a_declined_draw_leaves_the_takeback_also_after_a_snapshot() -> None:
    table, mover = start_table(), 0
    table.play(Random(1))
    assert actions.possible_offers(table.table, (mover,)) == ["draw", "takeback"]
    table.act(actions.offer, (mover,), "draw")
    table.act(actions.answer_offer, (1 - mover,), accept=False)
    snapshot = take_snapshot(table.table)
    for each in (table.table, replay(table.row, table.log, snapshot)):
        assert actions.possible_offers(each, (mover,)) == ["takeback"]
    snapshot.data["offered"][:] = [table.table.game.turn(table.table.match.state).number] * 2  # as older versions did
    assert actions.possible_offers(replay(table.row, table.log, snapshot), (mover,)) == []


def test_unknown_offers_are_refused() -> None:
    with pytest.raises(NotAllowed):
        start_table().act(actions.offer, (0,), "money")


def test_who_resigns_loses() -> None:
    table = start_table().act(actions.resign, (1,))
    assert table.result is not None
    assert table.result.ranking == (1, 2)
    assert "Black resigned; White wins." in table.result.text
    with pytest.raises(NotSeated):
        start_table().act(actions.resign, ())


def test_nothing_is_offered_after_the_game() -> None:
    table = start_table()
    table.act(actions.resign, (1,))
    for what in ("draw", "takeback"):
        with pytest.raises(NotRunning):
            table.act(actions.offer, (0,), what)


def test_time_runs_out_at_the_deadline_and_not_before() -> None:
    table = start_table(clock=ClockRule("move", 30))
    assert actions.check_clocks(table.table, START + 29.9) == []
    table.now += 30
    table.act(actions.check_clocks, table.now)
    result = table.table.result
    assert result is not None
    assert (result.ranking, result.text) == ((2, 1), "White ran out of time; Black wins.")
    assert actions.check_clocks(table.table, START + 99) == []


# ---- talking


def test_talk_is_trimmed_and_bounded() -> None:
    table = start_table()
    table.act(actions.chat, "p0", (0,), "  good \n luck ")
    assert table.table.chat[-1].text == "good luck"
    with pytest.raises(TooLarge):
        table.act(actions.chat, "p0", (0,), "x" * 501)
    with pytest.raises(NotAllowed):
        table.act(actions.chat, "p0", (0,), "  ")


def test_spectators_talk_unless_the_table_says_no_or_the_game_has_secrets() -> None:
    assert actions.may_chat(start_table().table, ())
    assert not actions.may_chat(start_table(chat="players").table, ())
    assert actions.may_chat(start_table(chat="players").table, (0,))
    assert not actions.may_chat(start_table(chat="nobody").table, (0,))
    assert not actions.may_chat(start_table("secret_cards").table, ())
    assert actions.may_chat(TableHarness("secret_cards").table, ())  # before the game, there are no secrets
    with pytest.raises(NotAllowed):
        start_table("secret_cards").act(actions.chat, "p9", (), "look at his cards")


def test_every_kind_of_event_is_made_somewhere_and_every_draft_has_its_kind() -> None:
    server = Path(actions.__file__).parent.parent
    code = "".join(path.read_text(encoding="utf-8") for path in server.rglob("*.py"))
    drafted = set(re.findall(r'Draft\(\s*"(\w+)"', code))
    assert drafted == set(KINDS)
