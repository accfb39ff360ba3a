"""Every registered game, and every toy, passes the checks of its tier."""

from __future__ import annotations

import pytest

from realmtable.conformance import Check, checks_for
from realmtable.conformance.checks import PLAY_CHECKS, PlayCheck, check_random_games
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, GuidesPlayers, HasPanels, HasSeatNames
from tests.conformance.random_games import GAMES, TOYS, Step, game_id, play_randomly

SLOW_EXAMPLES = 10
# The checks that take more than half a second with a game.
LONG = {
    "fantasy_realms": {
        "secret_steps_are_those_that_change_nothing_in_every_preset",
        "the_parts_that_a_step_changes_lead_to_its_picture_and_are_few",
        "what_a_viewer_is_shown_follows_from_the_view",
        "work_is_bounded",
    },
    "magic_realm": {
        "a_damaged_position_is_read_or_refused",
        "a_prompt_says_what_to_do_in_one_sentence",
        "a_record_replays_to_the_match",
        "a_resampled_state_fits_the_view_and_can_be_played",
        "a_state_is_its_text",
        "a_step_stands_for_itself",
        "a_view_is_plain_data_and_stays_the_same",
        "every_game_ends",
        "layers_fit_the_picture_and_follow_from_the_view",
        "no_viewer_sees_a_commitment_before_all_have_acted",
        "play_leaves_the_old_state_alone",
        "seats_are_named_from_the_view_alone",
        "secret_steps_are_those_that_change_nothing_in_every_preset",
        "the_parts_that_a_step_changes_lead_to_its_picture_and_are_few",
        "what_a_viewer_is_shown_follows_from_the_view",
        "work_is_bounded",
    },
    "modern_realm": {
        "a_damaged_position_is_read_or_refused",
        "a_reason_names_a_clause_and_forbids_no_legal_step",
        "a_record_replays_to_the_match",
        "any_text_is_read_or_refused",
        "play_leaves_the_old_state_alone",
    },
    "oriental_realm": {"the_parts_that_a_step_changes_lead_to_its_picture_and_are_few"},
    "realm": {"the_parts_that_a_step_changes_lead_to_its_picture_and_are_few"},
    "realms_of_etherium": {
        "a_damaged_position_is_read_or_refused",
        "every_game_ends",
        "it_has_a_summary_a_lesson_and_records",
        "layers_fit_the_picture_and_follow_from_the_view",
        "panels_are_plain_and_keep_their_ids",
    },
}
CHECKED = [
    pytest.param(
        game,
        check,
        id=f"{check}-{game.info.id}",
        marks=pytest.mark.long if check.name in LONG.get(game.info.id, ()) else (),
    )
    for game in GAMES
    for check in checks_for(game)
]


@pytest.mark.hypothesis
@pytest.mark.parametrize(("game", "check"), CHECKED)
def test_check(game: AnyGame, check: Check) -> None:
    check.run(game)


def test_the_long_checks_exist() -> None:
    for name, checks in LONG.items():
        assert checks <= {check.name for game in GAMES if game.info.id == name for check in checks_for(game)}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=game_id)
@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_check_in_many_whole_games(game: AnyGame, check: PlayCheck) -> None:
    check_random_games(check, game, SLOW_EXAMPLES)


def test_every_registered_game_is_complete() -> None:
    assert {game.info.tier for game in GAMES if game not in TOYS} == {"complete"}


def test_the_toys_do_what_realm_does_not() -> None:
    assert any(game.info.chance and not game.info.hidden for game in TOYS)
    assert any(game.info.hidden for game in TOYS)
    assert any(len(game.info.seats) > 1 for game in TOYS)
    assert any(1 in game.info.seats and isinstance(game, HasSeatNames) for game in TOYS)
    assert any(isinstance(game, HasPanels) and isinstance(game, GuidesPlayers) for game in TOYS)


def test_a_step_is_a_plain_tuple() -> None:
    """The fields of the helper: state, seat, move, state after."""
    game = TOYS[0]
    match = Match.start(game)
    play = play_randomly(game, match.state, 1, 1)
    assert play.steps == [Step(match.state, 0, "roll", play.last)]
