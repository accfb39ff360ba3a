"""Bots of Fantasy Realms: they see only a view, take useful cards, and finish games."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from realmtable.engine.bots import HasBots
from realmtable.engine.match import Match
from realmtable.engine.protocol import CLOCK, player_seats
from realmtable.games.fantasy_realms.bots.bot import BotStrength, FantasyBot, bot_for_level
from realmtable.games.fantasy_realms.bots.hand_values import (
    CACHE_KEYS,
    CACHE_SIZE,
    SEEN_SCALE,
    SeenHandValues,
    compute_worth,
    final_worth,
    hand_values_for,
    lookup_worth,
    mask_of,
    new_cached_workspace,
)
from realmtable.games.fantasy_realms.bots.knowledge import read_knowledge
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, names_of
from realmtable.games.fantasy_realms.notation import format_move
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.card_arrays import card_arrays
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import State, Step
from realmtable.search.baselines import GreedyBot, RandomBot
from realmtable.search.bot_levels import levels, make_bot
from tests.fantasy_realms.helpers import GAME, ids

ALL = range(len(CARDS))
STUDY = Path(__file__).parents[2] / "studies" / "fantasy_bots" / "levels.md"
NECROMANCERS_HAND = [
    *("Necromancer", "Bell Tower", "Candle", "Sword of Keth", "Shield of Keth", "Gem of Order", "Book of Changes")
]


def play_bots(bots: list[Any], seed: str, preset: str | None = None, steps: int = 2000) -> Match:
    """A game of bots; in trading everybody in turn."""
    match = Match.start(GAME, GAME.initial(len(bots), GAME.options(preset)), seed=seed)
    rng = Random(seed)
    for _ in range(steps):
        acting = player_seats(GAME.to_move(match.state))
        if not acting:
            break
        seat = rng.choice(acting)
        match = match.play(seat, bots[seat].choose(GAME, match.state, seat, rng))
    return match


@pytest.mark.long
@pytest.mark.parametrize(("seats", "preset"), [(3, None), (2, None), (4, "chaos")])
def test_bots_play_every_variant_to_its_end(seats: int, preset: str | None) -> None:
    others = [RandomBot() if seats == 3 else FantasyBot() for _ in range(1, seats)]
    match = play_bots([FantasyBot(), *others], f"{seats} {preset}", preset)
    assert match.outcome() is not None


def test_a_single_step_is_taken() -> None:
    assert FantasyBot().choose_from_view(drawing_view(), [Step("deck")], FantasyOptions(), Random(1)) == Step("deck")


@pytest.mark.parametrize(("seats", "steps"), [(3, 2), (2, 2), (2, 16)])
def test_bots_that_look_ahead_play_too(seats: int, steps: int) -> None:
    state = state_after_steps("ahead", seats, steps)
    for _ in range(2):
        seat = player_seats(GAME.to_move(state))[0]
        step = FantasyBot(BotStrength(1, 5.0)).choose(GAME, state, seat, Random(1))
        match = Match.start(GAME, state, seed="ahead").play(seat, step)
        state = match.state


@pytest.mark.slow
def test_a_greedy_bot_beats_a_random_bot() -> None:
    outcome = play_bots([FantasyBot(), RandomBot(), RandomBot()], "greedy 0").outcome()
    assert outcome is not None
    assert outcome.winner == 0


def state_after_steps(seed: str, seats: int = 3, steps: int = 6) -> State:
    """Return a state some steps into a game, with a player to draw or discard."""
    state: State = play_bots([RandomBot()] * seats, seed, steps=steps).state
    return state


@pytest.mark.parametrize("steps", [12, 13])
def test_bots_choose_the_same_when_hidden_cards_are_permuted(steps: int) -> None:
    """No leak: a bot sees its view only, so another deal of what is hidden changes nothing."""
    state = state_after_steps("permuted", steps=steps)
    seat = player_seats(GAME.to_move(state))[0]
    chosen = {
        FantasyBot(BotStrength(1)).choose(GAME, other, seat, Random(5))
        for other in [state, *(GAME.resample(state, seat, Random(number)) for number in range(2))]
    }
    assert len(chosen) == 1


def drawing_view(**changes: object) -> dict[str, Any]:
    view = {**GAME.view(state_after_steps("late", steps=6), 0), "viewer": 0, "phase": "draw", "known": [[], [], []]}
    view["hand"] = ["Knights", "King", "Queen", "Rangers", "Elven Archers", "Princess", "Empress"]
    view["discard"] = [{"card": "Smoke", "seat": 1}]
    return {**view, **changes}


@pytest.mark.parametrize(
    ("hand", "discard", "expected"),
    [
        (
            ["King", "Knights", "Light Cavalry", "Rangers", "Dwarvish Infantry", "Elven Archers", "Candle"],
            ["Queen", "Smoke"],
            "take Queen",
        ),
        (["Knights", "King", "Queen", "Rangers", "Elven Archers", "Princess", "Empress"], ["Smoke"], "deck"),
    ],
)
def test_a_greedy_bot_takes_the_card_that_makes_its_hand_or_draws(
    hand: list[str], discard: list[str], expected: str
) -> None:
    view = drawing_view(hand=hand, discard=[{"card": name, "seat": 1} for name in discard])
    steps = [Step("deck"), *(Step("take", card) for card in ids(*discard))]
    assert format_move(FantasyBot().choose_from_view(view, steps, FantasyOptions(), Random(1))) == expected


def test_the_later_it_is_the_better_a_card_from_the_deck_seems() -> None:
    """Otherwise two waiting players could wait for each other forever."""
    steps = [Step("deck"), Step("take", BY_NAME["Smoke"].id)]
    bot = FantasyBot(BotStrength(1))
    soon, late = (bot.step_values(drawing_view(turn=turn), steps, FantasyOptions(), Random(1)) for turn in (30, 130))
    assert late[steps[0]] == pytest.approx(soon[steps[0]] + 20)
    assert late[steps[1]] == soon[steps[1]]


def test_a_seat_that_is_ready_comes_back_for_a_deal() -> None:
    """X5."""
    trading: State = play_bots([RandomBot()] * 3, "back", "chaos", steps=12).state
    seats = [seat for seat in range(3) if FantasyBot().acts_again(GAME, trading, seat)]
    assert seats
    step = FantasyBot().choose(GAME, trading, seats[0], Random(1))
    assert step in GAME.legal_moves(trading, seats[0])


@pytest.mark.long
def test_a_seat_that_is_ready_comes_back_for_nothing_else() -> None:
    """X5."""
    match = play_bots([FantasyBot()] * 3, "back", "chaos", steps=400)
    assert not any(FantasyBot().acts_again(GAME, match.state, seat) for seat in range(3))


def test_what_was_just_taken_is_not_dropped_again() -> None:
    hand = ["Knights", "King", "Queen", "Rangers", "Elven Archers", "Princess", "Empress", "Smoke"]
    steps = [Step("drop", BY_NAME[name].id) for name in hand]
    for known, count in (([["Smoke"], [], []], 7), ([[], [], []], 8)):
        view = drawing_view(phase="discard", hand=hand, drawn=["Smoke"], discard=[], known=known)
        assert len(FantasyBot(BotStrength(1)).step_values(view, steps, FantasyOptions(), Random(1))) == count


def test_the_necromancer_of_chaos_realms_asks_for_an_eighth_card_and_keeps_the_best() -> None:
    """X7."""
    hand = NECROMANCERS_HAND
    view = drawing_view(phase="necromancer", hand=hand)
    choose = FantasyBot().choose_from_view
    assert choose(view, [Step("deck"), Step("leave")], FantasyOptions(), Random(1)) == Step("deck")
    drawn = ["Smoke", "Warhorse", "Swamp"]
    view, steps = drawing_view(phase="keep", hand=hand + drawn), [Step("keep", card) for card in ids(*drawn)]
    assert choose(view, steps, FantasyOptions(), Random(1)) == Step("keep", BY_NAME["Warhorse"].id)


def test_a_players_knowledge_is_read_from_their_view() -> None:
    state = state_after_steps("known", steps=15)
    seat = player_seats(GAME.to_move(state))[0]
    known = read_knowledge(GAME.view(state, seat))
    others = {card for other, hand in enumerate(state.hands) if other != seat for card in hand}
    theirs = tuple(mask for other, mask in enumerate(known.held) if other != seat)
    assert set(known.unseen) | mask_cards(theirs) == set(state.deck) | others
    assert known.opponents_cards == sum(theirs)


def mask_cards(masks: tuple[int, ...]) -> set[int]:
    return {card for mask in masks for card in ALL if mask >> card & 1}


def test_levels_and_greedy_are_the_game_s_own() -> None:
    assert isinstance(GAME, HasBots)
    state = state_after_steps("levels", steps=7)
    seat = player_seats(GAME.to_move(state))[0]
    greedy = GreedyBot().choose(GAME, state, seat, Random(3))
    assert greedy == FantasyBot().choose(GAME, state, seat, Random(3))
    for level in (1, 2):  # neither plays random steps
        chosen = {make_bot(f"level{level}").choose(GAME, state, seat, Random(seed)) for seed in range(9)}
        assert chosen == {bot_for_level(level).choose(GAME, state, seat, Random(3))}
    strengths = [bot_for_level(level).strength for level in range(1, 9)]
    assert [each.sight for each in strengths] == sorted(each.sight for each in strengths)
    assert strengths[7].samples > strengths[6].samples > strengths[5].samples == 0
    bot_for_level(8).warm()


def test_weak_levels_overlook_what_cards_do_to_each_other() -> None:
    """A hand in which Basilisk blanks Knights seems as strong as the numbers on its cards."""
    true, hand = hand_values_for(FantasyOptions()), mask_of(ids("Basilisk", "Knights"))
    assert true.worth(hand) == 35
    assert SeenHandValues(true, 0.0).worth(hand) == SEEN_SCALE * (35 + 20)
    assert SeenHandValues(true, 1.0).final_worth(hand, 0) == SEEN_SCALE * 35
    assert SeenHandValues(true, -0.1).worth(hand) > SeenHandValues(true, 0.0).worth(hand)


def test_the_labels_of_levels_say_what_they_score() -> None:
    """The figures are those of the study, whose page has a row for each level."""
    rows = re.findall(r"\n\| (Level.*?) \|[^|]*\| ([\d.]+) ", STUDY.read_text(encoding="utf-8"))
    assert [label for label, _ in rows] == [level.label for level in levels(GAME.info)]
    assert all(abs(int(re.findall(r"about (\d+) points", label)[0]) - float(mean)) < 1 for label, mean in rows)


# ---- what hands may become
def test_remembered_worths_are_those_of_the_scorer() -> None:
    table, room, rng = card_arrays(), new_cached_workspace(), Random("worths")
    for _ in range(20):
        hand = rng.sample(ALL, 7)
        assert lookup_worth(table, room, mask_of(hand)) == lookup_worth(table, room, mask_of(hand)) == best_worth(hand)


def test_a_full_memory_forgets() -> None:
    """More hands than there is room for fall on the same places."""
    table, room = card_arrays(), new_cached_workspace()
    same = [1 << 6 | (number << 20 ^ number >> 3) for number in range(1, 3)]
    for hand in [*same, *same]:
        assert lookup_worth(table, room, hand) == compute_worth(table, room, hand)
    for slot in range(CACHE_SIZE):
        room[CACHE_KEYS + slot] = 1
    assert lookup_worth(table, room, mask_of([3, 4])) == best_worth([3, 4])


def test_an_eighth_card_counts_at_the_end() -> None:
    """S8."""
    hand = ids(*NECROMANCERS_HAND)
    warhorse = mask_of(ids("Warhorse"))
    assert final_worth(card_arrays(), new_cached_workspace(), mask_of(hand), warhorse) == 397
    assert final_worth(card_arrays(), new_cached_workspace(), mask_of(hand[1:]), warhorse) == best_worth(hand[1:])


def test_traders_ask_for_what_helps_and_accept_it() -> None:
    """X2: a bid that helps is accepted, and one is made for a card that helps."""
    match = play_bots([FantasyBot()] * 3, "trade", "chaos", steps=60)
    steps = [entry.move.verb for entry in match.log() if entry.seat >= 0]
    assert {"offer", "bid"} <= set(steps)
    assert CLOCK not in {entry.seat for entry in match.log()}
    assert names_of(match.state.hands[0])
