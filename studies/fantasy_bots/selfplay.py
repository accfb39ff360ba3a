"""Games of Fantasy Realms that a network plays against itself and against greedy players, in compiled code.

The network maximises its lead over the best opponent. Before and after each of its turns it records what it knew, and
after the game the result. Every game has a number, and the same number always gives the same game.
"""

from __future__ import annotations

from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.games.fantasy_realms.bots import network as net
from realmtable.games.fantasy_realms.bots.bot import HURRY_AFTER_ROUNDS, HURRY_POINTS
from realmtable.games.fantasy_realms.bots.hand_values import EIGHTH_CANDIDATES, Cards, final_worth
from realmtable.games.fantasy_realms.cards import HAND_SIZE, CardId
from realmtable.games.fantasy_realms.scoring.card_arrays import IntArray
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import next_random

Floats = NDArray[np.floating]  # float32, except in tests
Records = NDArray[np.int64]  # a row for each record
Stream = NDArray[np.uint64]

OUTPUTS: Final = net.LAST_HAND + net.CARD_COUNT  # used by the game
DECK: Final = OUTPUTS  # one more: the lead after a blind draw, relative to the hand's worth and the usual score
LEAD_SCALE: Final = 16  # leads are recorded in fractions of a point

# Columns of a record: what a seat knew, and how its game continued.
HAND, LYING, KNOWN, SEATS, WORTH, SEAT, BEFORE, LEAD, POINTS, OTHERS, LAST, NEXT = range(12)
COLUMNS: Final = 12  # LEAD is set before a turn only, the columns after it only after one

# Entries of a running game; from PLAYER on one for each seat, then the deck.
PLAYERS, LIMIT, TURN, DEALT, AREA, THEIRS, UNTAUGHT = range(7)
PLAYER: Final = 7
HANDS: Final = PLAYER + net.MAX_SEATS
OPEN: Final = HANDS + net.MAX_SEATS  # cards that others have seen taken
SCORES: Final = OPEN + net.MAX_SEATS
LATER: Final = SCORES + net.MAX_SEATS  # the next record of a seat
PILE: Final = LATER + net.MAX_SEATS
ENTRIES: Final = PILE + net.CARD_COUNT

GREEDY, LEARNER = range(2)  # players
MOST_TURNS: Final = 200
MOST_RECORDS: Final = 2 * MOST_TURNS  # per game
WORST: Final = -1e9
EXPLORE_SHARE: Final = 0.06  # how often a learner takes a card instead of drawing, or the reverse
BITS: Final = 53  # in a random fraction


class Weights(NamedTuple):
    """Three layers of a network: rows are inputs, columns outputs."""

    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats
    w3: Floats
    b3: Floats


class GameContext(NamedTuple):
    """Everything needed to play a game."""

    tables: IntArray
    room: IntArray
    game: IntArray
    weights: Weights
    layers: tuple[Floats, Floats, Floats]  # sums of the visible cards, the first and the second layer
    stream: Stream
    noise: float  # typical error in points when a learner discards; 0: no exploration


# ---- the network


@kernel
def add_row(sums: Floats, matrix: Floats, row: int, factor: float) -> None:
    """Add a row of a matrix, times a factor."""
    times = np.float32(factor)
    for place in range(len(sums)):
        sums[place] += times * matrix[row, place]


@kernel
def copy_row(target: Floats, source: Floats) -> None:
    """Copy one entry after the other: a copy at once would allocate memory, which a kernel inside another cannot."""
    for place in range(len(target)):
        target[place] = source[place]


@kernel
def accumulate_inputs(play: GameContext, hand: Cards, lying: Cards) -> None:
    """Sum up the visible cards and the seats for the first layer."""
    game, weights, sums = play.game, play.weights, play.layers[0]
    copy_row(sums, weights.b1)
    add_row(sums, weights.w1, net.SEATS - net.MIN_SEATS + game[PLAYERS], 1.0)
    add_row(sums, weights.w1, net.MISSING, max(0, HAND_SIZE - count_bits(hand)) / HAND_SIZE)
    for card in range(net.CARD_COUNT):
        if hand >> card & 1:
            add_row(sums, weights.w1, card, 1.0)
        if lying >> card & 1:
            add_row(sums, weights.w1, net.DISCARD + card, 1.0)
        if game[THEIRS] >> card & 1:
            add_row(sums, weights.w1, net.KNOWN + card, 1.0)


