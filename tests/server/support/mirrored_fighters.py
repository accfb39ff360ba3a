"""Two playings of an evening of Magic Realm that one viewer cannot tell apart, although the fighters' secrets differ.

`game.resample` keeps what fighters own and have discovered, so `mirrored_games` cannot find what gives it away. Here,
`make_mirrored_state` swaps the cards of fighters that a viewer does not know, and changes their gold, discoveries,
points and secret plays; the steps of combat so far are played again, which must be legal. Then both evenings are played
on alike.
Whoever leaves one of several inactive cards that look alike leaves another one of them in the mirror (X1).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

from realmtable.engine.errors import IllegalMove, NotYourTurn
from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.day_rules.active_goods import move_strength
from realmtable.games.magic_realm.flow.evening_with_combat import (
    fight_of,
    find_place,
    list_fighters,
    world_if_combat_ended,
)
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.game import GAME as MAGIC
from realmtable.games.magic_realm.world.belongings import list_goods_at, write_list
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import GOALS, MAX_BACKS
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.knowledge import SeatView, card_back
from realmtable.games.magic_realm.world.places import GONE, pack_place
from realmtable.games.magic_realm.world.steps import JournalEntry, Step
from realmtable.games.magic_realm.world.world import World
from tests.server.support.combat_positions import ROADS, choose_bold_step
from tests.server.support.mirrored_games import GAME, Mirror, Mirroring, find_differences

TRIES: Final = 6
HANDLED: Final = ("activate", "pack")  # steps that show everyone a card


# ---- another state of the fighters


def make_mirrored_state(state: World, viewer: Seat | None, rng: Random, *, same_plays: bool) -> World | None:
    """Return a state that differs in what the viewer may not know of the fighters; None if none is found soon.

    With `same_plays`, the others have the same secret plays.
    """
    seat = viewer if viewer is not None else rng.randrange(len(state.heroes))  # spectators know less than any seat
    for _ in range(TRIES):
        mirrored = _try_mirrored_state(state, seat, rng, same_plays=same_plays)
        if mirrored is not None:
            return mirrored
    return None


def _try_mirrored_state(state: World, viewer: Seat, rng: Random, *, same_plays: bool) -> World | None:
    mirrored = resample(state, viewer, rng).fork()
    if same_plays:
        mirrored.journal = state.journal
    others = [seat for seat in _list_fighting(state) if seat != viewer]
    keeps = rng.random() < 0.3  # then continuations stay legal more often
    for seat in others:
        if not keeps:
            _change_secrets(state, mirrored, seat, rng)
        _swap_cards(state, mirrored, seat, viewer, rng)
    mirrored.fight = None
    try:
        fight_of(mirrored)
    except (IllegalMove, NotYourTurn, StopIteration):
        return None  # the steps so far were possible because of what has changed
    if _find_active(world_if_combat_ended(mirrored)) != _find_active(world_if_combat_ended(state)):
        return None  # a horse carries the spoils of one of them only, as everyone sees
    return check_world(mirrored.seal())


def _find_active(world: World) -> set[GoodsId]:
    return {number for number, goods in enumerate(world.goods) if goods.active}


def _list_fighting(state: World) -> list[Seat]:
    """Return the characters of the present combat; all of them if combat in a clearing is over."""
    place = find_place(state)
    return [*range(len(state.heroes))] if place is None else list_fighters(state, place)


def _change_secrets(state: World, mirrored: World, seat: Seat, rng: Random) -> None:
    hero = mirrored.writable_hero(seat)
    if hero.dead or world_if_combat_ended(state).heroes[seat].dead:  # then others may have inherited it
        return
    hero.discoveries = sum(1 << number for number in rng.sample(ROADS, rng.randint(0, len(ROADS) // 2)))
    hero.points = tuple(rng.randrange(len(GOALS)) for _ in hero.points)
    hero.backs, hero.ordered = rng.randrange(MAX_BACKS // 2), rng.randrange(3)
    if mirrored.options.secret_gold:
        hero.gold = rng.randint(0, 60)


def _swap_cards(state: World, mirrored: World, seat: Seat, viewer: Seat, rng: Random) -> None:
    """Swap cards in a pack, as it was before combat, for others that look the same to the viewer."""
    for card in [*mirrored.heroes[seat].pack]:
        if _is_secret_card(state, mirrored, card, viewer) and rng.random() < 0.8:
            others = [other for other in range(len(mirrored.goods)) if card_back(other) == card_back(card)]
            found = [other for other in others if _is_secret_card(state, mirrored, other, viewer)]
            _swap(mirrored, card, rng.choice(found))


def _is_secret_card(state: World, mirrored: World, card: GoodsId, viewer: Seat) -> bool:
    """Whether a card is unknown to the viewer in both states, and always was in this combat."""
    if not card_back(card) or card in catalog_lookups().enchanted or card in catalog_lookups().within:
        return False
    shown = any(card in entry.step.args for entry in state.journal if entry.step.verb in HANDLED)
    if shown or any(world.goods[card].place == GONE for world in (state, mirrored)):
        return False
    return not any(
        SeatView(world, viewer).knows_goods(card) for world in (state, world_if_combat_ended(state), mirrored)
    )


def _swap(mirrored: World, one: GoodsId, other: GoodsId) -> None:
    """Let two cards change places, with all that is known of these; those who left one have left the other."""
    if one == other:
        return
    new = {one: other, other: one}
    places = [mirrored.goods[card].place for card in (one, other)]
    for place in {*places}:
        write_list(mirrored, place, tuple(new.get(goods, goods) for goods in list_goods_at(mirrored, place)))
    for card, record in ((one, mirrored.goods[other]), (other, mirrored.goods[one])):
        mirrored.goods[card] = record.copy(mirrored.epoch)
    mirrored.journal = tuple(
        JournalEntry(seat, Step("leave", (new.get(step.args[0], step.args[0]),)) if step.verb == "leave" else step)
        for seat, step in mirrored.journal
    )


# ---- playing on in both


class FighterMirroring(Mirroring):
    """Plays an evening on in two states at once, for as long as the viewer and spectators see the same."""

    def __init__(self, states: list[World], viewer: Seat | None, rng: Random, *, same_plays: bool) -> None:
        self.viewer = viewer
        self.rng = rng
        self.keep_plans = False
        self.same_plays = same_plays
        self.states = states
        self.acts = []
        self.compared: Counter[str] = Counter()  # the states in which all output was the same, by kind
        self._compare_views(states, ())

    def play_on(self) -> str:
        """Take one more step of a seat in both states, as long as it is evening."""
        if self.states[0].part != "evening":
            return "the end of the evening"
        return super().play_on()

    def _choose(self, seat: Seat) -> Step:
        return choose_bold_step(self.states[0], seat, self.rng)

    def _find_same(self, seat: Seat, step: Step, text: str) -> list[Step]:
        if step.verb == "activate":  # everyone knows in which order things were found, so they see which slot is left
            kept = [self._list_kept(state, seat, step.args[0]) for state in self.states]
            return super()._find_same(seat, step, text) if kept[0] == kept[1] else []
        if seat == self.viewer or step.verb != "leave":
            return super()._find_same(seat, step, text)
        alike = [list_alike(state, seat, step.args[0]) for state in self.states]
        if len(alike[0]) < 2:
            return super()._find_same(seat, step, text)
        legal = {other.args[0] for other in GAME.legal_moves(self.states[1], seat) if other.verb == "leave"}
        steps = [Step("leave", (card,)) for card in alike[1] if card in legal and card != step.args[0]]
        if steps:
            self.compared["one of several like cards is left"] += 1
            texts = {self._text(1, seat, other) for other in steps}
            assert texts == {text}, ("the text names one of several like cards", text, texts)
        return steps

    def _list_kept(self, state: World, seat: Seat, card: GoodsId) -> list[int]:
        """Return what a pack shows the viewer without a card, in its order."""
        shown = world_if_combat_ended(state)
        seen = SeatView(shown, self.viewer)
        kept = [goods for goods in shown.heroes[seat].pack if goods != card]
        return [goods if seen.knows_goods(goods) else card_back(goods) for goods in kept]

    def _choose_in_secret(self, seat: Seat, step: Step) -> None:
        before = [*self.states]
        if self.same_plays and step in GAME.legal_moves(self.states[1], seat):
            self._play_one(0, seat, step)
            self._play_one(1, seat, step)
        else:
            super()._choose_in_secret(seat, step)
        self._compare_views(before, [step])

    def _advance(self, seats: list[Seat], steps: list[Step]) -> str:
        before = [*self.states]
        self.states = [
            GAME.play(state, seat, step) for state, seat, step in zip(self.states, seats, steps, strict=True)
        ]
        shown = next(self._explain_evening(before), "")
        if not shown:
            self._compare_views(before, steps)
            self._compare_texts(before, seats, steps)
        return shown

    def _compare_views(self, before: list[World], steps: tuple[()] | list[Step]) -> None:
        """Compare what the viewer and spectators see, to the byte."""
        for viewer in {self.viewer, None}:
            one, other = [GAME.view(state, viewer) for state in self.states]
            if json.dumps(one) != json.dumps(other):
                paths = sorted({*find_differences(one, other)})
                raise AssertionError("views differ", viewer, paths, steps, [GAME.encode(state) for state in before])
        self.compared[find_kind(self.states[0])] += 1

    def _compare_texts(self, before: list[World], seats: list[Seat], steps: list[Step]) -> None:
        """Compare what the viewer and spectators read of a step."""
        taken = [*zip(before, seats, steps, strict=True)]
        for viewer in {self.viewer, None}:
            for write in (MAGIC.format_move_for, MAGIC.news, MAGIC.topic):
                one, other = [write(state, seat, step, viewer) for state, seat, step in taken]
                assert one == other, ("texts differ", viewer, steps, one, other)

    def _explain_evening(self, before: list[World]) -> Iterator[str]:
        """Yield what the rules show the viewer now that differs between the states."""
        if self.states[0].part == "over":
            yield "the score"
        if self._are_plays_shown(before):
            yield "plays of a melee"
        shown = [world_if_combat_ended(state) for state in self.states]
        earlier = [world_if_combat_ended(state) for state in before]
        if _has_someone_died(earlier[0], shown[0]):
            for was, now in zip(earlier, shown, strict=True):
                _check_heirs(was, now)
            known = [{*_list_known(world, viewer)} for viewer in (self.viewer, None) for world in shown]
            gold = [0 if self.viewer is None else world.heroes[self.viewer].gold for world in shown]
            if known[0] != known[1] or known[2] != known[3] or gold[0] != gold[1]:
                yield "spoils"
        active = [_find_active(world) for world in shown]
        if active[0] != active[1] and all(map(move_strength, active[0] ^ active[1])):
            yield "a load"


def _check_heirs(before: World, after: World) -> None:
    """Check that only those who inherit face-down cards learn what they are (K4)."""
    for was, now in zip(before.goods, after.goods, strict=True):
        learned = now.seen & ~was.seen
        heirs = [1 << seat for seat in range(len(after.heroes)) if now.place == pack_place(seat)]
        assert now.active or not learned or learned in heirs, "someone learns what a card is without having it"


def _list_known(world: World, viewer: Seat | None) -> list[GoodsId]:
    return [goods for goods in range(len(world.goods)) if SeatView(world, viewer).knows_goods(goods)]


def _has_someone_died(before: World, after: World) -> bool:
    return any(now.dead and not was.dead for was, now in zip(before.heroes, after.heroes, strict=True))


def find_kind(state: World) -> str:
    """Return the kind of the question that is asked."""
    fight = fight_of(state)
    return state.agenda[-1].kind if fight is None else fight.agenda[-1].kind


def list_alike(state: World, seat: Seat, card: GoodsId) -> list[GoodsId]:
    """Return the inactive cards of a character that look like one of them; none if it is active or a counter (X1)."""
    shown = world_if_combat_ended(state)
    inactive = [goods for goods in shown.heroes[seat].pack if not shown.goods[goods].active]
    alike = [goods for goods in inactive if card_back(goods) and card_back(goods) == card_back(card)]
    return alike if card in alike else []


def mirror_fighters(state: World, viewer: Seat | None, rng: Random, limit: int) -> tuple[Mirror, Counter[str]] | None:
    """Play on from a state and its mirror; return this and how often each kind of question was compared, or None."""
    same_plays = rng.random() < 0.5
    mirrored = make_mirrored_state(state, viewer, rng, same_plays=same_plays)
    if mirrored is None:
        return None
    playing = FighterMirroring([state, mirrored], viewer, rng, same_plays=same_plays)
    ending = ""
    while not ending and len(playing.acts) < limit:
        ending = playing.play_on()
    return Mirror((state, mirrored), playing.acts, ending or "the limit"), playing.compared
