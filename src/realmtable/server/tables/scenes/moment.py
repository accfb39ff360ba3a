"""Moments of a match: its positions as a replay, a lesson or a puzzle shows them.

Every fact about the game comes from `view` for the viewer, as in a scene.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from realmtable.engine.match import LogEntry, Match
from realmtable.engine.protocol import CHANCE, AnyGame, HasDescriptions, HasNews, Seat, View
from realmtable.server.tables.latest_turn import actor_name, latest_run
from realmtable.server.tables.picture_layers import list_layers
from realmtable.server.tables.scenes.legal_choices import labels_of, list_choices, panels_of, prompt_of
from realmtable.server.tables.scenes.parts import news_card, own_parts, shared_parts
from realmtable.server.tables.scenes.scene import tallies
from realmtable.server.tables.table import Result
from realmtable.server.tables.viewer_knowledge import name_of, names_for


def moment(  # noqa: PLR0913 - what a replay knows of a position
    match: Match,
    viewer: Seat | None,
    *,
    step: int,
    steps: int,
    open_to_all: bool,
    known_layers: Collection[str] = (),
    result: Result | None = None,
) -> dict[str, Any]:
    """Return a position of a match in a replay; `open_to_all` if nothing in it is secret, or no longer.

    Layers whose keys are in `known_layers` are only named.

    If the match is over, it ended with the `result` of its table, by default with that of the rules.
    """
    game, entry = match.game, match.entry
    acting = game.to_move(match.state)
    view = game.view(match.state, viewer)
    last = (
        []
        if game.info.hidden or entry is None
        else [list(game.handles(view, move)) for move in latest_run(match).moves]
    )
    outcome = match.outcome()
    ending = None
    if outcome is not None:
        names = names_for(game, view, len(outcome.ranking))
        ending = (result or Result.from_outcome(outcome, names)).with_names(names)
    choosing = acting[0] if open_to_all and acting and acting[0] != CHANCE else None
    own_view = None if choosing is None else game.view(match.state, choosing)
    choices = [] if choosing is None or own_view is None else list_choices(game, match.state, choosing, own_view)
    picture = game.draw({**view, "last": last})
    return {
        "step": step,
        "steps": steps,
        "text": "" if entry is None or not open_to_all else game.format_move(entry.before, entry.move),
        "words": "" if entry is None or not open_to_all else describe_step(game, entry, view, viewer),
        "turn": game.turn(match.state).number if entry is None else entry.turn.number,
        "seat": None if entry is None else entry.seat,
        "picture": picture,
        "layers": list_layers(game, view, known_layers),
        "panels": panels_of(game, view, picture),
        "position": game.encode(match.state) if open_to_all else None,
        "prompt": prompt_of(game, own_view) if own_view is not None and choices else None,
        "choices": choices,
        "labels": labels_of(game, choices),
        "acting": list(acting),
        "result": None if ending is None else {"text": ending.text, "reason": ending.reason},
        "tallies": tallies(game, view, ending),
        "card": None if entry is None else news_card(game, entry.before, entry.seat, entry.move, viewer),
        **shared_parts(game, view),
        **own_parts(game, match.state, own_view if choices else None),
        "last": last,
    }


def describe_step(game: AnyGame, step: LogEntry, view: View, viewer: Seat | None = None) -> str:
    """Describe a step in words, with the name of its seat as the viewer of `view` may know it."""
    state, move = step.before, step.move
    if (
        game.info.presentation.tells_moves
        and isinstance(game, HasNews)
        and (told := game.news(state, step.seat, move, viewer))
    ):
        return told
    words = game.describe_move(state, move) if isinstance(game, HasDescriptions) else game.format_move(state, move)
    name = name_of(game, view, step.seat) if step.seat >= 0 else actor_name(step.seat, ())
    return f"{name}: {words}"


def match_at(match: Match, steps: int, step: int) -> Match:
    """Return the match as it was after its first `step` of `steps` steps."""
    node = match
    for _ in range(steps - step):
        assert node.parent is not None  # noqa: S101 - the caller has counted
        node = node.parent
    return node
