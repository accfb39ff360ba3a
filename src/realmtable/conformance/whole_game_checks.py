"""Checks of a game as a whole: its facts and presets, that it ends, and that it reads or refuses any text."""

from __future__ import annotations

import re
from contextlib import suppress
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realmtable.conformance.random_games import (
    RandomGame,
    fitting_seats,
    limit_examples,
    play_randomly,
    random_games,
    viewers,
)
from realmtable.engine.errors import BadNotation, BadOptions, BadPosition, RealmtableError
from realmtable.engine.match import format_move_for
from realmtable.engine.protocol import AnyGame, HasCardGallery, HasNews, HasPieceSymbols

EXAMPLES = 2  # of whole games
MAX_REACH = 20  # of the symbol of a piece, from its middle
MOST_SEATS = 17


def every_game_ends(game: AnyGame) -> None:
    @limit_examples(EXAMPLES)
    @given(random_games(game))
    def ends(play: RandomGame) -> None:
        assert game.outcome(play.last) is not None

    ends()


def every_preset_can_be_played(game: AnyGame) -> None:
    assert {game.info.default_preset, game.info.suggested_preset} <= set(game.info.presets)
    assert game.options() == game.options(game.info.default_preset)
    for preset in game.info.presets:
        options = game.options(preset)
        play = play_randomly(game, game.initial(fitting_seats(game, options)[0], options), 1, 30)
        assert game.options_of(play.last) == options


def presets_that_change_options_are_different_rules(game: AnyGame) -> None:
    changing = [preset for preset, values in game.info.presets.items() if values]
    assert len({game.options(), *(game.options(preset) for preset in changing)}) == 1 + len(changing)


def secret_steps_are_those_that_change_nothing_in_every_preset(game: AnyGame) -> None:
    for number, preset in enumerate(game.info.presets if game.info.hidden else ()):
        options = game.options(preset)
        start = game.initial(fitting_seats(game, options)[0], options)
        _check_secret_steps(play_randomly(game, start, number, 120))


def _check_secret_steps(play: RandomGame) -> None:
    """A text is empty exactly for viewers who may not know that a step was taken."""
    game = play.game
    for step in play.steps:
        was, now = ((game.to_move(at), game.turn(at), game.outcome(at)) for at in (step.state, step.after))
        for viewer in viewers(play):
            unchanged = was == now and game.view(step.state, viewer) == game.view(step.after, viewer)
            secret = format_move_for(game, step.state, step.seat, step.move, viewer) == ""
            assert secret == (unchanged and viewer != step.seat), (viewer, step)
            if secret and isinstance(game, HasNews):
                assert game.news(step.state, step.seat, step.move, viewer) == ""


def the_facts_are_whole(game: AnyGame) -> None:
    info = game.info
    assert info.id.isidentifier()
    assert info.id.islower()
    assert info.title == info.title.strip() != ""
    assert info.seats == tuple(sorted(set(info.seats)))
    assert len(info.seat_names) >= info.seats[-1]
    assert len(set(info.seat_names)) == len(info.seat_names)
    assert info.rules_version >= 1
    assert all(option.help.endswith(".") for option in info.options())


def a_wrong_number_of_seats_is_refused(game: AnyGame) -> None:
    for seats in {-1, *range(MOST_SEATS + 1)} - {*game.info.seats}:
        with pytest.raises(BadOptions):
            game.initial(seats)


def any_text_is_read_or_refused(game: AnyGame) -> None:
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


def a_damaged_position_is_read_or_refused(game: AnyGame) -> None:
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


def a_gallery_has_every_card_once_and_shares_one_style(game: AnyGame) -> None:
    if not isinstance(game, HasCardGallery):
        return
    gallery = game.gallery()
    titles = [group.title for group in gallery.groups]
    cards = [card for group in gallery.groups for card in group.cards]
    assert gallery.style
    assert all(group.cards for group in gallery.groups)
    assert len(titles) == len(set(titles))
    assert len(cards) == len({card.name for card in cards})
    for card in cards:
        assert card.name in card.text
        drawn = ET.fromstring(card.svg)  # noqa: S314 - our own picture
        assert drawn.get("aria-label")
        assert not [node for node in drawn.iter() if node.get("id") or node.tag.endswith("style")]


def a_symbol_stands_for_a_letter_of_the_notation(game: AnyGame) -> None:
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
