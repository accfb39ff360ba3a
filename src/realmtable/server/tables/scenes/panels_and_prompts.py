"""What a scene shows apart from the board: panels, the prompt, and why something cannot be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.pictures import leave_out_styles, parts_of
from realmtable.engine.protocol import AnyGame, GuidesPlayers, HasPanels, Panel, Reason, Seat, State

NOTHING_THERE: Final = "This cannot be chosen now; choose something that is highlighted, or use a button."
NOT_NEXT: Final = "This does not continue the move that you have started; choose something that is highlighted."


def panels_of(game: AnyGame, view: Mapping[str, Any], board: str) -> list[dict[str, Any]]:
    """Return the panels for a viewer as plain data, if the game has any; the board's picture has their styles."""
    return [_panel_data(panel, board) for panel in game.panels(view)] if isinstance(game, HasPanels) else []


def _panel_data(panel: Panel, board: str) -> dict[str, Any]:
    return {**panel_facts(panel), "svg": leave_out_styles(panel.svg, board) if panel.svg else ""}


def panel_facts(panel: Panel) -> dict[str, Any]:
    """Return a panel as plain data, without its picture."""
    facts = {name: value for name, value in vars(panel).items() if name != "svg"}
    return {**facts, "rows": [row._asdict() for row in panel.rows]}


def parts_of_panels(panels: Sequence[Panel], board: str) -> dict[str, str]:
    """Return the parts of panels' pictures, by panel and part, without the styles that the board's picture has."""
    styles = parts_of(board).get("style", board)
    return {
        f"{panel.id}/{key}": leave_out_styles(text, styles) if "<style>" in text else text
        for panel in panels
        if panel.svg
        for key, text in parts_of(panel.svg).items()
    }


def prompt_of(game: AnyGame, view: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a viewer is asked to do as plain data, if the game says so."""
    prompt = game.prompt(view) if isinstance(game, GuidesPlayers) else None
    if prompt is None:
        return None
    progress = None if prompt.progress is None else list(prompt.progress)
    return {**prompt._asdict(), "progress": progress, "rules": rules_address(game.info.id, prompt.clause)}


def rules_address(game_id: str, clause: str) -> str | None:
    """Return the address of a clause on the rules page; None without a clause."""
    return f"/rules/{game_id}#{clause}" if clause else None


# ---- why not


def view_for_reason(game: AnyGame, state: State, seat: Seat) -> dict[str, Any]:
    """Return a seat's view; where nothing is hidden, with the whole position as text."""
    view = game.view(state, seat)
    return view if game.info.hidden else {**view, "position": game.encode(state)}


def find_reason(game_id: str, view: Mapping[str, Any], path: Sequence[str], handle: str) -> Reason | None:
    """Return why a handle cannot be chosen, if the game knows. Runs in a worker process."""
    game = registry.game(game_id)
    return game.reason(view, tuple(path), handle) if isinstance(game, GuidesPlayers) else None


def reason_data(game_id: str, reason: Reason | None, path: Sequence[str]) -> dict[str, Any]:
    """Return a reason as plain data; without one, a sentence on what to do instead."""
    clause, sentence = ("", NOT_NEXT if path else NOTHING_THERE) if reason is None else reason
    return {"sentence": sentence, "clause": clause or None, "rules": rules_address(game_id, clause)}
