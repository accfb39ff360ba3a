"""How a character would fare against monsters a day ahead, in games with combat: whom to seek, and whom to avoid."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from realmtable.games.magic_realm.battle.duel import Duel, sort_alike
from realmtable.games.magic_realm.bots.danger import RUN_COST, Attack, Danger
from realmtable.games.magic_realm.bots.fight_values import Stakes, find_best, find_stakes
from realmtable.games.magic_realm.catalog.characters_and_denizens import Monster
from realmtable.games.magic_realm.catalog.ids import MonsterId, Place
from realmtable.games.magic_realm.day.chit_states import ChitStates
from realmtable.games.magic_realm.world.records import CHIT_STATES

# What is at stake when plays are chosen for an estimate. It is the same for all, so that estimates can be kept.
USUAL_STAKES: Final = Stakes(life=10.0, wound=0.5, fame=0.3, notoriety=0.2)
SLOWEST: Final = 0.2  # the chance of a decision in each round that an estimate assumes at least
CROWD: Final = 0.3  # how much worse each further monster makes a fight


class MatchUp(NamedTuple):
    """The chances of a round against one monster, and the wounds on average."""

    kill: float
    death: float
    wounds: float


@lru_cache(4096)
def match(duel: Duel) -> MatchUp:
    """Return roughly how a character fares in a round."""
    outcomes = find_best(duel, USUAL_STAKES, is_rough=True).choice.outcomes
    return MatchUp(
        sum(chance for outcome, chance in outcomes.items() if outcome.killed and not outcome.is_dead),
        sum(chance for outcome, chance in outcomes.items() if outcome.is_dead),
        sum(chance * outcome.wounds for outcome, chance in outcomes.items() if not outcome.is_dead),
    )


class CombatDanger(Danger):
    """The danger for a viewer's character that can fight; it is negative where there are monsters to beat."""

    def attack_cost(self, attack: Attack) -> float:
        """Return what an attack costs an unhidden character, who runs if that is better and possible."""
        crowd = 1 + CROWD * max(0.0, attack.monsters - 1)
        cost = min(attack.loss * crowd, self.death) if attack.loss > 0 else attack.loss
        return min(cost, RUN_COST) if self.known.fastest < attack.time else cost

    def expect(self, place: Place, row: int) -> Attack:
        """Return what to expect in a clearing, and what fighting it costs."""
        expected = self.list_expected(place, row)
        loss = sum(chance * self.loss_to(monster) for chance, monsters in expected for monster in monsters)
        return super().expect(place, row)._replace(loss=loss)

    def loss_to(self, monster: Monster) -> float:
        """Return what a fight with one monster costs; negative if it pays."""
        chances = match(self.make_duel(monster.id))
        bounty = self.stakes.bounty([monster.id])
        gain = chances.kill * bounty - chances.death * self.stakes.life - chances.wounds * self.stakes.wound
        return -gain / max(SLOWEST, chances.kill + chances.death)

    @cached_property
    def stakes(self) -> Stakes:
        """What is at stake."""
        return find_stakes(self.known, self._chits)

    @cached_property
    def _chits(self) -> ChitStates:
        return tuple(CHIT_STATES.index(chit["state"]) for chit in self.known.player["chits"])

    def make_duel(self, monster: MonsterId) -> Duel:
        """Return a fight with one monster as the character is now."""
        goods = tuple(thing.id for thing, is_active in self.known.goods if is_active)
        return sort_alike(Duel(self.known.character.id, self._chits, (monster,), goods=goods))
