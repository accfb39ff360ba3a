"""Every registered game, and every toy, keeps the promises of `realmtable.engine.protocol`."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from itertools import pairwise, product
from random import Random
from statistics import median
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.scene_costs import count_calls
from realmtable.engine.dice_proof import verify
from realmtable.engine.errors import (
    BadNotation,
    BadOptions,
    BadPosition,
    GameOver,
    IllegalMove,
    NotYourTurn,
    RealmtableError,
)
from realmtable.engine.match import Match, format_move_for
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import (
    CHANCE,
    CLOCK,
    AnyGame,
    HasCardGallery,
    HasCompositeMoves,
    HasDefaultSteps,
    HasDescriptions,
    HasLayers,
    HasNews,
    HasPanels,
    HasPieceSymbols,
    HasPrompt,
    HasReasons,
    HasSeatCount,
    HasSeatNames,
    HasTopics,
    HasUndo,
    ListsChoices,
    Seat,
    State,
    View,
    player_seats,
)
from realmtable.engine.record import Record, load_record, parse_record
from tests.conformance.random_games import (
    GAMES,
    TOYS,
    RandomGame,
    Step,
    drop_running_turn,
    find_game,
    fitting_seats,
    game_id,
    limit_examples,
    moves_of,
    play_randomly,
    random_games,
    rules_of,
    to_match,
)

EXAMPLES = 2  # one with the default options, one with others
SLOW_EXAMPLES = 10
Check = Callable[[RandomGame], None]

every_game = pytest.mark.parametrize("game", GAMES, ids=game_id)


def viewers(play: RandomGame) -> list[int | None]:
    return [None, *play.seats]


def views_as_json(play: RandomGame, state: State) -> list[str]:
    """Return all views of a state as JSON."""
    return [json.dumps(play.game.view(state, viewer), allow_nan=False) for viewer in viewers(play)]


# ---- promises about every state and every step


def play_leaves_the_old_state_alone(play: RandomGame) -> None:
    for step in play.steps:
        before = play.game.encode(step.state)
        for move in moves_of(play.game, step.state, step.seat):
            play.game.play(step.state, step.seat, move)
        assert play.game.encode(step.state) == before


def legal_moves_are_sorted_and_unique(play: RandomGame) -> None:
    for state in play.states:
        for seat in play.seats:
            moves = play.game.legal_moves(state, seat)
            assert moves == sorted(set(moves))
            acting = play.game.to_move(state)
            assert bool(moves) == (seat in acting) or CLOCK in acting  # a seat that is ready may come back


def seats_act_alone_together_or_chance_does(play: RandomGame) -> None:
    for state in play.states:
        acting = play.game.to_move(state)
        people = player_seats(acting)
        assert acting in ((CHANCE,), people, (*people, CLOCK))
        assert list(people) == sorted(set(people))
        assert set(people) <= set(play.seats)
        assert people or CLOCK not in acting
        assert len(play.game.legal_moves(state, CLOCK)) == (CLOCK in acting)


def who_does_not_act_is_refused(play: RandomGame) -> None:
    for step in play.steps:
        acting = play.game.to_move(step.state)
        for seat in {CHANCE, CLOCK, *play.seats} - set(acting):
            if play.game.legal_moves(step.state, seat):
                assert CLOCK in acting  # a seat that is ready may come back
                continue
            with pytest.raises(NotYourTurn):
                play.game.play(step.state, seat, step.move)


def nothing_is_played_after_the_end(play: RandomGame) -> None:
    if play.game.to_move(play.last):
        return
    for step in play.steps[-5:]:
        for seat in {CHANCE, CLOCK, *play.seats}:
            assert play.game.legal_moves(play.last, seat) == []
            assert play.game.chance(play.last) == []
            with pytest.raises(GameOver):
                play.game.play(play.last, seat, step.move)


def illegal_moves_are_refused_with_a_clause(play: RandomGame) -> None:
    rules = rules_of(play.game)
    rng = Random(len(play.steps))
    for step in play.steps:
        if step.seat == CHANCE:
            continue
        legal = play.game.legal_moves(step.state, step.seat)
        for move in (rng.choice(play.steps).move for _ in range(4)):
            if move in legal:
                continue
            with pytest.raises(IllegalMove) as caught:
                play.game.play(step.state, step.seat, move)
            assert rules is None or f"**{caught.value.clause}**" in rules
            assert caught.value.sentence.endswith(".")


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


def a_changed_state_is_another(play: RandomGame) -> None:
    for step in play.steps:
        assert step.after != step.state


def a_state_knows_its_options(play: RandomGame) -> None:
    assert {play.game.options_of(state) for state in play.states} == {play.game.options_of(play.start)}


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


def chance_has_positive_weights(play: RandomGame) -> None:
    for state in play.states:
        outcomes = play.game.chance(state)
        assert bool(outcomes) == (play.game.to_move(state) == (CHANCE,))
        assert all(outcome.weight > 0 for outcome in outcomes)
        assert not outcomes or play.game.info.chance


def a_step_is_secret_to_those_for_whom_nothing_changes(play: RandomGame) -> None:
    """A text is empty exactly for viewers who may not know that a step was taken."""
    if not play.game.info.hidden:
        return
    game = play.game
    for step in play.steps:
        was, now = ((game.to_move(at), game.turn(at), game.outcome(at)) for at in (step.state, step.after))
        for viewer in viewers(play):
            unchanged = was == now and game.view(step.state, viewer) == game.view(step.after, viewer)
            secret = format_move_for(game, step.state, step.seat, step.move, viewer) == ""
            assert secret == (unchanged and viewer != step.seat), (viewer, step)
            if secret and isinstance(game, HasNews):
                assert game.news(step.state, step.seat, step.move, viewer) == ""


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


def a_step_that_may_be_undone_has_told_nobody_anything(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasUndo):
        return
    for step in play.steps:
        if step.seat >= 0 and game.can_undo(step.state, step.seat, step.move):
            assert CHANCE not in game.to_move(step.after)
            assert game.can_undo(step.state, step.seat, step.move)


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


def handles_distinguish_moves(play: RandomGame) -> None:
    for state in play.states:
        for seat in play.game.to_move(state):
            view = play.game.view(state, None if seat < 0 else seat)
            moves = moves_of(play.game, state, seat)
            paths = [play.game.handles(view, move) for move in moves]
            assert len(set(paths)) == len(moves)
            assert all(path and all(path) for path in paths)
            assert json.loads(json.dumps(paths)) == [list(path) for path in paths]


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


def steps_have_words(play: RandomGame) -> None:
    if not isinstance(play.game, HasDescriptions):
        return
    for step in play.steps[::4]:
        for move in moves_of(play.game, step.state, step.seat):
            words = play.game.describe_move(step.state, move)
            assert words == words.strip()
            assert words[0].isupper()
            assert not words.endswith(".")


def drawn_handles(game: AnyGame, view: View) -> list[str]:
    """Return the handles of a picture and of the panels beside it."""
    panels = game.panels(view) if isinstance(game, HasPanels) else []
    pictures = [game.draw(view), *(panel.svg for panel in panels if panel.svg)]
    nodes = [node for picture in pictures for node in ET.fromstring(picture).iter()]  # noqa: S314 - our own pictures
    rows = [row.handle for panel in panels for row in panel.rows if row.handle]
    return [handle for node in nodes if (handle := node.get("data-handle"))] + rows


def a_handle_is_drawn_or_has_a_label(play: RandomGame) -> None:
    if not isinstance(play.game, HasDescriptions):
        return
    for step in play.steps[::3]:
        view = play.game.view(step.state, None if step.seat < 0 else step.seat)
        drawn = drawn_handles(play.game, view)
        assert len(set(drawn)) == len(drawn)
        paths = [play.game.handles(view, move) for move in moves_of(play.game, step.state, step.seat)]
        for handle in {handle for path in paths for handle in path} - set(drawn):
            assert play.game.label(handle) not in ("", handle)


def pictures_are_well_formed(play: RandomGame) -> None:
    for match in (to_match(play), to_match(play.first_part(2))):
        for viewer, theme in zip(viewers(play), ("auto", "light", "dark") * 2, strict=False):
            picture = ET.fromstring(play.game.draw(match.view(viewer), theme))  # noqa: S314 - our own picture
            assert picture.tag == "{http://www.w3.org/2000/svg}svg"
            spans = [span for line in play.game.sketch(match.view(viewer)) for span in line]
            assert {(type(text), type(style)) for text, style in spans} == {(str, str)}


def layers_fit_the_picture_and_follow_from_the_view(play: RandomGame) -> None:
    """Layers have unique names, the picture's view box, the same styles each time, and no handles."""
    if not isinstance(play.game, HasLayers):
        return
    for state in play.states[::5]:
        for viewer, theme in zip(viewers(play), ("auto", "light", "dark") * 2, strict=False):
            view = play.game.view(state, viewer)
            layers = play.game.layers(view, theme)
            assert layers == play.game.layers(json.loads(json.dumps(view)), theme)
            assert len({layer.name for layer in layers}) == len(layers)
            picture = ET.fromstring(play.game.draw(view, theme))  # noqa: S314 - our own picture
            for layer in layers:
                drawn = ET.fromstring(layer.svg)  # noqa: S314 - as above
                assert drawn.get("viewBox") == picture.get("viewBox")
                assert drawn.get("width", "100%") == drawn.get("height", "100%") == "100%"
                assert not [node for node in drawn.iter() if node.get("data-handle")]
            ET.fromstring(draw_whole(play.game, view, theme))  # noqa: S314 - as above


