"""Checks of a game's views: viewers learn what they may know, and nothing else."""

from __future__ import annotations

import json
from random import Random

from realmtable.conformance.random_games import RandomGame, Step, moves_of, play_randomly, viewers, views_as_json
from realmtable.engine.errors import BadNotation
from realmtable.engine.match import format_move_for
from realmtable.engine.protocol import CLOCK, HasSeatNames, HasTopics, State


def a_view_is_plain_data_and_stays_the_same(play: RandomGame) -> None:
    for step in play.steps[::3]:
        before = views_as_json(play, step.state)
        for viewer, text in zip(viewers(play), before, strict=True):
            assert json.loads(text) == play.game.view(step.state, viewer)
        play.game.play(step.state, step.seat, step.move)
        assert views_as_json(play, step.state) == before


def only_hidden_games_show_seats_different_things(play: RandomGame) -> None:
    if play.game.info.hidden:
        return
    for state in play.states:
        views = [{**play.game.view(state, viewer), "viewer": None} for viewer in viewers(play)]
        assert all(view == views[0] for view in views)


def a_resampled_state_fits_the_view_and_can_be_played(play: RandomGame) -> None:
    rng = Random(7)
    for step in play.steps[::3]:
        for seat in play.seats:
            other = play.game.resample(step.state, seat, rng)
            assert play.game.view(other, seat) == play.game.view(step.state, seat)
            assert play.game.to_move(other) == play.game.to_move(step.state)
            assert play.game.legal_moves(other, seat) == play.game.legal_moves(step.state, seat)
    for step in play.steps[-8::4] if play.game.info.hidden else []:
        other = play.game.resample(step.state, play.seats[-1], rng)
        assert play.game.outcome(play_randomly(play.game, other, 1, play.game.info.max_steps).last) is not None


def an_answer_to_a_text_tells_nothing_of_what_others_hold(play: RandomGame) -> None:
    """Someone who writes nonsense reads the same in all states that look the same to them."""
    if not play.game.info.hidden:
        return
    rng = Random(5)
    for step in play.steps[::9]:
        for seat in play.seats:
            other = play.game.resample(step.state, seat, rng)
            for text in ("?", "1,x", "x" * 30):
                assert read_or_refuse(play, step.state, text) == read_or_refuse(play, other, text)


def read_or_refuse(play: RandomGame, state: State, text: str) -> str:
    """Return the text of the move that a text stands for, or why it stands for none."""
    try:
        return play.game.format_move(state, play.game.parse_move(state, text))
    except BadNotation as error:
        return str(error)


def commitments(play: RandomGame) -> list[Step]:
    """Return the hidden simultaneous steps; while a clock runs, seats react to each other instead."""
    return [step for step in play.steps if CLOCK not in play.game.to_move(step.state)]


def simultaneous_choices_commute(play: RandomGame) -> None:
    for step in commitments(play):
        others = [seat for seat in play.game.to_move(step.state) if seat != step.seat]
        for other in others:
            move = play.game.legal_moves(step.state, other)[0]
            one_way = play.game.play(step.after, other, move)
            other_way = play.game.play(play.game.play(step.state, other, move), step.seat, step.move)
            assert one_way == other_way


def no_viewer_sees_a_commitment_before_all_have_acted(play: RandomGame) -> None:
    """Steps that read the same to a viewer look the same; without `HasSecretSteps` these are all steps of others."""
    for step in commitments(play):
        rest = [seat for seat in play.game.to_move(step.state) if seat != step.seat]
        for seat in [None, *rest] if rest else []:
            views: dict[str, set[str]] = {}
            for move in moves_of(play.game, step.state, step.seat):
                text = format_move_for(play.game, step.state, step.seat, move, seat)
                view = play.game.view(play.game.play(step.state, step.seat, move), seat)
                views.setdefault(text, set()).add(json.dumps(view))
            assert all(len(alike) == 1 for alike in views.values())


def topics_tell_no_more_than_texts(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasTopics):
        return
    assert all(topic and title for topic, title in game.topics().items())
    for step in play.steps:
        for viewer in viewers(play):
            topics: dict[str, set[str]] = {}
            for move in moves_of(game, step.state, step.seat):
                text = format_move_for(game, step.state, step.seat, move, viewer)
                topics.setdefault(text, set()).add(game.topic(step.state, step.seat, move, viewer))
            assert all(len(alike) == 1 for alike in topics.values())
            assert {topic for alike in topics.values() for topic in alike} <= {"", *game.topics()}


def seats_are_named_from_the_view_alone(play: RandomGame) -> None:
    """A name follows from what a viewer may know: a resampled state that looks the same gives the same names."""
    if not isinstance(play.game, HasSeatNames):
        return
    rng = Random(3)
    for state in play.states[::3]:
        for viewer in viewers(play):
            view = play.game.view(state, viewer)
            names = [play.game.seat_name(view, seat) for seat in play.seats]
            assert names == [name.strip() for name in names]
            assert names == [play.game.seat_name(json.loads(json.dumps(view)), seat) for seat in play.seats]
            if viewer is not None:
                same = play.game.view(play.game.resample(state, viewer, rng), viewer)
                assert names == [play.game.seat_name(same, seat) for seat in play.seats]
