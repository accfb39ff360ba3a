"""How a character would fare against monsters a day ahead, in games with combat: whom to seek, and whom to avoid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from realmtable.games.magic_realm.battle_calculator.duel import Duel, sort_alike
from realmtable.games.magic_realm.bots.danger import RUN_COST, Attack, Danger
from realmtable.games.magic_realm.bots.fight_values import (
    Stakes,
    ValuedPlay,
    estimate,
    find_best,
    find_risk,
    find_stakes,
)
from realmtable.games.magic_realm.catalog.characters_and_denizens import Monster
from realmtable.games.magic_realm.catalog.goods_and_spells import Goods, Treasure
from realmtable.games.magic_realm.catalog.ids import GoodsId, MonsterId, Place
from realmtable.games.magic_realm.day_rules.chit_states import ChitStates
from realmtable.games.magic_realm.world.entities import ACTIVE, CHIT_STATES

# What is at stake when plays are chosen for an estimate. It is the same for all, so that estimates can be kept.
USUAL_STAKES: Final = Stakes(life=10.0, wound=0.5, fame=0.3, notoriety=0.2)
SLOWEST: Final = 0.2  # the chance of a decision in each round that an estimate assumes at least
CROWD: Final = 0.3  # how much worse each further monster makes a fight
CAUTION: Final = 1.5  # how much riskier a fight is than one round suggests: armour wears out, and chits are spent
ARMS: Final = frozenset({"armor", "fight_piece", "move_piece"})  # what treasures do in a melee


class MatchUp(NamedTuple):
    """The chances of a round against one monster, and the wounds on average."""

    kill: float
    death: float  # now, or later by what the round leaves behind
    wounds: float


@lru_cache(4096)
def estimate_attack(duel: Duel) -> MatchUp:
    """Return roughly how a character fares in a round."""
    return _add_up(find_best(duel, USUAL_STAKES, is_rough=True))


@lru_cache(4096)
def estimate_defence(duel: Duel) -> MatchUp:
    """Return roughly how a character fares in a round in which it attacks someone else."""
    judged = estimate(duel, None, USUAL_STAKES, is_rough=True)
    assert judged is not None  # noqa: S101 - a character that attacks no one can always play
    return _add_up(judged)


def _add_up(judged: ValuedPlay) -> MatchUp:
    outcomes = judged.choice.outcomes
    return MatchUp(
        sum(chance for outcome, chance in outcomes.items() if outcome.killed and not outcome.is_dead),
        sum(chance * find_risk(outcome) for outcome, chance in outcomes.items()),
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
        expected = [*self.list_expected(place, row)]
        loss = sum([chance * self.loss_to_all(monsters) for chance, monsters in expected])
        return self.measure_attack(expected)._replace(loss=loss)

    def loss_to_all(self, monsters: Sequence[Monster]) -> float:
        """Return what a fight with several monsters costs; negative if it pays.

        A character that beats each of them alone may still lose to all of them together.
        """
        loss = sum([self.loss_to(monster) for monster in monsters])
        return self.loss_to(*sorted(monsters, key=self.loss_to)) if loss < 0 and len(monsters) > 1 else loss

    def loss_to(self, *monsters: Monster) -> float:
        """Return what a fight with monsters costs that are killed one after the other, each for more than the last."""
        numbers = tuple(monster.id for monster in monsters)
        if numbers not in self._losses:
            self._losses[numbers] = self._find_loss(monsters)
        return self._losses[numbers]

    @cached_property
    def _losses(self) -> dict[tuple[MonsterId, ...], float]:
        return {}

    def _find_loss(self, monsters: Sequence[Monster]) -> float:
        """Return that loss: in each round the character attacks one of them, and the others attack it undisturbed."""
        duels = [self.make_duel(monster.id) for monster in monsters]
        gain, wounds, chance = 0.0, 0.0, 1.0
        for kills, monster in enumerate(monsters):
            own, *others = estimate_attack(duels[kills]), *map(estimate_defence, duels[kills + 1 :])
            risk = min(1.0, CAUTION * sum(each.death for each in (own, *others)))
            decided = max(SLOWEST, own.kill + risk)
            bounty = self.stakes._replace(kills=kills).bounty([monster.id])
            gain += chance * (own.kill * bounty - risk * self.stakes.life) / decided
            wounds += chance * sum(each.wounds for each in (own, *others)) / decided
            chance *= own.kill / decided if wounds < self.health else 0.0
        return self.wounds_cost(wounds) - gain

    @cached_property
    def stakes(self) -> Stakes:
        """What is at stake."""
        return find_stakes(self.known, self._chits)

    @cached_property
    def _chits(self) -> ChitStates:
        return tuple(CHIT_STATES.index(chit["state"]) for chit in self.known.player["chits"])

    def make_duel(self, monster: MonsterId) -> Duel:
        """Return a fight with one monster as the character is now; what makes no difference is left out of it.

        So the estimates that are kept serve for many days and characters.
        """
        return sort_alike(Duel(self.known.character.id, self._fighting_chits, (monster,), goods=self._arms))

    @cached_property
    def _arms(self) -> tuple[GoodsId, ...]:
        return tuple(sorted(thing.id for thing, is_active in self.known.goods if is_active and _is_arm(thing)))

    @cached_property
    def _fighting_chits(self) -> ChitStates:
        """The chits, with Magic chits active, and of those with the same label the active ones first."""
        rows = self.known.character.chits
        states: dict[str, list[int]] = {}
        for chit, state in zip(rows, self._chits, strict=True):
            states.setdefault(chit.label, []).append(ACTIVE if chit.kind == "Magic" else state)
        ordered = {label: iter(sorted(found)) for label, found in states.items()}
        return tuple(next(ordered[chit.label]) for chit in rows)


def _is_arm(thing: Goods) -> bool:
    return not isinstance(thing, Treasure) or any(effect.verb in ARMS for effect in thing.effects)
