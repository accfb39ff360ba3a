"""Blocking and the end of a turn (L1 to L7, P1 to P7), for the twin of Magic Realm."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from tests.magic_realm.twin.twin_data import CHART, CHITS, CLEARINGS, GHOSTS, ROW_OF, SITES, TILES, kind_of, tile_of
from tests.magic_realm.twin.twin_search import CAMPFIRES, STACK_OWNERS, Search
from tests.magic_realm.twin.twin_state import Hero

SPARE_THE_PILGRIM: Final = ("Demon", "Winged Demon", "Imp")


class Blocking(Search):
    acting: str | None = None  # whose turn it is

    def can_be_blocked_by(self, monster: str, hero: Hero) -> bool:
        """Whether a monster blocks a hero in its clearing (L1, L2, L7)."""
        spared = hero.name == "Pilgrim" and kind_of(monster) in SPARE_THE_PILGRIM
        return not hero.hidden and hero.guide is None and not spared

    def mark_blocked(self, hero: Hero) -> None:
        """L3: unhidden, and what is left of the turn is lost, or the turn that is still to come."""
        hero.blocked = True
        hero.hidden = False
        for follower in self.followers_of(hero):
            follower.hidden = False
        if not hero.done and self.acting != hero.name:
            hero.done = True
            self.log.append(f"{hero.name} loses the turn: L3")
            for follower in self.followers_of(hero):  # D24: they have no turn either
                follower.guide = None
                follower.done = True
                self.log.append(f"{follower.name} loses the turn: D24")

    def block_after_phase(self, hero: Hero) -> None:
        """L1 to L3, at the end of a phase of a hero's turn."""
        if hero.at not in CLEARINGS:  # L7
            return
        blockers = [name for name in self.monsters_in(hero.at) if self.can_be_blocked_by(name, hero)]
        if blockers:
            self.held |= {*blockers}
            self.mark_blocked(hero)
            self.log.append(f"{', '.join(blockers)} blocks {hero.name}")
        for other in self.asking_order():
            self.ask_to_block(other, partial(self.find_targets, other, hero))

    def find_targets(self, hero: Hero, acting: Hero) -> list[str]:
        """Whom a hero can block at the end of a phase of the acting hero."""
        if hero.guide is not None or hero.at != acting.at:
            return []
        others = [acting] if hero is not acting else [other for other in self.asking_order() if other is not hero]
        names = [
            other.name
            for other in others
            if other.at == hero.at and other.guide is None and not other.blocked and self.sees(hero, other)
        ]
        if hero is acting:
            names += self.find_free(hero, [*self.monsters])
        return names

    def ask_to_block(self, hero: Hero, find_targets: Callable[[], list[str]]) -> None:
        """Ask a hero until it passes or has no one left to block (Z9, Z10)."""
        while hero.orders.get("block", "ask") == "ask" and find_targets():
            options = [*(f"block {name}" for name in find_targets()), "pass"]
            answer = self.script.choose(hero.name, options, "pass")
            if answer == "pass":
                return
            name = answer.removeprefix("block ")
            self.log.append(f"{hero.name} blocks {name}")
            if name in self.monsters:
                self.held.add(name)
            else:
                self.mark_blocked(self.heroes[name])
            self.mark_blocked(hero)

    def arrive(self, monsters: list[str]) -> None:
        """L4: monsters that have just arrived block, and can be blocked."""
        standing = [hero for hero in self.heroes.values() if hero.guide is None]
        for hero in standing:
            blockers = [
                name for name in monsters if self.monsters[name] == hero.at and self.can_be_blocked_by(name, hero)
            ]
            if blockers:
                self.held |= {*blockers}
                self.mark_blocked(hero)
                self.log.append(f"{', '.join(blockers)} blocks {hero.name}")
        for hero in self.asking_order():
            if hero.guide is None:
                self.ask_to_block(hero, partial(self.find_free, hero, monsters))

    def find_free(self, hero: Hero, monsters: list[str]) -> list[str]:
        """The monsters in a hero's clearing that have neither blocked nor been blocked."""
        return [name for name in monsters if self.monsters[name] == hero.at and name not in self.held]

    # The end of a turn.

    def prowls(self, monster: str) -> bool:
        return monster in GHOSTS or ROW_OF[monster] in self.rows

    def end_turn(self, hero: Hero) -> None:
        """P1 to P3."""
        hero.guide = None
        hero.done = True
        self.log.append(f"{hero.name} ends the turn in {hero.at}")
        if hero.at not in CLEARINGS:
            return
        tile = tile_of(hero.at)
        movers = [
            name
            for name, at in self.monsters.items()
            if tile_of(at) == tile and at != hero.at and self.prowls(name) and name not in self.held
        ]
        for name in movers:
            self.monsters[name] = hero.at
        self.arrive(movers)
        self.turn_up(tile)
        summoned = []
        for chit in sorted(self.chits.get(tile, []), key=self.summon_order):
            key = f"{tile} {chit}"
            if key in self.summoned:
                continue
            if hero.name == "Druid" and chit not in SITES and chit not in STACK_OWNERS:  # P7
                self.face_up.discard(key)
                continue
            self.summoned.add(key)
            number = self.chit_clearing(chit)
            place = f"{tile}{number}" if number else hero.at
            for name in self.find_summoned(tile, chit):
                self.monsters[name] = place
                summoned.append(name)
        self.arrive(summoned)

    def turn_up(self, tile: str) -> None:
        """P2."""
        self.decide_chits(tile, "warning", "second")
        for chit in [*self.chits.get(tile, [])]:
            is_campfire = chit in CAMPFIRES and TILES[tile]["group"] == "W"
            if chit in STACK_OWNERS:
                self.decide_stack(tile, chit, 5)  # before anything is turned up
            if is_campfire or (chit in STACK_OWNERS and self.stacks[chit]):
                self.exchange(tile, chit)
        names = {f"{tile} {chit}" for chit in self.chits.get(tile, [])}
        self.face_up |= names
        self.public |= names

    def summon_order(self, chit: str) -> tuple[int, int]:
        """P3: the warning, then by clearings; in one clearing in the order of the data, sounds before sites."""
        return self.chit_clearing(chit), CHITS.index(chit) if chit in CHITS else -1

    def find_summoned(self, tile: str, chit: str) -> list[str]:
        """P3: the monsters of the first box that lists the chit and is not empty."""
        letter = TILES[tile]["group"]
        number = self.chit_clearing(chit)
        word = chit.removesuffix(f"-{number}")
        is_sound = bool(number) and chit not in SITES
        names = {chit} if chit in SITES else {f"{word} {letter}", *([word] if is_sound else [])}
        for row in sorted(self.rows):
            for box in CHART:
                waiting = [name for name in box["monsters"] if name not in self.monsters]
                if box["row"] == row and names & {*box["chits"]} and waiting:
                    return waiting
        return []