def panels_are_plain_and_keep_their_ids(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasPanels):
        return
    for viewer in viewers(play):
        shown = [game.panels(game.view(state, viewer)) for state in play.states[::3]]
        for panels in shown:
            assert [panel.id for panel in panels] == [panel.id for panel in shown[0]]
            assert len({panel.id for panel in panels}) == len(panels)
            for panel in panels:
                assert re.fullmatch(r"[a-z][a-z0-9_]*", panel.id)
                assert panel.title
                assert panel.svg or panel.rows
                assert json.loads(json.dumps(asdict(panel)))["rows"] == [list(row) for row in panel.rows]


def a_state_knows_its_number_of_seats(play: RandomGame) -> None:
    if isinstance(play.game, HasSeatCount):
        assert {play.game.count_seats(state) for state in play.states} == {len(play.seats)}


def a_default_step_is_legal_and_follows_from_what_the_seat_knows(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasDefaultSteps):
        return
    for state in play.states:
        for seat in player_seats(game.to_move(state)):
            if game.to_move(state) == (seat,) and game.turn(state).seat not in (seat, CHANCE):
                default = game.default_step(state, seat)
                assert default in game.legal_moves(state, seat)
                assert default == game.default_step(game.resample(state, seat, Random(1)), seat)


MAX_PROMPT_LENGTH = 90
MAX_REACH = 20  # of the symbol of a piece, from its middle
PROMPT_VERBS = (
    "Accept", "Answer", "Choose", "Discard", "Draw", "End", "Keep", "Move", "Offer", "Pass", "Place", "Put",
    "Rearrange", "Wait",
)  # fmt: skip


