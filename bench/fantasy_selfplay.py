"""Games of Fantasy Realms that a network plays against itself and against greedy players, in compiled code.

The network chooses what leads it most over the best other. Before and after each of its turns a record is kept of what
it knew; when the game is over, how that went on. Every game has a number, and the same number is the same game.
"""

from __future__ import annotations

from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.games.fantasy_realms.bots import network as net
from realmtable.games.fantasy_realms.bots.hand_values import EIGHTHS, FULL, Cards, final_worth
from realmtable.games.fantasy_realms.bots.players import HURRY, ROUNDS
from realmtable.games.fantasy_realms.cards import CardId
from realmtable.games.fantasy_realms.scoring.card_arrays import Numbers
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import next_random

Floats = NDArray[np.floating]  # float32 but in tests
Records = NDArray[np.int64]  # a row for each record
Stream = NDArray[np.uint64]

OUTPUTS: Final = net.LAST_HAND + net.MANY  # that the game uses
DECK: Final = OUTPUTS  # one more: the lead after a blind draw, above what the hand is worth and below the usual
FINE: Final = 16  # a lead is recorded in parts of a point

# Columns of a record: what a seat knew, and how the game went on for it.
HAND, LYING, KNOWN, SEATS, WORTH, SEAT, BEFORE, LEAD, POINTS, OTHERS, LAST, NEXT = range(12)
COLUMNS: Final = 12  # LEAD is known before a turn only, what stands behind it after one only

# Entries of a game in play; from PLAYER on one for each seat, then the deck.
PLAYERS, LIMIT, TURN, DEALT, AREA, THEIRS, UNTAUGHT = range(7)
PLAYER: Final = 7
HANDS: Final = PLAYER + net.MOST_SEATS
OPEN: Final = HANDS + net.MOST_SEATS  # cards that were seen to be taken
SCORES: Final = OPEN + net.MOST_SEATS
LATER: Final = SCORES + net.MOST_SEATS  # the record of a seat that comes next
PILE: Final = LATER + net.MOST_SEATS
ENTRIES: Final = PILE + net.MANY

GREEDY, LEARNER = range(2)  # players
MOST_TURNS: Final = 200
MOST_RECORDS: Final = 2 * MOST_TURNS  # of a game
WORST: Final = -1e9
CHOICES_TURNED: Final = 0.06  # how often a learner takes a card although it would draw, or the other way round
BITS: Final = 53  # of a random fraction


class Weights(NamedTuple):
    """Three layers of a network: rows are what comes in, columns what goes out."""

    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats
    w3: Floats
    b3: Floats


class Play(NamedTuple):
    """What a game is played with."""

    tables: Numbers
    room: Numbers
    game: Numbers
    weights: Weights
    layers: tuple[Floats, Floats, Floats]  # sums for what is seen, the first and the second layer
    stream: Stream
    noise: float  # points by which a learner is typically wrong about a card to drop; 0: it does not explore


# ---- what the network says


@kernel
def add_row(sums: Floats, matrix: Floats, row: int, factor: float) -> None:
    """Add a row of a matrix, so many times."""
    times = np.float32(factor)
    for place in range(len(sums)):
        sums[place] += times * matrix[row, place]


@kernel
def see(play: Play, hand: Cards, lying: Cards) -> None:
    """Sum up the cards that are seen and the seats, for the first layer."""
    game, weights, sums = play.game, play.weights, play.layers[0]
    sums[:] = weights.b1
    add_row(sums, weights.w1, net.SEATS - net.FEWEST_SEATS + game[PLAYERS], 1.0)
    add_row(sums, weights.w1, net.MISSING, max(0, FULL - count_bits(hand)) / FULL)
    for card in range(net.MANY):
        if hand >> card & 1:
            add_row(sums, weights.w1, card, 1.0)
        if lying >> card & 1:
            add_row(sums, weights.w1, net.LYING + card, 1.0)
        if game[THEIRS] >> card & 1:
            add_row(sums, weights.w1, net.KNOWN + card, 1.0)


@kernel
def think(play: Play, count: int, worth: int, dropped: CardId) -> None:
    """Fill the layers, for what was seen, so many cards lying and a worth, after a card was dropped (-1: none)."""
    weights, (sums, first, second) = play.weights, play.layers
    first[:] = sums
    add_row(first, weights.w1, net.COUNT + min(count, net.MOST_LYING), 1.0)
    add_row(first, weights.w1, net.WORTH, worth / net.HUNDRED)
    if dropped >= 0:
        add_row(first, weights.w1, dropped, -1.0)
        add_row(first, weights.w1, net.LYING + dropped, 1.0)
    second[:] = weights.b2
    for place in range(len(first)):
        if first[place] > 0:
            add_row(second, weights.w2, place, first[place])


@kernel
def told(play: Play, output: int) -> float:
    """One output, in points, for the layers as they are."""
    second, w3 = play.layers[2], play.weights.w3
    value = play.weights.b3[output]
    for place in range(len(second)):
        if second[place] > 0:
            value += second[place] * w3[place, output]
    return float(value) * net.HUNDRED


