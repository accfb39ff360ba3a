"""The defaults of a small game: its options, refusals, texts, positions and pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest

from realmtable.cli.skeleton.my_game import GAME as GRID
from realmtable.engine.errors import BadNotation, BadOptions, BadPosition, GameOver, IllegalMove, NotYourTurn
from realmtable.engine.options import check_fields, option
from realmtable.engine.protocol import CHANCE, ChanceOutcome, GameInfo, Outcome, Seat, Turn
from realmtable.kit.small_game import SmallGame, make_outcome


@dataclass(frozen=True)
class RaceOptions:
    """The length of the race."""

    length: int = option(3, "The length of the race.", source="toy", clause="R1", low=1, high=9)

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Race:
    """Who is where; a seat that runs rolls a die."""

    options: RaceOptions
    places: tuple[int, ...]
    last: tuple[int, str] = (0, "none")  # the seat and the word of the latest step
    running: int | None = None

    def __post_init__(self) -> None:
        if not self.places:
            raise ValueError(self.places)


class RaceGame(SmallGame[Race]):
    """Walk one space, or run as far as a die says."""

    info = GameInfo("race", "Race", "Be first.", (1, 2), ("Ann", "Bob"), RaceOptions, {"standard": {}}, chance=True)
    state_type = Race
    move_pattern = "run|walk|[12]"

    def first_state(self, seats: int, options: RaceOptions) -> Race:
        return Race(options, (0,) * seats)

    def to_move(self, state: Race) -> tuple[Seat, ...]:
        if max(state.places) >= state.options.length:
            return ()
        return ((state.last[0] + 1) % len(state.places),) if state.running is None else (CHANCE,)

    def turn(self, state: Race) -> Turn:
        return Turn(sum(state.places), state.last[0])

    def list_moves(self, state: Race, seat: Seat) -> list[str]:  # noqa: ARG002 - alike for all
        return ["walk", "run"]

    def chance(self, state: Race) -> list[ChanceOutcome]:
        return super().chance(state) if state.running is None else [ChanceOutcome("1", 1), ChanceOutcome("2", 1)]

    def apply_move(self, state: Race, seat: Seat, move: str) -> Race:
        if move == "run":
            return replace(state, running=seat)
        runner = seat if state.running is None else state.running
        steps = 1 if move == "walk" else int(move)
        places = tuple(place + steps * (other == runner) for other, place in enumerate(state.places))
        return Race(state.options, places, (runner, move))

    def outcome(self, state: Race) -> Outcome | None:
        return None if self.to_move(state) else make_outcome(state.places, "finish", "The race is over.")


GAME = RaceGame()
SECRET = RaceGame()
SECRET.info = replace(GAME.info, hidden=True)
START = GAME.initial()


def test_the_number_of_seats_and_the_options_are_checked() -> None:
    assert GAME.options_of(GAME.initial(1, GAME.options(length=5))) == RaceOptions(5)
    for seats in (0, 3):
        with pytest.raises(BadOptions, match="Race is for 1 to 2 players"):
            GAME.initial(seats)
    with pytest.raises(BadOptions):
        GAME.options(length=10)


def test_moves_are_sorted_and_belong_to_the_seat_that_acts() -> None:
    assert GAME.legal_moves(START, 1) == ["run", "walk"]
    assert GAME.legal_moves(START, 0) == GAME.legal_moves(START, CHANCE) == []
    assert GAME.chance(START) == []


def test_who_may_not_act_and_what_is_not_possible_is_refused() -> None:
    with pytest.raises(NotYourTurn, match="It is Bob's turn"):
        GAME.play(START, 0, "walk")
    with pytest.raises(IllegalMove, match=r"^1 is not possible now\.$"):
        GAME.play(START, 1, "1")
    running = GAME.play(START, 1, "run")
    with pytest.raises(NotYourTurn, match="Chance is to act"):
        GAME.play(running, 0, "walk")
    with pytest.raises(IllegalMove):
        GAME.play(running, CHANCE, "walk")
    over = GAME.decode('{"options":[],"places":[0,3],"last":[1,"walk"],"running":null}')
    with pytest.raises(GameOver):
        GAME.play(over, 0, "walk")
    with pytest.raises(GameOver):
        GAME.parse_turn(over, "walk")


def test_the_best_score_wins_and_equal_ones_share_a_place() -> None:
    assert make_outcome([1, 3, 3], "points", "Two win.").ranking == (3, 1, 1)


def test_a_move_is_its_own_text() -> None:
    assert GAME.parse_move(START, " walk ") == GAME.format_move(START, "walk") == "walk"
    with pytest.raises(BadNotation, match="'jump' is not a move; write one like run"):
        GAME.parse_move(START, "jump")
    for game, state in ((GAME, GAME.play(START, 1, "run")), (SECRET, START)):
        with pytest.raises(BadNotation, match=r"'jump' is not a move\.$"):
            game.parse_move(state, "jump")


def test_a_turn_is_written_with_commas_and_ends_where_another_begins() -> None:
    assert GAME.format_turn(START, ["walk", "run"]) == "walk,run"
    assert GAME.parse_turn(START, "walk,run") == (["walk"], [], "run")
    assert GAME.parse_turn(START, "run") == (["run"], [], "")


@pytest.mark.parametrize("running", [None, 1])
def test_a_position_is_the_fields_of_a_state(running: int | None) -> None:
    state = Race(RaceOptions(5), (1, 2), (0, "walk"), running)
    text = GAME.encode(state)
    assert text == f'{{"options":["length=5"],"places":[1,2],"last":[0,"walk"],"running":{running or "null"}}}'
    assert GAME.decode(text) == state


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"options":[],"places":[],"last":[0,"none"],"running":null}',
        '{"options":[],"places":3,"last":[0,"none"],"running":null}',
        '{"options":[],"places":[1,"2"],"last":[0,"none"],"running":null}',
        '{"options":[],"places":[1,2],"last":[0],"running":null}',
        '{"options":[],"places":[1,true],"last":[0,"none"],"running":null}',
        '{"options":["length=10"],"places":[1,2],"last":[0,"none"],"running":null}',
        '{"options":[],"places":[1,2],"last":[0,"none"],"running":null,"more":1}',
        "[" * 100_000,
    ],
)
def test_other_texts_are_no_positions(text: str) -> None:
    with pytest.raises(BadPosition):
        GAME.decode(text)


def test_a_position_that_neither_goes_on_nor_has_ended_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RaceGame, "outcome", lambda *_: None)
    with pytest.raises(BadPosition, match="either goes on"):
        GAME.decode('{"options":[],"places":[0,3],"last":[1,"walk"],"running":null}')


def test_a_position_with_chance_to_act_is_read() -> None:
    running = GAME.play(START, 1, "run")
    assert GAME.decode(GAME.encode(running)) == running


def test_the_default_picture_lists_the_fields_of_the_view() -> None:
    view = GAME.view(START, None)
    assert view == {"options": [], "places": [0, 0], "last": [0, "none"], "running": None}
    assert GAME.sketch(view)[1] == [("places: [0, 0]", "plain")]
    assert "places: [0, 0]" in GAME.draw(view)
    assert GAME.handles(view, "walk") == ("walk",)
    assert GAME.resample(START, 0, Random(1)) is START


def test_a_game_with_secrets_must_say_who_knows_what() -> None:
    for ask in (lambda: SECRET.view(START, 0), lambda: SECRET.resample(START, 0, Random(1))):
        with pytest.raises(NotImplementedError):
            ask()


def test_states_of_a_game_without_options_need_no_field_for_them() -> None:
    state = GRID.decode('{"grid":"X........"}')
    assert state == GRID.play(GRID.initial(), 0, "a1")
    assert GRID.options_of(state) == GRID.options()
