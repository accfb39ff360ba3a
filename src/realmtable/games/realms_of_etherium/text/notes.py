"""What choosing something would do, in one sentence, while a player points at it."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.realms_of_etherium.picture.geometry import neighbours_of
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of
from realmtable.games.realms_of_etherium.wording import format_etherium


def note(view: View, handle: str) -> str:
    """Return what entering a Realm would do at once, or what a changed tile says; empty if there is nothing to say."""
    place, _, hex_ = handle.partition(":")
    realm = next((realm for realm in view["realms"] if place == "hex" and realm["at"] == hex_), None)
    if realm is None:
        return ""
    tile = tile_of(view, realm["kind"])
    power = tile.power
    if view["phase"] == "act" and power.verb == "disrupt":
        return "Your activation would end here."
    if view["phase"] == "act" and power.verb == "gain":
        times = _count_touching(view, hex_, power.per) if power.per else 1
        return f"You would gain {format_etherium(power.white * times, power.black * times)}."
    return tile.sentence() if realm["kind"] in view["changes"] else ""


def _count_touching(view: View, hex_: str, colour: str) -> int:
    around = neighbours_of(hex_)
    return sum(realm["at"] in around and tile_of(view, realm["kind"]).colour == colour for realm in view["realms"])
