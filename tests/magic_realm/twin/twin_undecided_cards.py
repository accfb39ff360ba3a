"""Chance decides late (X5): map chits and treasure cards that no one has seen, for the twin of Magic Realm.

`undecided` names the slots of tiles, `{"CG": ["warning", "second"]}`, and `decided` what has been decided: warnings as
`Bones M`, other chits and cards by their names. A stack that waits holds `UNKNOWN` chits, a box
holds `large` and `small` for undecided cards. Without them nothing is left to decide, as in the tests of single days.
"""

from __future__ import annotations

from typing import Final

from tests.magic_realm.twin.twin_data import CHITS, GOODS, SITES, TILES, tile_of
from tests.magic_realm.twin.twin_state import Hero, World

UNKNOWN: Final = "?"
WARNINGS: Final = ("Bones", "Dank", "Ruins", "Smoke", "Stink")
STACK_OF_GROUP: Final = {"C": "Lost City", "M": "Lost Castle"}
SIZES: Final = {
    size: [name for name, row in GOODS.items() if row.get("size") == size] for size in ("large", "small", "within")
}


class Secrets(World):
    # Map chits.

    def decide_chits(self, tile: str, *slots: str) -> None:
        """Decide some chits of a tile, the warning first."""
        waiting = self.undecided.get(tile, [])
        for slot in [slot for slot in waiting if slot in slots]:
            weights = self.weigh_warnings(tile) if slot == "warning" else self.weigh_second_chits(tile)
            waiting.remove(slot)
            chit = self.draw_chit(tile, weights)
            self.chits[tile].append(chit)
            self.decided.add(f"{chit} {TILES[tile]['group']}" if slot == "warning" else chit)

    def draw_chit(self, tile: str, weights: dict[str, int]) -> str:
        return self.script.draw({f"chit {tile} {chit}": weights[chit] for chit in weights}).split(" ", 2)[2]

    def weigh_warnings(self, tile: str) -> dict[str, int]:
        group = TILES[tile]["group"]
        return {name: 1 for name in WARNINGS if f"{name} {group}" not in self.decided}

    def undecided_chits(self) -> list[str]:
        return [chit for chit in CHITS if chit not in self.decided]

    def weigh_second_chits(self, tile: str) -> dict[str, int]:
        group = TILES[tile]["group"]
        left = self.undecided_chits()
        slots = sum("second" in row for name, row in self.undecided.items() if TILES[name]["group"] == group)
        red = STACK_OF_GROUP[group]
        if red in self.decided:
            return dict.fromkeys(left, 1)
        weights = {red: len(left), **dict.fromkeys(left, slots - 1)} if left else {red: 1}
        return {chit: weight for chit, weight in weights.items() if weight}

    def decide_stack(self, tile: str, owner: str, count: int) -> None:
        """Decide the first chits of the Lost City or Lost Castle when they are put into its tile."""
        for number, chit in enumerate(self.stacks[owner][:count]):
            if chit == UNKNOWN:
                found = self.draw_chit(tile, dict.fromkeys(self.undecided_chits(), 1))
                self.stacks[owner][number] = found
                self.decided.add(found)

    def decide_for_maps(self, hero: Hero) -> None:
        """The chit that a map would help to find is decided before a Locate roll."""
        tile = tile_of(hero.at)
        if hero.has("Map of Ruins") and tile != "R":  # in the Ruins, the map always helps
            self.decide_chits(tile, "warning")
        red = STACK_OF_GROUP.get(TILES[tile]["group"])
        if red and hero.has(f"Map of {red}"):
            self.decide_chits(tile, "second")

    # Cards.

    def decide_card(self, box: str, index: int) -> None:
        """Decide the treasure at an index of a box, if it is not decided yet."""
        size = self.boxes[box][index]
        if size not in {"large", "small"}:
            return
        weights = self.weigh_cards(box, size)
        prefix = f"card {box} {index + 1} "
        name = self.script.draw({prefix + card: weight for card, weight in weights.items()}).removeprefix(prefix)
        self.boxes[box][index] = name
        self.decided.add(name)

    def weigh_cards(self, box: str, size: str) -> dict[str, int]:
        cards = [name for name in SIZES[size] if name not in self.decided]
        if size == "small" or box not in SITES:
            return dict.fromkeys(cards, 1)
        special = [name for name in SIZES["within"] if name not in self.decided]
        slots = sum(row.count("large") for name, row in self.boxes.items() if name in SITES)
        if not cards:
            return dict.fromkeys(special, 1)
        weights = {**dict.fromkeys(special, len(cards)), **dict.fromkeys(cards, slots - len(special))}
        return {name: weight for name, weight in weights.items() if weight}
