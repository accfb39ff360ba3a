"""A second, slow implementation of what happens in a melee (C10, C15 to C28), written from the text of the rules alone.

`resolve_melee` takes a melee in which everything is shown, repositioned and turned, and says what comes of it;
`explain_melee` lists the same step by step, each with its clause.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from tests.magic_realm.twin.twin_data import CHARACTERS, GOODS, LEVELS, Row, load
from tests.magic_realm.twin.twin_melee_attacks import Attack, find_monster, is_hit, list_attacks, split_into_instants

ARMOUR: Final[dict[str, Row]] = {row["name"]: row for row in load("armor")["armor"]}
CARDS: Final[dict[str, Row]] = {  # C20: direction and strength of the cards that protect
    name: {"direction": does["names"][0], "strength": does["strength"]}
    for name in ("Bejeweled Dwarf Vest", "Golden Arm Band", "Golden Crown")
    for does in GOODS[name]["does"]
}
VULNERABILITY: Final = {row["name"]: row["vulnerability"] for row in load("horses")["kind"]}
LAYERS: Final = ("shield", "card", "plate", "suit")  # C20: the order in which pieces are struck
MISSILE: Final = {1: 2, 2: 1, 3: 0, 4: -1, 5: -2, 6: -3}  # C18
LIGHT, MEDIUM, HIGHEST = LEVELS.index("L"), LEVELS.index("M"), LEVELS.index("T")


@dataclass
class Blows:
    """What the hits of one instant do; nothing of it counts before the instant is over (C25)."""

    kills: dict[str, set[str]] = field(default_factory=dict)  # the dead and who killed them
    horses: set[str] = field(default_factory=set)  # the riders of horses that are killed
    damage: Counter[tuple[str, str]] = field(default_factory=Counter)  # how often a character's piece is damaged
    destroyed: set[tuple[str, str]] = field(default_factory=set)
    wounds: Counter[str] = field(default_factory=Counter)


class Melee:
    def __init__(self, melee: Row) -> None:
        self.melee = melee
        self.characters: dict[str, Row] = {f"c{i}": row for i, row in enumerate(melee["characters"])}
        self.monsters: dict[str, Row] = {f"m{i}": row for i, row in enumerate(melee["monsters"])}
        self.log: list[str] = []
        self.results: dict[str, str] = {}
        self.killed: dict[str, set[str]] = {}
        self.horses_killed: set[str] = set()
        self.wounds: Counter[str] = Counter()
        self.spells: list[list[str | int]] = []
        # The pieces that are still there, and whether they are damaged.
        self.pieces: dict[str, dict[str, bool]] = {
            name: {piece["name"]: piece["damaged"] for piece in row["armor"]} for name, row in self.characters.items()
        }
        self.changes: dict[str, dict[str, str]] = {name: {} for name in self.characters}

    def resolve(self) -> None:
        attacks = list_attacks(self.melee)
        hits = []
        for attack in attacks:
            if is_hit(self.melee, attack):
                hits.append(attack)
            else:
                self.note("C15", f"{attack.name} misses {attack.target}")
                self.results[attack.name] = "missed"
        for instant in split_into_instants(hits, first_round=self.melee["first_round"]):
            self.play_instant(instant)

    def note(self, clause: str, text: str) -> None:
        self.log.append(f"{clause} {text}")

    # One instant.

    def play_instant(self, instant: list[Attack]) -> None:
        """C25."""
        blows = Blows()
        valid = [attack for attack in instant if not {attack.attacker, attack.target} & {*self.killed}]
        if len(valid) > 1:
            self.note("C17", f"one instant: {' '.join(attack.name for attack in valid)}")
        for attack in instant:
            self.results[attack.name] = "hit" if attack in valid else "cancelled"
            if attack not in valid:
                self.note("C25", f"{attack.name} is cancelled")
        for attack in valid:
            self.strike(attack, blows)
        self.finish_instant(blows)

    def strike(self, attack: Attack, blows: Blows) -> None:
        """Add what one hit does to the blows of its instant."""
        if attack.table:  # C27: armour and horse do not help
            self.cast(attack, blows)
        elif attack.outright:  # C26
            self.note("C26", f"{attack.name} kills {attack.target} outright")
            self.kill(attack, blows)
        elif attack.target in self.monsters:
            self.strike_monster(attack, blows)
        elif self.characters[attack.target]["horse"] and attack.target not in self.horses_killed:
            self.strike_horse(attack, blows)
        else:
            self.strike_character(attack, blows)

    def find_harm(self, attack: Attack, *, armoured: bool) -> int:
        """C18: the level of harm, which can be below N and above T."""
        stars = max(attack.stars - 1, 0) if armoured else attack.stars
        levels = MISSILE[self.melee["rolls"][attack.name]] if attack.missile else 0
        return attack.harm + stars + levels

    def strike_monster(self, attack: Attack, blows: Blows) -> None:
        """C23."""
        row = find_monster(self.monsters[attack.target]["name"])
        harm = self.find_harm(attack, armoured=row.get("armored", False))
        self.note("C23", f"{attack.name} does {name_level(harm)} to {attack.target}")
        if harm >= LEVELS.index(row["size"]):
            self.kill(attack, blows)

    def strike_horse(self, attack: Attack, blows: Blows) -> None:
        """C24; C23 for warhorses."""
        breed = GOODS[self.characters[attack.target]["horse"]]["breed"]
        harm = self.find_harm(attack, armoured=breed == "warhorse")
        self.note("C24", f"{attack.name} does {name_level(harm)} to the {breed} of {attack.target}")
        if harm >= LEVELS.index(VULNERABILITY[breed]):
            blows.horses.add(attack.target)

    def strike_character(self, attack: Attack, blows: Blows) -> None:
        piece = self.find_armour(attack.target, attack.direction)
        if piece is not None:
            self.strike_armour(attack, piece, blows)
            return
        harm = self.find_harm(attack, armoured=False)  # C19
        self.note("C19", f"{attack.name} does {name_level(harm)} to {attack.target}")
        if harm >= self.find_weight(attack.target):
            self.kill(attack, blows)
        elif harm >= LIGHT:
            blows.wounds[attack.target] += 1

    def find_weight(self, character: str) -> int:
        row = self.characters[character]
        return HIGHEST if row["berserk"] else LEVELS.index(CHARACTERS[row["name"]]["weight"])  # C19, E13

    def find_armour(self, character: str, direction: str) -> str | None:
        """C20: the first piece in the direction of the attack."""
        for layer in LAYERS:
            for piece in self.pieces[character]:
                if piece in CARDS:
                    is_here = layer == "card" and CARDS[piece]["direction"] == direction
                else:
                    is_here = layer == ARMOUR[piece]["layer"] and direction in ARMOUR[piece]["covers"]
                if layer == "shield":
                    is_here = is_here and self.characters[character]["shield_at"] == direction
                if is_here:
                    return piece
        return None

    def strike_armour(self, attack: Attack, piece: str, blows: Blows) -> None:
        harm = self.find_harm(attack, armoured=True)
        if self.melee["pierce"] and attack.missile and harm > HIGHEST:  # C22, V13
            self.note("C22", f"{attack.name} does {name_level(harm)} and kills {attack.target} through the {piece}")
            self.kill(attack, blows)
            return
        self.note("C20", f"{attack.name} does {name_level(harm)} to the {piece} of {attack.target}")
        if harm >= MEDIUM:
            blows.wounds[attack.target] += 1
        if piece in CARDS:
            if harm >= LEVELS.index(CARDS[piece]["strength"]):
                blows.destroyed.add((attack.target, piece))
            return
        toughness = LEVELS.index(ARMOUR[piece]["weight"])
        if harm > toughness:
            blows.destroyed.add((attack.target, piece))
        elif harm == toughness:
            blows.damage[attack.target, piece] += 1

    def kill(self, attack: Attack, blows: Blows) -> None:
        blows.kills.setdefault(attack.target, set()).add(attack.attacker)

    def cast(self, attack: Attack, blows: Blows) -> None:
        """C27: the character that was hit rolls on a table."""
        roll = self.melee["rolls"][attack.name]
        self.note("C27", f"{attack.target} rolls {roll} on the table of {attack.name}: {attack.table}")
        self.spells.append([attack.target, attack.table, roll])
        if attack.table == "curse":
            return
        # The Power of the Pit. A kill is nobody's (K1). Blight and Forget (4, 5) only change chits.
        if roll == 1:  # Fiery Chasm
            unhidden = [name for name, row in self.characters.items() if not row.get("hidden", False)]
            for name in [*unhidden, *self.monsters]:
                blows.kills.setdefault(name, set())
        elif roll == 2:  # Carried Away
            blows.kills.setdefault(attack.target, set())
        elif roll == 3:  # Terror; what it does to chits is not part of a melee
            for name, row in self.monsters.items():
                if LEVELS.index(find_monster(row["name"])["size"]) <= MEDIUM:
                    blows.kills.setdefault(name, set())
            for name, row in self.characters.items():
                if row["horse"] and GOODS[row["horse"]]["breed"] == "pony":
                    blows.horses.add(name)
        elif roll == 6:  # Rust
            for piece in self.pieces[attack.target]:
                if piece not in CARDS:
                    blows.damage[attack.target, piece] += 1

    def finish_instant(self, blows: Blows) -> None:
        """C25: now those who are killed die, and destroyed armour and dead horses are gone (C21, C24)."""
        for name, hitters in blows.kills.items():
            killers = hitters - blows.kills.keys()  # K1: whoever dies at the same instant is no killer
            if name not in self.killed:  # Chasm and Terror also name those who are dead already
                self.note("C25", f"{name} dies{' by ' + ' and '.join(sorted(killers)) if killers else ''}")
                self.killed[name] = killers
        for name in sorted(blows.horses - self.horses_killed):
            self.note("C24", f"the horse of {name} is killed")
            self.horses_killed.add(name)
        self.wounds += blows.wounds
        for (name, piece), count in blows.damage.items():
            if count > 1 or self.pieces[name][piece]:
                blows.destroyed.add((name, piece))
            else:
                self.note("C20", f"the {piece} of {name} is damaged")
                self.pieces[name][piece] = True
                self.changes[name][piece] = "damaged"
        for name, piece in sorted(blows.destroyed):
            self.note("C21", f"the {piece} of {name} is destroyed")
            del self.pieces[name][piece]
            self.changes[name][piece] = "destroyed"

    # The end of the melee.

    def list_red(self) -> list[str]:
        """C26: the Tremendous monsters that are red side up at the end."""
        red = []
        for name, monster in self.monsters.items():
            if find_monster(monster["name"])["size"] != "T" or monster["sheet"] is None:
                continue
            hits = "hit" in {self.results.get(name), self.results.get(f"{name}p")}
            holds = not {name, f"c{monster['sheet']}"} & {*self.killed}
            if holds and (monster["dark"] or hits):
                red.append(name)
        return red

    def list_weapons(self) -> dict[str, bool]:
        """C28: whether each weapon that was used is alerted at the end."""
        return {
            name: self.results[name] != "hit"
            for name, row in self.characters.items()
            if row["weapon"] and name in self.results
        }


def name_level(harm: int) -> str:
    """For the log: N to T, and N-1, T+1 beyond."""
    if harm < 0:
        return f"N{harm}"
    return LEVELS[harm] if harm <= HIGHEST else f"T+{harm - HIGHEST}"


def resolve_melee(melee: Row) -> Row:
    """What comes of a melee; the readings are in `twin_melee_readings.md`."""
    twin = Melee(melee)
    twin.resolve()
    return {
        "attacks": twin.results,
        "killed": {name: sorted(killers) for name, killers in twin.killed.items()},
        "horses_killed": sorted(twin.horses_killed),
        "armor": {name: changes for name, changes in twin.changes.items() if changes},
        "wounds": {name: count for name, count in twin.wounds.items() if name not in twin.killed},
        "spells": twin.spells,
        "weapons": twin.list_weapons(),
        "red": twin.list_red(),
    }


def explain_melee(melee: Row) -> list[str]:
    """The same melee, step by step; each line begins with the clause it rests on."""
    twin = Melee(melee)
    twin.resolve()
    return twin.log
