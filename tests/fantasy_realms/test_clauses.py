"""The course of the game clause by clause: open information (C2), three to six players (P), two (W) and trading (X)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from realmtable.engine.errors import BadOptions, GameOver, IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, CLOCK
from realmtable.games.fantasy_realms import outcome as outcomes
from realmtable.games.fantasy_realms.scoring.score import Score, best_score
from realmtable.games.fantasy_realms.state import State, Step
from tests.example_tables import PlayedExample, read_examples
from tests.fantasy_realms.helpers import (
    GAME,
    card,
    expect_refusal,
    hand,
    legal,
    play,
    random_game,
    set_up,
    start,
    table,
)

# Under each heading, examples: a game before or after the deal with its seats, after `>` steps, after `=>` what is so
# in the end (see `check_fact`). After the deal Scarlet holds Mountain, Cavern, Bell Tower, Forest, …; Azure Island,
# Smoke, …; Amber Air Elemental, Wildfire, Candle, …; with four or more Jade holds the Necromancer.
CLAUSES = """
c2 a taken card is known until it is discarded
    dealt 3 > deck; King; drop King; take King => known 2 King
    dealt 3 > deck; King; drop King; take King; drop Island; deck; Queen; drop Queen; deck; Dragon; drop Dragon => known 2 King
    dealt 3 > deck; King; drop King; take King; drop Island; deck; Queen; drop Queen; deck; Dragon; drop Dragon; deck; Hydra; drop King => -known
p1 chance names the starting seat and deals seven cards to each
    new 4 => acts chance; chance first 1 / first 2 / first 3 / first 4
    new 4 > first 3 => draws 53
    new 4 > first 3; King; Queen => hands=//King/Queen; draws 51
    dealt 4 => acts 1; phase=draw; deck 25
p1 play goes round by seats
    dealt 3 > deck; King; drop King => acts 2
    dealt 3 > deck; King; drop King; take King; drop King; take King; drop King => acts 1
p2 a turn begins with a card of the deck or of the discard area
    dealt 3 => legal deck; refuses take King (P2)
    dealt 3 > deck => acts chance; draws 32
    dealt 3 > deck; King; drop King => legal deck / take King; refuses take Queen (P2); refuses drop Island (P2)
p3 a turn ends with a card of the hand, the new one too
    dealt 3 > deck; King => 1 can drop Mountain; 1 can drop King; refuses deck (P3); refuses take King (P3); refuses drop Queen (P3)
    dealt 3 > deck; King; drop King; take King; drop King => discard=King@2; turns=2
w1 two players gather their cards themselves
    new 2 > first 2 => hands=/; acts 2; legal deck; refuses take King (P2)
    new 2 > first 2; deck; King => acts chance
    new 2 > first 2; deck; King; Queen => legal drop King / drop Queen
    new 2 > first 2; deck; King; Queen; drop Queen => hands=/King; acts 1; legal deck / take Queen
    new 2 > first 2; deck; King; Queen; drop Queen; take Queen => hands=Queen/King; -discard; acts 2
    new 2 two_player > first 2; deck; King; Queen; drop Queen; take Queen => hands=Queen/King; -discard; acts 2
w1 one of the two drawn is put away, or any card with the option
    new 2 > first 1; deck; King; Queen; drop Queen; take Queen; deck; Dragon; Hydra => legal drop Dragon / drop Hydra; refuses drop King (W1); refuses drop Queen (P3)
    FREE := new 2 standard free_first_discards=on
    FREE > first 1; deck; King; Queen; drop Queen; take Queen; deck; Dragon; Hydra => legal drop King / drop Dragon / drop Hydra
    FREE > first 1; deck; King; Queen; drop Queen; take Queen; deck; Dragon; Hydra; drop King => hands=Dragon,Hydra/Queen
x1 seven cards are dealt from the first seat on and no one draws or discards
    new 3 chaos > King; Queen => hands=King/Queen/; -first
    dealt 3 chaos => phase=trade; refuses 1 deck (X1); refuses 2 take King (X1); refuses 3 drop Candle (X1)
x2 all trade at once
    dealt 3 chaos => acts 1 2 3 clock; 2 can ready; 2 can offer Island
x2 an offer can be taken back but was seen
    dealt 3 chaos > 1 offer Forest; 1 withdraw Forest => -offers; known 1 Forest
