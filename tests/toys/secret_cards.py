"""Secret Cards, a toy with hidden hands: all commit a card at once, and the highest unmatched card wins a point.

- **C1** Players commit a card from their own hand.
- **C2** Cards are dealt one by one, seat by seat, from four of each rank.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from realmtable.engine.errors import BadPosition, IllegalMove
from realmtable.engine.options import as_pairs, check_fields, option
from realmtable.engine.protocol import (
    CHANCE,
    ChanceOutcome,
    GameInfo,
    HandlePath,
    Outcome,
    Seat,
    Span,
    Turn,
    View,
)
from realmtable.kit.small_game import SmallGame
from tests.toys.common import NAMES, outcome_of_scores, picture, put, read_options

RANKS: Final = "123456"
COPIES: Final = 4
NOTHING: Final = ""


@dataclass(frozen=True)
class CardOptions:
    """The numbers of cards and rounds."""

    hand: int = option(3, "Cards in a hand.", source="toy", clause="C2", low=2, high=3)
    rounds: int = option(2, "Rounds.", source="toy", clause="C2", low=1, high=2)
    refill: bool = option(False, "A card is dealt for each one played.", source="toy", clause="C2")

    def __post_init__(self) -> None:
        check_fields(self)


INFO: Final = GameInfo(
    id="secret_cards",
    title="Secret Cards",
    summary="The highest unmatched card wins.",
    seats=(2, 3, 4),
    seat_names=NAMES,
    options_type=CardOptions,
    presets={"plain": {}},
    default_preset="plain",
    hidden=True,
    chance=True,
    sources=("toy",),
)


@dataclass(frozen=True)
class CardTable:
    """The state of the game. Cards are digits; a hand is a sorted string of them."""

    options: CardOptions
    hands: tuple[str, ...]
    committed: tuple[str, ...]  # per seat: a card, or nothing yet
    scores: tuple[int, ...]
    round: int = 1
    played: str = NOTHING  # sorted, known to all


class SecretCards(SmallGame[CardTable]):
    """The game; `realmtable.engine.protocol.Game` documents each member."""

    info: GameInfo = INFO
    move_pattern = f"[{RANKS}]"

    def first_state(self, seats: int, options: CardOptions) -> CardTable:
        return CardTable(options, (NOTHING,) * seats, (NOTHING,) * seats, (0,) * seats)

    def _incomplete_seats(self, state: CardTable) -> list[Seat]:
        """Return the seats whose hands are not full; hands are filled only before any card is committed."""
        wanted = state.options.hand - (0 if state.options.refill else state.round - 1)
        fresh = not any(state.committed)
        return [seat for seat, hand in enumerate(state.hands) if fresh and len(hand) < wanted]

    def to_move(self, state: CardTable) -> tuple[Seat, ...]:
        if state.round > state.options.rounds:
            return ()
        if self._incomplete_seats(state):
            return (CHANCE,)
        return tuple(seat for seat, card in enumerate(state.committed) if not card)

    def turn(self, state: CardTable) -> Turn:
        return Turn(min(state.round, state.options.rounds), CHANCE)  # a round belongs to no seat

    def list_moves(self, state: CardTable, seat: Seat) -> list[str]:
        return [*set(state.hands[seat])]

    def chance(self, state: CardTable) -> list[ChanceOutcome]:
        if self.to_move(state) != (CHANCE,):
            return []
        seen = Counter("".join((*state.hands, state.played)))
        return [ChanceOutcome(card, COPIES - seen[card]) for card in RANKS if seen[card] < COPIES]

    def refusal(self, state: CardTable, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - the same in every state
        if seat == CHANCE:
            return IllegalMove("C2", "There is no such card left.")
        return IllegalMove("C1", "Commit a card of your hand.")

    def apply_move(self, state: CardTable, seat: Seat, move: str) -> CardTable:
        if seat == CHANCE:
            return self._deal(state, move)
        hands = put(state.hands, seat, state.hands[seat].replace(move, NOTHING, 1))
        state = replace(state, hands=hands, committed=put(state.committed, seat, move))
        return self._reveal(state) if all(state.committed) else state

    def _deal(self, state: CardTable, card: str) -> CardTable:
        seat = self._incomplete_seats(state)[0]
        return replace(state, hands=put(state.hands, seat, "".join(sorted(state.hands[seat] + card))))

    def _reveal(self, state: CardTable) -> CardTable:
        lone = [card for card, count in Counter(state.committed).items() if count == 1]
        best = max(lone, default=None)
        scores = tuple(score + (card == best) for score, card in zip(state.scores, state.committed, strict=True))
        played = "".join(sorted(state.played + "".join(state.committed)))
        nothing = (NOTHING,) * len(state.hands)
        return replace(state, committed=nothing, scores=scores, round=state.round + 1, played=played)

    def outcome(self, state: CardTable) -> Outcome | None:
        return None if self.to_move(state) else outcome_of_scores(state.scores, "rounds")

    def view(self, state: CardTable, seat: Seat | None) -> dict[str, Any]:
        return {
            "viewer": seat,
            "hand": None if seat is None else state.hands[seat],
            "mine": None if seat is None else state.committed[seat],
            "counts": [len(hand) for hand in state.hands],
            "ready": [bool(card) for card in state.committed],
            "scores": list(state.scores),
            "round": state.round,
            "played": state.played,
            "options": as_pairs(state.options),
        }

    def resample(self, state: CardTable, seat: Seat, rng: Random) -> CardTable:
        known = Counter(state.played + state.hands[seat] + state.committed[seat])
        unseen = [card for card in RANKS for _ in range(COPIES - known[card])]
        rng.shuffle(unseen)
        hands, committed = list(state.hands), list(state.committed)
        for other in range(len(hands)):
            if other != seat:
                hands[other] = "".join(sorted(unseen.pop() for _ in hands[other]))
                committed[other] = unseen.pop() if committed[other] else NOTHING
        return replace(state, hands=tuple(hands), committed=tuple(committed))

    def encode(self, state: CardTable) -> str:
        seats = zip(state.hands, state.committed, state.scores, strict=True)
        texts = [f"{hand}/{card}/{score}" for hand, card, score in seats]
        return ":".join([str(state.round), state.played, "+".join(texts), ",".join(as_pairs(state.options))])

    def decode(self, text: str) -> CardTable:
        if not re.fullmatch(
            r"[123]:[1-6]*:([1-6]{0,3}/[1-6]?/\d\+){1,3}[1-6]{0,3}/[1-6]?/\d:[a-z_=,0-9]*", text, re.ASCII
        ):
            raise BadPosition("A table is written like 1::123//0+456//0:.")
        number, played, seats, pairs = text.split(":")
        options: CardOptions = read_options(self, pairs)
        hands, committed, scores = zip(*(seat.split("/") for seat in seats.split("+")), strict=True)
        if max(Counter("".join((played, *hands, *committed))).values(), default=0) > COPIES:
            raise BadPosition("There are four cards of each rank.")
        return CardTable(options, hands, committed, tuple(map(int, scores)), int(number), played)

    def draw(self, view: View, theme: str = "auto") -> str:
        hand = view["hand"] or ""
        return picture([f"{theme}: {view['scores']}", hand], [f"hand:{card}" for card in sorted(set(hand))])

    def sketch(self, view: View) -> list[list[Span]]:
        return [[("hand ", "label"), (view["hand"] or "?", "title")], [(str(view["scores"]), "plain")]]

    def handles(self, view: View, move: str) -> HandlePath:  # noqa: ARG002 - a move means the same click in every view
        return (f"hand:{move}",)
