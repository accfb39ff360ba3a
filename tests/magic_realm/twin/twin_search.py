"""Dice, Search and looting (G3, D13, D16 to D22, T5, X2), for the twin of Magic Realm."""

from __future__ import annotations

from typing import Final

from tests.magic_realm.twin.twin_data import (
    CLEARINGS,
    GOODS,
    SITE_CARDS,
    TABLES,
    TILES,
    is_cave,
    is_mountain,
    tile_of,
)
from tests.magic_realm.twin.twin_goods import Goods
from tests.magic_realm.twin.twin_state import Hero

CHOICES: Final = {
    "clues+paths": ["clues", "paths"],
    "hidden+paths": ["hidden enemies", "paths"],
    "hidden": ["hidden enemies"],
    "clues": ["clues"],
    "passages+clues": ["passages", "clues"],
    "passages": ["passages"],
    "chits": ["discover chits"],
}
CAMPFIRES: Final = {"Smoke": "Small Campfire", "Stink": "Large Campfire"}
STACK_OWNERS: Final = ("Lost City", "Lost Castle")


class Search(Goods):
    # Dice.

    def rolls_one_die(self, hero: Hero, table: str) -> bool:
        searches = table != "hide"
        return (
            (hero.name == "Druid" and not searches)
            or (hero.name == "Dwarf" and is_cave(hero.at))
            or (hero.name == "Woods Girl" and "Woods" in TILES[tile_of(hero.at)]["name"])
            or hero.has("Lucky Charm")
            or (hero.has("Shoes of Stealth") and not searches)
            or (hero.has("Deft Gloves") and table in {"loot", *(card.lower() for card in SITE_CARDS)})
        )

    def addition(self, hero: Hero, table: str) -> int:
        number = 0
        here = [item.name for other in self.heroes_in(hero.at) for item in other.goods]
        if "Cloven Hoof" in here + self.piles.get(hero.at, []):
            number += 1
        tile = tile_of(hero.at)
        chits = self.chits.get(tile, [])
        if table == "locate":
            number -= any(hero.has(f"Map of {name}") and name in chits for name in STACK_OWNERS)
            number -= hero.has("Map of Ruins") and (tile == "R" or "Ruins" in chits)
        return number

    def roll_on(self, hero: Hero, table: str) -> int:
        """G3: the result on a table."""
        if table == "locate":
            self.decide_for_maps(hero)
        count = 1 if self.rolls_one_die(hero, table) else 2
        dice = self.script.roll(f"{hero.name} {table}", count)
        return min(6, max(1, max(dice) + self.addition(hero, table)))

    # Searching.

    def find_searches(self, hero: Hero) -> list[str]:
        """D16, D17, D22: what a hero can do in a Search phase."""
        if hero.at not in CLEARINGS:
            return []
        loots = [
            f"loot {card}"
            for site in self.sites_in(hero.at)
            for card in self.cards_at(site)
            if card in hero.knows and (card != "Crypt of the Knight" or self.find_openers(hero))
        ]
        if hero.name == "Witch King":
            return ["sight", *loots]
        afar = [name for name in CLEARINGS if name != hero.at and self.can_peer_at(hero, name)]
        loots += [f"loot {site}" for site in self.sites_in(hero.at) if self.can_loot(hero, site)]
        loots += ["loot pile"] if self.piles.get(hero.at) else []
        return ["peer", *(f"peer {name}" for name in afar), "locate", *loots]

    def can_peer_at(self, hero: Hero, name: str) -> bool:
        if hero.anywhere:
            return tile_of(name) in self.adjacent_tiles
        near = {tile_of(hero.at)} | self.adjacent_tiles[tile_of(hero.at)]
        return is_mountain(hero.at) and not is_cave(name) and tile_of(name) in near

    def can_loot(self, hero: Hero, site: str) -> bool:
        """D19."""
        if site not in hero.knows or not self.boxes.get(site):
            return False
        if site in {"Cairns", "Pool"} and not self.has_star(hero):
            return False
        return site != "Vault" or self.vault_is_open or bool(self.find_openers(hero))

    def search(self, hero: Hero, group: list[Hero]) -> None:
        """A Search phase; `group` are the hero and its followers."""
        answer = self.script.choose(hero.name, self.find_searches(hero), None, always=True)
        verb, _, name = answer.partition(" ")
        if verb in {"peer", "locate"}:
            self.use_table(hero, group, verb, name or hero.at)
        elif verb == "sight":
            self.use_sight(hero, group)
        elif name == "pile":
            result = self.roll_on(hero, "loot")
            self.draw_from_pile(hero, result - 1)
        elif name in SITE_CARDS:
            self.loot_card(hero, group, name)
        else:
            self.loot_site(hero, group, name)

    def use_table(self, hero: Hero, group: list[Hero], table: str, clearing: str) -> None:
        words = TABLES[table][self.roll_on(hero, table) - 1]
        self.apply(hero, group, words, clearing)

    def apply(self, hero: Hero, group: list[Hero], words: list[str], clearing: str) -> None:
        """D18, for the clearing that is searched."""
        if words == ["choice"]:
            options = [f"choose {name}" for name in CHOICES]
            words = CHOICES[self.script.choose(hero.name, options, None).removeprefix("choose ")]
        for word in words:
            if word in {"clues", "discover chits"}:
                self.look(hero, group, clearing, discovers=word == "discover chits")
            elif word in {"paths", "passages"}:
                kind = {"paths": "hidden", "passages": "secret"}[word]
                roads = [n for n, row in self.roadways.items() if row["kind"] == kind and clearing in row["ends"]]
                self.discover(group, roads)
            elif word == "hidden enemies":
                for other in group:
                    other.found.add("all")

    @staticmethod
    def discover(group: list[Hero], things: list[str]) -> None:
        for hero in group:
            hero.knows |= {*things}

    def look(self, hero: Hero, group: list[Hero], clearing: str, *, discovers: bool) -> None:
        """Look at the chits of a tile; the hero may exchange one of them at once (D18)."""
        tile = tile_of(clearing)
        self.decide_chits(tile, "warning", "second")
        chits = self.chits.get(tile, [])
        closed = [chit for chit in chits if f"{tile} {chit}" not in self.face_up]
        # Z3: spectators do not know what the only player has looked at.
        secret = [chit for chit in closed if self.is_solo() or not self.is_known_to_all(f"{tile} {chit}")]
        self.let_see(group, tile)
        self.discover(group, self.sites_in(clearing) if discovers else [])
        own = [chit for chit in closed if chit in STACK_OWNERS and self.stacks[chit]]
        if TILES[tile]["group"] == "W":
            own += [chit for chit in closed if chit in CAMPFIRES]
        options = ["exchange", "put back"] if own else ["put back"]
        if self.script.choose(hero.name, options, "put back", always=bool(secret)) == "exchange":
            self.exchange(tile, own[0])
            self.let_see(group, tile)
            self.discover(group, self.sites_in(clearing) if discovers else [])

    def is_solo(self) -> bool:
        return len(self.heroes) == 1

    def is_known_to_all(self, name: str) -> bool:
        return name in self.public or all(name in hero.seen for hero in self.heroes.values())

    def let_see(self, group: list[Hero], tile: str) -> None:
        for hero in group:
            hero.seen |= {f"{tile} {chit}" for chit in self.chits.get(tile, [])}

    def exchange(self, tile: str, chit: str) -> None:
        """M6, D18, P2: a campfire replaces its warning; the stack of the Lost City or Castle is put into the tile."""
        self.public.add(f"{tile} {chit}")
        if chit in CAMPFIRES:
            self.chits[tile].remove(chit)
            clearings = [f"{tile}{number}" for number in (5, 4, 2)]
            self.dwellings[CAMPFIRES[chit]] = next(
                (name for name in clearings if name in self.connected), clearings[-1]
            )
        else:
            self.face_up.add(f"{tile} {chit}")
            while self.stacks[chit]:
                self.decide_stack(tile, chit, 1)
                self.chits[tile].append(self.stacks[chit].pop(0))

    # Looting.

    def spy(self, hero: Hero, things: list[str], places: list[str]) -> None:
        """X2: everyone in these clearings who sees the hero discovers what it uses."""
        self.spy_on_group([hero], things, places)

    def spy_on_group(self, group: list[Hero], things: list[str], places: list[str]) -> None:
        """X2: the same for those who see anyone of a group that uses a roadway, the guide or a follower."""
        for other in self.heroes.values():
            if other not in group and other.at in places and any(self.sees(other, hero) for hero in group):
                other.knows |= {*things}

    def use_site(self, hero: Hero, group: list[Hero], site: str) -> None:
        self.discover(group, [site])
        self.spy(hero, [site], [hero.at])
        self.public.add(f"{tile_of(hero.at)} {site}")
        if site == "Vault" and not self.vault_is_open:
            self.force_door(hero)
            self.vault_is_open = True

    def loot_site(self, hero: Hero, group: list[Hero], site: str) -> None:
        self.use_site(hero, group, site)
        if site == "Cairns":
            self.pay_star(hero)
        self.draw_from_site(hero, group, site, self.roll_on(hero, "loot") - 1)

    def draw_from_pile(self, hero: Hero, index: int) -> None:
        pile = self.piles[hero.at]
        if index < len(pile):
            self.receive(hero, pile.pop(index))

    def draw_from_site(self, hero: Hero, group: list[Hero], site: str, index: int) -> None:
        """D19, T5: take the treasure at an index of a box, if there is one."""
        box = self.boxes[site]
        if index >= len(box):
            return
        self.decide_card(site, index)
        name = box[index]
        if site == "Pool" and name not in {*SITE_CARDS, "Mouldy Skeleton"}:
            self.pay_star(hero)
        box.remove(name)
        if name in SITE_CARDS:
            box.append(name)
            self.discover(group, [name])  # drawing it is a discovery, which teaches others nothing (X2)
        elif name == "Mouldy Skeleton":
            box[:0] = self.boxes[name]
            self.boxes[name] = []
            self.gone.append(name)
        elif name == "Remains of Thief":
            self.gone.append(name)
            hero.gold += 20
            found = self.boxes[name]
            while found:  # the Living Sword first
                number = found.index("Living Sword") if "Living Sword" in found else 0
                self.decide_card(name, number)
                self.receive(hero, found.pop(number))
        else:
            self.receive(hero, name)

    def loot_card(self, hero: Hero, group: list[Hero], card: str) -> None:
        """T5: a site card with its own table."""
        site = next(site for site in self.sites_in(hero.at) if card in self.boxes[site])
        self.discover(group, [card])
        self.spy(hero, [card, site], [hero.at])
        self.public.add(f"{tile_of(hero.at)} {site}")
        if card == "Crypt of the Knight":
            self.force_door(hero)
        (word,) = TABLES[card.lower()][self.roll_on(hero, card.lower()) - 1]
        box = self.boxes[card]
        if word == "treasure":
            for number in range(len(box)):
                self.decide_card(card, number)
            word = next((name for name in box if not GOODS[name]["counter"]), "nothing")
        if word in box:
            box.remove(word)
            self.receive(hero, word)
        elif word == "gold 1":
            hero.gold += 1
        elif word == "refresh":
            for chit in hero.chits:
                chit.state = "active"
            hero.curses.discard("Wither")  # C27
        elif word == "see afar":
            hero.anywhere = True
        elif word == "teleport to a cave":
            self.enter_any_cave(hero)

    def enter_any_cave(self, hero: Hero) -> None:
        caves = [f"to {name}" for name in CLEARINGS if is_cave(name) and tile_of(name) in self.adjacent_tiles]
        hero.at = self.script.choose(hero.name, caves, None).removeprefix("to ")
        hero.was_in_cave = True
        hero.came = None
        self.settle(hero)
        for follower in self.followers_of(hero):
            self.leave_behind(follower)

    def leave_behind(self, follower: Hero) -> None:
        raise NotImplementedError

    # Magic Sight.

    def use_sight(self, hero: Hero, group: list[Hero]) -> None:
        """D22."""
        (word,) = TABLES["sight"][self.roll_on(hero, "sight") - 1]
        if word in {"counters", "treasures"}:
            kind = {"counters": "counters", "treasures": "cards"}[word]
            for other in group:
                other.found.add(kind)
            self.take_by_sight(hero, group, counter=word == "counters")
        else:
            self.apply(hero, group, [word], hero.at)

    def take_by_sight(self, hero: Hero, group: list[Hero], *, counter: bool) -> None:
        def first(names: list[str]) -> int | None:
            kinds = [name in GOODS and GOODS[name]["counter"] for name in names]  # undecided slots hold cards
            return kinds.index(counter) if counter in kinds else None

        places = {site: first(self.boxes[site]) for site in self.sites_in(hero.at) if self.can_loot(hero, site)}
        places["pile"] = first(self.piles.get(hero.at, []))
        verb = "take counter" if counter else "take card"
        options = [f"{verb} {place}" for place, index in places.items() if index is not None]
        answer = self.script.choose(hero.name, [*options, "take nothing"], "take nothing", always=True)
        place = answer.removeprefix(f"{verb} ")
        index = places.get(place)
        if index is None:
            return
        if place == "pile":
            self.draw_from_pile(hero, index)
            return
        self.use_site(hero, group, place)
        if place == "Cairns":
            self.pay_star(hero)
        self.draw_from_site(hero, group, place, index)
