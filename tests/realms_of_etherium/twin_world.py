"""The world of the twin: where Realms and Mages are, and what they are worth (chapters W and C of RULES.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from realmtable.games.realms_of_etherium.options import EtheriumOptions

Hex = tuple[int, int]
SIDES = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
EDGE = 20
CHANCE = -1


class Question(NamedTuple):
    """A choice: the acting seat, the phase, and the possible steps with their weights for chance."""

    seat: int
    phase: str
    steps: dict[str, int]


class Realm(NamedTuple):
    """A tile in play: its kind and which copy it is."""

    kind: str
    copy: int


PORTAL = Realm("portal", 0)  # the place that all Portals are


@dataclass
class Mage:
    """A Mage; `place` is PORTAL in any Portal."""

    seat: int
    number: int
    place: Realm
    exhausted: bool = False


Steps = Generator[Question, str, None]
Answer = Generator[Question, str, str]


def hex_text(at: Hex) -> str:
    return f"{at[0]},{at[1]}"


def neighbours(at: Hex) -> list[Hex]:
    return [(at[0] + q, at[1] + r) for q, r in SIDES]


def is_inside(at: Hex) -> bool:
    return max(abs(at[0]), abs(at[1]), abs(at[0] + at[1])) <= EDGE


class World:
    """The state of a game, and what follows from the layout of its Realms."""

    def __init__(self, seats: int, options: EtheriumOptions) -> None:
        self.options = options
        self.manifest = options.tiles()
        self.kinds = {tile.id: tile for tile in self.manifest.tiles}
        self.seats = seats
        self.set_hexes({Realm("portal", 0): (0, 0)})
        self.owner: dict[Realm, int] = {}
        self.supply = Counter({tile.id: tile.copies for tile in self.manifest.tiles})
        self.supply["portal"] -= 1
        self.reserve: Counter[str] = Counter()
        self.white = [0] * seats
        self.black = [0] * seats
        self.colours = [""] * seats
        numbers = range(1, self.manifest.mages + 1)
        self.mages = [Mage(seat, number, PORTAL) for seat in range(seats) for number in numbers]
        self.round = 1
        self.turn = 0
        self.steps = 0
        self.triggered = False
        self.reason = ""
        self.moved_before: set[Realm] = set()
        self.start_turn(0)

    def start_turn(self, seat: int) -> None:
        self.seat = seat
        self.active: Mage | None = None
        self.moves = 0
        self.received = False
        self.held: set[Realm] = set()
        self.used: set[tuple[int, Realm]] = set()
        self.left: list[Realm] = []
        self.moved_now: set[Realm] = set()
        self.ending = False

    def ask(self, seat: int, phase: str, steps: dict[str, int] | Iterable[str]) -> Answer:
        """Ask a seat, unless its only step is forced (N3), which counts only without V14 (E5)."""
        choices: dict[str, int] = dict(steps) if isinstance(steps, dict) else dict.fromkeys(steps, 1)
        assert choices, phase
        if seat != CHANCE and len(choices) == 1:
            self.steps += not self.options.max_rounds
            return next(iter(choices))
        answer = yield Question(seat, phase, choices)
        assert answer in choices, (answer, phase)
        self.steps += 1
        return answer

    def set_hexes(self, hexes: dict[Realm, Hex]) -> None:
        """Change the layout of the world; the dictionary itself never changes."""
        self.hexes = hexes
        self.realm_at = {at: realm for realm, at in hexes.items()}

    def at(self, place: Hex) -> Realm | None:
        return self.realm_at.get(place)

    def touching(self, place: Hex, without: Realm | None = None) -> list[Realm]:
        found = [self.realm_at[side] for side in neighbours(place) if side in self.realm_at]
        return [realm for realm in found if realm != without]

    def count_touching(self, place: Hex, without: Realm | None = None) -> int:
        realms = self.touching(place, without)
        portals = sum(realm.kind == "portal" for realm in realms)
        if self.options.portals_touch_as_one and portals > 1:
            return len(realms) - portals + 1
        return len(realms)

    def place_of(self, realm: Realm) -> Realm:
        return PORTAL if realm.kind == "portal" else realm

    def realms_of(self, place: Realm) -> list[Realm]:
        return [realm for realm in self.hexes if realm.kind == "portal"] if place == PORTAL else [place]

    def adjacent(self, place: Realm) -> list[Realm]:
        """The places adjacent to a place (W5)."""
        found = {
            self.place_of(other): None for realm in self.realms_of(place) for other in self.touching(self.hexes[realm])
        }
        return [other for other in found if other != place]

    def place_text(self, place: Realm) -> str:
        return "portal" if place == PORTAL else hex_text(self.hexes[place])

    def read_place(self, text: str) -> Realm:
        if text == "portal":
            return PORTAL
        q, _, r = text.partition(",")
        realm = self.at((int(q), int(r)))
        assert realm is not None
        return realm

    def mage(self, seat: int, number: int) -> Mage:
        return next(mage for mage in self.mages if (mage.seat, mage.number) == (seat, number))

    def is_victory(self, kind: str) -> bool:
        return self.kinds[kind].tile_class == "victory"

    def is_constrained(self, realm: Realm) -> bool:
        is_open = [self.at(side) is None for side in neighbours(self.hexes[realm])]
        return not any(is_open[side] and is_open[side - 1] for side in range(6))

    def count_parts(self, hexes: dict[Realm, Hex]) -> int:
        """The number of parts of a layout (W8)."""
        waiting, parts = {at: realm for realm, at in hexes.items()}, 0
        portals = [at for at, realm in waiting.items() if realm.kind == "portal"]
        while waiting:
            parts += 1
            frontier = [waiting.popitem()]
            while frontier:
                at, realm = frontier.pop()
                links = [*neighbours(at), *(portals if realm.kind == "portal" else [])]
                frontier += [(near, waiting.pop(near)) for near in links if near in waiting]
        return parts

    def splits(self, after: dict[Realm, Hex]) -> bool:
        return self.options.keep_connected and self.count_parts(after) > self.count_parts(self.hexes)

    def is_of(self, realm: Realm, colour: str) -> bool:
        wanted = self.options.alteration if colour == "alteration" else colour
        return self.kinds[realm.kind].colour == wanted

    def type_of(self, realm: Realm) -> str:
        colour = self.kinds[realm.kind].colour
        return realm.kind if colour == "none" else colour

    def order(self, realm: Realm) -> tuple[int, int]:
        return [*self.kinds].index(realm.kind), realm.copy

    def distinct(self, mages: Iterable[Mage]) -> list[Mage]:
        """Leave out Mages that equal an earlier one (N4)."""
        found: dict[tuple[int, Realm, bool, bool], Mage] = {}
        for mage in mages:
            found.setdefault((mage.seat, mage.place, mage.exhausted, mage is self.active), mage)
        return list(found.values())

    def check_points(self) -> None:
        goal = self.options.points_to_win(self.seats)
        self.triggered = self.triggered or any(self.points(seat) >= goal for seat in range(self.seats))

    def points(self, seat: int) -> int:
        return sum(self.worth(realm, seat) for realm, owner in self.owner.items() if owner == seat)

    def rank(self, seat: int) -> tuple[int, int, int, int]:
        controlled = sum(owner == seat for owner in self.owner.values())
        return self.points(seat), controlled, self.black[seat], self.white[seat]

    def worth(self, realm: Realm, seat: int) -> int:
        """What a Victory Realm is worth to its owner (C5 to C9)."""
        power = self.kinds[realm.kind].power
        near = self.touching(self.hexes[realm])
        if power.verb == "score_adjacent":
            return power.points * sum(self.is_of(other, power.of) for other in near)
        if power.verb == "score_pairs":
            return power.points * min(sum(self.is_of(other, colour) for other in near) for colour in power.colours)
        if power.verb == "score_connected":
            return power.points * self.count_connected(
                realm, {other for other in self.hexes if self.is_of(other, power.of)}
            )
        if power.verb == "score_types":
            return power.points * len({self.type_of(other) for other in near})
        if power.verb == "score_controlled":
            counted = {other for other, owner in self.owner.items() if self.counts_control(owner, seat, power.by)}
            if power.where == "adjacent":
                return power.points * sum(other in counted for other in near)
            return power.points * self.count_connected(realm, counted)
        return 0

    def counts_control(self, owner: int, seat: int, by: str) -> bool:
        if by == "opponents":
            return owner != seat
        return owner == seat or self.options.controlled == "any"

    def count_connected(self, realm: Realm, members: set[Realm]) -> int:
        """The members linked to a Realm through touching members, the Realm itself left out (C7)."""
        total, seen = 0, {realm}
        for start in self.touching(self.hexes[realm]):
            if start not in members or start in seen:
                continue
            group = [start]
            seen.add(start)
            for other in group:
                more = [near for near in self.touching(self.hexes[other]) if near in members and near not in seen]
                seen |= {*more}
                group += more
            size = len(group) + (realm in members)
            total += len(group) if self.options.lone_connected or size > 1 else 0
        return total
