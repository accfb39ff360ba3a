"""Every registered game, and every toy, keeps the promises of `realmtable.engine.protocol`."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realmtable.engine.errors import BadNotation, BadOptions, BadPosition, RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import (
    AnyGame,
    HasCardGallery,
    HasDescriptions,
    HasPanels,
    HasPieceSymbols,
    HasPrompt,
    HasSeatNames,
)
from tests.conformance import picture_promises, rule_promises, text_promises, view_promises
from tests.conformance.random_games import (
    GAMES,
    TOYS,
    RandomGame,
    Step,
    fitting_seats,
    game_id,
    limit_examples,
    play_randomly,
    random_games,
    rules_of,
)

EXAMPLES = 2  # one with the default options, one with others
SLOW_EXAMPLES = 10
MAX_REACH = 20  # of the symbol of a piece, from its middle
Check = Callable[[RandomGame], None]

every_game = pytest.mark.parametrize("game", GAMES, ids=game_id)

CHECKS: list[Check] = [
    rule_promises.play_leaves_the_old_state_alone,
    rule_promises.legal_moves_are_sorted_and_unique,
    rule_promises.seats_act_alone_together_or_chance_does,
    rule_promises.seats_that_may_not_act_are_refused,
    rule_promises.nothing_is_played_after_the_end,
    rule_promises.illegal_moves_are_refused_with_a_clause,
    rule_promises.a_changed_state_is_another,
    rule_promises.a_state_knows_its_options,
    rule_promises.a_state_knows_its_number_of_seats,
    rule_promises.chance_has_positive_weights,
    rule_promises.a_step_that_may_be_undone_has_told_nobody_anything,
    rule_promises.a_default_step_is_legal_and_follows_from_what_the_seat_knows,
    rule_promises.work_is_bounded,
    rule_promises.there_is_an_outcome_when_no_seat_acts,
    rule_promises.turns_go_forward,
    text_promises.a_move_is_its_text,
    text_promises.texts_of_moves_differ,
    text_promises.choices_listed_together_are_those_listed_one_by_one,
    text_promises.a_turn_is_its_text,
    text_promises.a_state_is_its_text,
    text_promises.a_state_survives_a_pickle,
    text_promises.a_step_stands_for_itself,
    text_promises.steps_have_words,
    text_promises.a_record_replays_to_the_match,
    text_promises.a_seeded_record_keeps_its_promise,
    view_promises.a_view_is_plain_data_and_stays_the_same,
    view_promises.only_hidden_games_show_seats_different_things,
    view_promises.a_resampled_state_fits_the_view_and_can_be_played,
    view_promises.simultaneous_choices_commute,
    view_promises.no_viewer_sees_a_commitment_before_all_have_acted,
    view_promises.topics_tell_no_more_than_texts,
    view_promises.seats_are_named_from_the_view_alone,
    picture_promises.handles_distinguish_moves,
    picture_promises.a_handle_is_drawn_or_has_a_label,
    picture_promises.pictures_are_well_formed,
    picture_promises.the_parts_that_a_step_changes_lead_to_its_picture_and_are_few,
    picture_promises.layers_fit_the_picture_and_follow_from_the_view,
    picture_promises.panels_are_plain_and_keep_their_ids,
    picture_promises.a_prompt_says_what_to_do_in_one_sentence,
    picture_promises.a_reason_names_a_clause_and_forbids_no_legal_step,
    picture_promises.what_a_viewer_is_shown_follows_from_the_view,
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
        view_promises.a_step_is_secret_to_those_for_whom_nothing_changes(play_randomly(game, start, number, 120))


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
    assert {game.info.default_preset, game.info.suggested_preset} <= set(game.info.presets)
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
