"""The powers of the twin: gains, prices, Protection, entering powers and Displace (chapters P, T and Y)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from realmtable.games.realms_of_etherium.tiles.manifest import Cost, Tile
from tests.realms_of_etherium.twin_world import (
    PORTAL,
    Answer,
    Hex,
    Mage,
    Question,
    Realm,
    Steps,
    World,
    hex_text,
    is_inside,
    neighbours,
)

LESSENED = ("purple", "orange", "green")  # colours of the powers that Lessen makes cheaper


class Economy(World):
    """Etherium: gains, prices and the Realms that change them."""

    def receive(self, seat: int, white: int, black: int) -> tuple[int, int]:
        """Add Etherium and return how much of it fits."""
        cap = self.manifest.etherium_cap
        white, black = min(white, cap - self.white[seat]), min(black, cap - self.black[seat])
        self.white[seat] += white
        self.black[seat] += black
        return white, black

    def gain(self, mage: Mage, white: int, black: int) -> Steps:
        yield from self.react(mage, *self.receive(mage.seat, white, black))

    def react(self, mage: Mage, white: int, black: int) -> Steps:
        """Let gaining Realms react to what a Mage has brought in (P8, Y1)."""
        seat = mage.seat
        gained = {name for name, amount in (("white", white), ("black", black)) if amount > 0}
        is_red = self.colours[seat] == "red"
        tiles = self.available(seat, mage, "react")
        ready = [realm for realm in tiles if self.kinds[realm.kind].power.to in gained]
        if self.options.one_gain_power and not is_red and ready:
            kinds = {f"react {self.kinds[realm.kind].name}": 1 for realm in ready}
            answer = yield from self.ask(seat, "react", kinds)
            ready = [next(realm for realm in ready if self.kinds[realm.kind].name == answer.split()[1])]
        if self.options.reactions == "first" and not is_red:
            ready = self.keep_first_kinds(ready)
        done: list[Realm] = []
        waiting = list(ready)
        while waiting:
            realm = waiting.pop(0)
            done.append(realm)
            self.count_use(seat, realm)
            tile = self.kinds[realm.kind]
            more = self.receive(seat, tile.power.white, tile.power.black)
            if is_red and tile.colour == "red":
                new = {name for name, amount in zip(("white", "black"), more, strict=True) if amount > 0}
                waiting += [
                    other
                    for other in tiles
                    if other not in done
                    and other not in waiting
                    and self.kinds[other.kind].colour == "red"
                    and self.kinds[other.kind].power.to in new
                ]
                waiting.sort(key=self.order)

    def keep_first_kinds(self, ready: list[Realm]) -> list[Realm]:
        """Of the Realms that react to each colour, keep those of the first kind (V16)."""
        first: dict[str, str] = {}
        for realm in ready:
            first.setdefault(self.kinds[realm.kind].power.to, realm.kind)
        return [realm for realm in ready if realm.kind in first.values()]

    def count_use(self, seat: int, realm: Realm) -> None:
        """Note a use that only V2 limits."""
        if self.options.once_per_tile == "activation":
            self.used.add((seat, realm))

    def available(self, seat: int, user: Mage, verb: str) -> list[Realm]:
        """The Realms with a persistent or gaining power that a player can use for a Mage now (P4, P5, V26)."""
        is_held_for = seat == self.seat and (self.options.held_by == "player" or user is self.active)
        found = [
            realm
            for realm in self.hexes
            if self.kinds[realm.kind].power.verb == verb
            and (seat, realm) not in self.used
            and (
                any(mage.seat == seat and mage.place == realm for mage in self.mages)
                or (is_held_for and realm in self.held)
            )
        ]
        return sorted(found, key=self.order)

    def has_power_over(self, mage: Mage, tile: Tile, colour: str) -> bool:
        """Whether the player of a Mage has the colour of a tile, and so its power (chapter Y)."""
        return self.colours[mage.seat] == tile.colour == colour

    def lessen(self, mage: Mage, tile: Tile) -> list[Realm]:
        """The Lessen tiles that make a power cheaper (P6)."""
        return self.available(mage.seat, mage, "lessen") if tile.colour in LESSENED else []

    def price(self, mage: Mage, tile: Tile) -> tuple[Cost, int]:
        """What one use costs, and how many Lessen tiles it takes."""
        white, black = tile.use
        if self.has_power_over(mage, tile, "orange"):
            return Cost(0, 0), 0
        lessen = min(white, len(self.lessen(mage, tile)))
        if self.has_power_over(mage, tile, "green") and min(white + black, 1) <= white + black - lessen:
            return Cost(min(white, 1), 0 if white else min(black, 1)), 0
        white -= lessen
        if self.has_power_over(mage, tile, "purple"):
            white, black = (white - 1, black) if white else (white, max(0, black - 1))
        return Cost(white, black), lessen

    def can_pay(self, mage: Mage, tile: Tile) -> bool:
        cost, _ = self.price(mage, tile)
        return cost.white <= self.white[mage.seat] and cost.black <= self.black[mage.seat]

    def pay(self, mage: Mage, tile: Tile) -> None:
        cost, lessen = self.price(mage, tile)
        self.spend_lessen(mage, lessen)
        self.white[mage.seat] -= cost.white
        self.black[mage.seat] -= cost.black

    def spend_lessen(self, mage: Mage, number: int) -> None:
        for realm in self.available(mage.seat, mage, "lessen")[:number]:
            self.count_use(mage.seat, realm)

    def find_tile(self, mage: Mage, verb: str) -> Realm | None:
        """The first tile of a verb that is available for a Mage and affordable."""
        tiles = self.available(mage.seat, mage, verb)
        return next((realm for realm in tiles if self.can_pay(mage, self.kinds[realm.kind])), None)

    def pay_tile(self, mage: Mage, verb: str) -> None:
        realm = self.find_tile(mage, verb)
        assert realm is not None
        self.pay(mage, self.kinds[realm.kind])
        self.used.add((mage.seat, realm))

    def ask_protection(self, mage: Mage) -> Answer:
        realm = self.find_tile(mage, "protect")
        if realm is None:
            return "skip"
        answer = yield from self.ask(mage.seat, "protect", ["protect", "skip"])
        if answer == "protect":
            self.pay(mage, self.kinds[realm.kind])
            self.count_use(mage.seat, realm)
        return answer


class Powers(Economy):
    """Entering Realms, and pushing Mages into them."""

    def hold(self, place: Realm) -> None:
        """Hold a Realm for the active Mage, unless it is an opponent's (T10)."""
        assert self.active is not None
        if place != PORTAL and self.active.seat == self.seat:
            self.held.add(place)

    def leave(self, mage: Mage) -> None:
        realm = mage.place
        if self.kinds[realm.kind].tile_class != "permanent" and self.left[-1:] != [realm]:
            self.left.append(realm)

    def enter(self, mage: Mage, place: Realm) -> Steps:
        mage.place = place
        tile = self.kinds[place.kind]
        if mage is self.active:
            self.hold(place)
        if tile.power.verb == "disrupt":
            yield from self.disrupt(mage)
        elif tile.power.trigger == "enter" and (mage.seat, place) not in self.used:
            yield from self.use_power(mage, tile)

    def use_power(self, mage: Mage, tile: Tile) -> Steps:
        powers = {
            "gain": self.enter_gain,
            "conjure": self.enter_conjure,
            "convert": self.enter_convert,
            "exhaust": self.enter_exhaust,
            "shift": self.enter_shift,
            "swap": self.enter_swap,
            "tribute": self.enter_tribute,
        }
        yield from powers[tile.power.verb](mage, tile)

    def disrupt(self, mage: Mage) -> Steps:
        if mage.exhausted and mage is not self.active:
            return
        safe = yield from self.ask_protection(mage)
        if safe == "skip":
            mage.exhausted = True
            self.ending = self.ending or mage is self.active

    def mages_near(self, mage: Mage, *, own: bool = False) -> list[Mage]:
        """Opponents' Mages in adjacent places, or everyone's, in turn order."""
        near = self.adjacent(mage.place)
        found = [other for other in self.mages if (own or other.seat != mage.seat) and other.place in near]
        return sorted(found, key=lambda other: ((other.seat - self.seat) % self.seats, other.number))

    def enter_gain(self, mage: Mage, tile: Tile) -> Steps:
        power, seat = tile.power, mage.seat
        times = 1
        if power.per:
            times = sum(self.is_of(other, power.per) for other in self.touching(self.hexes[mage.place]))
        white, black = times * power.white, times * power.black
        if self.has_power_over(mage, tile, "blue"):
            white += 1
        gained = self.receive(seat, white, black)
        if any(gained):
            self.used.add((seat, mage.place))
        yield from self.react(mage, *gained)

    def enter_conjure(self, mage: Mage, tile: Tile) -> Steps:
        own = sum(other.seat == mage.seat for other in self.mages)
        if own >= self.manifest.most_mages or not self.can_pay(mage, tile):
            return
        answer = yield from self.ask(mage.seat, "enter", ["use", "skip"])
        if answer == "use":
            self.pay(mage, tile)
            self.used.add((mage.seat, mage.place))
            self.mages.append(Mage(mage.seat, own + 1, mage.place, exhausted=True))

    def enter_convert(self, mage: Mage, tile: Tile) -> Steps:
        seat, rate, cap = mage.seat, tile.use.white, self.manifest.etherium_cap
        prices = {f"make {k} black": self.convert_price(mage, tile, k) for k in range(1, cap - self.black[seat] + 1)}
        steps = [text for text, (price, _) in prices.items() if price <= self.white[seat]]
        backs = {
            f"make {k * rate} white": k
            for k in range(1, self.black[seat] + 1)
            if self.white[seat] + (k - 1) * rate < cap
        }
        if not steps and not backs:
            return
        answer = yield from self.ask(seat, "enter", [*steps, *backs, "skip"])
        if answer == "skip":
            return
        self.used.add((seat, mage.place))
        if answer in backs:
            self.black[seat] -= backs[answer]
            yield from self.gain(mage, backs[answer] * rate, 0)
        else:
            price, lessen = prices[answer]
            self.spend_lessen(mage, lessen)
            self.white[seat] -= price
            yield from self.gain(mage, 0, int(answer.split()[1]))

    def convert_price(self, mage: Mage, tile: Tile, number: int) -> tuple[int, int]:
        """The price of conversions into Black, and the Lessen tiles it takes (T5, Y6, V18, V22)."""
        full = number * tile.use.white
        lessen = min(len(self.lessen(mage, tile)), full - (not self.options.free_conversions))
        for_green = number if self.options.green_conversions == "each" else full - tile.use.white + 1
        if self.has_power_over(mage, tile, "green") and for_green <= full - lessen:
            return for_green, 0
        return full - lessen, lessen

    def enter_exhaust(self, mage: Mage, tile: Tile) -> Steps:
        victims = [other for other in self.mages_near(mage) if not other.exhausted]
        if not victims or not self.can_pay(mage, tile) or (self.options.paralyze_guard and self.round == 1):
            return
        answer = yield from self.ask(mage.seat, "enter", ["use", "skip"])
        if answer == "skip":
            return
        self.pay(mage, tile)
        self.used.add((mage.seat, mage.place))
        hit = []
        for victim in victims:
            answer = yield from self.ask_protection(victim)
            hit += [victim] if answer == "skip" else []
        for victim in hit:
            victim.exhausted = True

    def movable(self) -> list[Realm]:
        """The Realms that Shift and Swap may touch (T14)."""
        return [
            realm
            for realm in sorted(self.hexes, key=lambda realm: self.hexes[realm])
            if realm not in self.moved_before and not (self.triggered and self.is_victory(realm.kind))
        ]

    def note_moved(self, mage: Mage, *realms: Realm) -> None:
        """Note what a Mage has Shifted or Swapped (T14, V23)."""
        if self.options.moved_by == "anyone" or mage.seat == self.seat:
            self.moved_now |= {*realms}

    def shift_targets(self, realm: Realm) -> list[Hex]:
        if self.is_constrained(realm):
            return []
        old = self.touching(self.hexes[realm])
        found = {side: None for other in self.hexes if other != realm for side in neighbours(self.hexes[other])}
        targets = []
        for at in found:
            if not is_inside(at) or self.at(at) is not None or self.count_touching(at, without=realm) < 2:
                continue
            before = self.hexes
            after = {**self.hexes, realm: at}
            if self.splits(after):
                continue
            self.set_hexes(after)
            fine = not self.options.shift_keeps_touching or all(
                self.count_touching(self.hexes[other]) >= 2 for other in old
            )
            self.set_hexes(before)
            if fine:
                targets.append(at)
        return targets

    def choose_realm_to_move(
        self, mage: Mage, tile: Tile, verb: str, list_targets: Callable[[Realm], Sequence[object]]
    ) -> Generator[Question, str, Realm | None]:
        """Let a Mage pay for moving one of the Realms that have a target; return None if it cannot pay or skips."""
        if not self.can_pay(mage, tile):
            return None
        found = {f"{verb} {hex_text(self.hexes[realm])}": realm for realm in self.movable() if list_targets(realm)}
        if not found:
            return None
        answer = yield from self.ask(mage.seat, "enter", [*found, "skip"])
        if answer == "skip":
            return None
        self.pay(mage, tile)
        self.used.add((mage.seat, mage.place))
        return found[answer]

    def enter_shift(self, mage: Mage, tile: Tile) -> Steps:
        realm = yield from self.choose_realm_to_move(mage, tile, "shift", self.shift_targets)
        if realm is None:
            return
        targets = {f"put {hex_text(at)}": at for at in self.shift_targets(realm)}
        answer = yield from self.ask(mage.seat, "put", [*targets])
        self.set_hexes({**self.hexes, realm: targets[answer]})
        self.note_moved(mage, realm)
        self.check_points()

    def swap_hexes(self, one: Realm, other: Realm) -> dict[Realm, Hex]:
        return {**self.hexes, one: self.hexes[other], other: self.hexes[one]}

    def swap_partners(self, realm: Realm) -> list[Realm]:
        """The Realms that may be exchanged with one; only exchanging a Portal changes the parts of the world."""
        others = [other for other in self.movable() if other != realm]
        portals = [other.kind == "portal" for other in (realm, *others)]
        return [
            other
            for other, is_portal in zip(others, portals[1:], strict=True)
            if is_portal == portals[0] or not self.splits(self.swap_hexes(realm, other))
        ]

    def enter_swap(self, mage: Mage, tile: Tile) -> Steps:
        realm = yield from self.choose_realm_to_move(mage, tile, "swap", self.swap_partners)
        if realm is None:
            return
        partners = {f"with {hex_text(self.hexes[other])}": other for other in self.swap_partners(realm)}
        answer = yield from self.ask(mage.seat, "with", [*partners])
        self.set_hexes(self.swap_hexes(realm, partners[answer]))
        self.note_moved(mage, realm, partners[answer])
        self.check_points()

    def enter_tribute(self, mage: Mage, tile: Tile) -> Steps:
        seat = mage.seat
        lessen = len(self.lessen(mage, tile))
        taken = [0, 0]
        for victim in self.mages_near(mage, own=self.options.tribute_from_own):
            price, is_lessened = self.black_price(mage, tile, lessen)
            steps = ["collect white"] if self.white[victim.seat] else []
            if self.black[victim.seat] and price <= self.white[seat]:
                steps.append("collect black")
            if not steps:
                continue
            if victim.seat != seat and (yield from self.ask_protection(victim)) == "protect":
                continue
            answer = yield from self.ask(seat, "tribute", [*steps, "skip"])
            if answer == "skip":
                continue
            self.used.add((seat, mage.place))
            if answer == "collect white":
                self.white[victim.seat] -= 1
                taken[0] += self.receive(seat, 1, 0)[0]
            else:
                if is_lessened:
                    lessen -= 1
                    self.spend_lessen(mage, 1)
                self.white[seat] -= price
                self.black[victim.seat] -= 1
                taken[1] += self.receive(seat, 0, 1)[1]
        yield from self.react(mage, *taken)

    def black_price(self, mage: Mage, tile: Tile, lessen: int) -> tuple[int, bool]:
        """The White that 1 Black of a Tribute costs, and whether a Lessen tile pays for it (T15)."""
        price = tile.use.white
        if self.has_power_over(mage, tile, "orange") or not price:
            return 0, False
        if lessen:
            return 0, True
        if self.has_power_over(mage, tile, "purple"):
            price -= 1
        return min(price, 1) if self.has_power_over(mage, tile, "green") else price, False

    def pushable(self, place: Realm) -> list[Mage]:
        found = [
            mage
            for mage in self.mages
            if mage.place == place and (mage is not self.active or self.options.displace_self)
        ]
        return sorted(found, key=lambda mage: ((mage.seat - self.seat) % self.seats, mage.number))

    def displace(self) -> Steps:
        assert self.active is not None
        place = self.active.place
        self.pay_tile(self.active, "push")
        tried: list[Mage] = []
        for number in range(self.seats):
            owner = (self.seat + number) % self.seats
            while True:
                mages = [mage for mage in self.pushable(place) if mage.seat == owner and mage not in tried]
                if not mages:
                    break
                pushes = self.push_steps(self.distinct(mages), place)
                answer = yield from self.ask(self.seat, "push", [*pushes, "next"])
                if answer == "next":
                    break
                mage, target = pushes[answer]
                if owner != self.seat:
                    safe = yield from self.ask_protection(mage)
                    if safe == "protect":
                        tried.append(mage)
                        continue
                if target is None:
                    targets = {f"to {self.place_text(other)}": other for other in self.adjacent(place)}
                    answer = yield from self.ask(owner, "target", [*targets])
                    target = targets[answer]
                self.leave(mage)
                yield from self.enter(mage, target)
                if self.ending and self.options.disruption_ends_displace:
                    return

    def push_steps(self, mages: list[Mage], place: Realm) -> dict[str, tuple[Mage, Realm | None]]:
        names = {f"push {mage.seat + 1}.{mage.number}": mage for mage in mages}
        if not self.adjacent(place):
            return {}
        if self.options.displace_by == "owner":
            return {name: (mage, None) for name, mage in names.items()}
        return {
            f"{name} to {self.place_text(other)}": (mage, other)
            for name, mage in names.items()
            for other in self.adjacent(place)
        }
