"""Numbers the turns, ranks the scores and says who has reached their goals (Z8, Q7, Q8)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, Outcome, Seat, Turn
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.combat_flow.secrets import are_plays_secret
from realmtable.games.magic_realm.combat_flow.usual_play import choose_usual_play
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.flow.score import list_totals
from realmtable.games.magic_realm.flow.turn_notes import TURN
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.wording import join_words

LAST_DAY: Final = "last_day"
DECLINING: Final = (
    "pass",
    "along",
    "go",
    "enough",
    "rest easy",
    "continue",
    "done",
    "aim none",
)  # the answers assumed for a seat that does not answer in time


def turn(world: World) -> Turn:
    """Return the day, and the seat whose turn it is: outside daylight, the only seat that is asked, if there is one."""
    acting = MACHINE.to_move(world)
    asked = acting[0] if len(acting) == 1 else CHANCE
    return Turn(world.day, next((frame.seat for frame in world.agenda if frame.kind == TURN), asked))


def choose_default(world: World, seat: Seat) -> Step:
    """Return the answer of a seat that does not answer in another seat's turn: it declines, or takes the first one."""
    answers = MACHINE.legal_moves(world, seat)
    fight = fight_of(world)
    if fight is not None and are_plays_secret(fight):
        return choose_usual_play(fight, seat, answers)
    return next((step for step in answers if step.verb in DECLINING), answers[0])


def outcome(world: World) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    return None if world.agenda else _make_outcome(world)


def _make_outcome(world: World) -> Outcome:
    totals = list_totals(world)
    ranking = tuple(1 + sum(other > total for other in totals) for total in totals)
    reached = tuple(total >= 0 for total in totals)
    return Outcome(tuple(map(float, totals)), ranking, LAST_DAY, _describe(world, totals), reached)


def _describe(world: World, totals: list[int]) -> str:
    """Say in a sentence who has the highest total; the table adds who has reached their goals."""
    characters = load_catalog().characters
    names = [f"the {characters[hero.character].name}" for hero in world.heroes]
    best = max(totals)
    first = [name for name, total in zip(names, totals, strict=True) if total == best]
    points = f"{best} point{'' if abs(best) == 1 else 's'}".replace("-", "\N{MINUS SIGN}")
    if len(totals) == 1:
        sentence = f"{names[0]} died" if world.heroes[0].dead else f"{names[0]} ends with {points}"
    elif len(first) > 1:
        sentence = f"{join_words(first)} share first place with {points} each"
    else:
        sentence = f"{first[0]} wins with {points}"
    return f"{sentence[0].upper()}{sentence[1:]}."
