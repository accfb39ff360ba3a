"""The parts of an activation: what was chosen, and what is left."""

from __future__ import annotations

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import TurnStep
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.parts.choice import (
    Choice,
    active_tile,
    can_control,
    read_choice,
    say_mages_left,
    say_what_control_lacks,
)
from realmtable.games.realms_of_etherium.steps import StepKind
from realmtable.games.realms_of_etherium.text.describe import (
    entered_kind,
    place_name,
)


def turn_steps(view: View) -> list[TurnStep]:
    """Return Mage, Move, Control and End with what was chosen or is left; nothing out of turn."""
    choice = read_choice(view)
    if choice is None or choice.seat != view["turn"]["seat"] or view["phase"] == "colours":
        return []
    if view["phase"] == "mage":
        return [
            TurnStep(translate("Mage"), translate("choose one"), "now", "mage"),
            TurnStep(translate("Move"), "", "later", "move"),
            TurnStep(translate("Control"), "", "later", "flag"),
            TurnStep(translate("End"), say_mages_left(view, choice.seat), "later", "end"),
        ]
    place = place_name(choice.position, choice.position.item(layout.ACTIVE_MAGE))
    return [
        TurnStep(translate("Mage"), translate("in {place}", place=place), "done", "mage"),
        _describe_moving(choice),
        _describe_control(choice),
        _describe_end(choice),
    ]


def _describe_moving(choice: Choice) -> TurnStep:
    title, moves = translate("Move"), choice.view["moves_left"]
    if choice.view["phase"] == "source":
        return TurnStep(title, translate("choose a tile"), "now", "move")
    if choice.view["entering"]:
        tile = layout.KIND_NAMES[entered_kind(choice.position)]
        return TurnStep(title, translate("use {tile}", tile=tile), "now", "move")
    if choice.list_steps(StepKind.TO, StepKind.SUMMON):
        return TurnStep(title, translate_count("{count} left", "{count} left", moves), "now", "move")
    if moves:
        return TurnStep(title, translate("no way to go"), "lost", "move")
    return TurnStep(title, translate("done"), "done", "move")


def _describe_control(choice: Choice) -> TurnStep:
    title = translate("Control")
    if choice.list_steps(StepKind.CONTROL):
        return TurnStep(title, translate("can pay"), "now", "flag")
    tile = active_tile(choice.position)
    if tile is not None and choice.position[layout.TILE_OWNER + tile] == choice.seat + 1:
        return TurnStep(title, translate("yours"), "done", "flag")
    can_move = choice.view["phase"] != "act" or bool(choice.list_steps(StepKind.TO, StepKind.SUMMON))
    note = (say_what_control_lacks(choice) or translate("can pay")) if can_control(choice) else translate("not here")
    return TurnStep(title, note, "later" if can_move else "lost", "flag")


def _describe_end(choice: Choice) -> TurnStep:
    is_all = choice.view["phase"] == "act" and set(choice.steps) == {StepKind.END}
    return TurnStep(translate("End"), say_mages_left(choice.view, choice.seat), "now" if is_all else "later", "end")
