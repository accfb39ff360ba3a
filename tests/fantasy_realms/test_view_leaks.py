"""No leaks: views and news do not depend on cards that the viewer cannot know."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from realmtable.engine.errors import Refused
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.state import Bid, State, Step
from tests.fantasy_realms.helpers import (
    ALL,
    GAME,
    TABLES,
    Moment,
    card,
    patch_quick_scores,
    play,
    random_game,
    start,
    table,
)

SEEDS = [0, pytest.param(1, marks=pytest.mark.slow)]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)


def swap_cards(state: State, first: CardId, second: CardId) -> State:
    """The same state with two cards in each other's place."""
    places = {first: second, second: first}

    def swap_in(cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
        return tuple(places.get(card, card) for card in cards)

    return replace(
        state,
        hands=tuple(map(swap_in, state.hands)),
        discard=tuple((places.get(card, card), seat) for card, seat in state.discard),
        known=tuple(sorted(swap_in(state.known))),
        offers=swap_in(state.offers),
        bids=tuple(Bid(*swap_in(bid)) for bid in state.bids),
        refused=tuple(Bid(*swap_in(bid)) for bid in state.refused),
        seen=tuple(tuple(sorted(swap_in(cards))) for cards in state.seen),
    )


def swap_in_step(step: Step, first: CardId, second: CardId) -> Step:
    if step.verb == "first":
        return step
    places = {first: second, second: first}
    return Step(step.verb, places.get(step.card, step.card), places.get(step.other, step.other))


def visible_cards(state: State, viewer: Seat | None) -> set[CardId]:
    """The cards that a viewer sees or has seen go where they are."""
    own = () if viewer is None else (*state.hands[viewer], *(state.seen[viewer] if state.seen else ()))
    return {*state.known, *state.open_cards(), *own}


def never_visible(moments: list[Moment], viewer: Seat | None) -> list[CardId]:
    """Return the cards that a viewer never sees before hands are open, except the Necromancer."""
    running = [moment.state for moment in moments if moment.state.phase != "over"]
    seen = set().union(*(visible_cards(state, viewer) for state in running), moments[-1].state.open_cards())
    return sorted(ALL - seen - {card("Necromancer")})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_views_and_news_do_not_depend_on_cards_that_a_viewer_never_sees(variant: str, seats: int, seed: int) -> None:
    moments = list(random_game(start(seats, variant, max_turns=25, max_steps=50), seed, clock=0.0))
    rng = Random(seed)
    met = 0
    for viewer in (None, *range(seats)):
        hidden = never_visible(moments, viewer)
        for _ in range(2 if len(hidden) > 1 else 0):
            first, second = rng.sample(hidden, 2)
            met += _runs_alike(moments, viewer, first, second)
    assert met


def _runs_alike(moments: list[Moment], viewer: Seat | None, first: CardId, second: CardId) -> bool:
    """Play the game again with two cards exchanged from the start: the viewer cannot notice."""
    state = swap_cards(moments[0].state, first, second)
    for real in moments:
        if real.step is None:
            break
        assert state == swap_cards(real.state, first, second)
        assert GAME.view(state, viewer) == GAME.view(real.state, viewer)
        step = swap_in_step(real.step, first, second)
        assert GAME.format_move_for(state, real.seat, step, viewer) == GAME.format_move_for(
            real.state, real.seat, real.step, viewer
        )
        assert GAME.news(state, real.seat, step, viewer) == GAME.news(real.state, real.seat, real.step, viewer)
        state = GAME.play(state, real.seat, step)
    return True


def test_a_drawn_card_is_shown_only_to_the_player_who_draws() -> None:
    state = play(table(), "deck")
    texts = [GAME.format_move_for(state, CHANCE, Step("draw", card("King")), viewer) for viewer in (None, 0, 1, 2)]
    assert texts == ["a card", "King", "a card", "a card"]
    dealing = play(start(3), "first 3", "Queen")
    texts = [GAME.format_move_for(dealing, CHANCE, Step("draw", card("King")), viewer) for viewer in (None, 0, 1, 2)]
    assert texts == ["a card", "King", "a card", "a card"]
    assert GAME.format_move_for(start(3), CHANCE, Step("first", 1), None) == "first 2"
    assert GAME.format_move_for(table(), 0, Step("deck"), None) == "deck"


def test_bids_are_shown_to_both_sides_and_trades_to_all_without_the_bid_card() -> None:
    state = play(table(3, "chaos"), "1 offer Forest", "2 bid Island for Forest")
    for verb, teller, outside in (
        ("bid", 1, ""), ("cancel", 1, ""), ("refuse", 0, ""), ("accept", 0, "accept a card of Azure for Forest"),
    ):  # fmt: skip
        step = Step(verb, card("Island"), card("Forest"))
        texts = [GAME.format_move_for(state, teller, step, viewer) for viewer in (None, 0, 1, 2)]
        assert texts == [outside, f"{verb} Island for Forest", f"{verb} Island for Forest", outside]
    assert GAME.format_move_for(state, 0, Step("offer", card("Cavern")), 2) == "offer Cavern"


def test_a_secret_bid_that_ends_trading_is_known_to_have_been_taken() -> None:
    state = replace(play(table(3, "chaos"), "1 offer Forest"), steps=1999)
    step = Step("bid", card("Island"), card("Forest"))
    assert [GAME.format_move_for(state, 1, step, viewer) for viewer in (None, 2)] == ["…", "…"]
    assert GAME.format_move_for(state, 1, step, 0) == "bid Island for Forest"


def test_the_necromancers_choice_is_shown_only_to_its_holder() -> None:
    state = play(table(4, "chaos"), "time", "deck", "King", "Queen", "Dragon")
    texts = [GAME.format_move_for(state, 3, Step("keep", card("King")), viewer) for viewer in (None, 0, 3)]
    assert texts == ["keep a card", "keep a card", "keep King"]


@pytest.mark.parametrize("seed", range(4))
def test_refusals_do_not_depend_on_hidden_cards(seed: int) -> None:
    """Check that answers to any attempt do not depend on cards the player cannot know."""
    rng = Random(seed)
    for state, *_ in list(random_game(start(4, "chaos", max_steps=60), seed, clock=0.0))[28::7]:
        for seat in range(4 if state.phase == "trade" else 0):
            other = GAME.resample(state, seat, rng)
            for verb in ("offer", "withdraw", "bid", "cancel", "accept", "refuse", "take", "active"):
                step = Step(verb, rng.randrange(len(CARDS)), rng.randrange(len(CARDS)))
                assert _answer(state, seat, step) == _answer(other, seat, step)


def _answer(state: State, seat: Seat, step: Step) -> str:
    try:
        GAME.play(state, seat, step)
    except Refused as error:
        return str(error)
    return "played"