# ---- a game


@kernel
def fraction(stream: Stream) -> float:
    """A random number from 0 up to 1."""
    return float(next_random(stream) >> np.uint64(64 - BITS)) / float(1 << BITS)


@kernel
def deal(game: Numbers, stream: Stream) -> None:
    """Shuffle and begin; with two players nobody is dealt cards (P1, W1)."""
    game[TURN] = game[DEALT] = game[AREA] = 0
    for card in range(net.MANY):
        other = int(fraction(stream) * (card + 1))
        game[PILE + card] = game[PILE + other]
        game[PILE + other] = card
    for seat in range(game[PLAYERS]):
        game[HANDS + seat] = game[OPEN + seat] = 0
        for _ in range(FULL if game[PLAYERS] > net.FEWEST_SEATS else 0):
            game[HANDS + seat] |= 1 << next_card(game)


@kernel
def next_card(game: Numbers) -> CardId:
    """Draw a card."""
    game[DEALT] += 1
    return game[PILE + game[DEALT] - 1]


@kernel
def mover(game: Numbers) -> int:
    """The seat whose turn it is."""
    return game[TURN] % game[PLAYERS]


@kernel
def all_full(game: Numbers, but: int) -> bool:
    """Whether all seats have their seven cards, one perhaps left out."""
    full = True
    for seat in range(game[PLAYERS]):
        full = full and (seat == but or count_bits(game[HANDS + seat]) >= FULL)
    return full


@kernel
def is_over(game: Numbers) -> bool:
    """Whether enough cards lie there (P4, W3), or nobody seems to want an end."""
    return game[TURN] >= MOST_TURNS or (count_bits(game[AREA]) >= game[LIMIT] and all_full(game, -1))


# ---- what choices are worth


@kernel
def worth_of(play: Play, hand: Cards, lying: Cards) -> int:
    """What a hand would score now."""
    return final_worth(play.tables, play.room, hand, lying & EIGHTHS)


@kernel
def value_after(play: Play, hand: Cards, lying: Cards, dropped: CardId) -> float:
    """How good it is to end a turn so, with a card dropped from what was seen (-1: none).

    To a greedy player that is what his hand is worth, to others how far they will lead.
    """
    game = play.game
    if dropped >= 0:
        hand, lying = hand ^ 1 << dropped, lying | 1 << dropped
    worth = worth_of(play, hand, lying)
    if game[PLAYER + mover(game)] == GREEDY:
        return float(worth)
    think(play, count_bits(lying), worth, dropped)
    ends = count_bits(lying) >= game[LIMIT] and count_bits(hand) == FULL and all_full(game, mover(game))
    more = 0.0 if ends else told(play, net.POINTS)
    return worth + more - net.USUAL - told(play, net.OTHERS)


@kernel
def best_drop(play: Play, hand: Cards, lying: Cards, kept: CardId, noise: float) -> tuple[float, CardId]:
    """The best value of ending a turn, and the card to drop for it, not the one that is kept (-1: any, or none)."""
    if play.game[PLAYER + mover(play.game)] == LEARNER:
        see(play, hand, lying)
    if count_bits(hand) <= FULL:
        return value_after(play, hand, lying, -1), -1
    best, chosen = WORST, -1
    for card in range(net.MANY):
        if hand >> card & 1 and card != kept:
            value = value_after(play, hand, lying, card)
            if noise > 0:
                value -= noise * log(1.0 - fraction(play.stream))
            if value > best:
                best, chosen = value, card
    return best, chosen


@kernel
def best_take(play: Play) -> tuple[float, CardId]:
    """The best value of taking a card that lies there and is not dropped again, and that card (-1: none is there)."""
    game = play.game
    hand, lying = game[HANDS + mover(game)], game[AREA]
    best, chosen = WORST, -1
    for card in range(net.MANY):
        if lying >> card & 1:
            value, _ = best_drop(play, hand | 1 << card, lying ^ 1 << card, card, 0.0)
            if value > best:
                best, chosen = value, card
    return best, chosen


@kernel
def better_of(play: Play, one: CardId, two: CardId) -> tuple[float, CardId]:
    """The value of keeping the better of two cards and putting the other away (W1), and that card."""
    game = play.game
    hand, lying = game[HANDS + mover(game)], game[AREA]
    first, _ = best_drop(play, hand | 1 << one, lying | 1 << two, -1, 0.0)
    second, _ = best_drop(play, hand | 1 << two, lying | 1 << one, -1, 0.0)
    if first >= second:
        return first, one
    return second, two


@kernel
def some_draw(play: Play) -> float:
    """The value of a draw, for a card at random of those still in the deck, or two."""
    game = play.game
    left = net.MANY - game[DEALT]
    at = int(fraction(play.stream) * left)
    card, hand = game[PILE + game[DEALT] + at], game[HANDS + mover(game)]
    if count_bits(hand) == FULL:
        value, _ = best_drop(play, hand | 1 << card, game[AREA], -1, 0.0)
    else:
        other = (at + 1 + int(fraction(play.stream) * (left - 1))) % left
        value, _ = better_of(play, card, game[PILE + game[DEALT] + other])
    return value


