"""Whether a game could go on from a state that somebody wrote down; what could not is refused in a sentence."""

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
    """The state itself, or `BadPosition`."""
    for sound, sentence in _CHECKS:
        if not sound(state):
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
    chosen = state.phase not in ("necromancer", "keep") or state.holder(NECROMANCER) is not None
    return state.phase in PHASES_BY_VARIANT[state.variant] and chosen


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
    usual = [state.size_before_turn(seat) for seat in range(len(sizes))]
    if state.seat is not None:
        usual[state.seat] += _count_turn_cards(state)
    kept = state.holder(NECROMANCER)
    if _is_chaos(state) and state.phase == "over" and kept is not None and sizes[kept] == HAND_SIZE + 1:
        usual[kept] += 1  # X7
    return sizes == usual


def _has_valid_deal(state: State, sizes: list[int]) -> bool:
    """Card by card round the table (N2), and not all yet."""
    seats, dealt, first = len(sizes), sum(sizes), state.first or 0
    usual = [(dealt + seats - 1 - (seat - first) % seats) // seats for seat in range(seats)]
    return sizes == usual and dealt < HAND_SIZE * seats


def _cards_per_turn(state: State) -> int:
    """How many cards a turn brings."""
    return NECROMANCER_DRAW if _is_chaos(state) else 2 if state.in_setup else 1


def _count_turn_cards(state: State) -> int:
    """How many cards who acts holds for this turn by now."""
    if state.phase in ("discard", "keep"):
        return _cards_per_turn(state)
    return _cards_per_turn(state) - state.owed if state.owed else 0


def _has_valid_owed(state: State) -> bool:
    return not state.owed or (state.phase in ("draw", "necromancer") and state.owed <= _cards_per_turn(state))


def _has_valid_end(state: State) -> bool:
    return state.reason == (_find_chaos_end_reason(state) if _is_chaos(state) else _find_end_reason(state))


def _find_end_reason(state: State) -> str:
    """The reason for which a game is over, by its cards as they lay when the present turn began."""
    taken = state.phase == "discard" and not state.in_setup and state.turn_cards[0] in state.known
    gathered = all(state.size_before_turn(seat) == HAND_SIZE for seat in range(len(state.hands)))
    full = gathered and len(state.discard) + taken >= DISCARD_LIMITS[state.variant]
    if full != (state.phase == "over"):
        late = state.phase == "over" and state.turns >= state.options.max_turns
        return "max_turns" if late else "none"
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
        return state.phase == "trade" or not (state.offers or state.bids)
    return not (any(state.ready) or any(state.seen) or state.steps or state.offers or state.bids)


def _has_valid_offers(state: State) -> bool:
    return len(set(state.offers)) == len(state.offers) and set(state.offers) <= set(state.known)


def _has_valid_bids(state: State) -> bool:
    return len(set(state.bids)) == len(state.bids) and all(
        bid.offer in state.offers and state.holder(bid.card) not in (None, state.holder(bid.offer))
        for bid in state.bids
    )


def _has_valid_known(state: State) -> bool:
    must = {NECROMANCER} if state.phase in ("necromancer", "keep") else set()
    return must <= set(state.known) <= set(_cards_in_hands(state)) and not (state.phase == "deal" and state.known)


def _has_valid_seen(state: State) -> bool:
    """Only cards of others, beyond what all know; and a bid is seen by the owner of what it is for."""
    held = set(_cards_in_hands(state))
    for hand, seen in zip(state.hands, state.seen, strict=False):
        shown = {bid.card for bid in state.bids if bid.offer in hand}
        if set(seen) & {*hand, *state.known} or not set(seen) <= held or not shown <= {*seen, *state.known}:
            return False
    return True


_CHECKS: Final[tuple[tuple[Callable[[State], bool], str], ...]] = (
    (_has_no_duplicates, f"A card is there twice; there is one of each of the {len(CARDS)}."),
    (_has_valid_phase, "The variant has no such phase, or nobody holds the Necromancer who chooses."),
    (_has_valid_first, "`first` is the starting seat once it is named; in Chaos Realms there is none."),
    (_has_valid_turns, "`turns` does not fit: every turn drops one card at most, and the last one ends the game."),
    (_has_valid_owed, "Chance owes cards only to who draws."),
    (_has_valid_hands, "The hands have other numbers of cards than the rules give them by now."),
    (_has_valid_known, "`known` lists cards in hands, and the Necromancer when he chooses."),
    (_has_valid_trading, "Offers, bids, `ready`, `steps` and `seen` belong to the trading of Chaos Realms."),
    (_has_valid_offers, "A card is on offer once, and `known`."),
    (_has_valid_bids, "A bid is made once, with a card of another hand than the card on offer that it is for."),
    (_has_valid_seen, "`seen` lists, by seat, cards of others beyond `known`, and those that are bid to this seat."),
    (_has_valid_end, "`end` and phase=over do not fit the cards, turns or steps."),
)