def a_prompt_says_what_to_do_in_one_sentence(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasPrompt):
        return
    for state, viewer in product(play.states, viewers(play)):
        prompt = game.prompt(game.view(state, viewer))
        may_act = viewer is not None and bool(game.legal_moves(state, viewer))
        assert (prompt is not None) == may_act
        if prompt is None:
            continue
        assert re.fullmatch(rf"({'|'.join(PROMPT_VERBS)})\b[^.!?]*\.", prompt.text), prompt
        assert len(prompt.text) <= MAX_PROMPT_LENGTH
        assert not prompt.title.endswith(".")
        assert prompt.progress is None or 1 <= prompt.progress[0] <= prompt.progress[1]
        if prompt.clause:
            names_a_clause(game, prompt.clause)


def a_reason_names_a_clause_and_forbids_no_legal_step(play: RandomGame) -> None:
    game, rng = play.game, Random(len(play.steps))
    if not isinstance(game, HasReasons):
        return
    for state, seat in [(step.state, step.seat) for step in play.steps[::6] if step.seat >= 0]:
        view = view_for_reason(game, state, seat)
        legal = [game.handles(view, move) for move in game.legal_moves(state, seat)]
        drawn = drawn_handles(game, view)
        begun = [path[: rng.randrange(len(path))] for path in rng.choices(legal, k=3)]
        for path, handle in [*((path, rng.choice(drawn)) for path in [(), *begun]), ((), "no such handle")]:
            reason = game.reason(view, path, handle)
            if reason is not None:
                names_a_clause(game, reason.clause)
                assert reason.sentence.endswith(".")
                assert (*path, handle) not in {path[: length + 1] for path in legal for length in range(len(path))}