@kernel
def run_layers(play: GameContext, count: int, worth: int, dropped: CardId) -> None:
    """Compute the layers for the visible cards, `count` discards and a worth, after a discard (-1: none)."""
    weights, (sums, first, second) = play.weights, play.layers
    copy_row(first, sums)
    add_row(first, weights.w1, net.DISCARD_COUNT + min(count, net.MAX_DISCARDS), 1.0)
    add_row(first, weights.w1, net.WORTH, worth / net.POINTS_SCALE)
    if dropped >= 0:
        add_row(first, weights.w1, dropped, -1.0)
        add_row(first, weights.w1, net.DISCARD + dropped, 1.0)
    copy_row(second, weights.b2)
    for place in range(len(first)):
        if first[place] > 0:
            add_row(second, weights.w2, place, first[place])


@kernel
def read_output(play: GameContext, output: int) -> float:
    """Return one output in points, from the current layers."""
    second, w3 = play.layers[2], play.weights.w3
    value = play.weights.b3[output]
    for place in range(len(second)):
        if second[place] > 0:
            value += second[place] * w3[place, output]
    return float(value) * net.POINTS_SCALE


# ---- a game


@kernel
def random_fraction(stream: Stream) -> float:
    """Return a random number in [0, 1)."""
    return float(next_random(stream) >> np.uint64(64 - BITS)) / float(1 << BITS)


@kernel
def deal(game: IntArray, stream: Stream) -> None:
    """Shuffle and deal; with two players nobody is dealt cards (P1, W1)."""
    game[TURN] = game[DEALT] = game[AREA] = 0
    for card in range(net.CARD_COUNT):
        other = int(random_fraction(stream) * (card + 1))
        game[PILE + card] = game[PILE + other]
        game[PILE + other] = card
    for seat in range(game[PLAYERS]):
        game[HANDS + seat] = game[OPEN + seat] = 0
        for _ in range(HAND_SIZE if game[PLAYERS] > net.MIN_SEATS else 0):
            game[HANDS + seat] |= 1 << draw_card(game)


@kernel
def draw_card(game: IntArray) -> CardId:
    """Draw a card."""
    game[DEALT] += 1
    return game[PILE + game[DEALT] - 1]


@kernel
def acting_seat(game: IntArray) -> int:
    """Return the acting seat."""
    return game[TURN] % game[PLAYERS]


@kernel
def all_hands_full(game: IntArray, but: int) -> bool:
    """Whether all seats, except perhaps one, have seven cards."""
    full = True
    for seat in range(game[PLAYERS]):
        full = full and (seat == but or count_bits(game[HANDS + seat]) >= HAND_SIZE)
    return full


@kernel
def is_over(game: IntArray) -> bool:
    """Whether the discard area is full (P4, W3) or the turn limit is reached."""
    return game[TURN] >= MOST_TURNS or (count_bits(game[AREA]) >= game[LIMIT] and all_hands_full(game, -1))


# ---- the values of choices


@kernel
def hand_worth(play: GameContext, hand: Cards, lying: Cards) -> int:
    """Return the hand's present score."""
    return final_worth(play.tables, play.room, hand, lying & EIGHTH_CANDIDATES)


@kernel
def value_after(play: GameContext, hand: Cards, lying: Cards, dropped: CardId) -> float:
    """Return the value of ending a turn with this hand after a discard (-1: none).

    For a greedy player it is the worth of the hand, for others the expected lead.
    """
    game = play.game
    if dropped >= 0:
        hand, lying = hand ^ 1 << dropped, lying | 1 << dropped
    worth = hand_worth(play, hand, lying)
    if game[PLAYER + acting_seat(game)] == GREEDY:
        return float(worth)
    run_layers(play, count_bits(lying), worth, dropped)
    ends = (
        count_bits(lying) >= game[LIMIT] and count_bits(hand) == HAND_SIZE and all_hands_full(game, acting_seat(game))
    )
    more = 0.0 if ends else read_output(play, net.POINTS)
    return worth + more - net.USUAL_BEST_OTHER - read_output(play, net.OTHERS)


