"""Belongings and action chits: carrying, rearranging, finding, stars and rest, for the twin of Magic Realm."""

from __future__ import annotations

from typing import Final

from tests.magic_realm.twin.twin_data import (
    CHARACTERS,
    CLEARINGS,
    ENCHANTED,
    GOODS,
    USABLE_CARDS,
    is_at_least,
    is_cave,
    weight_of,
)
from tests.magic_realm.twin.twin_melee import CARDS
from tests.magic_realm.twin.twin_state import Chit, Hero, Item
from tests.magic_realm.twin.twin_written_day import Phases

ONE_AT_A_TIME: Final = ("weapon", "horse", "boots", "gloves", "helmet", "breastplate", "shield", "suit")  # D25
DOOR_KINDS: Final = ("Fight", "Move", "Duck", "Berserk")  # D19: chits that break doors


class Goods(Phases):
    # Belongings.

    def is_strong_enough(self, hero: Hero, name: str) -> bool:
        """D25: whether a horse or boots can be active; called while they are."""
        if GOODS[name]["class"] == "horse" and is_cave(hero.at):
            return False
        weights = [CHARACTERS[hero.name]["weight"]]
        weights += [weight_of(item.name) for item in hero.goods if not hero.is_packed(item)]
        return all(is_at_least(GOODS[name]["strength"], weight) for weight in weights)

    def can_activate(self, hero: Hero, item: Item) -> bool:
        row = GOODS[item.name]
        cards = {*USABLE_CARDS, *(CARDS if self.options["encounter"] == "2" else ())}  # T1
        if item.active or (not row["counter"] and item.name not in cards):
            return False
        if row["class"] in ONE_AT_A_TIME and hero.active_goods(row["class"]):
            return False
        if row["class"] not in {"horse", "boots"}:
            return True
        item.active = True
        possible = self.is_strong_enough(hero, item.name)
        item.active = False
        return possible

    def settle(self, hero: Hero) -> None:
        """D25: horses and boots that are no longer strong enough become inactive, all at once."""
        while True:
            weak = [
                item
                for item in hero.goods
                if item.active
                and GOODS[item.name]["class"] in {"horse", "boots"}
                and not self.is_strong_enough(hero, item.name)
            ]
            for item in weak:
                item.active = False
            if not weak:
                return

    def rearrange(self, hero: Hero, *, after_combat: bool = False) -> None:
        """D25, at the beginning of a phase; Q1."""
        changed: set[str] = set()
        may = after_combat or not (hero.has_stopped_rearranging or hero.blocked)
        while may and hero.goods and hero.at in CLEARINGS:
            options = ["go"] if after_combat else ["go", "run on"]
            for item in hero.goods:
                if item.name in changed:
                    continue
                if self.can_activate(hero, item):
                    options.append(f"activate {item.name}")
                if item.active and item.name not in ENCHANTED:
                    options.append(f"pack {item.name}")
                options.append(f"leave {item.name}")
            answer = self.script.choose(hero.name, options, "go", always=True)
            if answer in {"go", "run on"}:
                hero.has_stopped_rearranging = answer == "run on"
                return
            verb, _, name = answer.partition(" ")
            changed.add(name)
            item = next(item for item in hero.goods if item.name == name)
            if verb == "leave":
                hero.lose(item)
                self.leave(hero.at, [name])
            else:
                item.active = verb == "activate"
                item.alerted = False  # D14
                if item.active and not GOODS[name]["counter"]:  # X1
                    hero.goods.sort(key=lambda other: other is item)
            self.settle(hero)

    def receive(self, hero: Hero, name: str) -> None:
        """D20, T2: a hero gets a belonging and decides what to do with it."""
        item = Item(name, active=name in ENCHANTED)
        hero.goods.append(item)
        options = ["activate"] if name not in ENCHANTED and self.can_activate(hero, item) else []
        options += ["keep", "leave"]
        answer = self.script.choose(hero.name, options, "keep", always=True)
        if answer == "leave":
            hero.goods.remove(item)
            self.leave(hero.at, [name])
        elif answer == "activate":
            item.active = True
        self.settle(hero)

    def drop_heavy(self, hero: Hero) -> None:
        """D11: what is too heavy stays in the clearing that the hero leaves; nothing stays on a roadway (D30)."""
        if hero.at not in CLEARINGS:
            return
        strength = hero.strength()
        heavy = [
            item for item in hero.goods if not is_at_least(strength, weight_of(item.name)) and not hero.is_packed(item)
        ]
        heavy.sort(key=lambda item: hero.kind_of_back(item) if len(hero.list_alike(item)) > 1 else 0)
        for item in heavy:
            hero.lose(item)
        self.leave(hero.at, [item.name for item in heavy])

    # Action chits.

    def pay_star(self, hero: Hero, kind: str | None = None) -> None:
        """W1, for a star of one type, or of any."""
        active = [chit for chit in hero.active_chits() if kind in {None, chit.type}]
        options = {f"tire {chit.name}": (chit, None) for chit in reversed(active) if chit.stars == 1}
        changes: dict[str, tuple[Chit, Chit | None]] = {**options}
        for chit in reversed(active):
            for other in reversed(hero.chits):
                if not self.can_become_active(hero, other):
                    continue
                if chit.stars == 2 and other.stars == 1 and other.state == "fatigued" and other.type == chit.type:
                    changes[f"tire {chit.name} for {other.name}"] = (chit, other)
        if not changes:
            changes = {f"tire {chit.name}": (chit, None) for chit in reversed(active) if chit.stars == 2}
        answer = self.script.choose(hero.name, [*changes], next(iter(changes)))
        chit, other_chit = changes[answer]
        chit.state = "fatigued"
        if other_chit:
            other_chit.state = "active"

    @staticmethod
    def can_become_active(hero: Hero, chit: Chit) -> bool:
        """C27."""
        return not chit.stars or "Wither" not in hero.curses

    def has_star(self, hero: Hero) -> bool:
        return any(chit.stars for chit in hero.active_chits())

    def find_openers(self, hero: Hero) -> list[str]:
        """D19: what opens the Vault or the Crypt: the keys alone if they are active, or pieces of strength T."""
        if hero.has("Lost Keys"):
            return ["Lost Keys"]
        chits = [chit.name for chit in hero.active_chits() if chit.kind in DOOR_KINDS and chit.strength == "T"]
        return [
            *dict.fromkeys(chits),
            *(n for n in hero.active_goods("gloves", "boots", "horse") if GOODS[n]["strength"] == "T"),
        ]

    def force_door(self, hero: Hero) -> None:
        openers = self.find_openers(hero)
        if openers == ["Lost Keys"]:
            return
        options = [f"force {name}" for name in openers]
        name = self.script.choose(hero.name, options, options[0]).removeprefix("force ")
        chit = next((chit for chit in hero.active_chits() if chit.name == name), None)
        if chit:
            chit.state = "fatigued"

    def rest(self, hero: Hero, *, may_stop: bool) -> None:
        """D15: one star of rest, two for the Dwarf; followers may stop, and whoever would have to make change."""
        stars = 2 if hero.name == "Dwarf" else 1
        first = True
        while stars:
            options: dict[str, tuple[Chit, Chit | None, int]] = {}
            for chit in reversed(hero.chits):
                if chit.state == "active" or (chit.state == "fatigued" and not self.can_become_active(hero, chit)):
                    continue
                if chit.stars < 2:
                    options[self.rest_text(hero, chit)] = (chit, None, 1)
                elif stars == 2:
                    options[self.rest_text(hero, chit)] = (chit, None, 2)
                else:
                    for other in reversed(hero.active_chits()):
                        if other.stars == 1:
                            options[f"{self.rest_text(hero, chit)} with {other.name}"] = (chit, other, 1)
            if not options:
                return
            has_to_change = all(change for _, change, _ in options.values())
            texts = [*options]
            if may_stop or not first or has_to_change:
                texts.append("enough")
            answer = self.script.choose(hero.name, texts, texts[0])
            if answer == "enough":
                return
            chit, change, cost = options[answer]
            chit.state = "fatigued" if chit.state == "wounded" and chit.stars else "active"
            if change:
                change.state = "fatigued"
            stars -= cost
            first = False

    def alert(self, hero: Hero, *, may_pass: bool) -> None:
        """D14; D24: followers may pass."""
        weapon = next((item for item in hero.goods if item.active and GOODS[item.name]["class"] == "weapon"), None)
        chit = next((chit for chit in hero.active_chits() if chit.kind == "Berserk"), None)
        options = []
        if weapon:
            options = ["unalert", "pass"] if weapon.alerted else ["alert"]
        if chit and not hero.berserk:
            options.append("berserk")
        if not options:
            return
        if may_pass and "pass" not in options:
            options.append("pass")
        answer = self.script.choose(hero.name, options, "pass" if "pass" in options else options[0])
        if answer == "berserk" and chit:
            hero.berserk = True
            chit.state = "fatigued"
        elif answer != "pass" and weapon:
            weapon.alerted = answer == "alert"

    @staticmethod
    def rest_text(hero: Hero, chit: Chit) -> str:
        """Z13. Where chits with one label are wounded and fatigued, Z2 makes them two choices but gives no words."""
        states = {other.state for other in hero.chits if other.name == chit.name} - {"active"}
        return f"rest {chit.state} {chit.name}" if len(states) > 1 else f"rest {chit.name}"
