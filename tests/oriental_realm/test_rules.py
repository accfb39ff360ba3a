"""The rules clause by clause."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from realmtable.engine.errors import BadOptions, GameOver, NotYourTurn
from realmtable.engine.options import OptionValue
from realmtable.games.oriental_realm.first_state import state_of
from realmtable.games.oriental_realm.layout import MAX_STEPS, PIECE_LIST, SEAT, TURNS
from realmtable.games.oriental_realm.moves import has_empty_neighbour, is_surrounded
from realmtable.games.oriental_realm.steps import StepKind
from realmtable.kit.realm_board.geometry import CENTERS, cell_name, realm_of
from tests.oriental_realm.helpers import (
    GAME,
    TESTED,
    THRONES,
    cell,
    ending,
    expect_refusal,
    legal,
    movers,
    options_of,
    phase_of,
    pieces,
    play,
    position,
    random_game,
    random_turns,
    seat_of,
    start,
    targets,
    winner,
)
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next

WHITE = {"b2": "WM", "e2": "WE", "h2": "WM", "k2": "WM", "b5": "WM", "e5": "WM", "h5": "WM", "k5": "WM"}
BLACK = {"b8": "BM", "e8": "BM", "h8": "BM", "k8": "BM", "b11": "BM", "e11": "BM", "h11": "BE", "k11": "BM"}
# White, with all pieces, has no move: the Emperor is walled in, every Mandarin with an empty neighbour pinned.
STUCK = "W:Ea1,Ma2,Mb2,Mf2,Me3,Mg3,Mf4,Mh2 B:Mb1,Ma3,Mb3,Me2,Mg2,Me4,Eg4,Mi2"


# ---- the board


def test_b1_centers_are_spaces_like_any_other() -> None:
    state = position("W:Ea5 B:Mb9")
    assert "b5" in targets(state, "a5")
    assert "a8" in targets(state, "a5")
    assert movers(play(state, "Ea5b5 end")) == {"b9"}
    assert sorted(legal(start(free_setup=True))) == sorted(
        letter + cell_name(at) for letter in "ME" for at in range(144)
    )


@pytest.mark.parametrize(("at", "around"), [("a1", "a2 b1"), ("f1", "e1 f2 g1"), ("f6", "e6 f5 f7 g6")])
def test_b2_o8_the_neighbours_of_a_space(at: str, around: str) -> None:
    guards = around.split()
    text = f"W:M{at} B:{','.join('M' + name for name in guards)} phase=over end=surrounded won=B"
    state = position(text)
    assert is_surrounded(state.position, cell(at))
    for guard in guards:
        trial = state.position.copy()
        trial[cell(guard)] = 0
        assert not is_surrounded(trial, cell(at))


# ---- pieces and set-up


def test_b3_white_begins_and_in_a_rematch_the_loser_is_white() -> None:
    check_white_begins_and_the_loser_is_white_next(TESTED)


def test_o1_the_set_up() -> None:
    state = start()
    assert pieces(state) == WHITE | BLACK
    assert (seat_of(state), phase_of(state), GAME.turn(state)) == (0, "turn", (1, 0))


# ---- the turn


def test_o2_s2_the_first_move_fixes_the_realm() -> None:
    state = position("W:Ed4,Me4,Md5,Mk9 B:Mh8")
    assert movers(state) == {"d4", "e4", "d5", "k9"}
    state = play(state, "Ed4a4")
    assert movers(state) == {"e4", "d5"}
    assert "end" in legal(state)
    state = play(state, "Me4e6")
    assert movers(state) == {"d5"}  # e6 is in the Realm, but its piece has moved
    state = play(state, "Md5d4")
    assert legal(state) == {"end"}
    assert seat_of(play(state, "end")) == 1


def test_o2_a_piece_that_entered_the_realm_does_not_move_again() -> None:
    state = play(position("W:Ed4,Me4 B:Mh8"), "Ed4d5")
    assert movers(state) == {"e4"}
    assert expect_refusal(state, "Ed5d6").clause == "O2"


def test_o3_a_piece_goes_any_distance_and_stops_before_any_piece() -> None:
    state = position("W:Me5,Mh5 B:Me8,Ea1")
    assert targets(state, "e5") == {"a5", "b5", "c5", "d5", "f5", "g5", "e1", "e2", "e3", "e4", "e6", "e7"}
    assert expect_refusal(state, "Me5e8").clause == "O3"
    assert expect_refusal(state, "Me5e9").clause == "O3"
    assert expect_refusal(state, "Me5h5").clause == "O3"
    assert expect_refusal(state, "Me5f6").clause == "O3"


@pytest.mark.parametrize("flanks", ["Md5,Mf5", "Me4,Me6", "Ed5,Mf5", "Me4,Ee6"])
def test_o4_a_mandarin_between_two_enemies_is_pinned(flanks: str) -> None:
    state = position(f"W:Me5,Ma1 B:{flanks}")
    assert movers(state) == {"a1"}
    assert expect_refusal(state, "Me5e9" if "d5" in flanks else "Me5a5").clause == "O4"


@pytest.mark.parametrize("flanks", ["Md5,Me6", "Me4,Mf5", "Md5", "Mc5,Mg5", "Md4,Mf6"])
def test_o4_enemies_that_are_not_opposite_neighbours_pin_no_piece(flanks: str) -> None:
    assert "e5" in movers(position(f"W:Me5,Ma1 B:{flanks}"))


def test_o4_own_pieces_and_the_edge_pin_no_piece() -> None:
    assert movers(position("W:Me5,Md5,Mf5 B:Mh9")) == {"d5", "e5", "f5"}
    assert "a5" in movers(position("W:Ma5,Ma1 B:Mb5"))
    assert "a5" not in movers(position("W:Ma5,Mk1 B:Ma4,Ma6"))


def test_o4_pinned_pieces_pin() -> None:
    state = position("W:Mc5,Me5,Mk1 B:Mb5,Md5,Mf5")
    assert movers(state) == {"k1"}
    assert movers(play(state, "Mk1k2 end")) == {"b5", "f5"}


def test_o5_the_emperor_is_never_pinned() -> None:
    assert movers(position("W:Ee5 B:Md5,Mf5")) == {"e5"}


def test_o5_o6_a_mandarin_next_to_its_emperor_may_move_though_pinned() -> None:
    state = position("W:Me5,Ee4,Ma1 B:Md5,Mf5,Mk9")
    assert movers(state) == {"a1", "e4", "e5"}
    assert (
        movers(play(state, "Ee4a4")) == set()
    )  # the Emperor has left, so the Mandarin is pinned when its move would start
    state = position("W:Me5,Ed4,Ma1 B:Md5,Mf5,Mk9")
    assert movers(state) == {"a1", "d4"}
    assert movers(play(state, "Ed4e4")) == {"e5"}  # the Emperor has come
    assert movers(position("W:Me5,Ed4,Ma1 B:Ee4,Me6,Mk9")) == {"a1", "d4"}  # the enemy's Emperor frees no piece


def test_o6_a_pin_is_looked_at_when_the_move_starts() -> None:
    state = position("W:Me5,Md5 B:Mc5,Mf5,Mk1 move=B")
    assert movers(state) == {"c5", "f5", "k1"}
    state = position("W:Md5,Me5,Mk9 B:Mc5,Mf5")
    assert movers(state) == {"d5", "e5", "k9"}
    state = play(state, "Md5d9")
    assert movers(state) == {"e5"}
    state = position("W:Md6,Me5,Mk9 B:Mc5,Md5,Mf5")  # e5 is pinned at the start and stays it
    assert "e5" not in movers(play(state, "Md6d7"))


def test_o7_s3_a_player_passes_only_without_moves() -> None:
    state = position(STUCK)
    assert legal(state) == {"pass"}
    after = play(state, "pass")
    assert (seat_of(after), int(after.position[TURNS])) == (1, 1)
    assert expect_refusal(start(), "pass").clause == "O7"
    assert expect_refusal(play(start(), "Mb5b6"), "pass").clause == "O7"


# ---- winning


def test_o8_a_group_is_surrounded_as_a_whole() -> None:
    board = "W:Ma1,Ma2,Me5 B:Mb1,Mb2,Mh3"
    assert ending(play(position(board + " move=B"), "Mh3a3")) == "surrounded"
    state = position("W:Ma1,Ma2,Ma3,Me5 B:Mb1,Mb2,Mh4 move=B")
    assert ending(play(state, "Mh4a4")) is None  # b3 is empty


def test_o8_o9_an_empty_space_within_keeps_a_ring_from_being_surrounded() -> None:
    state = play(position("W:Ma2,Mb1,Ek9 B:Ma3,Mc1,Mh2 move=B"), "Mh2b2")
    assert not any(is_surrounded(state.position, cell(name)) for name in ("a2", "b1"))
    assert ending(state) is None


@pytest.mark.parametrize(
    ("board", "steps", "seat"),
    [
        ("W:Ea1,Mk9 B:Ma2,Mb5 move=B", "Mb5b1", 1),
        ("W:Ma1,Ek9 B:Ma2,Eb5 move=B", "Eb5b1", 1),  # an Emperor surrounds like a Mandarin
        ("W:Me4,Me6,Md5,Mf9,Ea1 B:Me5,Mk1", "Mf9f5", 0),
        ("W:Me4,Me6,Md5,Mf9,Ea1 B:Ee5,Mk1", "Mf9f5", 0),
    ],
)
def test_o9_surrounding_a_group_wins_at_once(board: str, steps: str, seat: int) -> None:
    state = play(position(board), steps)
    assert (ending(state), winner(state)) == ("surrounded", seat)
    assert GAME.legal_moves(state, seat) == []
    with pytest.raises(GameOver):
        play(state, "end")


def test_o9_it_is_looked_at_after_every_single_move() -> None:
    state = position("W:Ma1,Ek9 B:Md1,Me2 move=B")
    state = play(state, "Md1b1")
    assert ending(state) is None
    state = play(state, "Me2a2")
    assert (ending(state), winner(state), GAME.view(state, 0)["surrounded"]) == ("surrounded", 1, ["a1"])


def test_o9_a_piece_may_go_where_it_has_one_way_back() -> None:
    state = play(position("W:Ma5,Ek9 B:Mb1,Mb2"), "Ma5a1")
    assert ending(state) is None


@pytest.mark.parametrize("seed", range(6))
def test_o9_no_player_can_surround_their_own_pieces(seed: int) -> None:
    for state, step in random_game(seed, max_turns=100):
        if step is not None and step.kind == StepKind.MOVE:
            after = GAME.play(state, seat_of(state), step)
            assert has_empty_neighbour(after.position, step.to)


def test_o10_two_passes_in_a_row_draw() -> None:
    state = play(position("W: B:"), "pass")
    assert ending(state) is None
    state = play(state, "pass")
    assert (ending(state), winner(state)) == ("two_passes", None)
    one = play(position("W:Mb2 B:Ma2,Mc2,Mk9"), "pass Mk9k8 end pass")
    assert ending(one) is None


def test_o10_at_least_one_player_can_always_move() -> None:
    rng = Random(5)
    for _ in range(150):  # crowds of every size in a corner, where it would be likeliest
        spaces = rng.sample([across + 12 * up for across in range(5) for up in range(5)], rng.randint(1, 16))
        board = start().position.copy()
        board[:144] = 0
        for number, at in enumerate(spaces):
            board[at] = 1 + 4 * (number % 2)
        found = 0
        for seat in range(2):
            board[SEAT] = seat
            found += legal(state_of(board.copy(), options_of())) != {"pass"}
        assert found


# ---- ends that are ours

SHUTTLE = "Mb5b6 end Mk8k7 end Mb6b5 end Mk7k8 end"


def test_t1_the_third_appearance_draws() -> None:
    state = play(start(), SHUTTLE)
    assert ending(state) is None
    state = play(state, SHUTTLE.rsplit(maxsplit=1)[0])
    assert ending(state) is None
    state = play(state, "end")
    assert (ending(state), winner(state), int(state.position[TURNS])) == ("repetition", None, 8)


def test_t1_another_player_to_move_is_another_position() -> None:
    state = play(position("W:Ea1 B:Ek9"), "Ea1a2 end Ek9k8 end Ea2a3 end Ek8k9 end Ea3a1 end")
    assert seat_of(state) == 1  # the same pieces as at the start
    state = play(state, "Ek9k8 end Ea1a2 end Ek8k9 end Ea2a1 end")
    assert ending(state) is None


def test_t2_v4_the_last_turn_draws() -> None:
    state = position("W:Ea1 B:Ek9 turns=18", max_turns=20)
    state = play(state, "Ea1a2 end Ek9k8")
    assert ending(state) is None
    state = play(state, "end")
    assert (ending(state), winner(state)) == ("max_turns", None)
    assert GAME.options().max_turns == 400


def test_t1_comes_before_t2() -> None:
    state = position("W:Ea1 B:Ek9", max_turns=20)
    for _ in range(4):
        state = play(state, "Ea1a2 end Ek9k8 end Ea2a1 end Ek8k9 end") if ending(state) is None else state
    assert ending(state) == "repetition"
    empty = position("W: B: turns=18", max_turns=20)
    assert ending(play(empty, "pass pass")) == "two_passes"


@pytest.mark.parametrize("seed", range(4))
def test_t2_every_game_ends_within_its_turns(seed: int) -> None:
    """A turn moves at most eight pieces, and turns are counted: no game is longer than 16 + 9 max_turns steps."""
    turns = 0
    for begin, steps, after in random_turns(seed, max_turns=60):
        moves = [step for step in steps if step.kind == StepKind.MOVE]
        assert len(moves) <= 8
        assert len({realm_of(step.at) for step in moves}) <= 1
        assert len(steps) <= 9
        assert int(after.position[TURNS]) - int(begin.position[TURNS]) in (0, 1)
        turns = int(after.position[TURNS])
    assert turns <= 60


@pytest.mark.parametrize("preset", GAME.info.presets)
def test_t1_t2_random_games_end_by_the_rules(preset: str) -> None:
    numbers = GAME.playouts(GAME.initial(2, GAME.options(preset, max_turns=40)), range(5))
    assert set(numbers.reasons) <= {"surrounded", "repetition", "max_turns"}
    assert numbers.turns <= 5 * 40
    assert numbers.steps <= 5 * (16 + 9 * 40)


# ---- options


def test_v1_s1_the_players_place_one_piece_in_every_realm() -> None:
    state = start(free_setup=True)
    assert (pieces(state), phase_of(state), len(legal(state))) == ({}, "place", 288)
    state = play(state, "Mb2")
    assert (seat_of(state), len(legal(state))) == (1, 270)
    assert expect_refusal(state, "Ma1").clause == "V1"
    state = play(state, "Ea12")
    state = play(state, "Ml1")
    assert expect_refusal(state, "Ed4").clause == "V1"
    assert all(text.startswith("M") for text in legal(state))


def test_v1_after_the_placements_white_moves_first() -> None:
    names = [cell_name(center) for center in CENTERS]
    state = play(start(free_setup=True), " ".join("M" + name for name in names[:14]))
    assert all(text.startswith("E") for text in legal(state))
    assert expect_refusal(state, "Mh11").clause == "V1"
    state = play(state, "Eh11 Ek11")
    assert (seat_of(state), phase_of(state), GAME.turn(state)) == (0, "turn", (9, 0))
    assert sum(piece[1] == "E" for piece in pieces(state).values()) == 2
    assert set(pieces(state)) == set(names)


@pytest.mark.parametrize("throne", THRONES)
def test_v2_the_emperors_stand_half_a_turn_apart(throne: str) -> None:
    found = pieces(start(emperor=throne))
    emperors = [name for name, piece in found.items() if piece[1] == "E"]
    assert emperors[0] == throne
    assert cell(emperors[0]) + cell(emperors[1]) == 143
    assert len(found) == 16


def test_v2_s1_the_players_choose() -> None:
    state = start(emperor="choose")
    assert legal(state) == {"E" + name for name in THRONES}
    assert all(piece[1] == "M" for piece in pieces(state).values())
    state = play(state, "Ek5")
    assert (seat_of(state), phase_of(state)) == (1, "choose")
    assert legal(state) == {"E" + cell_name(center) for center in CENTERS[8:]}
    state = play(state, "Eb8")
    assert (seat_of(state), phase_of(state), GAME.turn(state)) == (0, "turn", (2, 0))
    assert pieces(state) == WHITE | BLACK | {"e2": "WM", "k5": "WE", "h11": "BM", "b8": "BE"}


def test_v2_has_nothing_to_choose_with_v1() -> None:
    with pytest.raises(BadOptions, match=r"free_setup.*emperor=choose.*keep one of them"):
        options_of(free_setup=True, emperor="choose")
    assert phase_of(start(free_setup=True, emperor="k5")) == "place"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"max_turns": 19}, "max_turns must be 20 to 600"),
        ({"max_turns": 601}, "max_turns must be 20 to 600"),
        ({"emperor": "a1"}, "emperor must be e2"),
        ({"warning": 2}, "warning must be on or off"),
        ({"colour": "red"}, "no option colour"),
    ],
)
def test_v4_options_out_of_bounds_are_refused_by_name(values: dict[str, OptionValue], words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        options_of(**values)


# ---- steps


def test_s3_a_pass_is_a_whole_turn() -> None:
    state = position(STUCK)
    assert legal(state) == {"pass"}
    read = GAME.parse_turn(state, "pass")
    assert (read.moves, read.rest) == (GAME.legal_moves(state, 0), "")
    after = play(state, "pass")
    assert (seat_of(after), GAME.turn(after).seat) == (1, 1)
    assert expect_refusal(start(), "pass").clause == "O7"


def test_s4_orders_that_lead_to_the_same_are_the_same_state() -> None:
    board = position("W:Ed4,Me4,Mf6 B:Mh8")
    states = {play(board, " ".join(steps)) for steps in permutations(["Ed4d9", "Me4e9", "Mf6f9"])}
    assert len(states) == 1
    one, other = play(board, "Ed4d9 Mf6f9"), play(board, "Mf6f9 Ed4d9")
    assert (one, hash(one)) == (other, hash(other))
    assert one != play(board, "Ed4d9")


def test_s2_steps_are_refused_out_of_turn_with_the_seat_named() -> None:
    with pytest.raises(NotYourTurn, match="White's turn"):
        GAME.play(start(), 1, GAME.parse_move(start(), "Mb8b7"))
    assert GAME.legal_moves(start(), 1) == []
    with pytest.raises(BadOptions, match="for 2 players"):
        GAME.initial(3)


def test_s2_a_list_of_steps_fits_its_room() -> None:
    """Two kinds of placement on 144 spaces are the longest list; the pieces are noted behind it."""
    assert len(start(free_setup=True).legal_codes()) == PIECE_LIST < MAX_STEPS
    open_board = position("W:Ea1,Mb2,Mc3,Md4,Me5,Mf6,Mg7,Mh8 B:")
    assert len(open_board.legal_codes()) == 8 * 22


@pytest.mark.parametrize(("where", "text"), [("", "Mb5b7"), ("free_setup=on", "El12"), ("emperor=choose", "Ek5")])
def test_s1_s2_a_step_is_written_with_its_piece_and_a_turn_without_its_end(where: str, text: str) -> None:
    state = TESTED.at(where)
    found = GAME.parse_turn(state, text)
    assert GAME.format_move(state, found.moves[0]) == GAME.format_turn(state, found.moves) == text
