"""Where the game is and how the seats stand: the Round, a chip for each seat and, in the end, what decided."""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import Seat, View
from realmtable.engine.table_parts import Moment, SeatChip, SeatFact, SeatTotal, TieBreak
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of
from realmtable.kit.wording import join_words


def moment(view: View) -> Moment:
    """Return the Round, and what starts the last one."""
    number = view["round"]
    if view["phase"] == "over":
        return Moment(translate_count("{count} Round is over", "{count} Rounds are over", number), icon="round")
    if not view["turn"]["number"]:
        return Moment(translate("Set-up"), icon="round")
    text = translate_count("{count} star starts the last Round", "{count} stars start the last Round", view["goal"])
    if view["triggered"]:
        text = translate("the last Round")
    return Moment(translate("Round {number}", number=number), text, icon="round")


def seat_chips(view: View) -> list[SeatChip]:
    """Return each seat's Etherium, Mages that are awake, Realms and stars."""
    return [_make_chip(view, seat) for seat in range(len(view["players"]))]


def _make_chip(view: View, seat: Seat) -> SeatChip:
    player = view["players"][seat]
    mages = [mage for mage in view["mages"] if mage["seat"] == seat]
    awake = sum(not mage["exhausted"] for mage in mages)
    facts = (
        SeatFact("white", str(player["white"]), translate("White Etherium")),
        SeatFact("black", str(player["black"]), translate("Black Etherium")),
        SeatFact("mage", f"{awake}/{len(mages)}", translate("Mages awake")),
        SeatFact("flag", str(player["controlled"]), translate("Realms Controlled")),
    )
    points, goal = player["points"], view["goal"]
    total = SeatTotal(str(points), translate("stars"), str(goal), "star", min(1.0, points / goal))
    return SeatChip(f"seat{seat}", facts, total)


# ---- the end


_COMPARED: Final = (("points", "star"), ("controlled", "flag"), ("black", "black"), ("white", "white"))  # E2
_REALMS: Final = 1  # their place among these


def tie_break(view: View) -> TieBreak | None:
    """Return the numbers that decided, in the order of E2, and how close the next player came."""
    ended = view["outcome"]
    if ended is None:
        return None
    numbers = [[player[entry] for entry, _ in _COMPARED] for player in view["players"]]
    values = tuple(tuple(map(str, row)) for row in numbers)
    labels = (translate("stars"), translate("Realms"), translate("Black"), translate("White"))
    columns = tuple((icon, label) for (_, icon), label in zip(_COMPARED, labels, strict=True))
    seats = sorted(range(len(numbers)), key=lambda seat: ended["ranking"][seat])
    winner, next_one = seats[:2]
    first = [INFO.seat_names[seat] for seat in seats if ended["ranking"][seat] == 1]
    if first[1:]:
        return TieBreak(translate("{players} share first place", players=join_words(first)), columns, values, -1)
    decides = next(index for index in range(len(_COMPARED)) if numbers[winner][index] > numbers[next_one][index])
    title = _say_what_decided(decides, values[winner][decides], values[next_one][decides])
    return TieBreak(title, columns, values, decides, _say_what_was_missing(view, numbers, winner, next_one, decides))


def _say_what_decided(decides: int, first: str, second: str) -> str:
    return (
        translate("Stars decide: {first} to {second}", first=first, second=second),
        translate("Equal stars, so Realms decide: {first} to {second}", first=first, second=second),
        translate("Equal stars and Realms, so Black decides: {first} to {second}", first=first, second=second),
        translate("Equal stars, Realms and Black, so White decides: {first} to {second}", first=first, second=second),
    )[decides]


def _say_what_was_missing(view: View, numbers: list[list[int]], winner: Seat, next_one: Seat, decides: int) -> str:
    """Return how much more of the number that decided would have been enough for the next player."""
    missing = numbers[winner][decides] - numbers[next_one][decides]
    missing += numbers[winner][decides + 1 :] >= numbers[next_one][decides + 1 :]
    name = INFO.seat_names[next_one]
    sentence = (
        translate_count(
            "With {count} more star, {player} would have won.",
            "With {count} more stars, {player} would have won.",
            missing,
            player=name,
        ),
        translate_count(
            "With {count} more Realm, {player} would have won.",
            "With {count} more Realms, {player} would have won.",
            missing,
            player=name,
        ),
        translate("With {count} more Black, {player} would have won.", count=missing, player=name),
        translate("With {count} more White, {player} would have won.", count=missing, player=name),
    )[decides]
    free = _count_free_realms(view, next_one) if decides == _REALMS else 0
    if free < max(1, missing):
        return sentence
    return f"{sentence} {translate_count('{count} was free.', '{count} were free.', free)}"


def _count_free_realms(view: View, seat: Seat) -> int:
    """Return how many Realms a player could have Controlled by their names: none of one name twice (C2)."""
    own = {realm["kind"] for realm in view["realms"] if realm["seat"] == seat}
    free = {realm["kind"] for realm in view["realms"] if realm["seat"] is None} - own
    return sum(tile_of(view, kind).control is not None for kind in free)