def view_for_reason(game: AnyGame, state: State, seat: Seat) -> dict[str, Any]:
    """Return the view that a game gets when it is asked for a reason."""
    return {**game.view(state, seat), **({} if game.info.hidden else {"position": game.encode(state)})}


def names_a_clause(game: AnyGame, clause: str) -> None:
    rules = rules_of(game)
    assert clause
    assert rules is None or f"**{clause}**" in rules


def what_a_viewer_is_shown_follows_from_the_view(play: RandomGame) -> None:
    """Equal views give equal panels, prompts and reasons, whatever the others hold."""
    game, rng = play.game, Random(3)
    if not game.info.hidden:
        return
    for step in play.steps[::9]:
        for seat in play.seats:
            other = game.resample(step.state, seat, rng)
            assert shown_to(game, step.state, seat) == shown_to(game, other, seat)


def shown_to(game: AnyGame, state: State, seat: Seat) -> list[Any]:
    view = view_for_reason(game, state, seat)
    before = json.dumps(view)
    handles = drawn_handles(game, view)
    shown = [
        game.panels(view) if isinstance(game, HasPanels) else None,
        game.prompt(view) if isinstance(game, HasPrompt) else None,
        [game.reason(view, (), handle) for handle in handles] if isinstance(game, HasReasons) else None,
    ]
    assert json.dumps(view) == before
    return shown


# The most calls of functions for one step, view or picture, and how many are usual. Tables wait while one is made.
MAX_CALLS = {"play": 10_000, "view": 50_000, "draw": 120_000}
USUAL_CALLS = {"play": 1_000, "view": 4_000, "draw": 20_000}


def work_is_bounded(play: RandomGame) -> None:
    """Work is counted in calls, which are the same on every machine, however busy; `bench.scene_costs` lists them.

    The end of a game is exempt: it happens once, and its scores must be exact.
    """
    game, calls = play.game, {kind: [0] for kind in MAX_CALLS}
    for step in [step for step in play.steps[::8] if game.to_move(step.after)]:
        calls["play"].append(count_calls(partial(game.play, step.state, step.seat, step.move))[1])
        for viewer in viewers(play):
            view, count = count_calls(partial(game.view, step.after, viewer))
            calls["view"].append(count)
            calls["draw"].append(count_calls(partial(game.draw, view))[1])
    for kind, counts in calls.items():
        assert max(counts) <= MAX_CALLS[kind], kind
        assert median(counts) <= USUAL_CALLS[kind], kind


def there_is_an_outcome_when_no_seat_acts(play: RandomGame) -> None:
    for state in play.states:
        outcome = play.game.outcome(state)
        assert (outcome is None) == bool(play.game.to_move(state))
        if outcome is not None:
            assert len(outcome.scores) == len(outcome.ranking) == len(play.seats)
            assert min(outcome.ranking) == 1
            assert sorted(outcome.ranking) == sorted(
                1 + sum(other < rank for other in outcome.ranking) for rank in outcome.ranking
            )
            assert outcome.reason.isidentifier()
            assert outcome.text.endswith(".")
            assert len(outcome.reached) in (0, len(play.seats))


def turns_go_forward(play: RandomGame) -> None:
    numbers = [play.game.turn(state).number for state in play.states]
    assert all(first <= second for first, second in pairwise(numbers))
    assert numbers[0] >= 0


def a_record_replays_to_the_match(play: RandomGame) -> None:
    """Complete or left in the middle of a turn, with chance as played or drawn from a seed."""
    for match in (to_match(play), to_match(play, "some seed"), to_match(play.first_part(2))):
        text = Record.from_match(match, {"Event": "test"}).text()
        reading = parse_record(text, find_game)
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
        assert verify(load_record(Record.from_match(match).text(), find_game)).is_fair
        assert verify(Record.from_match(match)).is_fair


