"""Whole games of Magic Realm, for the twin: set-up, birdsong, midnight, new lives and the end.

    game = play_game(table, seats, options)

plays a game from the first step to the score. `table` answers all questions (twin_table.py). The days themselves are in
twin_day.py and twin_evening.py, the map in twin_map.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tests.magic_realm.twin.twin_data import CHARACTERS, CLEARINGS, GOODS, TILES, clearing_order, load, stock_map
from tests.magic_realm.twin.twin_evening import Evening
from tests.magic_realm.twin.twin_map import MapBuilder
from tests.magic_realm.twin.twin_position import describe_game
from tests.magic_realm.twin.twin_score import score
from tests.magic_realm.twin.twin_search import STACK_OWNERS
from tests.magic_realm.twin.twin_state import Chit, Hero, Item, World
from tests.magic_realm.twin.twin_table import Table
from tests.magic_realm.twin.twin_undecided_cards import UNKNOWN
from tests.magic_realm.twin.twin_written_day import ORDERS, find_refusal, move_target, ready_ponies

GOALS: Final = ("treasures", "fame", "notoriety", "gold")  # M10
VALLEY_PIECES: Final = {  # M5
    "Stink": "Inn",
    "Smoke": "House",
    "Dank": "Chapel",
    "Ruins": "Guardhouse",
    "Bones": "Ghosts",
}
MOST_BACKS: Final = 20
MOST_ORDERS: Final = 10


def play_game(table: Table, seats: int, options: dict[str, Any]) -> Game:
    """Play a game to its end; `options` are those that differ from the defaults."""
    tiles = MapBuilder(table, seats).build(options.get("map", "dealt"))
    game = Game(table, seats, {"days": "28", "restart": True, **options}, tiles)
    game.set_up()
    for day in range(1, game.last_day + 1):
        game.play_day(day)
    game.part = "over"
    return game


def load_game(table: Table, setup: dict[str, Any]) -> Game:
    """Return a game in the middle of which all is decided; `setup` is that of twin_day.py, on a ready-made map."""
    options = {"days": "28", "restart": True, **setup["options"]}
    game = Game(table, len(setup["heroes"]), options, stock_map(setup["map"]))
    World.__init__(game, {**setup, "options": options}, table)
    lying = {name for pile in [*game.piles.values(), *game.boxes.values()] for name in pile}
    lying |= {item.name for hero in game.heroes.values() for item in hero.goods}
    game.native_boxes = {
        group: [name for name in goods if name not in lying] for group, goods in game.native_boxes.items()
    }
    for hero in game.heroes.values():
        hero.home = game.dwellings["Inn"]
    game.sort_heroes()
    return game


def list_slots(row: dict[str, Any]) -> list[str]:
    """The undecided cards of a box, from the top, and its counters."""
    cards = [slot.split() for slot in row.get("slots", [])]
    sizes = [size for size, count in cards if size in {"large", "small"} for _ in range(int(count))]
    return [*sizes, *row.get("goods", [])]


def list_gear(character: str) -> list[str]:
    """The kinds of a character's weapon and armour (M9)."""
    row = CHARACTERS[character]
    return [*([row["weapon"]] if "weapon" in row else []), *row.get("armor", [])]