x2 the owner accepts or refuses
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => 1 can accept Island for Forest; 1 can refuse Island for Forest
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest; 1 refuse Island for Forest => -bids; offers=Forest; refused=Island>Forest; 2 can bid Island for Forest
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest; 1 refuse Island for Forest; 2 bid Island for Forest => bids=Island>Forest; -refused
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest; 1 accept Island for Forest => 1 holds Island; 2 holds Forest
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest; 2 cancel Island for Forest => -bids
x2 invalid offers and bids are refused without revealing hands
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 1 offer Island (X2) You do not hold Island
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 1 withdraw Cavern (X2) You have no Cavern on offer
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 1 withdraw Candle (X2) You have no Candle on offer
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 2 bid Cavern for Forest (X2) You do not hold Cavern
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 2 bid Island for Candle (X2) Candle is not on offer
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 1 bid Cavern for Forest (X2) Forest is yours
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 2 cancel Rainstorm for Forest (X2) You have not bid Rainstorm for Forest
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 1 accept Rainstorm for Forest (X2) No one has bid you Rainstorm for Forest
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 3 accept Island for Forest (X2) No one has bid you Island for Forest
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest => refuses 1 refuse Rainstorm for Forest (X2) No one has bid you Rainstorm
x2 a refusal is shown until the card is withdrawn or one of the two trades
    dealt 3 chaos > 1 offer Forest; 2 offer Smoke; 2 bid Island for Forest; 1 refuse Island for Forest; 3 offer Candle; 3 bid Wildfire for Smoke => refused=Island>Forest
    dealt 3 chaos > 1 offer Forest; 2 offer Smoke; 2 bid Island for Forest; 1 refuse Island for Forest; 1 withdraw Forest => -refused
    dealt 3 chaos > 1 offer Forest; 2 offer Smoke; 2 bid Island for Forest; 1 refuse Island for Forest; 3 bid Wildfire for Smoke; 2 accept Wildfire for Smoke => -refused
    dealt 3 chaos > 1 offer Forest; 2 offer Smoke; 2 bid Island for Forest; 1 refuse Island for Forest; 3 bid Wildfire for Forest; 1 accept Wildfire for Forest => -refused
    dealt 3 chaos > 1 offer Forest; 2 offer Smoke; 2 bid Island for Forest; 1 refuse Island for Forest; time => -refused
x3 bids for a card that is taken back are void
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest; 1 withdraw Forest; 1 offer Forest => -bids
x4 a card is on offer once and may be bid for several
    dealt 3 chaos > 1 offer Forest; 3 offer Candle; 2 bid Island for Forest; 2 bid Island for Candle => refuses 1 offer Forest (X4); refuses 2 bid Island for Forest (X4); bids=Island>Forest,Island>Candle
x4 a card on offer can be bid too
    dealt 3 chaos > 1 offer Forest; 2 offer Island; 2 bid Island for Forest; 1 bid Forest for Island => bids=Island>Forest,Forest>Island
    dealt 3 chaos > 1 offer Forest; 2 offer Island; 2 bid Island for Forest; 1 bid Forest for Island; 2 accept Forest for Island => -offers; -bids
x5 a ready player can only become active again
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest; 1 ready => acts 2 3 clock; ready=1; legal 1 active; refuses 1 accept Island for Forest (X5); refuses 1 ready (X5); refuses 2 active (X5)
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest; 1 ready; 1 active; 1 accept Island for Forest => acts 1 2 3 clock
x5 offers and bids of the ready stand, and a trade makes them active
    dealt 3 chaos > 1 offer Forest; 2 bid Island for Forest; 2 ready; 3 bid Candle for Forest; 1 accept Island for Forest => acts 1 2 3 clock; 2 holds Forest
x6 trading ends when all are ready, or after its last step
    dealt 3 chaos > 1 ready; 2 ready => goes on
    dealt 3 chaos > 1 ready; 2 ready; 3 ready => ends all_ready
    LAST := dealt 3 chaos max_steps=10
    LAST > 1 offer Forest; 1 withdraw Forest; 1 offer Forest; 1 withdraw Forest; 1 offer Forest; 1 withdraw Forest; 1 offer Forest; 1 withdraw Forest; 1 ready => goes on
    LAST > 1 offer Forest; 1 withdraw Forest; 1 offer Forest; 1 withdraw Forest; 1 offer Forest; 1 withdraw Forest; 1 offer Forest; 1 withdraw Forest; 1 ready; 1 active => ends max_steps; steps=10