@kernel
def blind_value(play: Play, sample: float) -> float:
    """What a draw seems worth; of one sample that is made of it only who knows no better makes use.

    A greedy player hopes for nothing. As the game goes on too long, learners draw ever more gladly.
    """
    game = play.game
    hand, lying = game[HANDS + mover(game)], game[AREA]
    if game[PLAYER + mover(game)] == GREEDY:
        return float(worth_of(play, hand, lying)) if count_bits(hand) == FULL else sample
    hurry = HURRY * max(0, game[TURN] - ROUNDS * game[PLAYERS])
    if game[UNTAUGHT]:
        return sample + hurry
    worth = worth_of(play, hand, lying)
    see(play, hand, lying)
    think(play, count_bits(lying), worth, -1)
    return worth + told(play, DECK) - net.USUAL + hurry


# ---- a turn


@kernel
def chosen_take(play: Play, blind: float) -> CardId:
    """The card that is taken, or -1 for a draw that seems worth so much."""
    value, card = best_take(play)
    learner = play.game[PLAYER + mover(play.game)] == LEARNER
    turned = learner and play.noise > 0 and fraction(play.stream) < CHOICES_TURNED
    return card if (value > blind) != turned else -1


@kernel
def gain_card(play: Play, taken: CardId) -> None:
    """Take a card that lies there, or draw (-1): one card, or in the set-up for two the better of two."""
    game = play.game
    seat = mover(game)
    if taken >= 0:
        game[AREA] ^= 1 << taken
        game[OPEN + seat] |= 1 << taken
        game[HANDS + seat] |= 1 << taken
    elif count_bits(game[HANDS + seat]) == FULL:
        game[HANDS + seat] |= 1 << next_card(game)
    else:
        one, two = next_card(game), next_card(game)
        _, kept = better_of(play, one, two)
        game[HANDS + seat] |= 1 << kept
        game[AREA] |= 1 << (one + two - kept)


@kernel
def lose_card(play: Play, taken: CardId) -> None:
    """Drop a card if there is one too many, but not the one that was taken."""
    game = play.game
    seat = mover(game)
    noise = play.noise if game[PLAYER + seat] == LEARNER else 0.0
    if count_bits(game[HANDS + seat]) > FULL:
        _, dropped = best_drop(play, game[HANDS + seat], game[AREA], taken, noise)
        game[HANDS + seat] ^= 1 << dropped
        game[OPEN + seat] &= ~(1 << dropped)
        game[AREA] |= 1 << dropped


@kernel
def note(play: Play, record: Records, before: int, lead: float) -> None:
    """Write down what the player knows whose turn it is."""
    game = play.game
    hand, lying = game[HANDS + mover(game)], game[AREA]
    record[HAND], record[LYING], record[KNOWN] = hand, lying, game[THEIRS]
    record[SEATS], record[SEAT], record[BEFORE] = game[PLAYERS], mover(game), before
    record[WORTH] = worth_of(play, hand, lying)
    record[LEAD] = int(lead * FINE)


@kernel
def take_turn(play: Play, records: Records, count: int) -> int:
    """Play a turn, write records behind the first `count` of them, and tell how many there are now."""
    game = play.game
    seat = mover(game)
    game[THEIRS] = 0
    for other in range(game[PLAYERS]):
        game[THEIRS] |= game[OPEN + other] if other != seat else 0
    sample = some_draw(play)
    if game[PLAYER + seat] == LEARNER:
        note(play, records[count], 1, sample)
    taken = chosen_take(play, blind_value(play, sample))
    gain_card(play, taken)
    lose_card(play, taken)
    if game[PLAYER + seat] == LEARNER:
        note(play, records[count + 1], 0, 0.0)
        count += 2
    game[TURN] += 1
    return count


@kernel
def close(play: Play, records: Records, count: int) -> None:
    """Score the game, and tell each record made after a turn how it ended and where its player's next one stands."""
    game = play.game
    for seat in range(game[PLAYERS]):
        game[SCORES + seat] = worth_of(play, game[HANDS + seat], game[AREA])
        game[LATER + seat] = -1
    for row in range(count - 1, -1, -1):
        seat = int(records[row, SEAT])
        if not records[row, BEFORE]:
            records[row, POINTS], records[row, LAST] = game[SCORES + seat], game[HANDS + seat]
            records[row, OTHERS] = best_other(game, seat)
            records[row, NEXT] = max(0, game[LATER + seat] - row)
            game[LATER + seat] = row


@kernel
def best_other(game: Numbers, seat: int) -> int:
    """What the best of the other players has."""
    best = -1000
    for other in range(game[PLAYERS]):
        best = best if other == seat else max(best, game[SCORES + other])
    return best


@kernel
def play_game(play: Play, records: Records) -> int:
    """Play a game with the players that are seated; tell how many records it gave."""
    deal(play.game, play.stream)
    count = 0
    while not is_over(play.game):
        count = take_turn(play, records, count)
    close(play, records, count)
    return count
