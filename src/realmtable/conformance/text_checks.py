"""Checks of a game's texts: moves, turns, positions and records can be written and read back."""

from __future__ import annotations

import json
import pickle

from realmtable.conformance.random_games import RandomGame, drop_running_turn, moves_of, to_match, views_as_json
from realmtable.engine.dice_verification import verify
from realmtable.engine.protocol import HasCompositeMoves, HasDescriptions, ListsChoices
from realmtable.engine.record import Record, load_record, parse_record


def a_move_is_its_text(play: RandomGame) -> None:
    for step in play.steps:
        for move in moves_of(play.game, step.state, step.seat):
            assert play.game.parse_move(step.state, play.game.format_move(step.state, move)) == move


def texts_of_moves_differ(play: RandomGame) -> None:
    for step in play.steps:
        moves = moves_of(play.game, step.state, step.seat)
        assert len({play.game.format_move(step.state, move) for move in moves}) == len(moves)


def choices_listed_together_are_those_listed_one_by_one(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, ListsChoices):
        return
    for step in play.steps:
        view, moves = game.view(step.state, step.seat), moves_of(game, step.state, step.seat)
        assert game.format_legal_moves(step.state, moves) == [game.format_move(step.state, move) for move in moves]
        assert game.list_handles(view, moves) == [game.handles(view, move) for move in moves]


def a_turn_is_its_text(play: RandomGame) -> None:
    for turn in drop_running_turn(to_match(play)).turns():
        if turn.seat >= 0:
            text = play.game.format_turn(turn.before, turn.moves)
            assert play.game.parse_turn(turn.before, text) == (list(turn.moves), [], "")
            for length in range(1, len(turn.moves)):
                begun = play.game.format_turn(turn.before, turn.moves[:length])
                assert play.game.parse_turn(turn.before, begun, running=True).moves == list(turn.moves[:length])


def a_state_is_its_text(play: RandomGame) -> None:
    for state in play.states[::2]:
        text = play.game.encode(state)
        again = play.game.decode(text)
        assert len(text.splitlines()) == 1
        assert again == state
        assert hash(again) == hash(state)
        assert play.game.encode(again) == text


def a_state_survives_a_pickle(play: RandomGame) -> None:
    for state in play.states[::5]:
        again = pickle.loads(pickle.dumps(state))  # noqa: S301 - pickled on the same line
        assert again == state
        assert views_as_json(play, again) == views_as_json(play, state)


def a_step_stands_for_itself(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasCompositeMoves):
        return
    for step in play.steps:
        if step.seat >= 0:
            view, text = game.view(step.state, step.seat), game.format_move(step.state, step.move)
            assert game.split_move(view, text) == [text]
            for odd in ("", ",", "x" * 2000, ",".join([text] * 3), "\x00"):
                parts = game.split_move(view, odd)
                assert all(isinstance(part, str) for part in parts)
                assert parts == game.split_move(json.loads(json.dumps(view)), odd)


def steps_have_words(play: RandomGame) -> None:
    if not isinstance(play.game, HasDescriptions):
        return
    for step in play.steps[::4]:
        for move in moves_of(play.game, step.state, step.seat):
            words = play.game.describe_move(step.state, move)
            assert words == words.strip()
            assert words[0].isupper()
            assert not words.endswith(".")


def a_record_replays_to_the_match(play: RandomGame) -> None:
    """Complete or left in the middle of a turn, with chance as played or drawn from a seed."""
    for match in (to_match(play), to_match(play, "some seed"), to_match(play.first_part(2))):
        text = Record.from_match(match, {"Event": "test"}).text()
        reading = parse_record(text, lambda _: play.game)
        assert (reading.fault, reading.warnings) == (None, [])
        assert reading.record is not None
        again = reading.record.replay()
        assert again.state == match.state
        assert [entry[:3] for entry in again.log()] == [entry[:3] for entry in match.log()]
        assert Record.from_match(again).turns == Record.from_match(match).turns
        assert reading.record.text() == text


def a_seeded_record_keeps_its_promise(play: RandomGame) -> None:
    match = to_match(play, "some seed")
    if match.outcome() is not None:
        assert verify(load_record(Record.from_match(match).text(), lambda _: play.game)).is_fair
        assert verify(Record.from_match(match)).is_fair
