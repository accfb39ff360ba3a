"""Evenings with combat, as states of the whole game."""

from __future__ import annotations

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.evening_with_combat import get_fight
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text import news
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import VALLEYS


def meet(*fields: str, heroes: str = "Elf", monsters: str = "", at: str = "B2", hidden: int = 0) -> World:
    """Return the first question of combat between characters and monsters; all but one at most are unhidden."""
    seats = range(1, heroes.count(";") + 2)
    named = [field.partition("=")[0] for field in fields]
    given = [f"{seat}.at={at}" + f" {seat}.unhidden" * (seat != hidden) for seat in seats]
    given += [f"{seat}.goods=-" for seat in seats if f"{seat}.goods" not in named]
    denizens = [f"denizens={';'.join(f'{name}:{at}' for name in monsters.split(';'))}"] if monsters else []
    head = f"options=map=stock1,encounter=2 heroes={heroes} {VALLEYS}"
    world = decode(MACHINE, " ".join([head, *given, *denizens, *fields])).fork()
    world.part, world.agenda = "evening", (Frame("sunset"),)
    MACHINE.advance(world)
    return fight_on(world.seal(), f"clearing {at}") if MACHINE.to_move(world) == (CHANCE,) else world.seal()


def fight_on(world: World, *texts: str) -> World:
    """Play steps; a seat before a colon plays if several are to act."""
    for text in texts:
        head, _, rest = text.partition(": ")
        seat = int(head) if rest else MACHINE.to_move(world)[0]
        world = MACHINE.play(world, seat, parse_step(rest or text))
    return world


def skip_to(world: World, *kinds: str) -> World:
    """Let everyone do nothing until a frame of combat of one of these kinds is due; rolls for monsters never tie."""
    idle = ("pass", "done", "aim none", "ready", "rest easy", "continue", "shield", "tire", "wound")
    while get_fight(world).agenda[-1].kind not in kinds:
        seat = MACHINE.to_move(world)[0]
        steps = [one.move for one in MACHINE.chance(world)] if seat == CHANCE else MACHINE.legal_moves(world, seat)
        wanted = sorted((step for step in steps if step.verb in idle), key=lambda step: step.verb != "ready")
        number = get_fight(world).agenda[-1].seat if get_fight(world).agenda[-1].kind == "contest" else 0
        world = MACHINE.play(world, seat, (wanted or steps)[number])
    return world


def news_of(world: World, text: str, viewer: Seat | None = 0) -> str:
    """Return the news of a step; a seat before a colon takes it if several are to act."""
    head, _, rest = text.partition(": ")
    seat = int(head) if rest else MACHINE.to_move(world)[0]
    return news.news(MACHINE, world, seat, parse_step(rest or text), viewer)
