"""The evening with combat (E1) and what it leaves behind (Q1), for the twin of whole games of Magic Realm.

Each fight is one of `twin_fight.py`. The world stays as it was until the fight has ended (F2).
"""

from __future__ import annotations

from typing import Final

from tests.magic_realm.twin.twin_data import CLEARINGS, GOODS, Row
from tests.magic_realm.twin.twin_day import Twin
from tests.magic_realm.twin.twin_fight import FightTwin, make_fight
from tests.magic_realm.twin.twin_fight_pieces import CHANCE, can_see, make_hero
from tests.magic_realm.twin.twin_state import Hero, Item
from tests.magic_realm.twin.twin_table import Table

DEAD: Final = "gone"  # where killed monsters are until B6


class Evening(Twin):
    table: Table
    deaths: list[Hero]  # those who died today, in order
    native_boxes: dict[str, list[str]]

    def hold_evening(self) -> None:
        """E1, Q1."""
        places = {hero.at for hero in self.heroes.values()} & {*CLEARINGS}
        while places:
            place = self.table.draw({f"clearing {place}": 1 for place in sorted(places)}).removeprefix("clearing ")
            places.remove(place)
            fight = self.prepare_fight(place)
            self.fight_out(place, fight)
            self.settle_fight(place, fight)
            for hero in self.order_from_first():
                if hero.at == place:
                    self.rearrange(hero, after_combat=True)

    def order_from_first(self) -> list[Hero]:
        """E5, Z10: from the first character of the day on, by seats. The first character may be dead."""
        living = sorted(self.heroes.values(), key=lambda hero: hero.seat)
        first = next((hero.seat for hero in [*living, *self.deaths] if hero.name == self.first), 0)
        return [hero for hero in living if hero.seat >= first] + [hero for hero in living if hero.seat < first]

    def prepare_fight(self, place: str) -> Row:
        heroes = [self.make_fighter(hero) for hero in self.order_from_first() if hero.at == place]
        for fighter in heroes:
            fighter["exits"] = self.find_exits(fighter, place)
        fight = make_fight(
            heroes,
            self.monsters_in(place),
            cave=CLEARINGS[place] == "cave",
            pierce=self.options.get("missile_through_armour", False),
        )
        fight["pile"] = [*self.piles.get(place, [])]
        fight["damaged"] = {*self.damaged}
        return fight

    def make_fighter(self, hero: Hero) -> Row:
        fighter = make_hero(hero.name, hero.seat)
        for row, chit in zip(fighter["chits"], hero.chits, strict=True):
            row["state"] = chit.state
        for item in hero.goods:
            row = {"name": item.name, "active": item.active, "alerted": item.alerted}
            fighter["goods"].append({**row, "damaged": item.name in self.damaged})
        for key in ("hidden", "berserk", "gold", "fame", "notoriety", "kills", "backs"):
            fighter[key] = getattr(hero, key)
        fighter |= {"curses": {*hero.curses}, "found": {*hero.found}, "knows": {*hero.knows}}
        return fighter

    def find_exits(self, fighter: Row, place: str) -> list[str]:
        """E14."""
        hero = self.heroes[fighter["name"]]
        if hero.came is not None:
            return [hero.came]
        return [
            name
            for name, row in self.roadways.items()
            if place in row["ends"] and (self.is_open(hero, name) or name in fighter["knows"])
        ]

    def fight_out(self, place: str, fight: Row) -> None:
        twin = FightTwin(fight)
        names = {hero["seat"]: name for name, hero in fight["heroes"].items()}
        while question := twin.question:
            if CHANCE in question:
                twin.answer(CHANCE, self.table.draw(dict.fromkeys(question[CHANCE], 1)))
                continue
            seat, text = self.table.ask({fight["heroes"][name]["seat"]: steps for name, steps in question.items()})
            if text.startswith("run "):
                self.spy_on_runner(place, fight, fight["heroes"][names[seat]], text.split()[1])
            self.heroes[names[seat]].backs += text == "back"  # Z4
            twin.answer(names[seat], text)

    def spy_on_runner(self, place: str, fight: Row, runner: Row, roadway: str) -> None:
        """X2, at both ends of the roadway; those in the clearing could now run there, too."""
        if self.roadways[roadway]["kind"] not in {"hidden", "secret"}:
            return
        for other in fight["heroes"].values():
            if other["fate"] == "fighting" and can_see(other, runner):
                other["knows"].add(roadway)
                other["exits"] = self.find_exits(other, place)
        there = [end for end in self.roadways[roadway]["ends"] if end != place]
        for hero in self.heroes.values():
            if hero.at in there and can_see(self.make_fighter(hero), runner):
                hero.knows.add(roadway)

    def settle_fight(self, place: str, fight: Row) -> None:
        """Carry out what the fight has changed."""
        self.piles[place] = fight["pile"]
        self.damaged = fight["damaged"]
        for name in self.monsters_in(place):
            if name not in fight["monsters"]:
                self.monsters[name] = DEAD  # K7
        for name in fight["gone"]:
            home = GOODS[name].get("home")  # C21
            (self.native_boxes[home] if home else self.gone).append(name)
        for fighter in fight["heroes"].values():
            self.settle_fighter(self.heroes[fighter["name"]], fighter)
        for name in fight["dead"]:
            self.die(self.heroes[name])

    @staticmethod
    def settle_fighter(hero: Hero, fighter: Row) -> None:
        for row, chit in zip(fighter["chits"], hero.chits, strict=True):
            chit.state = row["state"]
        hero.goods = [
            Item(item["name"], item["active"], item["active"] and item["alerted"]) for item in fighter["goods"]
        ]
        for key in ("hidden", "berserk", "gold", "fame", "notoriety", "kills", "curses", "knows"):
            setattr(hero, key, fighter[key])
        hero.at = fighter["road"] or hero.at

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