class Game(Evening):
    def __init__(self, table: Table, seats: int, options: dict[str, Any], tiles: list[str]) -> None:
        boxes = {row["name"]: list_slots(row) for row in load("setup")["box"] if row["kind"] in {"site", "within"}}
        undecided = {code: ["warning", *(["second"] if row["group"] in "CM" else [])] for code, row in TILES.items()}
        setup = {
            "map": tiles,
            "options": options,
            "day": 0,
            "heroes": {},
            "chits": {code: [] for code in TILES},
            "stacks": {name: [UNKNOWN] * 5 for name in STACK_OWNERS},
            "undecided": undecided,
            "boxes": boxes,
        }
        super().__init__(setup, table)
        self.table = table
        self.tiles = tiles
        self.part = "setup"
        self.seat_count = seats
        self.last_day = int(options["days"])
        self.native_boxes: dict[str, list[str]] = {
            row["name"]: [*row.get("goods", [])] for row in load("setup")["box"] if row["kind"] == "natives"
        }
        self.deaths: list[Hero] = []
        self.dead: dict[int, Hero] = {}  # by seats, until a new life begins
        table.describe = lambda: describe_game(self)

    def sort_heroes(self) -> None:
        heroes = sorted(self.heroes.values(), key=lambda hero: hero.seat)
        self.heroes = {hero.name: hero for hero in heroes}
        self.table.seats = {hero.name: hero.seat for hero in heroes}

    def is_solo(self) -> bool:
        return self.seat_count == 1

    def is_known_to_all(self, name: str) -> bool:
        heroes = [*self.heroes.values(), *self.dead.values()]
        return name in self.public or all(name in hero.seen for hero in heroes)

    # Set-up.

    def set_up(self) -> None:
        """M9, M10, M5."""
        for seat in range(self.seat_count):
            self.choose_character(seat)
        self.choose_secretly([*self.heroes.values()], with_start=True)
        for hero in self.heroes.values():
            hero.backs = 0  # Z4: the set-up counts as one day
        for tile in [tile for tile, row in TILES.items() if row["group"] == "V"]:
            self.decide_chits(tile, "warning")
            self.place_valley_piece(tile)
        for hero in self.heroes.values():
            hero.at = hero.home = (
                self.ghosts or "" if hero.chosen_start == "Ghosts" else self.dwellings[hero.chosen_start]
            )

    def place_valley_piece(self, tile: str) -> None:
        """M5."""
        (warning,) = self.chits[tile]
        self.chits[tile] = []
        place = f"{tile}5" if f"{tile}5" in self.connected else f"{tile}4"
        if warning == "Bones":
            self.ghosts = place
            self.monsters |= {"Ghost-1": place, "Ghost-2": place}
        else:
            self.dwellings[VALLEY_PIECES[warning]] = place

    def choose_character(self, seat: int) -> Hero:
        """M9, K8."""
        options = [f"be {name}" for name in CHARACTERS if name not in self.heroes]
        name = self.table.ask_one(seat, options).removeprefix("be ")
        old = self.dead.pop(seat, None)
        hero = Hero(name, seat, "nowhere", [], [Chit(text) for text in CHARACTERS[name]["chits"]])
        if old:
            hero.seen, hero.orders, hero.backs, hero.ordered = old.seen, old.orders, old.backs, old.ordered
        self.heroes[name] = hero
        self.sort_heroes()
        for piece in list_gear(name):
            self.take_gear(hero, piece)
        return hero

    def take_gear(self, hero: Hero, piece: str) -> None:
        """M9: from a native group; K8: or else from a pile, or its price."""
        groups = {
            group: next(name for name in goods if is_copy(name, piece))
            for group, goods in self.native_boxes.items()
            if any(is_copy(name, piece) for name in goods)
        }
        if groups:
            answer = self.table.ask_one(hero.seat, [f"gear {piece} {group}" for group in groups])
            group = answer.removeprefix(f"gear {piece} ")
            self.native_boxes[group].remove(groups[group])
            hero.goods.append(Item(groups[group], active=True))
            return
        for place in sorted(self.piles, key=clearing_order):
            for name in self.piles[place]:
                if is_copy(name, piece):
                    self.piles[place].remove(name)
                    hero.goods.append(Item(name, active=True))
                    return
        hero.gold += next(row["price"] for name, row in GOODS.items() if is_copy(name, piece))

    def choose_secretly(self, heroes: list[Hero], *, with_start: bool) -> None:
        """M10, K8: points and the starting place, all at once."""
        for hero in heroes:
            hero.points, hero.chosen_start, hero.ready = [], "", False
        while waiting := [hero for hero in heroes if not hero.ready]:
            seat, answer = self.table.ask({hero.seat: self.list_secret(hero, with_start) for hero in waiting})
            hero = next(hero for hero in waiting if hero.seat == seat)
            verb, _, name = answer.partition(" ")
            if verb == "want":
                hero.points.append(name)
            elif verb == "start":
                hero.chosen_start = name
            elif verb == "ready":
                hero.ready = True
            else:
                self.take_back_choice(hero)
        for hero in heroes:
            hero.ready = False
            hero.chosen_start = hero.chosen_start or "Inn"

    def list_secret(self, hero: Hero, with_start: bool) -> list[str]:
        starts = CHARACTERS[hero.name]["starts"]
        if len(hero.points) < 1 + self.last_day // 7:
            options = [f"want {goal}" for goal in GOALS]
        elif with_start and len(starts) > 1 and not hero.chosen_start:
            options = [f"start {place}" for place in starts]
        else:
            options = ["ready"]
        return options + ["back"] * (bool(hero.points) and hero.backs < MOST_BACKS)

    @staticmethod
    def take_back_choice(hero: Hero) -> None:
        """Z4."""
        hero.backs += 1
        if hero.chosen_start:
            hero.chosen_start = ""
        else:
            hero.points.pop()

    # A day.

    def play_day(self, day: int, *, begins_with_writing: bool = False) -> None:
        self.day_number = day
        self.part = "birdsong"
        self.forget_day()
        begins_with_writing |= self.options["restart"] and bool(self.deaths)
        self.begin_new_lives()
        for hero in self.heroes.values():
            self.wake(hero)
        if begins_with_writing or self.has_writers():
            self.write_days()
        self.part = "sunrise"
        self.rise({})
        self.part = "daylight"
        self.take_turns()
        if self.options["encounter"] == "2":
            self.part = "evening"
            self.hold_evening()
        self.part = "midnight"
        self.pass_midnight()

    def begin_new_lives(self) -> None:
        """K8."""
        if not self.options["restart"]:
            return
        while self.deaths:
            hero = self.choose_character(self.deaths.pop(0).seat)
            self.choose_secretly([hero], with_start=False)
            hero.at = hero.home = self.dwellings["Inn"]

    def wake(self, hero: Hero) -> None:
        """D4, D5: what counts at birdsong."""
        hero.start = hero.at
        hero.was_in_cave = CLEARINGS.get(hero.at) == "cave"
        hero.ready_items = {item.name for item in hero.goods if item.active}

    def has_writers(self) -> bool:
        """B2: whether there is anything to write."""
        can_follow = [
            hero
            for hero in self.heroes.values()
            if hero.at in CLEARINGS and len(self.heroes_in(hero.at)) > 1 and hero.active_chits()  # B4, D8
        ]
        return self.options["recording"] == "written" or bool(can_follow)

    def write_days(self) -> None:
        """B2, Z9, Z12."""
        options = {hero.seat: self.list_writing(hero) for hero in self.heroes.values()}
        while options:
            seat, answer = self.table.ask(options)
            hero = next(hero for hero in self.heroes.values() if hero.seat == seat)
            if answer == "done":
                hero.ready = True
                del options[seat]
                continue
            if answer == "back":
                hero.plan.pop()
                hero.backs += 1
            elif answer.startswith("order "):
                _, kind, word = answer.split()
                hero.orders[kind] = word
                hero.ordered += 1
            else:
                hero.plan.append(answer)
            options[seat] = self.list_writing(hero)
        for hero in self.heroes.values():
            hero.ready = False

    def list_writing(self, hero: Hero) -> list[str]:
        entries = [entry for entry in self.list_entries(hero) if find_refusal(self, hero, [*hero.plan, entry]) is None]
        if hero.ordered < MOST_ORDERS:
            entries += [
                f"order {kind} {word}"
                for kind, words in ORDERS.items()
                for word in words
                if word != hero.orders.get(kind, words[0])
            ]
        return [*entries, *["back"] * (bool(hero.plan) and hero.backs < MOST_BACKS), "done"]

    def list_entries(self, hero: Hero) -> Iterable[str]:
        """What might be written; `find_refusal` says whether it may be. Only what it always refuses is left out."""
        follows = [f"F {other.name}" for other in self.heroes_in(hero.at) if other is not hero and not hero.plan]
        places = {hero.at, *(move_target(entry) for entry in hero.plan)}
        near = {name for road, row in self.roadways.items() if places & {road, *row["ends"]} for name in row["ends"]}
        words = ("", " pony") if ready_ponies(hero) else ("",)
        moves = [f"M {name}{word}" for name in sorted(near) for word in words]
        peers = [f"P {name}" for name, kind in CLEARINGS.items() if kind == "mountain"]
        peers = peers if "Ancient Telescope" in hero.ready_items else []
        return [*follows, *moves, *peers, "H", "S", "R", "A", "-"]

    def pass_midnight(self) -> None:
        """P8, Q3, Q4, D8."""
        self.face_up = {name for name in self.face_up if name.split(" ", 1)[1] in STACK_OWNERS}
        self.summoned = set()
        for hero in self.heroes.values():
            hero.berserk, hero.kills = False, 0
            for item in hero.goods:
                item.alerted = False
        for hero in self.heroes_in(self.dwellings.get("Chapel", "")):
            hero.curses = set()
        for hero in self.by_seats():
            if self.day_number < self.last_day and self.can_never_rest(hero):
                self.die(hero)
        for hero in self.deaths:
            self.dead[hero.seat] = hero

    @staticmethod
    def can_never_rest(hero: Hero) -> bool:
        """D8: whether a hero is exhausted and could not even rest the next day."""
        return not hero.active_chits() and (hero.at not in CLEARINGS or "Ill Health" in hero.curses)

    def forget_day(self) -> None:
        """F2: clear what counted for the day before."""
        self.held = set()
        self.rows = []
        self.first = None
        for hero in [*self.heroes.values(), *self.dead.values()]:
            hero.blocked = hero.done = hero.anywhere = hero.has_stopped_rearranging = False
            hero.guide = hero.came = hero.climbs = None
            hero.found = set()
            hero.plan, hero.used, hero.phases = [], [], []
            hero.backs = hero.ordered = 0

    # The end.

    def score_seats(self) -> list[int]:
        """Q7, Q8: the total of each seat."""
        totals = {hero.seat: score(self.make_purse(hero)) for hero in self.heroes.values()}
        return [totals.get(seat, score({"dead": True})) for seat in range(self.seat_count)]

    def make_purse(self, hero: Hero) -> dict[str, Any]:
        return {
            "character": hero.name,
            "points": hero.points,
            "gold": hero.gold,
            "fame": hero.fame,
            "notoriety": hero.notoriety,
            "curses": hero.curses,
            "goods": [item.name + "+" * item.active for item in hero.goods],
            "fatigued": self.chit_numbers(hero, "fatigued"),
            "wounded": self.chit_numbers(hero, "wounded"),
        }


def is_copy(name: str, piece: str) -> bool:
    """Whether a numbered piece, `Shield-1`, is of some kind, `Shield`."""
    return name.rstrip("0123456789").removesuffix("-") == piece