CHECKS: list[Check] = [
    play_leaves_the_old_state_alone,
    legal_moves_are_sorted_and_unique,
    seats_act_alone_together_or_chance_does,
    who_does_not_act_is_refused,
    nothing_is_played_after_the_end,
    illegal_moves_are_refused_with_a_clause,
    a_move_is_its_text,
    texts_of_moves_differ,
    choices_listed_together_are_those_listed_one_by_one,
    a_turn_is_its_text,
    a_state_is_its_text,
    a_state_survives_a_pickle,
    a_changed_state_is_another,
    a_state_knows_its_options,
    a_state_knows_its_number_of_seats,
    a_view_is_plain_data_and_stays_the_same,
    only_hidden_games_show_seats_different_things,
    a_resampled_state_fits_the_view_and_can_be_played,
    chance_has_positive_weights,
    simultaneous_choices_commute,
    no_viewer_sees_a_commitment_before_all_have_acted,
    topics_tell_no_more_than_texts,
    a_step_that_may_be_undone_has_told_nobody_anything,
    a_step_stands_for_itself,
    handles_distinguish_moves,
    seats_are_named_from_the_view_alone,
    steps_have_words,
    a_handle_is_drawn_or_has_a_label,
    pictures_are_well_formed,
    layers_fit_the_picture_and_follow_from_the_view,
    panels_are_plain_and_keep_their_ids,
    a_default_step_is_legal_and_follows_from_what_the_seat_knows,
    a_prompt_says_what_to_do_in_one_sentence,
    a_reason_names_a_clause_and_forbids_no_legal_step,
    what_a_viewer_is_shown_follows_from_the_view,
    work_is_bounded,
    there_is_an_outcome_when_no_seat_acts,
    turns_go_forward,
    a_record_replays_to_the_match,
    a_seeded_record_keeps_its_promise,
]

every_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)


@pytest.mark.hypothesis
@every_game
@every_check
def test_promise(game: AnyGame, check: Check) -> None:
    @limit_examples(EXAMPLES)
    @given(random_games(game, limit=110))
    def holds(play: RandomGame) -> None:
        check(play)

    holds()


@pytest.mark.slow
@every_game
@every_check
def test_promise_in_many_whole_games(game: AnyGame, check: Check) -> None:
    @limit_examples(SLOW_EXAMPLES)
    @given(random_games(game))
    def holds(play: RandomGame) -> None:
        check(play)

    holds()


@pytest.mark.parametrize("game", [game for game in GAMES if game.info.hidden], ids=game_id)
def test_secret_steps_are_those_that_change_nothing_in_every_preset(game: AnyGame) -> None:
    for number, preset in enumerate(game.info.presets):
        options = game.options(preset)
        start = game.initial(fitting_seats(game, options)[0], options)
        a_step_is_secret_to_those_for_whom_nothing_changes(play_randomly(game, start, number, 120))


# ---- promises about whole games


@pytest.mark.hypothesis
@every_game
def test_every_game_ends(game: AnyGame) -> None:
    @limit_examples(EXAMPLES)
    @given(random_games(game))
    def ends(play: RandomGame) -> None:
        assert game.outcome(play.last) is not None

    ends()


@every_game
def test_every_preset_can_be_played(game: AnyGame) -> None:
    assert game.info.default_preset in game.info.presets
    assert game.options() == game.options(game.info.default_preset)
    for preset in game.info.presets:
        options = game.options(preset)
        play = play_randomly(game, game.initial(fitting_seats(game, options)[0], options), 1, 30)
        assert game.options_of(play.last) == options


@every_game
def test_presets_that_change_options_are_different_rules(game: AnyGame) -> None:
    changing = [preset for preset, values in game.info.presets.items() if values]
    assert len({game.options(), *(game.options(preset) for preset in changing)}) == 1 + len(changing)


@every_game
def test_the_facts_are_whole(game: AnyGame) -> None:
    info = game.info
    assert info.id.isidentifier()
    assert info.id.islower()
    assert info.seats == tuple(sorted(set(info.seats)))
    assert len(info.seat_names) >= info.seats[-1]
    assert len(set(info.seat_names)) == len(info.seat_names)
    assert info.rules_version >= 1
    assert info.sources
    rules = rules_of(game)
    for option in info.options():
        assert option.help.endswith(".")
        assert option.source
        assert rules is None or f"**{option.clause}**" in rules


