"""Helpers for the tests of Fantasy Realms: tables with known hands, steps, refusals and random games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import CHANCE, CLOCK, Seat
from realmtable.games.fantasy_realms import game as made
from realmtable.games.fantasy_realms import outcome as outcomes
from realmtable.games.fantasy_realms import view as views
from realmtable.games.fantasy_realms.cards import CARDS, CardId, find_card, names_of
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.hand_text import Choices
from realmtable.games.fantasy_realms.scoring.score import Score, score_with_choices
from realmtable.games.fantasy_realms.state import State, Step

GAME = made.GAME
ALL = frozenset(card.id for card in CARDS)
CLOCK_ACTS = 0.01
TABLES = [
    *[("standard", seats) for seats in range(2, 7)],
    ("two_player", 2),
    *[("chaos", seats) for seats in range(3, 8)],
]


def start(seats: int = 3, variant: str = "standard", **options: OptionValue) -> State:
    return GAME.initial(seats, GAME.options(variant, **options))


def table(seats: int = 3, variant: str = "standard", **options: OptionValue) -> State:
    """After a deal that gives the first seat the first seven cards of the list, the next the next; the first begins."""
    state = start(seats, variant, **options)
    if variant != "chaos":
        state = play(state, "first 1")
    for place in range(7 * seats if state.phase == "deal" else 0):
        state = GAME.play(state, CHANCE, Step("draw", 7 * (place % seats) + place // seats))
    return state


def set_up(text: str) -> State:
    """The table that a text such as ``dealt 3 chaos max_steps=10`` or ``new 2`` describes."""
    when, seats, *more = text.split()
    variant = more.pop(0) if more and "=" not in more[0] else "standard"
    options = {name: value == "on" or int(value) for name, _, value in (pair.partition("=") for pair in more)}
    return (table if when == "dealt" else start)(int(seats), variant, **options)


def play(state: State, *texts: str) -> State:
    """Play steps of the acting seat, of a seat given by a number (from 1) before the step, or of the clock."""
    for text in texts:
        seat, step = split_seat(state, text)
        state = GAME.play(state, seat, GAME.parse_move(state, step))
    return state


def split_seat(state: State, text: str) -> tuple[Seat, str]:
    head, _, rest = text.partition(" ")
    if head.isdigit():
        return int(head) - 1, rest
    return (CLOCK if text == "time" else GAME.to_move(state)[0]), text


def expect_refusal(state: State, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        play(state, text)
    return caught.value


def clause(state: State, text: str) -> str:
    return expect_refusal(state, text).clause


def legal(state: State, seat: Seat | None = None) -> list[str]:
    acting = GAME.to_move(state)[0] if seat is None else seat
    return [GAME.format_move(state, step) for step in GAME.legal_moves(state, acting)]


def card(name: str) -> CardId:
    return find_card(name).id


def ids(*names: str) -> tuple[CardId, ...]:
    """The ids of cards, given one by one or in lists with commas."""
    return tuple(card(name) for text in names for name in text.split(","))


def hand(state: State, seat: Seat) -> list[str]:
    return names_of(state.hands[seat])


# ---- scores


def patch_quick_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score hands as they are, where the best choices do not matter: finding them is slow without a compiler."""

    def plain(cards: Sequence[CardId], _: Sequence[CardId], options: FantasyOptions) -> Score:
        return _plain_score(tuple(cards), options)

    def quick(cards: Sequence[CardId], discard: Sequence[CardId], options: FantasyOptions) -> tuple[Score, bool]:
        return plain(cards, discard, options), True

    monkeypatch.setattr(outcomes, "best_score", plain)
    monkeypatch.setattr(views, "quick_score", quick)


@lru_cache(10_000)
def _plain_score(cards: tuple[CardId, ...], options: FantasyOptions) -> Score:
    return score_with_choices(cards, Choices(), options)


def choices_from_json(data: dict[str, Any]) -> Choices:
    """Read choices as `score_to_json` writes them: card names, and for the Book a card and a suit."""
    plain = {chooser: card(chosen) for chooser, chosen in data.items() if isinstance(chosen, str)}
    island = plain.pop("Island", None)
    book = data.get("Book of Changes")
    copies = tuple((card(chooser), copied) for chooser, copied in plain.items())
    return Choices(None, copies, None if book is None else (card(book[0]), book[1]), island)


# ---- random games


class Moment(NamedTuple):
    """A state of a random game and the step then taken; None at the end."""

    state: State
    seat: Seat
    step: Step | None


def random_state(state: State, seed: int, steps: int) -> State:
    """The state after some random steps, or the last one."""
    moments = list(random_game(state, seed))
    return moments[min(steps, len(moments) - 1)].state


def random_game(state: State, seed: int, clock: float = CLOCK_ACTS) -> Iterator[Moment]:
    """Yield every state of a random game; ready players may return, and the clock acts now and then."""
    rng = Random(seed)
    while acting := GAME.to_move(state):
        seat = rng.choice(acting)
        if CLOCK in acting:
            seats = [seat for seat in range(len(state.hands)) if GAME.legal_moves(state, seat)]
            seat = CLOCK if rng.random() < clock else rng.choice(seats)
        steps = [outcome.move for outcome in GAME.chance(state)] if seat == CHANCE else GAME.legal_moves(state, seat)
        step = rng.choice(_pick_kind(rng, steps))
        yield Moment(state, seat, step)
        state = GAME.play(state, seat, step)
    yield Moment(state, CHANCE, None)


def _pick_kind(rng: Random, steps: list[Step]) -> list[Step]:
    """The steps of one kind, so that rare kinds are met as often as bids."""
    verb = rng.choice(sorted({step.verb for step in steps}))
    return [step for step in steps if step.verb == verb]
