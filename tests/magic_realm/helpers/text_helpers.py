"""What a viewer reads of a state, in short forms for tests."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text import news, notes, panels, prompts, reasons
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.world import World


def view_of(world: World, seat: Seat | None = 0) -> dict[str, Any]:
    return view(world, MACHINE, seat)


def reason_of(world: World, handle: str, *path: str, seat: Seat = 0) -> str:
    """Return the clause of the reason for a click, or nothing."""
    found = reasons.reason(view(world, MACHINE, seat), path, handle)
    return found.clause if found else ""


def prompt_of(world: World, seat: Seat = 0) -> str:
    found = prompts.prompt(view(world, MACHINE, seat))
    assert found is not None
    return f"{found.title} | {found.text} | {found.clause}"


def progress_of(world: World, seat: Seat = 0) -> tuple[int, int] | None:
    found = prompts.prompt(view(world, MACHINE, seat))
    return found.progress if found else None


def news_of(world: World, text: str, viewer: Seat | None = 0) -> str:
    (seat,) = MACHINE.to_move(world)
    return news.news(MACHINE, world, seat, parse_step(text), viewer)


def note_on(world: World, handle: str, viewer: Seat | None = 0) -> str:
    return notes.note(view(world, MACHINE, viewer), handle)


def rows_of(world: World, panel: str, seat: Seat | None = 0) -> dict[str, str]:
    found = next(one for one in panels.panels(view(world, MACHINE, seat)) if one.id == panel)
    return {row.label: row.value for row in found.rows}
