"""Two playings of Magic Realm that one viewer cannot tell apart: what is hidden from them differs, and nothing else.

`make_mirror` starts with a state and another one that fits the viewer's view, and plays on in both. The public steps
are the same; what others choose in secret is not, nor how often they do it. It ends where the rules show the viewer
something that differs, and says what that was. Where nothing of the kind explains a difference, it fails: then the
course of the game itself tells a secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.match import format_move_for
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.combat_flow.secrets import are_plays_secret
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.world.entities import MAX_BACKS
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.resample import resample_world
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

GAME: Final = registry.game("magic_realm")
LIKES: Final = {  # how often words are chosen, so that much happens in few steps; 1 for all others
    "loot": 20, "take": 5, "locate": 4, "peer": 0.5, "M": 2, "S": 8, "H": 2, "-": 0.3, "A": 0.3, "P": 0.1, "F": 0.5,
    "leave": 0.3, "pack": 0.3, "order": 0.1, "back": 0.3, "block": 0.3, "run": 2, "exchange": 2, "done": 0.3,
}  # fmt: skip
WAYS_TO_SHOW_GOODS: Final = (".goods", ".piles", ".boxes")
BACK: Final = Step("back")
PLAYS: Final = "plays of a melee"
NO_SEAT_BIT: Final = 7  # a seat that no solo game has


class Act(NamedTuple):
    """A step of a seat, and the outcomes of the draws after it, as indices."""

    seat: Seat
    text: str
    draws: tuple[int, ...]


class Mirror(NamedTuple):
    """Two first states, what is done in each (None: nothing there), and why it ended."""

    starts: tuple[World, World]
    acts: list[tuple[Act | None, Act | None]]
    ending: str


def choose_step(state: World, seat: Seat, rng: Random) -> Step:
    """Return a random answer; days are written out, and what is rare is tried more often."""
    legal: list[Step] = GAME.legal_moves(state, seat)
    return rng.choices(legal, [LIKES.get(step.verb, 1) for step in legal])[0]


def pick_outcome(state: World, rng: Random) -> int:
    """Return the index of a random outcome; low dice, with which searches find something, come more often."""
    outcomes = GAME.chance(state)
    weights = [
        outcome.weight * (3 if outcome.move.verb == "d" and max(outcome.move.args) <= 4 else 1) for outcome in outcomes
    ]
    return rng.choices(range(len(outcomes)), weights)[0]


# ---- another state for the same view


def redraw(state: World, viewer: Seat | None, rng: Random, *, keep_plans: bool) -> World:
    """Return another state that the viewer cannot tell from this one; `keep_plans` leaves plans and discoveries."""
    if viewer is None and len(state.heroes) == 1:
        return _redraw_for_spectator(state, rng)
    seat = rng.randrange(len(state.heroes)) if viewer is None else viewer  # spectators know less than any seat
    found = resample(state, seat, rng)
    if not keep_plans or state.part == "over":
        return found
    found = found.fork()
    for other, hero in enumerate(state.heroes):
        if other != seat:
            new = found.writable_hero(other)
            new.plan, new.orders, new.discoveries = hero.plan, hero.orders, hero.discoveries
    return found.seal()


def _redraw_for_spectator(state: World, rng: Random) -> World:
    """Draw anew what the only player knows and spectators do not: all that is not face up; discoveries stay."""
    found, bit = state.fork(), 1 << NO_SEAT_BIT
    for number, slot in enumerate(found.slots):
        if slot.face_up:
            found.writable_slot(number).seen |= bit
    for number, goods in enumerate(found.goods):
        if SeatView(found, None).knows_goods(number) and not goods.seen & bit:
            found.writable_goods(number).seen |= bit
    kept = found.heroes[0]
    resample_world(found, NO_SEAT_BIT, rng)
    hero = found.writable_hero(0)
    hero.discoveries, hero.start = kept.discoveries, kept.start
    for number, slot in enumerate(found.slots):
        if slot.seen & bit:
            found.writable_slot(number).seen &= ~bit
    for number, goods in enumerate(found.goods):
        if goods.seen & bit:
            found.writable_goods(number).seen &= ~bit
    return found.seal()


# ---- playing on in both


class Mirroring:
    """Plays on in two states at once, for as long as the viewer sees the same."""

    def __init__(self, state: World, viewer: Seat | None, rng: Random, *, keep_plans: bool) -> None:
        self.viewer = viewer
        self.rng = rng
        self.keep_plans = keep_plans
        self.states = [state, redraw(state, viewer, rng, keep_plans=keep_plans)]
        self.acts: list[tuple[Act | None, Act | None]] = []
        assert self._views()[0] == self._views()[1], "another state for the same view"

    def _views(self) -> list[Any]:
        return [GAME.view(state, self.viewer) for state in self.states]

    def _text(self, which: int, seat: Seat, step: Step) -> str:
        return format_move_for(GAME, self.states[which], seat, step, self.viewer)

    def play_on(self) -> str:
        """Take one more step of a seat in both states; return why that is not possible, or nothing."""
        asked = GAME.to_move(self.states[0])
        if not asked:
            return "the end"
        seat = self.rng.choice(asked)
        step = self._choose(seat)
        text = self._text(0, seat, step)
        if not text:
            self._choose_in_secret(seat, step)
            return ""
        self._catch_up(seat, step)
        same = self._find_same(seat, step, text)
        if not same:
            return f"choice {step.verb}"
        steps = [step, step if step in same else self.rng.choice(same)]
        return self._play_both(seat, steps)

    def _choose(self, seat: Seat) -> Step:
        return choose_step(self.states[0], seat, self.rng)

    def _find_same(self, seat: Seat, step: Step, text: str) -> list[Step]:  # noqa: ARG002 - others look at the step
        """Return the steps in the second state that the viewer cannot tell from one in the first state."""
        return [other for other in GAME.legal_moves(self.states[1], seat) if self._text(1, seat, other) == text]

    def _choose_in_secret(self, seat: Seat, step: Step) -> None:
        """Take a secret step in the first state; in the other one, the player takes others, or none.

        If plans are to stay the same, that player writes the same, and takes more back.
        """
        before = self._views()[0]
        writes_the_same = self.keep_plans and self.states[0].part == "birdsong"
        self._play_one(0, seat, step)
        if writes_the_same and step in GAME.legal_moves(self.states[1], seat):
            self._play_one(1, seat, step)
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            steps = [step for step in GAME.legal_moves(self.states[1], seat) if not self._text(1, seat, step)]
            back = self.states[1].heroes[seat].backs < MAX_BACKS - 1
            if steps and (back or not writes_the_same):
                extra = self.rng.choice([step for step in steps if step.verb not in ("order", "back")] or steps)
                self._play_one(1, seat, extra)
                if writes_the_same and extra.verb not in ("order", "back"):
                    self._play_one(1, seat, BACK)
        assert self._views() == [before, before], "a secret step changes nothing for the viewer"

    def _catch_up(self, seat: Seat, step: Step) -> None:
        """Let a player whose choices are not complete in the second state make them, before they are ready."""
        while step.verb == "ready" and step not in (legal := GAME.legal_moves(self.states[1], seat)):
            self._play_one(1, seat, self.rng.choice([other for other in legal if other.verb != "back"]))

    def _play_one(self, which: int, seat: Seat, step: Step) -> None:
        act = Act(seat, GAME.format_move(self.states[which], step), ())
        self.states[which] = GAME.play(self.states[which], seat, step)
        self.acts.append((act, None) if which == 0 else (None, act))

    def _play_both(self, seat: Seat, steps: list[Step]) -> str:
        before, draws = [*self.states], ([], [])  # type: tuple[list[World], tuple[list[int], list[int]]]
        texts = [GAME.format_move(state, step) for state, step in zip(self.states, steps, strict=True)]
        ending = self._advance([seat, seat], steps)
        while not ending and GAME.to_move(self.states[0]) == (CHANCE,):
            picked = self._draw_alike()
            if picked is None:
                ending = "chance"
                break
            for number, index in zip(draws, picked, strict=True):
                number.append(index)
            moves = [GAME.chance(state)[index].move for state, index in zip(self.states, picked, strict=True)]
            ending = self._advance([CHANCE, CHANCE], moves)
        if ending:
            self.states = before  # a server draws until a seat is to act
            return ending
        one, other = (Act(seat, text, tuple(drawn)) for text, drawn in zip(texts, draws, strict=True))
        self.acts.append((one, other))
        return ""

    def _draw_alike(self) -> tuple[int, int] | None:
        """Draw in the first state, and find an outcome in the second that looks the same to the viewer."""
        index = pick_outcome(self.states[0], self.rng)
        move = GAME.chance(self.states[0])[index].move
        text = self._text(0, CHANCE, move)
        there = [outcome.move for outcome in GAME.chance(self.states[1])]
        same = [number for number, other in enumerate(there) if self._text(1, CHANCE, other) == text]
        if not same:
            return None
        return index, there.index(move) if move in there and there.index(move) in same else self.rng.choice(same)

    def _advance(self, seats: list[Seat], steps: list[Step]) -> str:
        """Take a step in both states; return what the viewer has learned from it, or nothing."""
        before = [*self.states]
        self.states = [
            GAME.play(state, seat, step) for state, seat, step in zip(self.states, seats, steps, strict=True)
        ]
        one, other = self._views()
        if one == other:  # the news has shown what was played, even if a view after combat does not
            return PLAYS if self._are_plays_shown(before) else ""
        shown = [*self._explain(before, {*find_differences(one, other)})]
        assert shown, (steps, [GAME.encode(state) for state in before], sorted(find_differences(one, other)))
        return shown[0]

    def _explain(self, before: list[World], differences: set[str]) -> Iterator[str]:
        """Yield what the rules show the viewer now that differs between the states."""
        one = before[0]
        seen = [SeatView(state, self.viewer) for state in self.states]
        if any(seen[0].chit(slot) != seen[1].chit(slot) for slot in range(len(one.slots))):
            yield "a chit"
        if self.viewer is None and len(one.heroes) == 1 and one.part == "daylight" != self.states[0].part:
            yield "a chit that was face up until midnight"  # spectators of a solo game see only what is
        if any(part in name for name in differences for part in WAYS_TO_SHOW_GOODS) or ".roll.add" in differences:
            yield "a card"
        if self._are_plays_shown(before):
            yield PLAYS
        if one.part == "setup" and self.states[0].part != "setup":
            yield "where others start"
        if self.states[0].part == "over":
            yield "the score"
        if one.part == "birdsong" != self.states[0].part:
            yield "orders and guides"
        if one.part == "daylight" and one.options.recording == "written":
            yield from self._explain_by_plans(before)

    def _are_plays_shown(self, before: list[World]) -> bool:
        """Whether the last player was ready, and what was played in secret differs (C7)."""
        fights = [fight_of(state) for state in before]
        after = fight_of(self.states[0])
        if not all(fight is not None and are_plays_secret(fight) for fight in fights):
            return False
        is_shown = after is None or not are_plays_secret(after)
        drafts = [[warrior.draft for warrior in fight.warriors] for fight in fights if fight is not None]
        return is_shown and drafts[0] != drafts[1]

    def _explain_by_plans(self, before: list[World]) -> Iterator[str]:
        """Yield what a turn shows of a written day: its activities, and whether a Move is possible."""
        turns = {frame.seat for state in (*before, *self.states) for frame in state.agenda if frame.kind == "turn"}
        turns |= {*before[0].counters} - {*self.states[0].counters}
        pairs = [(before[0].heroes[seat], before[1].heroes[seat]) for seat in turns if seat != self.viewer]
        if any(one.plan != other.plan for one, other in pairs):
            yield "a plan"
        if any(
            one.discoveries != other.discoveries and any(step.verb == "M" for step in one.plan) for one, other in pairs
        ):
            yield "a roadway"


def find_differences(one: object, other: object, path: str = "") -> Iterator[str]:
    """Yield where two views differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from find_differences(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for here, there in zip(one, other, strict=True):
            yield from find_differences(here, there, path)
    elif one != other:
        yield path


def make_mirror(state: World, viewer: Seat | None, rng: Random, limit: int, *, keep_plans: bool) -> Mirror:
    """Play on from a state and from another one that the viewer cannot tell from it."""
    playing = Mirroring(state, viewer, rng, keep_plans=keep_plans)
    starts = (playing.states[0], playing.states[1])
    ending = ""
    while not ending and len(playing.acts) < limit:
        ending = playing.play_on()
    return Mirror(starts, playing.acts, ending or "the limit")