@every_game
def test_a_wrong_number_of_seats_is_refused(game: AnyGame) -> None:
    for seats in {-1, 0, *range(1, 18)} - {*game.info.seats}:
        with pytest.raises(BadOptions):
            game.initial(seats)


@pytest.mark.hypothesis
@every_game
def test_any_text_is_read_or_refused(game: AnyGame) -> None:
    signs = st.text(st.sampled_from("BPERxab19:@*,()-=/ WNSmove²é\n") | st.characters(), max_size=40)

    @limit_examples(settings().max_examples // 2)
    @given(signs, st.integers(0, 40))
    def reads(text: str, steps: int) -> None:
        state = play_randomly(game, game.initial(game.info.seats[0]), steps, steps).last
        for reader, error in (
            (lambda: game.parse_move(state, text), BadNotation),
            (lambda: game.parse_turn(state, text), RealmtableError),
            (lambda: game.decode(text), BadPosition),
        ):
            with suppress(error):
                reader()

    reads()


@pytest.mark.hypothesis
@every_game
def test_a_damaged_position_is_read_or_refused(game: AnyGame) -> None:
    @limit_examples(settings().max_examples // 2)
    @given(random_games(game, limit=60), st.integers(0, 10**6), st.sampled_from(" :,=-x0123456789WBPE/+"))
    def reads(play: RandomGame, at: int, sign: str) -> None:
        text = game.encode(play.last)
        cut = at % (len(text) + 1)
        for damaged in (text[:cut] + sign + text[cut + 1 :], text[:cut] + sign + text[cut:], text[:cut]):
            with suppress(BadPosition):
                state = game.decode(damaged)
                assert game.decode(game.encode(state)) == state

    reads()


def test_every_registered_game_has_words() -> None:
    assert all(isinstance(game, HasDescriptions) for game in GAMES if game not in TOYS)
    assert all(isinstance(game, HasPrompt) for game in GAMES if game not in TOYS)


@every_game
def test_a_gallery_has_every_card_once_and_shares_one_style(game: AnyGame) -> None:
    if not isinstance(game, HasCardGallery):
        return
    gallery = game.gallery()
    titles, cards = (
        [group.title for group in gallery.groups],
        [card for group in gallery.groups for card in group.cards],
    )
    assert gallery.style
    assert all(group.cards for group in gallery.groups)
    assert len(titles) == len(set(titles))
    assert len(cards) == len({card.name for card in cards})
    for card in cards:
        assert card.name in card.text
        drawn = ET.fromstring(card.svg)  # noqa: S314 - our own picture
        assert drawn.get("aria-label")
        assert not [node for node in drawn.iter() if node.get("id") or node.tag.endswith("style")]


@every_game
def test_a_symbol_stands_for_a_letter_of_the_notation(game: AnyGame) -> None:
    if not isinstance(game, HasPieceSymbols):
        return
    symbols = game.piece_symbols()
    steps = play_randomly(game, game.initial(game.info.seats[0]), 0, 200).steps
    texts = " ".join(game.format_move(step.state, step.move) for step in steps)
    assert symbols.keys() <= {*re.findall(r"[A-Z](?=[a-z]\d)", texts)}
    for letter, shape in symbols.items():
        assert re.fullmatch(r"[A-Z]", letter)
        assert re.fullmatch(r"M[-\d. MLHVCSQTAmlhvcsqtaz]+z", shape)
        assert all(abs(float(number)) <= MAX_REACH for number in re.findall(r"-?(?:\d+(?:\.\d+)?|\.\d+)", shape))


def test_the_toys_do_what_realm_does_not() -> None:
    assert any(game.info.chance and not game.info.hidden for game in TOYS)
    assert any(game.info.hidden for game in TOYS)
    assert any(len(game.info.seats) > 1 for game in TOYS)
    assert any(1 in game.info.seats and isinstance(game, HasSeatNames) for game in TOYS)
    assert any(isinstance(game, HasPanels) and isinstance(game, HasPrompt) for game in TOYS)


def test_a_step_is_a_plain_tuple() -> None:
    """The fields of the helper: state, seat, move, state after."""
    game = TOYS[0]
    match = Match.start(game)
    play = play_randomly(game, match.state, 1, 1)
    assert play.steps == [Step(match.state, 0, "roll", play.last)]
