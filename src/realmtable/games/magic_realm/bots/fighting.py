"""How a bot fights: which monsters it takes on, when it runs, whom it attacks, and what it plays (E6 to C12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Final, NamedTuple, cast

from realmtable.games.magic_realm.battle_calculator.duel import Duel, hand_of
from realmtable.games.magic_realm.battle_calculator.forecast import value_wounds
from realmtable.games.magic_realm.bots.danger import RUN_COST
from realmtable.games.magic_realm.bots.duels import make_duel
from realmtable.games.magic_realm.bots.fight_values import (
    STAR,
    Stakes,
    ValuedPlay,
    estimate,
    find_stakes,
    follow,
    rank_plays,
    value_fight,
    value_meeting,
)
from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.bots.plans import Planner
from realmtable.games.magic_realm.bots.read_fight import read_fight, read_piece
from realmtable.games.magic_realm.bots.run_choices import choose_road
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS, MonsterId
from realmtable.games.magic_realm.combat_flow.gear import has_shield, number_piece
from realmtable.games.magic_realm.combat_flow.plays import monster_target
from realmtable.games.magic_realm.combat_flow.state import NO_TARGET, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.plays import Piece, Play, list_plays
from realmtable.games.magic_realm.view_parts.combat_schema import CombatData
from realmtable.games.magic_realm.view_parts.schema import MagicView
from realmtable.games.magic_realm.world.step_text import PIECE

ROUNDS: Final = 2  # that are looked ahead
MARGIN: Final = 0.15  # points that an attack must promise if the character need not fight
MOST_TARGETS: Final = 3  # that are compared
Answer = list[str]


class Combatant:
    """The viewer's character in a fight."""

    def __init__(self, view: MagicView, data: CombatData) -> None:
        assert view["viewer"] is not None  # noqa: S101 - spectators are not asked
        self.view = view
        self.fight: Fight = read_fight(data)
        self.warrior: Warrior = self.fight.warrior(view["viewer"])

    @cached_property
    def known_world(self) -> KnownWorld:
        """What the viewer knows."""
        return KnownWorld(self.view)

    @cached_property
    def stakes(self) -> Stakes:
        """What is at stake."""
        return find_stakes(self.known_world, self.warrior.chits, self.warrior.kills)

    @cached_property
    def duel(self) -> Duel:
        """The character and the monsters on its sheet."""
        return make_duel(self.fight, self.warrior.seat)

    @cached_property
    def free(self) -> tuple[MonsterId, ...]:
        """The monsters on no sheet that do not spare the character."""
        return tuple(
            monster
            for monster in self.fight.sheets.monsters
            if monster not in self.fight.sheets.assigned and monster not in self.warrior.spared_by
        )

    def with_monsters(self, *more: MonsterId) -> Duel:
        """Return the duel with more monsters on the sheet."""
        return replace(self.duel, monsters=tuple(sorted({*self.duel.monsters, *more})))

    # ---- attacks on monsters that do not attack yet

    def value_ambush(self, target: MonsterId, duel: Duel | None = None) -> float:
        """Return what an attack on a monster apart is worth, with all that will come onto the sheet afterwards."""
        now = duel or self.duel
        judged = estimate(now, target, self.stakes)
        if judged is None:
            return 0.0
        others = tuple(sorted({*now.monsters, *self.free, target}))
        return follow(replace(now, monsters=others), judged, self.stakes, ROUNDS)

    def best_ambush(self, duel: Duel | None = None) -> tuple[float, MonsterId | None]:
        """Return the best attack on a monster apart; no monster if it does not pay."""
        kinds = {load_catalog().monsters[monster].kind: monster for monster in reversed(self.free)}
        values = {monster: self.value_ambush(monster, duel) for monster in [*kinds.values()][:MOST_TARGETS]}
        best = max(values, key=lambda monster: values[monster], default=None)
        return (0.0, None) if best is None or values[best] < MARGIN else (values[best], best)


# ---- before the melee


def _answer_quiet(me: Combatant, _moves: Answer, _rng: Random) -> Answer:
    """Ask for a round only to attack a monster from hiding."""
    return ["stir" if me.best_ambush()[1] is not None else "rest easy"]


