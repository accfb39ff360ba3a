"""Bots of Fantasy Realms: they see a view only, take what helps, and end games."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.engine.match import Match
from realmtable.engine.protocol import CLOCK, HasBots, seated
from realmtable.games.fantasy_realms.bots.hand_values import (
    KEYS,
    MEMO,
    final_worth,
    mask_of,
    new_room,
    score_mask,
    worth,
)
from realmtable.games.fantasy_realms.bots.knowledge import knowledge
from realmtable.games.fantasy_realms.bots.players import FantasyBot, Strength, level_bot
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, names_of
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.api import best_worth
from realmtable.games.fantasy_realms.scoring.card_arrays import tables
from realmtable.games.fantasy_realms.state import State, Step
from realmtable.search.bots import GreedyBot, RandomBot
from tests.fantasy_realms.helpers import GAME

ALL = range(len(CARDS))


def ids(names: list[str]) -> list[int]:
    return [BY_NAME[name].id for name in names]


def played(bots: list[Any], seed: str, preset: str | None = None, steps: int = 2000) -> Match:
    """A game of bots; in trading everybody in turn."""
    match = Match.start(GAME, GAME.initial(len(bots), GAME.options(preset)), seed=seed)
    rng = Random(seed)
    for _ in range(steps):
        acting = seated(GAME.to_move(match.state))
        if not acting:
            break
        seat = rng.choice(acting)
        match = match.play(seat, bots[seat].choose(GAME, match.state, seat, rng))
    return match


@pytest.mark.parametrize(("seats", "preset"), [(3, None), (2, None), (4, "chaos")])
def test_bots_play_every_variant_to_its_end(seats: int, preset: str | None) -> None:
    others = [RandomBot() if seats == 3 else FantasyBot() for _ in range(1, seats)]
    match = played([FantasyBot(), *others], f"{seats} {preset}", preset)
    assert match.outcome() is not None


@pytest.mark.parametrize(("seats", "steps"), [(3, 2), (2, 2), (2, 16)])
def test_bots_that_look_ahead_play_too(seats: int, steps: int) -> None:
    state = started("ahead", seats, steps)
    for _ in range(2):
        seat = seated(GAME.to_move(state))[0]
        step = FantasyBot(Strength(1, 5.0)).choose(GAME, state, seat, Random(1))
        match = Match.start(GAME, state, seed="ahead").play(seat, step)
        state = match.state


@pytest.mark.slow
def test_who_takes_what_helps_beats_who_plays_at_random() -> None:
    outcome = played([level_bot(2), RandomBot(), RandomBot()], "greedy 0").outcome()
    assert outcome is not None
    assert outcome.winner == 0


def started(seed: str, seats: int = 3, steps: int = 6) -> State:
    """A state some steps into a game, somebody to draw or drop."""
    state: State = played([RandomBot()] * seats, seed, steps=steps).state
    return state


@pytest.mark.parametrize("steps", [12, 13])
def test_bots_choose_the_same_when_hidden_cards_are_permuted(steps: int) -> None:
    """No leak: a bot sees its view only, so another deal of what is hidden changes nothing."""
    state = started("permuted", steps=steps)
    seat = seated(GAME.to_move(state))[0]
    chosen = {
        FantasyBot(Strength(1)).choose(GAME, other, seat, Random(5))
        for other in [state, *(GAME.resample(state, seat, Random(number)) for number in range(2))]
    }
    assert len(chosen) == 1


def test_a_greedy_bot_takes_the_card_that_makes_its_hand() -> None:
    view = {
        **GAME.view(started("fit", steps=6), 0),
        "viewer": 0,
        "phase": "draw",
        "hand": ["King", "Knights", "Light Cavalry", "Rangers", "Dwarvish Infantry", "Elven Archers", "Candle"],
        "discard": [{"card": "Queen", "seat": 1}, {"card": "Smoke", "seat": 2}],
        "known": [[], [], []],
    }
    steps = [Step("deck"), Step("take", BY_NAME["Queen"].id), Step("take", BY_NAME["Smoke"].id)]
    chosen = FantasyBot().decide(view, steps, FantasyOptions(), Random(1))
    assert chosen == Step("take", BY_NAME["Queen"].id)


def test_where_nothing_lies_there_that_helps_a_greedy_bot_draws() -> None:
    view = {**GAME.view(started("draws", steps=6), 0), "viewer": 0, "phase": "draw", "known": [[], [], []]}
    view["hand"] = ["Knights", "King", "Queen", "Rangers", "Elven Archers", "Princess", "Empress"]
    view["discard"] = [{"card": "Smoke", "seat": 1}]
    steps = [Step("deck"), Step("take", BY_NAME["Smoke"].id)]
    assert FantasyBot().decide(view, steps, FantasyOptions(), Random(1)) == Step("deck")


def drawing(**changes: object) -> dict[str, Any]:
    """The view of somebody who draws, changed."""
    view = {**GAME.view(started("late", steps=6), 0), "viewer": 0, "phase": "draw", "known": [[], [], []]}
    view["hand"] = ["Knights", "King", "Queen", "Rangers", "Elven Archers", "Princess", "Empress"]
    view["discard"] = [{"card": "Smoke", "seat": 1}]
    return {**view, **changes}


def test_the_later_it_is_the_better_a_card_from_the_deck_seems() -> None:
    """So that two who wait for each other do not wait for ever."""
    steps = [Step("deck"), Step("take", BY_NAME["Smoke"].id)]
    bot = FantasyBot(Strength(1))
    soon, late = (bot.values(drawing(turn=turn), steps, FantasyOptions(), Random(1)) for turn in (30, 130))
    assert late[steps[0]] == pytest.approx(soon[steps[0]] + 20)
    assert late[steps[1]] == soon[steps[1]]


def test_who_is_ready_comes_back_for_a_deal_and_for_nothing_else() -> None:
    """X5."""
    match = played([FantasyBot()] * 3, "back", "chaos", steps=400)
    assert not any(FantasyBot().comes_back(GAME, match.state, seat) for seat in range(3))
    trading: State = played([RandomBot()] * 3, "back", "chaos", steps=12).state
    seats = [seat for seat in range(3) if FantasyBot().comes_back(GAME, trading, seat)]
    assert seats


def test_what_was_just_taken_is_not_dropped_again() -> None:
    hand = ["Knights", "King", "Queen", "Rangers", "Elven Archers", "Princess", "Empress", "Smoke"]
    steps = [Step("drop", BY_NAME[name].id) for name in hand]
    for known, count in (([["Smoke"], [], []], 7), ([[], [], []], 8)):
        view = drawing(phase="discard", hand=hand, drawn=["Smoke"], discard=[], known=known)
        assert len(FantasyBot(Strength(1)).values(view, steps, FantasyOptions(), Random(1))) == count


def test_the_necromancer_of_chaos_realms_asks_for_an_eighth_card_and_keeps_the_best() -> None:
    """X7."""
    hand = ["Necromancer", "Bell Tower", "Candle", "Sword of Keth", "Shield of Keth", "Gem of Order", "Book of Changes"]
    view = drawing(phase="necromancer", hand=hand)
    assert FantasyBot().decide(view, [Step("deck"), Step("leave")], FantasyOptions(), Random(1)) == Step("deck")
    drawn = ["Smoke", "Warhorse", "Swamp"]
    steps = [Step("keep", BY_NAME[name].id) for name in drawn]
    kept = FantasyBot().decide(drawing(phase="keep", hand=hand + drawn), steps, FantasyOptions(), Random(1))
    assert kept == Step("keep", BY_NAME["Warhorse"].id)


def test_what_a_player_knows_is_read_off_his_view() -> None:
    state = started("known", steps=15)
    seat = seated(GAME.to_move(state))[0]
    known = knowledge(GAME.view(state, seat))
    others = {card for other, hand in enumerate(state.hands) if other != seat for card in hand}
    theirs = tuple(mask for other, mask in enumerate(known.held) if other != seat)
    assert set(known.unseen) | mask_cards(theirs) == set(state.deck) | others
    assert known.theirs == sum(theirs)


def mask_cards(masks: tuple[int, ...]) -> set[int]:
    return {card for mask in masks for card in ALL if mask >> card & 1}


def test_levels_and_greedy_are_the_game_s_own() -> None:
    assert isinstance(GAME, HasBots)
    state = started("levels", steps=7)
    seat = seated(GAME.to_move(state))[0]
    greedy = GreedyBot().choose(GAME, state, seat, Random(3))
    assert (
        greedy == level_bot(2).choose(GAME, state, seat, Random(3)) == level_bot(4).choose(GAME, state, seat, Random(3))
    )
    assert level_bot(8).strength.looks > level_bot(5).strength.looks > 0
    level_bot(8).warm()


# ---- what hands may become


def test_remembered_worths_are_those_of_the_scorer() -> None:
    table, room, rng = tables(), new_room(), Random("worths")
    for _ in range(20):
        hand = rng.sample(ALL, 7)
        assert worth(table, room, mask_of(hand)) == worth(table, room, mask_of(hand)) == best_worth(hand)


def test_a_full_memory_forgets() -> None:
    """More hands than there is room for fall on the same places."""
    table, room = tables(), new_room()
    same = [1 << 6 | (number << 20 ^ number >> 3) for number in range(1, 3)]
    for hand in [*same, *same]:
        assert worth(table, room, hand) == score_mask(table, room, hand)
    for slot in range(MEMO):
        room[KEYS + slot] = 1
    assert worth(table, room, mask_of([3, 4])) == best_worth([3, 4])


def test_an_eighth_card_counts_at_the_end() -> None:
    """S8."""
    hand = ids(
        ["Necromancer", "Bell Tower", "Candle", "Sword of Keth", "Shield of Keth", "Gem of Order", "Book of Changes"]
    )
    warhorse = mask_of(ids(["Warhorse"]))
    assert final_worth(tables(), new_room(), mask_of(hand), warhorse) == 397
    assert final_worth(tables(), new_room(), mask_of(hand[1:]), warhorse) == best_worth(hand[1:])


def test_traders_ask_for_what_helps_and_accept_it() -> None:
    """X2: a bid that helps is accepted, and one is made for a card that helps."""
    match = played([level_bot(2)] * 3, "trade", "chaos", steps=60)
    steps = [entry.move.verb for entry in match.log() if entry.seat >= 0]
    assert {"offer", "bid"} <= set(steps)
    assert CLOCK not in {entry.seat for entry in match.log()}
    assert names_of(match.state.hands[0])
