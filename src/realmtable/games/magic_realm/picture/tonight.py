"""Which monsters the viewer may meet at the end of their turn, as far as they know."""

from __future__ import annotations

from typing import Final, NamedTuple, cast

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.bots.danger import Danger
from realmtable.games.magic_realm.bots.known_world import KnownWorld, read_place
from realmtable.games.magic_realm.catalog.characters_and_denizens import Monster
from realmtable.games.magic_realm.view_parts.schema import MagicView

_SURE: Final = 0.999


class Tonight(NamedTuple):
    """The monsters that are sure to be in a clearing, and those that may be there."""

    sure: tuple[Monster, ...] = ()
    possible: tuple[Monster, ...] = ()


def expect_monsters(view: View, place: str) -> Tonight:
    """Return whom the viewer meets if their turn ends in a clearing, once the rows of the day are known."""
    own = view["own"]
    if own is None or not view["rows"] or not place or "-" in place or view["players"][view["viewer"]]["dead"]:
        return Tonight()
    danger = Danger(KnownWorld(cast("MagicView", view)), 0)
    expected = [*danger.list_expected(read_place(place), view["rows"][0])]
    chances = [(chance, monster) for chance, monsters in expected for monster in monsters if chance > 0]
    sure = tuple(monster for chance, monster in chances if chance > _SURE)
    return Tonight(sure, tuple(monster for _, monster in chances if monster not in sure))
