"""Writing a day and the phases it uses (B3, B4, D4 to D6, D28, Z5), for the twin of Magic Realm."""

from __future__ import annotations

from typing import Final

from tests.magic_realm.twin.twin_data import CLEARINGS, GOODS, is_cave, is_mountain
from tests.magic_realm.twin.twin_state import Hero, World
from tests.magic_realm.twin.twin_undecided_cards import Secrets

CHARACTER_PHASES: Final = {
    "Amazon": "M",
    "Berserker": "R",
    "White Knight": "R",
    "Elf": "H",
    "Magician": "A",
    "Captain": "any",
}
ITEM_PHASES: Final = {
    "7-League Boots": "M",
    "Cloak of Mist": "H",
    "Magic Spectacles": "S",
    "Shielded Lantern": "any",
    "Ancient Telescope": "P",
    **{name: "M" for name, row in GOODS.items() if row.get("breed") == "workhorse"},
}
ITEM_NUMBERS: Final = [*GOODS]
ORDERS: Final = {"block": ("ask", "never"), "shed": ("keep", "ask"), "follow": ("along", "ask")}  # Z9: at first, then
BASIC_PHASES: Final = 2
SUNLIGHT_PHASES: Final = 2


def is_pony_move(entry: str) -> bool:
    return entry.endswith(" pony")


def move_target(entry: str) -> str | None:
    return entry.split()[1] if entry.startswith("M ") else None


def find_refusal(world: World, hero: Hero, plan: list[str]) -> str | None:
    """The clause by which a day may not be written, or None if it may."""
    if any(entry.startswith("F ") for entry in plan):
        return refuse_following(world, hero, plan)
    if world.options["recording"] == "as_you_go":
        return "B2" if plan else None
    places = [hero.at]
    for entry in plan:
        clause = refuse_entry(world, places, entry)
        if clause:
            return clause
    return refuse_phases(hero, plan)


def refuse_following(world: World, hero: Hero, plan: list[str]) -> str | None:
    """B4: a hero in a clearing follows another in the same clearing and writes nothing else; D8: not if exhausted."""
    if len(plan) > 1:
        return "B4"
    if not hero.active_chits():
        return "D8"
    guide = world.heroes.get(plan[0].removeprefix("F "))
    if guide is None or guide is hero or hero.at not in CLEARINGS or guide.at != hero.at:
        return "B4"
    return None


def refuse_entry(world: World, places: list[str], entry: str) -> str | None:
    target = move_target(entry)
    if target is not None:
        # Z5: the list of places where the hero may stand only grows.
        ends = [world.roadways[place]["ends"] for place in places if place in world.roadways]
        joined = any(world.roadway_between(place, target) for place in places)
        if target not in CLEARINGS or not (joined or any(target in pair for pair in ends)):
            return "Z5"
        places.append(target)
        return None
    if entry.startswith("P "):
        return None if is_mountain(entry.split()[1]) else "T1"
    return None if entry in {"H", "S", "R", "A", "-"} else "Z12"


def refuse_phases(hero: Hero, plan: list[str]) -> str | None:
    """D5, D6: whether the phases suffice."""
    moves = [entry for entry in plan if move_target(entry)]
    for before, entry in zip(["M first pony", *moves], moves, strict=False):
        if is_pony_move(entry) and (is_pony_move(before) or not ready_ponies(hero)):
            return "D6"
    left = [entry[0] for entry in plan if not is_pony_move(entry)]
    free = BASIC_PHASES
    if hero.name != "Dwarf" and not is_cave(hero.start) and not any(is_cave(move.split()[1]) for move in moves):
        free += SUNLIGHT_PHASES
    extras = [ITEM_PHASES[name] for name in hero.ready_items if name in ITEM_PHASES]
    extras += [CHARACTER_PHASES[hero.name]] if hero.name in CHARACTER_PHASES else []
    for activity in extras:
        if activity == "any":
            free += 1
        elif activity in left:
            left.remove(activity)
    if "P" in left:  # only the Telescope's phase is a Peer phase
        return "T1"
    return "D5" if len(left) > free else None


def ready_ponies(hero: Hero) -> list[str]:
    return [name for name in hero.ready_items if GOODS[name].get("breed") == "pony"]


class Phases(Secrets):
    """Which phase an activity uses."""

    def find_source(self, hero: Hero, entry: str, began_with: set[str]) -> str | None:
        """The first phase that is left and fits (D5); `began_with` are the items active when the phase began."""
        as_you_go = self.options["recording"] == "as_you_go"
        items = began_with & {item.name for item in hero.goods if item.active}
        if not as_you_go:
            items &= hero.ready_items
        horses = [name for name in hero.used if name in GOODS and "breed" in GOODS[name]]
        if as_you_go and horses:  # D28: only one horse gives extra phases on a day
            items = {name for name in items if "breed" not in GOODS[name] or name == horses[0]}
        if is_pony_move(entry):
            return next((name for name in sorted(items) if GOODS[name].get("breed") == "pony"), None)
        letter = entry[0]
        if letter == "P":
            return "Ancient Telescope" if self.can_use_telescope(hero, items) else None
        for name in sorted(items, key=ITEM_NUMBERS.index):
            if ITEM_PHASES.get(name) == letter and name not in hero.used:
                return name
        if CHARACTER_PHASES.get(hero.name) == letter and "character" not in hero.used:
            return "character"
        if "Shielded Lantern" in items and is_cave(hero.at) and "Shielded Lantern" not in hero.used:
            return "Shielded Lantern"
        if hero.name == "Captain" and hero.at in self.dwellings.values() and "character" not in hero.used:
            return "character"
        if hero.used.count("basic") < BASIC_PHASES:
            return "basic"
        if self.has_sunlight(hero, entry) and hero.used.count("sunlight") < SUNLIGHT_PHASES:
            return "sunlight"
        return None

    @staticmethod
    def can_use_telescope(hero: Hero, items: set[str]) -> bool:
        name = "Ancient Telescope"
        return name in items and name not in hero.used and is_mountain(hero.at)

    def has_sunlight(self, hero: Hero, entry: str) -> bool:
        """D4, D7: whether the hero can use a sunlight phase for an entry."""
        if hero.name == "Dwarf" or is_cave(hero.start) or hero.was_in_cave:
            return False
        written = hero.plan if self.options["recording"] == "written" else [entry]
        return not any(is_cave(move_target(other) or "") for other in written)

    def find_choices(self, hero: Hero) -> list[str]:
        """D28: the entries that may be chosen when a phase begins."""
        active = {item.name for item in hero.goods if item.active}
        ends = [end for row in self.roadways.values() if hero.at in row["ends"] for end in row["ends"]]
        if hero.at in self.roadways:
            ends = [*self.roadways[hero.at]["ends"]]
        entries = []
        for target in ends:
            roadway = self.roadway_to(hero, target)
            if target == hero.at or roadway is None or not self.is_open(hero, roadway):
                continue
            if is_cave(target) and "sunlight" in hero.used:
                continue
            entries.append(f"M {target}")
            moves = [entry for entry in hero.plan if move_target(entry)]
            if moves and not is_pony_move(moves[-1]):
                entries.append(f"M {target} pony")
        entries += ["H", "S", "R", "A", "-"]
        entries += [f"P {name}" for name, kind in CLEARINGS.items() if kind == "mountain" and name != hero.at]
        return [entry for entry in entries if self.find_source(hero, entry, active)]
