"""The course of the game clause by clause: open information (C2), three to six players (P) and two (W)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from realmtable.engine.errors import BadOptions, GameOver, NotYourTurn
from realmtable.engine.protocol import CHANCE
from realmtable.games.fantasy_realms import outcome as outcomes
from realmtable.games.fantasy_realms.scoring.score import Score, best_score
from realmtable.games.fantasy_realms.state import State, Step
from tests.fantasy_realms.helpers import (
    GAME,
    card,
    clause,
    expect_refusal,
    hand,
    legal,
    play,
    random_game,
    start,
    table,
)

# ---- C2


def test_c2_everybody_sees_the_discard_area() -> None:
    state = play(table(), "deck", "King", "drop Cavern")
    for viewer in (None, 0, 1, 2):
        assert GAME.view(state, viewer)["discard"] == [{"card": "Cavern", "seat": 0}]


def test_c2_hands_and_draws_are_secret_until_the_game_is_over() -> None:
    state = play(table(), "deck", "King")
    assert "King" in GAME.view(state, 0)["hand"]
    assert GAME.view(state, 0)["drawn"] == ["King"]
    for viewer in (None, 1, 2):
        shown = json.dumps(GAME.view(state, viewer))
        assert '"King"' not in shown
        assert GAME.view(state, viewer)["drawn"] == []


def test_c2_a_taken_card_is_known_until_it_is_discarded() -> None:
    state = play(table(), "deck", "King", "drop King", "take King")
    assert GAME.view(state, None)["known"] == [[], ["King"], []]
    state = play(state, "drop Island", "deck", "Queen", "drop Queen", "deck", "Dragon", "drop Dragon")
    assert GAME.view(state, None)["known"] == [[], ["King"], []]
    state = play(state, "deck", "Hydra", "drop King")
    assert GAME.view(state, None)["known"] == [[], [], []]


# ---- P


def test_p1_chance_names_the_starting_seat_and_deals_seven_cards_to_each() -> None:
    state = start(4)
    assert GAME.to_move(state) == (CHANCE,)
    assert [outcome.move for outcome in GAME.chance(state)] == [Step("first", seat) for seat in range(4)]
    state = play(state, "first 3")
    assert len(GAME.chance(state)) == 53
    for name in ("King", "Queen"):
        state = play(state, name)
    assert (hand(state, 2), hand(state, 3)) == (["King"], ["Queen"])
    assert len(GAME.chance(state)) == 51
    dealt = table(4)
    assert [len(cards) for cards in dealt.hands] == [7] * 4
    assert (dealt.phase, GAME.to_move(dealt), dealt.deck_size) == ("draw", (0,), 25)


def test_p1_play_goes_round_by_seats() -> None:
    state = play(replace(table(4), first=2), "deck", "King", "drop King")
    assert GAME.to_move(state) == (3,)
    assert GAME.to_move(play(state, "take King", "drop Rangers")) == (0,)


def test_p1_the_variants_are_for_their_numbers_of_players() -> None:
    for seats, variant, expected in ((7, "standard", "2 to 6"), (3, "two_player", "2 players"), (2, "chaos", "3 to 7")):
        with pytest.raises(BadOptions, match=expected):
            start(seats, variant)


def test_p2_a_turn_begins_with_a_card_of_the_deck_or_of_the_discard_area() -> None:
    state = table()
    assert legal(state) == ["deck"]
    assert clause(state, "take King") == "P2"
    state = play(state, "deck", "King", "drop King")
    assert legal(state) == ["deck", "take King"]
    assert clause(state, "take Queen") == "P2"
    assert clause(state, "drop Island") == "P2"
    assert GAME.to_move(play(state, "deck")) == (CHANCE,)
    assert [outcome.move.card for outcome in GAME.chance(play(state, "deck"))] == state.deck


def test_p3_a_turn_ends_with_a_card_of_the_hand_the_new_one_too() -> None:
    state = play(table(), "deck", "King")
    assert legal(state) == [f"drop {name}" for name in (*hand(table(), 0), "King")]
    assert clause(state, "deck") == "P3"
    assert clause(state, "take King") == "P3"
    assert clause(state, "drop Queen") == "P3"
    state = play(state, "drop King", "take King", "drop King")
    assert (state.open_cards(), state.turns) == ([card("King")], 2)


def test_p4_the_game_ends_when_ten_cards_lie_in_the_discard_area() -> None:
    state = table()
    for _ in range(9):
        state = _draw_and_drop(state)
    assert (len(state.discard), GAME.outcome(state)) == (9, None)
    assert GAME.view(state, None)["last_turns"]
    taken = play(state, f"take {GAME.view(state, None)['discard'][0]['card']}")
    assert GAME.outcome(play(taken, f"drop {hand(taken, 0)[0]}")) is None
    state = _draw_and_drop(state)
    ended = GAME.outcome(state)
    assert ended is not None
    assert ended.reason == "full_discard"
    assert GAME.to_move(state) == ()
    with pytest.raises(GameOver):
        play(replace(state), "1 deck")


def _draw_and_drop(state: State) -> State:
    state = play(state, "deck")
    drawn = GAME.format_move(state, GAME.chance(state)[0].move)
    return play(state, drawn, f"drop {drawn}")


def test_p5_the_game_ends_after_the_last_turn() -> None:
    state = _draw_and_drop(table(max_turns=20))
    while not GAME.outcome(state):
        lying = GAME.view(state, None)["discard"][0]["card"]
        state = play(state, f"take {lying}", f"drop {lying}")
    ended = GAME.outcome(state)
    assert ended is not None
    assert (state.turns, ended.reason) == (20, "max_turns")
    assert ended.text.endswith(" when the turn limit is reached.")


@pytest.mark.parametrize(
    ("counted", "ranking", "expected"),
    [
        (((90, 50), (80, 10), (70, 10)), (1, 2, 3), "Scarlet wins with 90 points."),
        (
            ((80, 50), (80, 40), (70, 10)),
            (2, 1, 3),
            "Azure wins with 80 points, ahead of Scarlet on lower strengths.",
        ),
        (((80, 40), (80, 40), (70, 10)), (1, 1, 3), "Scarlet and Azure share first place with 80 points each."),
        (((9, 4), (9, 4), (9, 4)), (1, 1, 1), "Scarlet, Azure and Amber share first place with 9 points each."),
    ],
)
def test_p6_the_realm_worth_most_wins_then_the_lower_strength(
    monkeypatch: pytest.MonkeyPatch, counted: tuple[tuple[int, int], ...], ranking: tuple[int, ...], expected: str
) -> None:
    by_hand = dict(zip(table().hands, counted, strict=True))

    def counting(cards: tuple[int, ...], *_: object) -> Score:
        total, strength = by_hand[cards]
        return replace(best_score(cards), total=total, strength=strength)

    monkeypatch.setattr(outcomes, "best_score", counting)
    ended = GAME.outcome(replace(table(), phase="over", reason="full_discard"))
    assert ended is not None
    assert ended.scores == tuple(total for total, _ in counted)
    assert ended.ranking == ranking
    assert ended.text == expected


def test_p6_scores_are_those_of_the_hands_with_the_discard_area() -> None:
    *_, (state, _, _) = random_game(start(4), 5)
    ended, view = GAME.outcome(state), GAME.view(state, None)
    assert ended is not None
    open_cards = state.open_cards()
    assert [best_score(cards, open_cards, state.options).total for cards in state.hands] == list(ended.scores)
    assert [score["total"] for score in view["scores"]] == list(ended.scores)
    assert [score["hand"] for score in view["scores"]] == [hand(state, seat) for seat in range(4)]
    assert view["ranking"] == list(ended.ranking)


# ---- W


@pytest.mark.parametrize("variant", ["standard", "two_player"])
def test_w1_two_players_gather_their_cards_themselves(variant: str) -> None:
    state = play(start(2, variant), "first 2")
    assert (state.hands, GAME.to_move(state), legal(state)) == (((), ()), (1,), ["deck"])
    state = play(state, "deck", "King")
    assert GAME.to_move(state) == (CHANCE,)
    state = play(state, "Queen")
    assert legal(state) == ["drop King", "drop Queen"]
    state = play(state, "drop Queen")
    assert (hand(state, 1), GAME.to_move(state), legal(state)) == (["King"], (0,), ["deck", "take Queen"])
    state = play(state, "take Queen")
    assert (hand(state, 0), state.discard, GAME.to_move(state)) == (["Queen"], (), (1,))


def test_w1_one_of_the_two_drawn_is_put_away_or_any_card_with_the_option() -> None:
    steps = ("first 1", "deck", "King", "Queen", "drop Queen", "take Queen", "deck", "Dragon", "Hydra")
    state = play(start(2), *steps)
    assert legal(state) == ["drop Dragon", "drop Hydra"]
    assert clause(state, "drop King") == "W1"
    assert clause(state, "drop Queen") == "P3"
    state = play(start(2, free_first_discards=True), *steps)
    assert legal(state) == ["drop King", "drop Dragon", "drop Hydra"]
    state = play(state, "drop King")
    assert (hand(state, 0), GAME.view(state, 0)["counts"]) == (["Dragon", "Hydra"], [2, 1])


def _state_after_setup() -> State:
    """Both hold seven cards: Scarlet began and drew all of them, Azure took the discarded ones."""
    state = play(start(2), "first 1")
    while state.in_setup:
        if state.seat == 0:
            state = play(state, "deck")
            names = [GAME.format_move(state, outcome.move) for outcome in GAME.chance(state)[:2]]
            state = play(state, *names, f"drop {names[1]}")
        else:
            state = play(state, f"take {GAME.view(state, None)['discard'][0]['card']}")
    return state


def test_w2_with_seven_cards_turns_are_as_with_more_players() -> None:
    state = _state_after_setup()
    assert ([len(cards) for cards in state.hands], state.discard, state.seat) == ([7, 7], (), 0)
    state = play(state, "deck", "King")
    assert GAME.to_move(state) == (0,)
    assert len(legal(state)) == 8
    state = play(state, "drop King", "take King")
    assert (state.phase, len(legal(state))) == ("discard", 8)


def test_w2_a_draw_is_one_card_then_and_any_card_of_the_hand_is_dropped() -> None:
    """W2, P2, P3: the second player also draws one card instead of two; after taking a card, one is discarded."""
    state = _draw_and_drop(_state_after_setup())
    assert state.seat == 1
    lying, first = GAME.view(state, None)["discard"][0]["card"], hand(state, 1)[0]
    drawn = play(state, "deck", GAME.format_move(state, GAME.chance(play(state, "deck"))[0].move))
    assert (drawn.phase, GAME.to_move(drawn), len(legal(drawn))) == ("discard", (1,), 8)
    for begun in (drawn, play(state, f"take {lying}")):
        ended = play(begun, f"drop {first}")
        assert (ended.seat, len(ended.hands[1])) == (0, 7)


def test_w2_the_first_card_comes_from_the_deck_because_no_card_is_open() -> None:
    state = play(start(2), "first 2")
    assert legal(state) == ["deck"]
    assert clause(state, "take King") == "P2"


def test_w3_the_game_ends_when_both_have_seven_cards_and_twelve_lie_there() -> None:
    state = _state_after_setup()
    for turn in range(12):
        assert (len(state.discard), GAME.outcome(state)) == (turn, None)
        state = _draw_and_drop(state)
    ended = GAME.outcome(state)
    assert ended is not None
    assert (ended.reason, GAME.view(state, None)["limit"]) == ("full_discard", 12)


def test_w3_twelve_cards_are_not_enough_while_a_hand_is_not_full() -> None:
    state = play(start(2), "first 1")
    while len(state.discard) < 12:
        state = play(state, "deck")
        names = [GAME.format_move(state, outcome.move) for outcome in GAME.chance(state)[:2]]
        state = play(state, *names, f"drop {names[1]}")
    assert ([len(cards) for cards in state.hands], GAME.outcome(state)) == ([6, 6], None)
    lying = GAME.view(state, None)["discard"][0]["card"]
    state = play(state, f"take {lying}", "deck")
    names = [GAME.format_move(state, outcome.move) for outcome in GAME.chance(state)[:2]]
    ended = GAME.outcome(play(state, *names, f"drop {names[1]}"))
    assert ended is not None
    assert ended.reason == "full_discard"


# ---- the acting seat


def test_others_wait_for_their_turn_and_all_wait_for_the_cards() -> None:
    with pytest.raises(NotYourTurn, match="another player's turn"):
        play(table(), "2 deck")
    with pytest.raises(NotYourTurn, match="Wait for the cards"):
        play(play(table(), "deck"), "1 drop Cavern")
    with pytest.raises(NotYourTurn, match="Wait for the cards"):
        play(start(), "1 deck")


def test_chance_draws_from_the_deck() -> None:
    state = play(table(), "deck")
    with pytest.raises(Exception, match="N2"):
        GAME.play(state, CHANCE, Step("draw", card("Cavern")))
    assert GAME.chance(table()) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [("offer Cavern", "X2"), ("ready", "X2"), ("keep Cavern", "X7"), ("leave", "X7"), ("time", "X6"), ("first 2", "N2"),
     ("King", "N2")],
)  # fmt: skip
def test_steps_of_other_variants_and_of_chance_are_refused(text: str, expected: str) -> None:
    seat, step = 0, GAME.parse_move(table(), text)
    with pytest.raises(Exception, match=expected):
        GAME.play(table(), seat, step)
    assert expect_refusal(table(), "drop Cavern").sentence.startswith("Begin your turn")