def _lure(me: Combatant, moves: Answer, _rng: Random) -> Answer:
    """Take monsters that would otherwise attack others, if it pays; a hidden character can attack without luring.

    The other monsters on no sheet are expected to attack it as well: with one more, it may be too slow to run.
    """
    names = [move.removeprefix("lure ") for move in moves if move.startswith("lure ")]
    if me.warrior.is_hidden or len(me.fight.active_warriors) == 1 or not names:
        return ["pass"]
    numbers = {row.name: row.id for row in load_catalog().monsters}
    kinds = {load_catalog().monsters[numbers[name]].kind: name for name in reversed(names)}
    gains = {name: _gain_by_luring(me, numbers[name]) for name in [*kinds.values()][:MOST_TARGETS]}
    best = max(gains, key=lambda name: gains[name])
    return [f"lure {best}" if gains[best] > MARGIN else "pass"]


def _gain_by_luring(me: Combatant, monster: MonsterId) -> float:
    others = [other for other in me.free if other != monster]
    without, together = me.with_monsters(*others), me.with_monsters(*others, monster)
    return value_meeting(together, me.stakes, ROUNDS) - value_meeting(without, me.stakes, ROUNDS)


class Action(NamedTuple):
    """An action of the encounter, and what it is worth."""

    value: float
    step: str


def _act(me: Combatant, moves: Answer, _rng: Random) -> Answer:
    """Run, alert the weapon, go berserk or stay: whatever is worth most."""
    return [rank_actions(me, moves)[0].step]


def rank_actions(me: Combatant, moves: Sequence[str]) -> list[Action]:
    """Return the actions worth considering, the best first."""
    actions = [Action(_value_stay(me, me.duel), "done")]
    if me.duel.monsters or me.free:
        actions += _list_preparations(me, moves)
    runs = [move for move in moves if move.startswith("run ")]
    if runs and me.duel.monsters:
        best = choose_road(Planner(me.known_world), runs)
        stars = read_piece(best.partition(" with ")[2]).stars
        actions.append(Action(-RUN_COST - STAR * max(stars - 1, 0), best))
    return sorted(actions, key=lambda action: -action.value)


def _value_stay(me: Combatant, duel: Duel) -> float:
    if not duel.monsters:
        return me.best_ambush(duel)[0]
    return value_fight(duel, me.stakes, ROUNDS)


def _list_preparations(me: Combatant, moves: Sequence[str]) -> list[Action]:
    """Return alerting with the piece that is missed least, and going berserk."""
    found = []
    alerts = [read_piece(move.removeprefix("alert ")) for move in moves if move.startswith("alert ")]
    if alerts and not me.duel.is_alerted:
        piece = min(alerts, key=lambda each: (each.stars, -each.time, each.strength))
        duel = replace(me.duel, is_alerted=True, played=(*me.duel.played, piece))
        found.append(Action(_value_stay(me, duel), f"alert {name_piece(piece)}"))
    if "berserk" in moves:
        rage = read_piece(next(chit.label for chit in me.duel.character.chits if chit.kind == "Berserk"))
        duel = replace(me.duel, is_berserk=True, played=(*me.duel.played, rage))
        found.append(Action(_value_stay(me, duel), "berserk"))
    return found


def name_piece(piece: Piece) -> str:
    """Return a piece as steps name it."""
    return PIECE.write(number_piece(piece))


# ---- the melee


def _aim(me: Combatant, moves: Answer, _rng: Random) -> Answer:
    """Aim at the monster whose attack pays most; at characters only in defence."""
    foe = _find_foe(me)
    if foe is not None and f"aim {foe}" in moves and not me.duel.monsters:
        return [f"aim {foe}"]
    targets = rank_targets(me)
    name = next((name for _, name in targets if name == "none" or f"aim {name}" in moves), "none")
    return [f"aim {name}"]