x7 the Necromancer may draw three cards and must keep one
    dealt 4 chaos > time => acts 4; legal deck / leave; refuses keep King (X7); refuses take King (X1); refuses offer Collector (X6)
    dealt 4 chaos > time; deck; King; Queen; Dragon => legal keep King / keep Queen / keep Dragon; refuses leave (X7); refuses keep Collector (X7); deck 22
    dealt 4 chaos > time; deck; King; Queen; Dragon; keep Queen => 4 holds Queen; phase=over; deck 22; written
    dealt 4 chaos > time; leave => phase=over
x7 without the Necromancer no one chooses, and the choice comes after trading
    dealt 3 chaos > time => phase=over
    dealt 4 chaos => refuses 4 leave (X7); refuses 4 keep King (X7)
n4 the deal and all of trading are one turn each
    new 3 => turn 0 chance
    dealt 3 => turn 1 1
    dealt 3 > deck; King; drop King => turn 2 2
    new 2 > first 2; deck; King; Queen; drop King => turn 2 1
    new 2 > first 2; deck; King; Queen; drop King; take King => turn 3 2
    new 4 chaos => turn 0 chance
    dealt 4 chaos => turn 1 chance
    dealt 4 chaos > 1 offer Forest => turn 1 chance
    dealt 4 chaos > 2 ready => turn 1 chance
    dealt 4 chaos > time => turn 2 4
    dealt 4 chaos > time; leave => turn 2 chance