@kernel
def best_drop(play: GameContext, hand: Cards, lying: Cards, kept: CardId, noise: float) -> tuple[float, CardId]:
    """Return the best value of ending a turn and the card to discard, never `kept` (-1: any card, or none)."""
    if play.game[PLAYER + acting_seat(play.game)] == LEARNER:
        accumulate_inputs(play, hand, lying)
    if count_bits(hand) <= HAND_SIZE:
        return value_after(play, hand, lying, -1), -1
    best, chosen = WORST, -1
    for card in range(net.CARD_COUNT):
        if hand >> card & 1 and card != kept:
            value = value_after(play, hand, lying, card)
            if noise > 0:
                value -= noise * log(1.0 - random_fraction(play.stream))
            if value > best:
                best, chosen = value, card
    return best, chosen


@kernel
def best_take(play: GameContext) -> tuple[float, CardId]:
    """Return the best value of taking a discard without discarding it again, and that card (-1: none)."""
    game = play.game
    hand, lying = game[HANDS + acting_seat(game)], game[AREA]
    best, chosen = WORST, -1
    for card in range(net.CARD_COUNT):
        if lying >> card & 1:
            value, _ = best_drop(play, hand | 1 << card, lying ^ 1 << card, card, 0.0)
            if value > best:
                best, chosen = value, card
    return best, chosen


@kernel
def better_of(play: GameContext, one: CardId, two: CardId) -> tuple[float, CardId]:
    """Return the value of keeping the better of two cards and discarding the other (W1), and that card."""
    game = play.game
    hand, lying = game[HANDS + acting_seat(game)], game[AREA]
    first, _ = best_drop(play, hand | 1 << one, lying | 1 << two, -1, 0.0)
    second, _ = best_drop(play, hand | 1 << two, lying | 1 << one, -1, 0.0)
    if first >= second:
        return first, one
    return second, two


@kernel
def sample_draw_value(play: GameContext) -> float:
    """Return the value of a draw for a random card of the deck, or two."""
    game = play.game
    left = net.CARD_COUNT - game[DEALT]
    at = int(random_fraction(play.stream) * left)
    card, hand = game[PILE + game[DEALT] + at], game[HANDS + acting_seat(game)]
    if count_bits(hand) == HAND_SIZE:
        value, _ = best_drop(play, hand | 1 << card, game[AREA], -1, 0.0)
    else:
        other = (at + 1 + int(random_fraction(play.stream) * (left - 1))) % left
        value, _ = better_of(play, card, game[PILE + game[DEALT] + other])
    return value


@kernel
def draw_value(play: GameContext, sample: float) -> float:
    """Return the estimated value of a draw; `sample` is used only by an untrained network.

    A greedy player expects nothing from a draw. In a long game, learners draw more and more readily.
    """
    game = play.game
    hand, lying = game[HANDS + acting_seat(game)], game[AREA]
    if game[PLAYER + acting_seat(game)] == GREEDY:
        return float(hand_worth(play, hand, lying)) if count_bits(hand) == HAND_SIZE else sample
    hurry = HURRY_POINTS * max(0, game[TURN] - HURRY_AFTER_ROUNDS * game[PLAYERS])
    if game[UNTAUGHT]:
        return sample + hurry
    worth = hand_worth(play, hand, lying)
    accumulate_inputs(play, hand, lying)
    run_layers(play, count_bits(lying), worth, -1)
    return worth + read_output(play, DECK) - net.USUAL_BEST_OTHER + hurry


# ---- a turn


@kernel
def choose_take(play: GameContext, blind: float) -> CardId:
    """Return the discard to take, or -1 to draw, given the value of a blind draw."""
    value, card = best_take(play)
    learner = play.game[PLAYER + acting_seat(play.game)] == LEARNER
    turned = learner and play.noise > 0 and random_fraction(play.stream) < EXPLORE_SHARE
    return card if (value > blind) != turned else -1


