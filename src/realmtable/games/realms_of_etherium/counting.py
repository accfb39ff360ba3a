"""What a Victory Realm counts (C5 to C9), from the view alone.

A view does not name the options V6 and V9, but it says what Realms are worth: of the readings that the options allow,
the one that agrees is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import Seat, View
from realmtable.games.realms_of_etherium.places import hexes_around
from realmtable.games.realms_of_etherium.tiles.manifest import Tile
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of, type_of

RealmData = Mapping[str, Any]


class _Reading(NamedTuple):
    """How the options V6 and V9 can be set."""

    lone: bool  # whether a single Realm counts as connected
    anyone: bool  # whether anyone's Control counts


_READINGS: Final = tuple(_Reading(lone, anyone) for anyone in (False, True) for lone in (True, False))


def find_counted(view: View, realm: RealmData) -> list[str]:
    """Return the hexes of the Realms that a Victory Realm counts; none if the view leaves open which.

    Of Realms that count only once, such as those of one type, it is the first one clockwise. A Realm that nobody
    Controls is counted for the active player.
    """
    tile = tile_of(view, realm["kind"])
    owner = view["turn"]["seat"] if realm["seat"] is None else realm["seat"]
    for reading in _READINGS:
        found = _find_counted(view, realm["at"], tile, owner, reading)
        if realm["points"] in (None, _count(tile, found) * tile.power.points):
            return found
    return []


def _count(tile: Tile, found: Sequence[str]) -> int:
    return len(found) // 2 if tile.power.colours else len(found)


def _find_counted(view: View, at: str, tile: Tile, owner: Seat, reading: _Reading) -> list[str]:
    realms = {realm["at"]: realm for realm in view["realms"]}
    tiles = {hex_: tile_of(view, realm["kind"]) for hex_, realm in realms.items()}
    around = [hex_ for hex_ in hexes_around(at) if hex_ in realms]
    power = tile.power
    if power.colours:
        first, second = ([hex_ for hex_ in around if tiles[hex_].colour == colour] for colour in power.colours)
        pairs = min(len(first), len(second))
        return first[:pairs] + second[:pairs]
    if power.verb == "score_types":
        return list({type_of(tiles[hex_]): hex_ for hex_ in reversed(around)}.values())

    def counts(hex_: str) -> bool:
        if power.of:
            return tiles[hex_].colour == power.of
        seat = realms[hex_]["seat"]
        is_own = seat is not None and (reading.anyone or seat == owner)
        return is_own if power.by == "owner" else seat is not None and seat != owner

    if power.verb == "score_connected" or power.where == "connected":
        return list(_list_connected(at, around, realms, counts, reading))
    return [hex_ for hex_ in around if counts(hex_)]


def _list_connected(
    at: str, around: Sequence[str], realms: Mapping[str, RealmData], counts: Callable[[str], bool], reading: _Reading
) -> Iterator[str]:
    found: set[str] = {at}
    for start in around:
        if start in found or not counts(start):
            continue
        group = [start]
        found.add(start)
        for hex_ in group:
            near = [other for other in hexes_around(hex_) if other in realms and other not in found and counts(other)]
            group += near
            found.update(near)
        if reading.lone or len(group) > 1 or counts(at):
            yield from group


def explain_points(view: View, realm: RealmData) -> str:
    """Return what a Controlled Victory Realm has its points for."""
    tile = tile_of(view, realm["kind"])
    power, count = tile.power, realm["points"] // tile.power.points
    if power.colours:
        first, second = (colour.capitalize() for colour in power.colours)
        return translate_count(
            "{count} pair of {first} and {second} Realms",
            "{count} pairs of {first} and {second} Realms",
            count,
            first=first,
            second=second,
        )
    if power.verb == "score_types":
        return translate_count("{count} type touches it", "{count} types touch it", count)
    if power.verb == "score_adjacent":
        return translate_count(
            "{count} {colour} Realm touches it",
            "{count} {colour} Realms touch it",
            count,
            colour=_colour_word(power.of),
        )
    if power.verb == "score_connected":
        return translate_count(
            "{count} linked {colour} Realm", "{count} linked {colour} Realms", count, colour=_colour_word(power.of)
        )
    if power.where == "connected":
        return translate_count("{count} linked Controlled Realm", "{count} linked Controlled Realms", count)
    if power.by == "opponents":
        return translate_count(
            "{count} Realm of opponents touches it", "{count} Realms of opponents touch it", count
        )  # fmt: skip
    return translate_count("{count} Controlled Realm touches it", "{count} Controlled Realms touch it", count)


def _colour_word(colour: str) -> str:
    return translate("Victory") if colour == "yellow" else colour.capitalize()
