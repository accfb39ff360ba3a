"""All checks, and which of them a game must pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import given

from realmtable.conformance import (
    complete_checks,
    number_checks,
    picture_checks,
    rule_checks,
    text_checks,
    view_checks,
    whole_game_checks,
)
from realmtable.conformance.random_games import RandomGame, limit_examples, random_games
from realmtable.engine.protocol import AnyGame, Tier

EXAMPLES = 2  # one with the default options, one with others
MOST_STEPS = 110  # of the random games that most checks look at
PlayCheck = Callable[[RandomGame], None]
GameCheck = Callable[[AnyGame], None]

# Each gets random games, or their beginnings. A check of what a game does not offer passes.
PLAY_CHECKS: tuple[PlayCheck, ...] = (
    rule_checks.play_leaves_the_old_state_alone,
    rule_checks.legal_moves_are_sorted_and_unique,
    rule_checks.seats_act_alone_together_or_chance_does,
    rule_checks.seats_that_may_not_act_are_refused,
    rule_checks.nothing_is_played_after_the_end,
    rule_checks.illegal_moves_are_refused_with_a_clause,
    rule_checks.a_changed_state_is_another,
    rule_checks.a_state_knows_its_options,
    rule_checks.a_state_knows_its_number_of_seats,
    rule_checks.chance_has_positive_weights,
    rule_checks.a_step_that_may_be_undone_has_told_nobody_anything,
    rule_checks.a_default_step_is_legal_and_follows_from_what_the_seat_knows,
    rule_checks.work_is_bounded,
    rule_checks.there_is_an_outcome_when_no_seat_acts,
    rule_checks.turns_go_forward,
    text_checks.a_move_is_its_text,
    text_checks.texts_of_moves_differ,
    text_checks.choices_listed_together_are_those_listed_one_by_one,
    text_checks.a_turn_is_its_text,
    text_checks.a_state_is_its_text,
    text_checks.a_state_survives_a_pickle,
    text_checks.a_step_stands_for_itself,
    text_checks.steps_have_words,
    text_checks.a_record_replays_to_the_match,
    text_checks.a_seeded_record_keeps_its_promise,
    view_checks.a_view_is_plain_data_and_stays_the_same,
    view_checks.only_hidden_games_show_seats_different_things,
    view_checks.a_resampled_state_fits_the_view_and_can_be_played,
    view_checks.an_answer_to_a_text_tells_nothing_of_what_others_hold,
    view_checks.simultaneous_choices_commute,
    view_checks.no_viewer_sees_a_commitment_before_all_have_acted,
    view_checks.topics_tell_no_more_than_texts,
    view_checks.seats_are_named_from_the_view_alone,
    picture_checks.handles_distinguish_moves,
    picture_checks.a_handle_is_drawn_or_has_a_label,
    picture_checks.pictures_are_well_formed,
    picture_checks.the_parts_that_a_step_changes_lead_to_its_picture_and_are_few,
    picture_checks.layers_fit_the_picture_and_follow_from_the_view,
    picture_checks.panels_are_plain_and_keep_their_ids,
    picture_checks.a_prompt_says_what_to_do_in_one_sentence,
    picture_checks.a_reason_names_a_clause_and_forbids_no_legal_step,
    picture_checks.what_a_viewer_is_shown_follows_from_the_view,
    number_checks.every_step_has_a_number_of_its_own,
    number_checks.views_have_numbers_of_one_size,
)
GAME_CHECKS: tuple[GameCheck, ...] = (
    whole_game_checks.every_game_ends,
    whole_game_checks.every_preset_can_be_played,
    whole_game_checks.presets_that_change_options_are_different_rules,
    whole_game_checks.secret_steps_are_those_that_change_nothing_in_every_preset,
    whole_game_checks.the_facts_are_whole,
    whole_game_checks.a_wrong_number_of_seats_is_refused,
    whole_game_checks.any_text_is_read_or_refused,
    whole_game_checks.a_damaged_position_is_read_or_refused,
    whole_game_checks.a_gallery_has_every_card_once_and_shares_one_style,
    whole_game_checks.a_symbol_stands_for_a_letter_of_the_notation,
)
COMPLETE_CHECKS: tuple[GameCheck, ...] = (
    complete_checks.it_describes_steps_and_guides_players,
    complete_checks.it_has_numbers_for_programs_that_learn,
    complete_checks.it_has_bots_of_its_own_or_rules_for_the_search,
    complete_checks.its_options_name_clauses_and_sources,
    complete_checks.its_rules_have_examples_that_can_be_played_and_drawn,
    complete_checks.it_has_a_summary_a_lesson_and_records,
)


@dataclass(frozen=True)
class Check:
    """A check of a game; `run` raises AssertionError if the game fails."""

    name: str
    run: Callable[[AnyGame], None]

    def __str__(self) -> str:
        """Return the name, as the id of a test."""
        return self.name


def checks_for(game: AnyGame, tier: Tier | None = None) -> list[Check]:
    """Return the checks that a game of a tier must pass, by default of the one that it declares."""
    of_tier = COMPLETE_CHECKS if (tier or game.info.tier) == "complete" else ()
    plays = [Check(check.__name__, _on_random_games(check)) for check in PLAY_CHECKS]
    return plays + [Check(check.__name__, check) for check in (*GAME_CHECKS, *of_tier)]


def _on_random_games(check: PlayCheck) -> GameCheck:
    return lambda game: check_random_games(check, game, EXAMPLES, MOST_STEPS)


def check_random_games(check: PlayCheck, game: AnyGame, examples: int, most_steps: int | None = None) -> None:
    """Run a check on some random games, or on their first steps."""

    @limit_examples(examples)
    @given(random_games(game, limit=most_steps))
    def holds(play: RandomGame) -> None:
        check(play)

    holds()
