"""Write and parse steps and turns (N1 to N4): ``deck``, ``take King``, ``bid King for Queen``.

Chance writes ``first 2`` and bare card names. Commas separate the steps of a turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from realmtable.engine.errors import BadInput, BadNotation, GameOver
from realmtable.engine.protocol import ParsedTurn, player_seats
from realmtable.games.fantasy_realms import rules
from realmtable.games.fantasy_realms.cards import CARDS, CardId, find_card
from realmtable.games.fantasy_realms.state import State, Step

BARE_VERBS: Final = ("active", "deck", "leave", "ready", "time")  # steps that name no card
CARD_VERBS: Final = ("drop", "keep", "offer", "take", "withdraw")
BID_VERBS: Final = ("accept", "bid", "cancel", "refuse")
VERBS: Final = (*BARE_VERBS, *CARD_VERBS, *BID_VERBS)
MAX_STEP: Final = 200  # characters
MAX_TURN: Final = 200_000
SEAT_BY_NUMBER: Final[Mapping[str, int]] = {str(seat + 1): seat for seat in range(7)}


def format_move(step: Step) -> str:
    """Return the text of a step."""
    if step.verb == "first":
        return f"first {step.card + 1}"
    if step.verb == "draw":
        return CARDS[step.card].name
    if step.verb in BID_VERBS:
        return f"{step.verb} {CARDS[step.card].name} for {CARDS[step.other].name}"
    return step.verb if step.verb in BARE_VERBS else f"{step.verb} {CARDS[step.card].name}"


def parse_move(text: str) -> Step:
    """Parse a step, legal or not."""
    words = text[:MAX_STEP].split()
    if not words or len(text) > MAX_STEP:
        raise BadNotation("Write a step, like deck, take King or drop King.")
    word, rest = words[0].lower(), " ".join(words[1:])
    verb = "drop" if word == "discard" else word  # buttons and captions say "discard"
    if verb == "first":
        return _parse_first(rest)
    if verb in BID_VERBS:
        return _parse_bid_step(verb, rest)
    if verb in CARD_VERBS:
        return Step(verb, _parse_card(rest, verb))
    if verb in BARE_VERBS:
        if rest:
            raise BadNotation(f"Write {verb} alone, without {rest[:40]}.")
        return Step(verb)
    return Step("draw", _parse_bare_card(text))


def _parse_first(rest: str) -> Step:
    if rest not in SEAT_BY_NUMBER:
        raise BadNotation(
            f"Write the starting seat as first and a number from 1 to 7, like first 2, not {rest[:40] or 'nothing'}."
        )
    return Step("first", SEAT_BY_NUMBER[rest])


def _parse_bid_step(verb: str, rest: str) -> Step:
    """Parse a card, `for` and a card on offer. No card name contains the word, so the first one separates them."""
    words = rest.split()
    places = [place for place, word in enumerate(words) if word.lower() == "for"]
    if not places:
        raise BadNotation(f"Write {verb} and two cards, like {verb} King for Queen: the bid card first.")
    card, other = words[: places[0]], words[places[0] + 1 :]
    return Step(verb, _parse_card(" ".join(card), verb), _parse_card(" ".join(other), verb))


def _parse_card(text: str, verb: str) -> CardId:
    if not text:
        raise BadNotation(f"Name the card, like {verb} King.")
    try:
        return find_card(text).id
    except BadInput as error:
        raise BadNotation(str(error)) from None


def _parse_bare_card(text: str) -> CardId:
    try:
        return find_card(text).id
    except BadInput as error:
        raise BadNotation(f"{error} A step begins with one of {', '.join(VERBS)}.") from None


# ---- turns


def format_turn(steps: Sequence[Step]) -> str:
    """Return the steps of a turn, separated by commas."""
    return ", ".join(map(format_move, steps))


def parse_turn(state: State, text: str) -> ParsedTurn:
    """Parse the steps of a turn, as far as it goes.

    While trading, many seats act at once and the record names the seats separately, so steps are parsed but not played.
    """
    if len(text) > MAX_TURN:
        raise BadNotation(f"A turn must be shorter than {MAX_TURN:,} characters.")
    if not rules.to_move(state):
        raise GameOver("The game is over.")
    texts = text.split(",")
    if state.phase == "trade":
        return ParsedTurn([parse_move(part) for part in texts], [], "")
    return _parse_and_play(state, texts)


def _parse_and_play(state: State, texts: list[str]) -> ParsedTurn:
    """Parse the acting seat's steps up to the end of its turn or to the next chance step."""
    acting, turns = rules.to_move(state), state.turns
    steps: list[Step] = []
    while texts and rules.to_move(state) == acting and state.turns == turns:
        step = parse_move(texts.pop(0))
        state = rules.play(state, acting[0], step)
        steps.append(step)
    if texts and not player_seats(rules.to_move(state) or (0,)):
        raise BadNotation("After deck, wait for the cards to be drawn before you write the rest of the turn.")
    return ParsedTurn(steps, [], ",".join(texts).strip())
