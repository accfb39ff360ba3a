"""Where the game is and how the seats stand: their chips, the parts of a turn and, in the end, what decided."""

from __future__ import annotations

from functools import cache
from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import Seat, View
from realmtable.engine.table_parts import Moment, SeatChip, SeatFact, SeatTotal, TieBreak, TurnStep
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from realmtable.games.fantasy_realms.picture.captions import discards_left, headline, seats_by_rank
from realmtable.games.fantasy_realms.picture.emblems import EMBLEM_PATHS
from realmtable.kit.svg import Element, element
from realmtable.kit.wording import join_words

_CARD: Final = "M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z"
_ICONS: Final = {
    "hand": "M4.500 6.500 12 3l7.500 3.500L16 21H8zM12 5.500 7 8l2.500 10.500h5L17 8z",
    "deck": f"{_CARD}M8 5v14h8V5zM12 8l3 4-3 4-3-4z",
    "discard": "M10.500 3h3v8h4L12 17 6.500 11h4zM4 19h16v2.500H4z",
    "offer": f"{_CARD}M8 5v14h8V5zM12 7.500l3 3.500h-2v5h-2v-5H9z",
    "strength": "M12 2 21 6v6c0 5-4 8.500-9 10-5-1.500-9-5-9-10V6z",
}


@cache
def icons() -> dict[str, Element]:
    """Return the icons by name; the points have the crown of the Leaders."""
    shapes = {
        name: element("path", d=shape, fill="currentColor", fill_rule="evenodd") for name, shape in _ICONS.items()
    }
    crown = element(
        "path",
        d=EMBLEM_PATHS["Leader"],
        fill="currentColor",
        fill_rule="evenodd",
        transform="translate(12 12) scale(.9)",
    )
    return {**shapes, "points": crown}


# ---- seats


def seat_chips(view: View) -> list[SeatChip]:
    """Return each seat's number of cards and, as far as the viewer may know it, what its realm is worth."""
    return [SeatChip("", _seat_facts(view, seat), _seat_total(view, seat)) for seat in range(view["seats"])]


def _seat_facts(view: View, seat: Seat) -> tuple[SeatFact, ...]:
    cards = SeatFact("hand", str(view["counts"][seat]), translate("cards in hand"))
    if view["phase"] != "trade":
        return (cards,)
    offered = sum(entry["seat"] == seat for entry in view["offers"])
    return (cards, SeatFact("offer", str(offered), translate("cards on offer")))


def _seat_total(view: View, seat: Seat) -> SeatTotal | None:
    if view["scores"] is not None:
        return SeatTotal(str(view["scores"][seat]["total"]), translate("points"))
    if seat != view["viewer"] or view["worth"] is None:
        return None
    worth = view["worth"]
    return SeatTotal(f"{worth['total']}{'' if worth['exact'] else '+'}", translate("worth now"))


# ---- the turn


def turn_steps(view: View) -> list[TurnStep]:
    """Return the parts of the viewer's turn: drawing and discarding, or the Necromancer's choice."""
    phase = view["phase"]
    if not view["moves"] or phase not in ("draw", "discard", "necromancer", "keep"):
        return []
    drawn = join_words(view["drawn"])
    if phase in ("necromancer", "keep"):
        return [
            _step(translate("Draw three"), "" if phase == "necromancer" else drawn, "deck", is_done=phase == "keep"),
            _step(translate("Keep one"), "", "hand", is_later=phase == "necromancer"),
        ]
    in_setup = phase == "draw" and len(view["hand"]) < HAND_SIZE  # W1: a card that is taken needs no discard
    ask = translate("two, or take one") if in_setup else ""
    left = translate("one of the two") if in_setup or len(view["drawn"]) > 1 else ""
    return [
        _step(translate("Draw"), ask if phase == "draw" else drawn, "deck", is_done=phase == "discard"),
        _step(translate("Discard"), left, "discard", is_later=phase == "draw"),
    ]


def _step(title: str, note: str, icon: str, *, is_done: bool = False, is_later: bool = False) -> TurnStep:
    return TurnStep(title, note, "done" if is_done else "later" if is_later else "now", icon)


# ---- the game


def moment(view: View) -> Moment:
    """Return the turn, how many discards end the game and how many cards are left."""
    if view["scores"] is not None:
        return Moment(translate("The game is over"), headline(view), "points")
    if view["phase"] == "trade":
        ready = translate("{ready} of {seats} are ready", ready=sum(view["ready"]), seats=view["seats"])
        return Moment(translate("Trading"), ready, "offer")
    deck = translate_count("{count} card in the deck", "{count} cards in the deck", view["deck"])
    if view["phase"] == "deal":
        return Moment(translate("Dealing"), deck, "deck")
    if view["limit"] is None:
        return Moment(translate("The Necromancer's choice"), deck, "deck")
    left = discards_left(view)
    if not left:
        return Moment(translate("Last turns: full hands end the game"), deck, "deck")
    if view["last_turns"]:
        one, many = "Last turns: {count} more discard ends the game", "Last turns: {count} more discards end the game"
    else:
        one, many = "{count} more discard ends the game", "{count} more discards end the game"
    return Moment(translate_count(one, many, left), deck, "deck")


# ---- the end


def tie_break(view: View) -> TieBreak | None:
    """Return the points and the strengths, of which the lower decide a tie (P6); None while the game is running."""
    if view["scores"] is None:
        return None
    numbers = [(score["total"], score["strength"]) for score in view["scores"]]
    values = tuple((str(total), str(strength)) for total, strength in numbers)
    columns = (("points", translate("points")), ("strength", translate("strengths, the lower first")))
    winner, next_one, *_ = seats_by_rank(view)
    first = [INFO.seat_names[seat] for seat in seats_by_rank(view) if view["ranking"][seat] == 1]
    if len(first) > 1:
        title = translate("{players} share first place: equal points and strengths", players=join_words(first))
        return TieBreak(title, columns, values, -1)
    (points, strength), (other_points, other_strength) = numbers[winner], numbers[next_one]
    name = INFO.seat_names[next_one]
    if points == other_points:
        title = "Equal points, so the lower strengths decide: {first} to {second}"
        text = translate("With 1 more point, {player} would have won.", player=name)
        return TieBreak(translate(title, first=strength, second=other_strength), columns, values, 1, text)
    missing = points - other_points + (other_strength >= strength)
    text = translate_count(
        "With {count} more point, {player} would have won.",
        "With {count} more points, {player} would have won.",
        missing,
        player=name,
    )
    title = translate("Points decide: {first} to {second}", first=points, second=other_points)
    return TieBreak(title, columns, values, 0, text)