"""  # noqa: E501 - a row is one example
EXAMPLES = read_examples(CLAUSES, {})
SEAT_WORDS = {CHANCE: "chance", CLOCK: "clock"}


@pytest.mark.parametrize("examples", EXAMPLES.values(), ids=EXAMPLES)
def test_clause(examples: list[PlayedExample]) -> None:
    for position, steps, facts in examples:
        state = play(set_up(position), *steps)
        for fact in facts:
            check_fact(state, fact)


def check_fact(state: State, fact: str) -> None:
    """Check a field of the encoded state, or with - that there is none, or what one of the words below asks for."""
    word, _, rest = fact.partition(" ")
    if word.isdigit():
        verb, _, name = rest.partition(" ")
        mine = hand(state, int(word) - 1) if verb == "holds" else legal(state, int(word) - 1)
        assert name in mine, (fact, mine)
    elif word == "refuses":
        step, _, why = rest.partition(" (")
        error = expect_refusal(state, step)
        clause, _, words = why.partition(")")
        assert (error.clause, words.strip() in error.sentence) == (clause, True), error
    elif word == "acts":
        assert [SEAT_WORDS.get(seat, str(seat + 1)) for seat in GAME.to_move(state)] == rest.split()
    elif word == "turn":
        turn = GAME.turn(state)
        assert f"{turn.number} {SEAT_WORDS.get(turn.seat, str(turn.seat + 1))}" == rest
    elif word in ("legal", "chance"):
        seat, _, texts = rest.partition(" ") if rest[0].isdigit() else ("", "", rest)
        found = [GAME.format_move(state, outcome.move) for outcome in GAME.chance(state)]
        assert (found if word == "chance" else legal(state, int(seat) - 1 if seat else None)) == texts.split(" / ")
    elif word == "draws":
        assert [outcome.move.card for outcome in GAME.chance(state)] == state.deck
        assert len(state.deck) == int(rest)
    elif word == "deck":
        assert GAME.view(state, None)["deck"] == int(rest)
    elif word == "known":
        seat, _, cards = rest.partition(" ")
        assert GAME.view(state, None)["known"][int(seat) - 1] == cards.split(", ")
    elif word in ("ends", "goes"):
        ended = GAME.outcome(state)
        assert ("on" if ended is None else ended.reason) == rest
    elif word == "written":
        assert GAME.decode(GAME.encode(state)) == state
    else:
        name = word.removeprefix("-").partition("=")[0]
        shown = [field for field in GAME.encode(state).split() if field.partition("=")[0] == name]
        assert shown == ([] if word.startswith("-") else [word])


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


def test_p1_the_variants_are_for_their_numbers_of_players() -> None:
    for seats, variant, expected in ((7, "standard", "2 to 6"), (3, "two_player", "2 players"), (2, "chaos", "3 to 7")):
        with pytest.raises(BadOptions, match=expected):
            start(seats, variant)


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


def bids(state: State, viewer: int | None) -> list[str]:
    return [f"{bid['card']} for {bid['for']}" for bid in GAME.view(state, viewer)["bids"]]


def test_x2_an_offer_is_seen_by_all() -> None:
    state = play(table(3, "chaos"), "1 offer Forest")
    for viewer in (None, 0, 1, 2):
        assert GAME.view(state, viewer)["offers"] == [{"card": "Forest", "seat": 0}]
        assert GAME.view(state, viewer)["known"] == [["Forest"], [], []]


def test_x2_a_bid_and_its_refusal_are_seen_by_the_owner_alone() -> None:
    state = play(table(3, "chaos"), "1 offer Forest", "2 bid Island for Forest")
    assert [bids(state, viewer) for viewer in (None, 0, 1, 2)] == [[], ["Island for Forest"], ["Island for Forest"], []]
    refused = play(state, "1 refuse Island for Forest")
    assert [len(GAME.view(refused, viewer)["refused"]) for viewer in (None, 0, 1, 2)] == [0, 1, 1, 0]


def test_x3_a_trade_exchanges_two_cards_and_voids_what_else_hung_on_them() -> None:
    state = play(
        table(3, "chaos"),
        "1 offer Forest", "2 offer Island", "2 offer Smoke", "3 offer Candle",
        "2 bid Island for Forest", "2 bid Smoke for Forest", "2 bid Island for Candle", "2 bid Smoke for Candle",
        "3 bid Wildfire for Island", "1 bid Forest for Candle", "1 bid Cavern for Smoke",
    )  # fmt: skip
    state = play(state, "1 accept Island for Forest")
    assert hand(state, 0) == [
        "Mountain",
        "Cavern",
        "Bell Tower",
        "Earth Elemental",
        "Fountain of Life",
        "Swamp",
        "Island",
    ]
    assert "Forest" in hand(state, 1)
    assert "Island" not in hand(state, 1)
    assert [offer["card"] for offer in GAME.view(state, None)["offers"]] == ["Smoke", "Candle"]
    assert bids(state, 1) == ["Smoke for Candle", "Cavern for Smoke"]
    assert bids(state, 2) == ["Smoke for Candle"]


def test_x6_trading_ends_when_the_clock_says_so() -> None:
    state = play(table(3, "chaos"), "1 offer Forest", "2 bid Island for Forest")
    assert GAME.legal_moves(state, CLOCK) == [Step("time")]
    assert (GAME.clock_s(state), GAME.clock_phase(state)) == (300, "Trading")
    assert GAME.count_seats(state) == 3
    assert GAME.view(state, None)["steps"] is None  # it would tell of secret bids
    ended = play(state, "time")
    assert GAME.view(ended, None)["steps"] == 2
    assert (ended.offers, ended.bids) == ((), ())
    assert "Island" in hand(ended, 1)
    outcome = GAME.outcome(ended)
    assert outcome is not None
    assert (outcome.reason, outcome.text[-25:]) == ("time", " when trading time is up.")
    with pytest.raises(IllegalMove, match="X6"):
        GAME.play(state, CLOCK, Step("ready"))
    with pytest.raises(IllegalMove, match="X6"):
        GAME.play(state, 0, Step("time"))
    with pytest.raises(NotYourTurn):
        GAME.play(state, CHANCE, Step("time"))
    assert GAME.legal_moves(table(), CLOCK) == GAME.legal_moves(state, CHANCE) == []


def test_x8_the_realm_worth_most_wins() -> None:
    for seed in range(3):
        *_, (state, _, _) = random_game(start(4, "chaos", max_steps=40), seed)
        outcome = GAME.outcome(state)
        assert outcome is not None
        scores = [best_score(cards, (), state.options) for cards in state.hands]
        order = [(-score.total, score.strength) for score in scores]
        assert outcome.ranking == tuple(1 + sorted(order).index(own) for own in order)
