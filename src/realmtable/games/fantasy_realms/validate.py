"""Check that a state written by hand is one a game could reach, and refuse others with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, CardId
from realmtable.games.fantasy_realms.state import DISCARD_LIMITS, NECROMANCER, NECROMANCER_DRAW, State

PHASES_BY_VARIANT: Final = {
    "standard": ("deal", "draw", "discard", "over"),
    "two_player": ("deal", "draw", "discard", "over"),
    "chaos": ("deal", "trade", "necromancer", "keep", "over"),
}


def check_state(state: State) -> State:
    """Return the state if it is valid; raise `BadPosition` otherwise."""
    for is_valid, sentence in _CHECKS:
        if not is_valid(state):
            raise BadPosition(sentence)
    return state


def _cards_in_hands(state: State) -> list[CardId]:
    return [card for hand in state.hands for card in hand]


def _is_chaos(state: State) -> bool:
    return state.variant == "chaos"


def _has_no_duplicates(state: State) -> bool:
    cards = [*_cards_in_hands(state), *state.open_cards()]
    return len(set(cards)) == len(cards)


def _has_valid_phase(state: State) -> bool:
    has_chooser = state.phase not in ("necromancer", "keep") or state.holder(NECROMANCER) is not None
    return state.phase in PHASES_BY_VARIANT[state.variant] and has_chooser


def _has_valid_first(state: State) -> bool:
    if _is_chaos(state):
        return state.first is None
    if state.phase == "deal" and state.first is None:
        return not _cards_in_hands(state)
    return state.first is not None and not (state.phase == "deal" and state.variant == "two_player")


def _has_valid_turns(state: State) -> bool:
    if _is_chaos(state) or state.phase == "deal":
        return not state.turns and not state.discard
    return len(state.discard) <= state.turns <= state.options.max_turns - (state.phase != "over")


def _has_valid_hands(state: State) -> bool:
    sizes = [len(hand) for hand in state.hands]
    if state.phase == "deal":
        return _has_valid_deal(state, sizes)
    expected = [state.size_before_turn(seat) for seat in range(len(sizes))]
    if state.seat is not None:
        expected[state.seat] += _count_turn_cards(state)
    holder = state.holder(NECROMANCER)
    if _is_chaos(state) and state.phase == "over" and holder is not None and sizes[holder] == HAND_SIZE + 1:
        expected[holder] += 1  # X7
    return sizes == expected


def _has_valid_deal(state: State, sizes: list[int]) -> bool:
    """Whether the hands are those of an unfinished deal, card by card round the table (N2)."""
    seats, dealt, first = len(sizes), sum(sizes), state.first or 0
    expected = [(dealt + seats - 1 - (seat - first) % seats) // seats for seat in range(seats)]
    return sizes == expected and dealt < HAND_SIZE * seats


def _cards_per_turn(state: State) -> int:
    return NECROMANCER_DRAW if _is_chaos(state) else 2 if state.in_setup else 1


def _count_turn_cards(state: State) -> int:
    if state.phase in ("discard", "keep"):
        return _cards_per_turn(state)
    return _cards_per_turn(state) - state.owed if state.owed else 0


def _has_valid_owed(state: State) -> bool:
    return not state.owed or (state.phase in ("draw", "necromancer") and state.owed <= _cards_per_turn(state))


def _has_valid_end(state: State) -> bool:
    return state.reason == (_find_chaos_end_reason(state) if _is_chaos(state) else _find_end_reason(state))


def _find_end_reason(state: State) -> str:
    """Return why the game is over, judging by the cards as they were when the current turn began."""
    taken = state.phase == "discard" and not state.in_setup and state.turn_cards[0] in state.known
    hands_full = all(state.size_before_turn(seat) == HAND_SIZE for seat in range(len(state.hands)))
    full = hands_full and len(state.discard) + taken >= DISCARD_LIMITS[state.variant]
    if full != (state.phase == "over"):
        past_limit = state.phase == "over" and state.turns >= state.options.max_turns
        return "max_turns" if past_limit else "none"
    return "full_discard" if full else ""


def _find_chaos_end_reason(state: State) -> str:
    trading = state.phase in ("deal", "trade")
    if all(state.ready):
        return "none" if trading else "all_ready"
    if state.steps >= state.options.max_steps:
        return "none" if trading else "max_steps"
    return "" if trading else "time"


def _has_valid_trading(state: State) -> bool:
    if _is_chaos(state) and state.phase != "deal":
        return state.phase == "trade" or not (state.offers or state.bids or state.refused)
    return not (any(state.ready) or any(state.seen) or state.steps or state.offers or state.bids or state.refused)


def _has_valid_offers(state: State) -> bool:
    return len(set(state.offers)) == len(state.offers) and set(state.offers) <= set(state.known)


def _has_valid_bids(state: State) -> bool:
    bids = (*state.bids, *state.refused)
    return len(set(bids)) == len(bids) and all(
        bid.offer in state.offers and state.holder(bid.card) not in (None, state.holder(bid.offer)) for bid in bids
    )


def _has_valid_known(state: State) -> bool:
    required = {NECROMANCER} if state.phase in ("necromancer", "keep") else set()
    return required <= set(state.known) <= set(_cards_in_hands(state)) and not (state.phase == "deal" and state.known)


def _has_valid_seen(state: State) -> bool:
    """Whether `seen` lists only other hands' cards beyond `known`, including every card bid to the seat."""
    in_hands = set(_cards_in_hands(state))
    for hand, seen in zip(state.hands, state.seen, strict=False):
        shown = {bid.card for bid in (*state.bids, *state.refused) if bid.offer in hand}
        if set(seen) & {*hand, *state.known} or not set(seen) <= in_hands or not shown <= {*seen, *state.known}:
            return False
    return True


_CHECKS: Final[tuple[tuple[Callable[[State], bool], str], ...]] = (
    (_has_no_duplicates, f"A card appears twice; there is only one of each of the {len(CARDS)}."),
    (_has_valid_phase, "The variant has no such phase, or it is the Necromancer's choice but no one holds the card."),
    (_has_valid_first, "`first` is the starting seat, given once it is chosen; Chaos Realms has none."),
    (_has_valid_turns, "`turns` does not fit: a turn discards at most one card, and the last turn ends the game."),
    (_has_valid_owed, "`owed` counts cards only while a seat is drawing."),
    (_has_valid_hands, "The hand sizes do not fit the rules at this point of the game."),
    (_has_valid_known, "`known` lists only cards in hands, and includes the Necromancer during its choice."),
    (_has_valid_trading, "Offers, bids, `ready`, `steps` and `seen` belong to trading in Chaos Realms."),
    (_has_valid_offers, "Each card is on offer only once and is listed in `known`."),
    (_has_valid_bids, "Each bid, open or refused, is made only once, for a card on offer in another hand."),
    (_has_valid_seen, "`seen` lists, by seat, other hands' cards beyond `known`, including those bid to that seat."),
    (_has_valid_end, "`end` and phase=over do not match the cards, turns or steps."),
)