@kernel
def gain_card(play: GameContext, taken: CardId) -> None:
    """Take a discard, or draw (-1): one card, or the better of two in the two-player set-up."""
    game = play.game
    seat = acting_seat(game)
    if taken >= 0:
        game[AREA] ^= 1 << taken
        game[OPEN + seat] |= 1 << taken
        game[HANDS + seat] |= 1 << taken
    elif count_bits(game[HANDS + seat]) == HAND_SIZE:
        game[HANDS + seat] |= 1 << draw_card(game)
    else:
        one, two = draw_card(game), draw_card(game)
        _, kept = better_of(play, one, two)
        game[HANDS + seat] |= 1 << kept
        game[AREA] |= 1 << (one + two - kept)


@kernel
def lose_card(play: GameContext, taken: CardId) -> None:
    """Discard a card if the hand has one too many, but not the one just taken."""
    game = play.game
    seat = acting_seat(game)
    noise = play.noise if game[PLAYER + seat] == LEARNER else 0.0
    if count_bits(game[HANDS + seat]) > HAND_SIZE:
        _, dropped = best_drop(play, game[HANDS + seat], game[AREA], taken, noise)
        game[HANDS + seat] ^= 1 << dropped
        game[OPEN + seat] &= ~(1 << dropped)
        game[AREA] |= 1 << dropped


@kernel
def write_record(play: GameContext, record: Records, before: int, lead: float) -> None:
    """Write what the acting player knows to a record."""
    game = play.game
    hand, lying = game[HANDS + acting_seat(game)], game[AREA]
    record[HAND], record[LYING], record[KNOWN] = hand, lying, game[THEIRS]
    record[SEATS], record[SEAT], record[BEFORE] = game[PLAYERS], acting_seat(game), before
    record[WORTH] = hand_worth(play, hand, lying)
    record[LEAD] = int(lead * LEAD_SCALE)


@kernel
def take_turn(play: GameContext, records: Records, count: int) -> int:
    """Play a turn, append records after the first `count`, and return their new number."""
    game = play.game
    seat = acting_seat(game)
    game[THEIRS] = 0
    for other in range(game[PLAYERS]):
        game[THEIRS] |= game[OPEN + other] if other != seat else 0
    sample = sample_draw_value(play)
    if game[PLAYER + seat] == LEARNER:
        write_record(play, records[count], 1, sample)
    taken = choose_take(play, draw_value(play, sample))
    gain_card(play, taken)
    lose_card(play, taken)
    if game[PLAYER + seat] == LEARNER:
        write_record(play, records[count + 1], 0, 0.0)
        count += 2
    game[TURN] += 1
    return count


@kernel
def finish_records(play: GameContext, records: Records, count: int) -> None:
    """Score the game, and add to each record after a turn the result and the index of the player's next record."""
    game = play.game
    for seat in range(game[PLAYERS]):
        game[SCORES + seat] = hand_worth(play, game[HANDS + seat], game[AREA])
        game[LATER + seat] = -1
    for row in range(count - 1, -1, -1):
        seat = int(records[row, SEAT])
        if not records[row, BEFORE]:
            records[row, POINTS], records[row, LAST] = game[SCORES + seat], game[HANDS + seat]
            records[row, OTHERS] = best_other(game, seat)
            records[row, NEXT] = max(0, game[LATER + seat] - row)
            game[LATER + seat] = row


@kernel
def best_other(game: IntArray, seat: int) -> int:
    """Return the score of the best opponent."""
    best = -1000
    for other in range(game[PLAYERS]):
        best = best if other == seat else max(best, game[SCORES + other])
    return best


@kernel
def play_game(play: GameContext, records: Records) -> int:
    """Play a game with the seated players, and return the number of its records."""
    deal(play.game, play.stream)
    count = 0
    while not is_over(play.game):
        count = take_turn(play, records, count)
    finish_records(play, records, count)
    return count
