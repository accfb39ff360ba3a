"""The evening without combat (A1 to A6, W2, W3), for the twin of Magic Realm."""

from __future__ import annotations

from tests.magic_realm.twin.twin_blocking import SPARE_THE_PILGRIM
from tests.magic_realm.twin.twin_data import (
    CHARACTERS,
    CLEARINGS,
    GOODS,
    MONSTERS,
    clearing_order,
    is_at_least,
    is_cave,
    kind_of,
    weight_of,
)
from tests.magic_realm.twin.twin_day import Twin
from tests.magic_realm.twin.twin_state import Hero


class Evening(Twin):
    deaths: list[Hero]  # those who died today, in order

    def hold_evening(self) -> None:
        """A1."""
        places = {hero.at for hero in self.heroes.values()} & {*CLEARINGS}
        for place in sorted(places, key=clearing_order):
            attackers = self.choose_targets(place)
            for hero in self.order_from_first():
                if hero.name in attackers:
                    self.face_attack(hero, attackers[hero.name])

    def order_from_first(self) -> list[Hero]:
        """A3: the heroes from the first character of the day on, by seats. The first character may be dead."""
        living = sorted(self.heroes.values(), key=lambda hero: hero.seat)
        first = next((hero.seat for hero in [*living, *self.deaths] if hero.name == self.first), 0)
        return [hero for hero in living if hero.seat >= first] + [hero for hero in living if hero.seat < first]

    def choose_targets(self, place: str) -> dict[str, list[str]]:
        """A2: the monsters that attack each hero."""
        attackers: dict[str, list[str]] = {}
        for monster in sorted(self.monsters_in(place), key=[*MONSTERS].index):
            names = [hero.name for hero in self.heroes_in(place) if self.can_attack(monster, hero)]
            if len(names) > 1:
                outcomes = {f"attack {monster} {name}": 1 for name in names}
                names = [self.script.draw(outcomes).removeprefix(f"attack {monster} ")]
            for name in names:
                attackers.setdefault(name, []).append(monster)
        return attackers

    @staticmethod
    def can_attack(monster: str, hero: Hero) -> bool:
        return not hero.hidden and not (hero.name == "Pilgrim" and kind_of(monster) in SPARE_THE_PILGRIM)

    def face_attack(self, hero: Hero, monsters: list[str]) -> None:
        """A3: run or stay."""
        fastest = min(MONSTERS[name]["light"]["move"] for name in monsters)
        means = self.find_means(hero, fastest)
        options = [f"run {roadway} with {name}" for roadway in self.find_ways_out(hero) for name in means]
        answer = self.script.choose(hero.name, [*options, "stay"], "stay", always=True)
        if answer == "stay":
            self.log.append(f"{hero.name} stays: {len(monsters)} wounds")
            self.take_wounds(hero, len(monsters))
            return
        roadway, _, name = answer.removeprefix("run ").partition(" with ")
        self.log.append(f"{hero.name} runs onto {roadway}")
        if self.roadways[roadway]["kind"] in {"hidden", "secret"}:
            self.spy(hero, [roadway], [*self.roadways[roadway]["ends"]])
        hero.at = roadway
        if name not in GOODS and name.endswith("**"):
            self.pay_star(hero, "Move")

    def find_means(self, hero: Hero, fastest: int) -> list[str]:
        """A4: the chits, boots and horses that are fast and strong enough to run with."""
        weights = [CHARACTERS[hero.name]["weight"]]
        weights += [weight_of(item.name) for item in hero.goods if not hero.is_packed(item)]

        def suffices(strength: str, time: int) -> bool:
            return time < fastest and all(is_at_least(strength, weight) for weight in weights)

        names = [
            chit.name
            for chit in hero.active_chits()
            if chit.kind == "Move" and suffices(chit.strength, int(chit.name.split()[1][1]))
        ]
        names += [name for name in hero.active_goods("boots") if suffices(GOODS[name]["strength"], GOODS[name]["time"])]
        if not is_cave(hero.at):
            for name in hero.active_goods("horse"):
                sides = [GOODS[name]["walk"], GOODS[name]["gallop"]]
                if any(suffices(side[0], int(side[1])) for side in sides):
                    names.append(name)
        return [*dict.fromkeys(names)]

    def find_ways_out(self, hero: Hero) -> list[str]:
        """A5."""
        if hero.came is not None:
            return [hero.came]
        return [name for name, row in self.roadways.items() if hero.at in row["ends"] and self.is_open(hero, name)]

    def take_wounds(self, hero: Hero, count: int) -> None:
        """A6, W2, W3."""
        for _ in range(count):
            chits = hero.active_chits() or [chit for chit in hero.chits if chit.state == "fatigued"]
            options = [*dict.fromkeys(f"wound {chit.name}" for chit in chits)]
            answer = self.script.choose(hero.name, options, options[0])
            next(chit for chit in chits if f"wound {chit.name}" == answer).state = "wounded"
            if all(chit.state == "wounded" for chit in hero.chits):
                self.die(hero)
                return

    def die(self, hero: Hero) -> None:
        """W3: its belongings lie in the clearing, the one it had longest on top; all else is lost.

        D8: those of a hero on a roadway lie at the end that is named first.
        """
        self.log.append(f"{hero.name} dies in {hero.at}")
        place = self.roadways[hero.at]["ends"][0] if hero.at in self.roadways else hero.at
        self.leave(place, [item.name for item in hero.goods])
        hero.goods = []
        hero.gold = hero.fame = hero.notoriety = 0
        hero.knows = set()
        hero.at = "nowhere"
        del self.heroes[hero.name]
        self.deaths.append(hero)
