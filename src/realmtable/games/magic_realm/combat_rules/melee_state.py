"""The situation during a melee: who lives, which armour and horses are left, and how many wounds there are (C25)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.combat_rules.armor import (
    DAMAGED,
    DESTROYED,
    INTACT,
    damage_counter,
    find_struck_armor,
    wear_out,
)
from realmtable.games.magic_realm.combat_rules.harm import count_harm
from realmtable.games.magic_realm.combat_rules.melee import (
    LIGHT,
    MEDIUM,
    MISSILE,
    PIT,
    TREMENDOUS,
    Attack,
    FighterId,
    Melee,
)
from realmtable.games.magic_realm.combat_rules.report import (
    ARMOR,
    BODY,
    MAGIC,
    NO_PIECE,
    STEED,
    STRUCK,
    Death,
    Strike,
    TableEffect,
    Wear,
)


class MeleeState:
    """What changes during a melee. It belongs to one call of `resolve`."""

    def __init__(self, melee: Melee) -> None:
        self.melee = melee
        self.alive = [True] * len(melee.fighters)
        self.has_steed = [fighter.steed is not None for fighter in melee.fighters]
        self.wear = [[DAMAGED if piece.damaged else INTACT for piece in fighter.armor] for fighter in melee.fighters]
        self.wounds = [0] * len(melee.fighters)
        self.deaths: list[Death] = []
        self.spells: list[TableEffect] = []

    def can_strike(self, attack: Attack) -> bool:
        """Whether attacker and target are both alive (C25)."""
        return self.alive[attack.attacker] and self.alive[attack.target]

    # ---- what one hit does, without changing anything

    def strike(self, number: int, verdict: str, roll: int | None) -> Strike:
        """Return what a hit does in the present situation (C19 to C27)."""
        attack = self.melee.attacks[number]
        if attack.table not in ("", MISSILE):
            return Strike(number, verdict, STRUCK, MAGIC, roll=roll)
        if attack.kills:
            return Strike(number, verdict, STRUCK, BODY, NO_PIECE, TREMENDOUS, kills=True, roll=roll)
        target = self.melee.fighters[attack.target]
        if target.steed is not None and self.has_steed[attack.target]:
            level = count_harm(attack, on_armor=target.steed.is_armored, roll=roll)
            kills = level >= target.steed.vulnerability
            return Strike(number, verdict, STRUCK, STEED, NO_PIECE, level, kills, roll=roll)
        if not target.is_character:
            level = count_harm(attack, on_armor=target.is_armored, roll=roll)
            return Strike(number, verdict, STRUCK, BODY, NO_PIECE, level, level >= target.vulnerability, roll=roll)
        return self._strike_character(number, verdict, roll)

    def _strike_character(self, number: int, verdict: str, roll: int | None) -> Strike:
        attack = self.melee.attacks[number]
        target = self.melee.fighters[attack.target]
        piece = find_struck_armor(target.armor, self.wear[attack.target], attack.direction)
        level = count_harm(attack, on_armor=piece is not None, roll=roll)
        pierces = self.melee.missiles_pierce and attack.table == MISSILE and level > TREMENDOUS  # C22
        if piece is not None and not pierces:
            return Strike(number, verdict, STRUCK, ARMOR, piece, level, wounds=level >= MEDIUM, roll=roll)
        kills = level >= target.vulnerability
        return Strike(number, verdict, STRUCK, BODY, NO_PIECE, level, kills, not kills and level >= LIGHT, roll)

    # ---- what all hits of an instant change

    def apply(self, strikes: Iterable[Strike]) -> None:
        """Let all hits of one instant take effect together."""
        killers: dict[FighterId, list[FighterId]] = {}
        dead_steeds: set[FighterId] = set()
        for strike in strikes:
            attack = self.melee.attacks[strike.attack]
            self.wounds[attack.target] += strike.wounds
            if strike.struck == MAGIC:
                self._apply_spell(attack, strike.roll or 0, killers, dead_steeds)
            elif strike.struck == ARMOR:
                wear, piece = self.wear[attack.target], self.melee.fighters[attack.target].armor[strike.piece]
                wear[strike.piece] = min(wear_out(piece, wear[strike.piece], strike.level), DESTROYED)
            elif strike.kills and strike.struck == STEED:
                dead_steeds.add(attack.target)
            elif strike.kills:
                killers.setdefault(attack.target, []).append(attack.attacker)
        self._bury(killers, dead_steeds)

    def _apply_spell(
        self, attack: Attack, roll: int, killers: dict[FighterId, list[FighterId]], dead_steeds: set[FighterId]
    ) -> None:
        """Let a roll of the target take effect (C27); curses and changes of chits are only noted."""
        self.spells.append(TableEffect(attack.target, attack.table, roll))
        if attack.table != PIT:
            return
        (word,) = load_catalog().tables.by_name[PIT].read(roll)
        for fighter in self._list_victims(word, attack.target):
            killers.setdefault(fighter, [])
        if word == "harm the weak":
            dead_steeds.update(self._list_weak_steeds())
        if word == "damage armor":
            pieces, wear = self.melee.fighters[attack.target].armor, self.wear[attack.target]
            wear[:] = [damage_counter(piece, state) for piece, state in zip(pieces, wear, strict=True)]

    def _list_victims(self, word: str, target: FighterId) -> list[FighterId]:
        fighters = enumerate(self.melee.fighters)
        match word:
            case "kill clearing":
                return [number for number, fighter in fighters if not fighter.is_hidden]
            case "kill target":
                return [target]
            case "harm the weak":
                return [
                    number
                    for number, fighter in fighters
                    if not fighter.is_character and fighter.vulnerability <= MEDIUM
                ]
        return []

    def _list_weak_steeds(self) -> Iterator[FighterId]:
        for number, fighter in enumerate(self.melee.fighters):
            if fighter.steed is not None and fighter.steed.vulnerability <= MEDIUM:
                yield number

    def _bury(self, killers: dict[FighterId, list[FighterId]], dead_steeds: set[FighterId]) -> None:
        """Let those who are killed die; whoever dies at the same instant is no killer (K1)."""
        for fighter in sorted(killers):
            if self.alive[fighter]:
                self.alive[fighter] = False
                alive = [killer for killer in dict.fromkeys(killers[fighter]) if killer not in killers]
                self.deaths.append(Death(fighter, tuple(alive)))
                if not self.melee.fighters[fighter].is_character:
                    dead_steeds.add(fighter)  # a native's horse dies with its rider
        for fighter in dead_steeds:
            self.has_steed[fighter] = False

    # ---- what has changed in the end

    def list_dead_steeds(self) -> tuple[FighterId, ...]:
        """Return those whose horses were killed."""
        fighters = enumerate(self.melee.fighters)
        return tuple(
            [number for number, fighter in fighters if fighter.steed is not None and not self.has_steed[number]]
        )

    def list_wear(self) -> tuple[Wear, ...]:
        """Return the armour that was damaged or destroyed."""
        return tuple(
            [
                Wear(number, index, state)
                for number, fighter in enumerate(self.melee.fighters)
                if fighter.armor
                for index, (piece, state) in enumerate(zip(fighter.armor, self.wear[number], strict=True))
                if state > piece.damaged
            ]
        )
