"""An independent, slow implementation of Realms of Etherium, written from RULES.md alone.

The game is one generator: `Twin.play` runs through the rules in the order of a real game and yields a `Question`
whenever a seat or chance has to choose; the answer is sent back as the text of a step.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import perm

from realmtable.games.realms_of_etherium.tiles.manifest import Cost, Tile
from tests.realms_of_etherium.twin_powers import Powers
from tests.realms_of_etherium.twin_world import CHANCE, Hex, Mage, Realm, Steps, hex_text, is_inside, neighbours

MAX_STEPS = 12_000
PLAYER_COLOURS = ("red", "blue", "orange", "purple", "yellow", "green")


class Twin(Powers):
    """One game from the set-up to the end: Rounds, activations, summoning, Control and Dispel."""

    def play(self) -> Steps:
        if self.options.player_powers:
            for seat in range(self.seats):
                left = [colour.capitalize() for colour in PLAYER_COLOURS if colour not in self.colours]
                chooser = seat if self.options.choose_colours else CHANCE
                answer = yield from self.ask(chooser, "colours", [f"colour {colour}" for colour in left])
                self.colours[seat] = answer.split()[1].lower()
        yield from self.refill("victory")
        yield from self.refill("realm")
        answer = yield from self.ask(CHANCE, "first", {f"first {seat + 1}": 1 for seat in range(self.seats)})
        seat = int(answer.split()[1]) - 1
        while not self.reason:
            self.turn += 1
            self.start_turn(seat)
            yield from self.activate()
            self.moved_before = self.moved_now
            order = [(self.seat + number) % self.seats for number in range(1, self.seats + 1)]
            able = [other for other in order if any(self.is_able(mage, other) for mage in self.mages)]
            if self.steps >= MAX_STEPS:
                self.reason = "max_steps"
            elif able:
                seat = able[0]
            else:
                self.end_round()
                seat = order[0]

    def is_able(self, mage: Mage, seat: int) -> bool:
        return mage.seat == seat and not mage.exhausted

    def end_round(self) -> None:
        best = max(map(self.rank, range(self.seats)))
        shared = sum(self.rank(seat) == best for seat in range(self.seats)) > 1
        if self.triggered and not shared:
            self.reason = "points"
        elif 0 < self.options.max_rounds <= self.round:
            self.reason = "max_rounds"
        else:
            self.round += 1
            for mage in self.mages:
                mage.exhausted = False

    def activate(self) -> Steps:
        able = self.distinct(mage for mage in self.mages if self.is_able(mage, self.seat))
        answer = yield from self.ask(self.seat, "mage", [f"mage {mage.number}" for mage in able])
        self.active = next(mage for mage in able if mage.number == int(answer.split()[1]))
        self.hold(self.active.place)
        while not self.ending:
            answer = yield from self.ask(self.seat, "act", list(self.actions()))
            if answer == "end":
                break
            yield from self.act(answer)
        self.active.exhausted = True
        for realm in self.left:
            if self.is_dispelled(realm):
                self.set_hexes({other: at for other, at in self.hexes.items() if other != realm})
                self.moved_now.discard(realm)
                self.reserve[realm.kind] += 1
                self.check_points()
                yield from self.refill("victory" if self.is_victory(realm.kind) else "realm", dispelled=True)

    def moves_left(self) -> int:
        assert self.active is not None
        return max(0, 1 + len(self.available(self.seat, self.active, "extra_move")) - self.moves)

    def actions(self) -> Iterable[str]:
        assert self.active is not None
        place = self.active.place
        if self.moves_left():
            yield from (f"to {self.place_text(other)}" for other in self.adjacent(place))
            if +self.supply or +self.reserve:
                yield from (f"summon {hex_text(at)}" for at in self.summon_hexes(place))
        if self.active.seat == self.seat:
            yield from self.control_steps(place)
            if self.find_tile(self.active, "push") and self.pushable(place) and self.adjacent(place):
                yield "displace"
            if self.moves_left() and self.find_tile(self.active, "transfer"):
                yield from (f"transfer {self.mage_text(mage)}" for mage in self.receivers())
        yield "end"

    def receivers(self) -> list[Mage]:
        """The Mages that a Transfer can go to (T10, V19)."""
        seats = range(self.seats) if self.options.transfer_to == "anyone" else [self.seat]
        tired = [mage for mage in self.mages if mage.seat in seats and mage.exhausted and mage is not self.active]
        return self.distinct(tired)

    def mage_text(self, mage: Mage) -> str:
        return f"{mage.number}" if mage.seat == self.seat else f"{mage.seat + 1}.{mage.number}"

    def summon_hexes(self, place: Realm) -> list[Hex]:
        found = {side: None for realm in self.realms_of(place) for side in neighbours(self.hexes[realm])}
        kinds = {realm.kind for realm in self.hexes}
        lonely = len(self.hexes) == 1 or (self.options.portals_touch_as_one and kinds == {"portal"})
        needed = 1 if lonely else 2
        return [at for at in found if is_inside(at) and self.at(at) is None and self.count_touching(at) >= needed]

    def act(self, answer: str) -> Steps:
        assert self.active is not None
        verb, _, rest = answer.partition(" ")
        if verb == "to":
            target = self.read_place(rest)
            self.moves += 1
            self.leave(self.active)
            yield from self.enter(self.active, target)
        elif verb == "summon":
            q, _, r = rest.partition(",")
            yield from self.summon((int(q), int(r)))
        elif verb == "control":
            self.take_control(rest)
        elif verb == "displace":
            yield from self.displace()
        else:
            yield from self.transfer(next(mage for mage in self.receivers() if self.mage_text(mage) == rest))

    def transfer(self, receiver: Mage) -> Steps:
        assert self.active is not None
        self.pay_tile(self.active, "transfer")
        if receiver.seat != self.seat and (yield from self.ask_protection(receiver)) == "protect":
            return
        self.active.exhausted = True
        self.active = receiver
        self.received = True
        self.hold(receiver.place)

    def stock(self, name: str) -> dict[str, int]:
        """The contents of a Supply as steps of chance."""
        kinds = [kind for kind in self.kinds if self.supply[kind] and self.is_victory(kind) == (name == "victory")]
        return {f"reveal {self.kinds[kind].name}": self.supply[kind] for kind in kinds}

    def summon(self, at: Hex) -> Steps:
        assert self.active is not None
        self.moves += 1
        sources = [f"draw {name}" for name in ("realm", "victory") if self.stock(name)]
        sources += [f"take {self.kinds[kind].name}" for kind in self.kinds if self.reserve[kind]]
        answer = yield from self.ask(self.seat, "source", sources)
        verb, name = answer.split()
        if verb == "draw":
            answer = yield from self.ask(CHANCE, "draw", self.stock(name))
        kind = answer.split()[1].lower()
        (self.supply if verb == "draw" else self.reserve)[kind] -= 1
        copies = [realm.copy for realm in self.hexes if realm.kind == kind]
        realm = Realm(kind, min(set(range(len(copies) + 1)) - {*copies}))
        self.set_hexes({**self.hexes, realm: at})
        self.check_points()
        if verb == "take":
            yield from self.refill("victory" if self.is_victory(kind) else "realm")
        if self.place_of(realm) != self.active.place:
            self.leave(self.active)
            yield from self.enter(self.active, self.place_of(realm))

    def refill(self, name: str, *, dispelled: bool = False) -> Steps:
        """Fill a Reserve up to three (M5), and exchange three Disruptions (M8, V20)."""
        is_victory = name == "victory"
        again = 0
        while True:
            while not dispelled and self.reserve_size(is_victory) < 3 and self.stock(name):
                is_last_deal = again and self.options.reshuffle == "until_fewer"
                stock = self.weigh_last_deal(self.stock(name)) if is_last_deal else self.stock(name)
                answer = yield from self.ask(CHANCE, "refill", stock)
                kind = answer.split()[1].lower()
                self.supply[kind] -= 1
                self.reserve[kind] += 1
            dispelled = False
            others = any(
                self.supply[kind] + self.reserve[kind]
                for kind in self.kinds
                if kind != "disruption" and not self.is_victory(kind)
            )
            if is_victory or self.reserve["disruption"] < 3 or not others or again == 10:
                return
            again += 1
            for kind in self.kinds:
                if not self.is_victory(kind):
                    self.supply[kind] += self.reserve[kind]
                    self.reserve[kind] = 0

    def weigh_last_deal(self, stock: dict[str, int]) -> dict[str, int]:
        """Weigh each tile with the ways to draw the rest of three without three Disruptions (N11)."""
        rest = 2 - self.reserve_size(victory=False)
        disruption = f"reveal {self.kinds['disruption'].name}"
        ways = dict.fromkeys(stock, perm(sum(stock.values()) - 1, rest))
        if disruption in stock and self.reserve["disruption"] + rest == 2:
            ways[disruption] -= perm(stock[disruption] - 1, rest)
        return {text: count * ways[text] for text, count in stock.items() if ways[text]}

    def reserve_size(self, victory: bool) -> int:
        return sum(self.reserve[kind] for kind in self.kinds if self.is_victory(kind) == victory)

    def control_steps(self, place: Realm) -> list[str]:
        seat, tile = self.seat, self.kinds[place.kind]
        if tile.control is None or place in self.owner or (self.received and not self.options.transfer_control):
            return []
        own = [realm for realm, owner in self.owner.items() if owner == seat]
        if len(own) >= self.manifest.control_markers or any(realm.kind == place.kind for realm in own):
            return []
        if any(mage.place == place and mage.seat != seat for mage in self.mages):
            return []
        return [text for text, cost in self.control_prices(tile).items() if self.can_spend(seat, cost)]

    def can_spend(self, seat: int, cost: Cost) -> bool:
        return cost.white <= self.white[seat] and cost.black <= self.black[seat]

    def streamline(self) -> list[Realm]:
        assert self.active is not None
        return self.available(self.seat, self.active, "streamline")

    def control_prices(self, tile: Tile) -> dict[str, Cost]:
        assert tile.control is not None
        white = tile.control.white
        black = max(0, tile.control.black - len(self.streamline()))
        if self.colours[self.seat] not in {"purple", "yellow"} or self.colours[self.seat] != tile.colour:
            return {"control": Cost(white, black)}
        if white and black:
            return {"control save white": Cost(white - 1, black), "control save black": Cost(white, black - 1)}
        return {"control": Cost(max(0, white - 1), max(0, black - 1))}

    def take_control(self, rest: str) -> None:
        assert self.active is not None
        place = self.active.place
        tile = self.kinds[place.kind]
        assert tile.control is not None
        cost = self.control_prices(tile)[f"control {rest}".strip()]
        for realm in self.streamline()[: tile.control.black]:
            self.count_use(self.seat, realm)
        self.white[self.seat] -= cost.white
        self.black[self.seat] -= cost.black
        self.owner[place] = self.seat
        self.check_points()

    def is_dispelled(self, realm: Realm) -> bool:
        if realm not in self.hexes or realm in self.owner or any(mage.place == realm for mage in self.mages):
            return False
        if self.is_constrained(realm):
            return False
        near = self.touching(self.hexes[realm])
        if any(self.count_touching(self.hexes[other], without=realm) < 2 for other in near):
            return False
        return not self.splits({other: at for other, at in self.hexes.items() if other != realm})
