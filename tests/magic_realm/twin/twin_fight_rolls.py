"""How many dice a hero rolls in combat and what is added (G3), for the twin of whole fights."""

from __future__ import annotations

from tests.magic_realm.twin.twin_data import CHARACTERS, Row

HIGHEST = 6


def find_dice(fight: Row, hero: Row, table: str) -> tuple[int, int]:
    """G3: the dice of a hero on a table (missile, curse, pit), or for E8 (assignment), and the additions."""
    rows = [does for advantage in CHARACTERS[hero["name"]]["advantages"] for does in advantage.get("does", [])]
    rows = [does for does in rows if table in does.get("tables", [])]
    charms = [item for item in hero["goods"] if item["name"] == "Lucky Charm" and item["active"]]
    one = charms or any(does["verb"] == "one_die" for does in rows)
    addition = sum(does["number"] for does in rows if does["verb"] == "add")
    here = [*fight["pile"]]
    for other in fight["heroes"].values():
        here += [item["name"] for item in other["goods"]] if other["fate"] == "fighting" else []
    return 1 if one else 2, addition + ("Cloven Hoof" in here)


def read_dice(dice: list[int], addition: int) -> int:
    """G3: the higher die, with all additions, kept within 1 and 6."""
    return min(max(max(dice) + addition, 1), HIGHEST)
