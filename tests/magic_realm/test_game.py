"""The game object: turns and their texts, the outcome, and what tables ask of it."""

from __future__ import annotations

from random import Random

import pytest

import realmtable
from realmtable.engine.errors import BadNotation, GameOver
from realmtable.engine.protocol import CHANCE, Turn
from realmtable.games.magic_realm import INFO
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import VALLEYS

END = f"options=map=stock1,days=7 {VALLEYS} day=7 part=over"


def over(heroes: str, *fields: str) -> World:
    places = [f"{seat}.at=B1" for seat in range(1, heroes.count(";") + 2)]
    return GAME.decode(" ".join([END, f"heroes={heroes}", *places, *fields]))


def test_g1_the_game_is_registered_for_one_to_eight_players() -> None:
    assert realmtable.game("magic_realm") is GAME
    assert INFO.seats == tuple(range(1, 9))
    assert (INFO.hidden, INFO.chance) == (True, True)
    assert GAME.count_seats(GAME.initial(5)) == 5


class TestOutcome:
    """Q8: several can reach their goals, or none."""

    def test_q8_the_highest_total_wins(self) -> None:
        found = GAME.outcome(over("Elf;Dwarf", "1.gold=90", "1.points=gold,gold", "2.points=fame,gold"))
        assert found is not None
        assert (found.ranking, found.reached, found.winner) == ((1, 2), (True, False), 0)
        assert found.reason == "last_day"
        assert found.text == "The Elf wins with 0 points."

    def test_q8_equal_totals_share_the_place(self) -> None:
        found = GAME.outcome(over("Druid;Witch;Elf", "1.gold=70", "2.gold=70", "3.gold=16"))
        assert found is not None
        assert (found.scores, found.ranking, found.reached) == ((2.0, 2.0, 0.0), (1, 1, 3), (True, True, True))
        assert found.text == "The Druid and the Witch share first place with 2 points each."

    def test_q8_nobody_may_reach_a_goal(self) -> None:
        found = GAME.outcome(over("Druid;Witch", "1.gold=0", "2.dead"))
        assert found is not None
        assert (found.scores, found.reached) == ((-1.0, -100.0), (False, False))
        assert found.text == "The Druid wins with \N{MINUS SIGN}1 point."

    def test_q8_a_player_alone_ends_with_points_or_dies(self) -> None:
        alone, dead = GAME.outcome(over("Druid", "1.gold=40")), GAME.outcome(over("Druid", "1.dead"))
        assert alone is not None
        assert (alone.text, alone.ranking, alone.reached) == ("The Druid ends with 1 point.", (1,), (True,))
        assert dead is not None
        assert (dead.text, dead.scores, dead.reached) == ("The Druid died.", (-100.0,), (False,))

    def test_q8_there_is_none_while_the_game_goes_on(self) -> None:
        assert GAME.outcome(GAME.initial(2)) is None


class TestTurns:
    """Z8."""

    def test_z8_the_number_of_a_turn_is_the_day(self) -> None:
        assert GAME.turn(GAME.initial(2)) == Turn(0, CHANCE)
        head = f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS} day=3"
        assert GAME.turn(GAME.decode(head)) == Turn(3, CHANCE)  # both write
        assert GAME.turn(GAME.decode(f"{head} 1.ready")) == Turn(3, 1)

    def test_z8_in_daylight_it_belongs_to_the_character_whose_turn_it_is(self) -> None:
        fields = "part=daylight rows=2 waiting=12 1.at=CG5 2.at=CG5 1.plan=H;H agenda=daylight;next"
        state = GAME.decode(f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS} {fields}")
        assert GAME.turn(state) == Turn(1, CHANCE)
        for text in ("next Elf", "run on", "d 6 6"):
            state = GAME.play(state, GAME.to_move(state)[0], GAME.parse_move(state, text))
        assert (GAME.to_move(state), GAME.turn(state)) == ((1,), Turn(1, 0))
        assert format_step(GAME.default_step(state, 1)) == "pass"

    def test_z8_steps_are_joined_by_commas(self) -> None:
        state = GAME.decode(f"options=map=stock1 heroes=Elf {VALLEYS}")
        read = GAME.parse_turn(state, "M BV2,H , done")
        assert [format_step(step) for step in read.moves] == ["M BV2", "H", "done"]
        assert GAME.format_turn(state, read.moves) == "M BV2, H, done"
        assert GAME.split_move({}, "M BV2, H,done") == ["M BV2", "H", "done"]
        assert GAME.split_move({}, ",") == [","]

    def test_long_texts_and_turns_after_the_end_are_refused(self) -> None:
        state = GAME.initial(2)
        with pytest.raises(BadNotation, match="at most 100"):
            GAME.parse_move(state, "H" * 101)
        with pytest.raises(BadNotation, match="shorter"):
            GAME.parse_turn(state, "H," * 60_000)
        with pytest.raises(GameOver):
            GAME.parse_turn(over("Elf"), "H")

    def test_a_default_is_the_first_answer_if_none_declines(self) -> None:
        state = GAME.decode("options=map=stock1 heroes=- day=0 part=setup agenda=be:1")
        assert format_step(GAME.default_step(state, 0)) == "be Amazon"


def test_z6_only_steps_that_others_do_not_know_of_can_be_undone() -> None:
    state = GAME.decode(f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS}")
    assert GAME.can_undo(state, 0, GAME.parse_move(state, "H"))
    assert not GAME.can_undo(state, 0, GAME.parse_move(state, "done"))
    assert not GAME.is_in_setup(state)
    assert GAME.is_in_setup(GAME.initial(1))


def test_the_members_of_the_game_are_those_of_its_modules() -> None:
    state = GAME.decode(f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS}")
    view = GAME.view(state, 0)
    moves = GAME.legal_moves(state, 0)
    assert GAME.format_legal_moves(state, moves) == [GAME.format_move(state, move) for move in moves]
    assert GAME.list_handles(view, moves) == [GAME.handles(view, move) for move in moves]
    hide = GAME.parse_move(state, "H")
    assert GAME.describe_move(state, hide)
    assert GAME.format_move_for(state, 0, hide, 1) == GAME.news(state, 0, hide, 1) == ""
    assert GAME.label("H")
    assert GAME.prompt(view) is not None
    assert GAME.reason(view, (), "no such handle") is None
    assert isinstance(GAME.note(view, "H"), str)
    assert GAME.topic(state, 0, hide, 1) in ("", *GAME.topics())
    assert len(GAME.excerpt(view)["map"]["tiles"]) < len(view["map"]["tiles"])
    assert GAME.panels(view)
    assert GAME.layers(view)
    assert GAME.seat_name(view, 1) == "Dwarf"
    assert GAME.score_breakdowns(view) == []
    assert GAME.gallery().groups
    assert GAME.fold_label(GAME.initial(1), GAME.chance(GAME.initial(1))[0].move)
    assert GAME.sketch(view)
    assert GAME.resample(over("Elf;Dwarf"), 0, Random(1)) == over("Elf;Dwarf")


def test_players_without_a_character_are_called_by_their_seats() -> None:
    rows = GAME.panels(GAME.view(GAME.initial(3, GAME.options("first_game")), 1))[0].rows
    assert [(row.label, row.value) for row in rows] == [
        (seat, "no character yet") for seat in ("Scarlet", "Azure", "Amber")
    ]