def rank_targets(me: Combatant) -> list[tuple[float, str]]:
    """Return the targets with what they are worth, the best first; "none" is one of them."""
    rows = load_catalog().monsters
    kinds = {(rows[monster].kind, monster in me.duel.monsters): monster for monster in (*me.free, *me.duel.monsters)}
    nothing = estimate(me.duel, None, me.stakes)
    found = [(nothing.value if nothing is not None else 0.0, "none")]
    for (_, is_near), monster in kinds.items():
        judged = estimate(me.duel, monster, me.stakes) if is_near else None
        value = me.value_ambush(monster) - MARGIN if judged is None else judged.value
        found.append((value, rows[monster].name))
    return sorted(found, key=lambda row: (-row[0], row[1]))


def _find_foe(me: Combatant) -> str | None:
    """Return a character that attacks this one, if there is one."""
    for other in me.fight.active_warriors:
        charge = (me.fight.sheets.charges or {}).get(other.seat)
        if other.target == me.warrior.character or (charge is not None and charge[0] == me.warrior.seat):
            return load_catalog().characters[other.character].name
    return None


def choose_play(me: Combatant, rng: Random) -> Play:
    """Return the best play; against characters, the fastest pieces in directions drawn at random."""
    ranked, target = rank_own_plays(me), me.warrior.target
    if ranked:
        return ranked[0].choice.play
    plays = [*list_plays(hand_of(me.duel), has_target=target != NO_TARGET, has_shield=has_shield(me.warrior))]
    rng.shuffle(plays)
    return min(plays, key=_slowness)


def rank_own_plays(me: Combatant) -> tuple[ValuedPlay, ...]:
    """Return the best plays against monsters, the best first; none if characters attack or are attacked instead."""
    first, target = monster_target(0), me.warrior.target
    if NO_TARGET < target < first or (_find_foe(me) is not None and not me.duel.monsters):
        return ()
    return rank_plays(me.duel, None if target == NO_TARGET else target - first, me.stakes)


def _slowness(play: Play) -> tuple[int, int, int]:
    """Return what is bad about a play against a character: missing pieces, then times, then stars."""
    pieces = [piece for piece in (play.fight, play.move) if piece is not None]
    return -len(pieces), sum(piece.time for piece in pieces), sum(piece.stars for piece in pieces)


def _play(me: Combatant, moves: Answer, rng: Random) -> Answer:
    """Make the whole play at once; what a slip has begun is taken back first, or completed if it cannot be (Z4)."""
    if me.warrior.draft:
        shields = [move for move in moves if move.startswith("shield ")]
        return [next(move for move in ("back", "ready", *shields) if move in moves)]
    return write_play(choose_play(me, rng), me.warrior)


def write_play(play: Play, warrior: Warrior) -> Answer:
    """Return the steps of a play."""
    steps = []
    if play.fight is not None:
        steps.append(f"strike {DIRECTIONS[play.attack]} {name_piece(play.fight)}")
    if play.move is not None:
        steps.append(f"evade {MANEUVERS[play.maneuver]} {name_piece(play.move)}")
    if has_shield(warrior):
        steps.append(f"shield {DIRECTIONS[play.shield]}")
    return [*steps, "ready"]


# ---- costs


def _give_up(me: Combatant, moves: Answer, _rng: Random) -> Answer:
    """Tire or wound the chits that are needed least in this fight."""
    return [max(moves, key=value_wounds(me.duel, moves).__getitem__)]


FIGHT_CHOOSERS: Final[Mapping[str, Callable[[Combatant, Answer, Random], Answer]]] = {
    "quiet": _answer_quiet,
    "lure": _lure,
    "charge": lambda _me, _moves, _rng: ["pass"],
    "act": _act,
    "aim": _aim,
    "play": _play,
    "fatigue": _give_up,
    "wounds": _give_up,
    "look": lambda _me, moves, _rng: moves,
}


def combat_of(view: MagicView) -> CombatData | None:
    """Return the combat in which the viewer is asked something; None outside combat."""
    return cast("Mapping[str, CombatData | None]", view).get("combat")


def choose_in_fight(view: MagicView, data: CombatData, moves: Sequence[str], rng: Random) -> Answer:
    """Return the viewer's next steps in a fight."""
    question = view["question"]
    assert question is not None  # noqa: S101 - a bot is only asked when it is to act
    return FIGHT_CHOOSERS[question["kind"]](Combatant(view, data), [*moves], rng)
