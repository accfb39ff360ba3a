"""Checks of a game's page: handles, pictures, panels, prompts and reasons."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

from realmtable.conformance.random_games import RandomGame, moves_of, rules_of, to_match, viewers
from realmtable.engine.pictures import draw_whole, parts_of
from realmtable.engine.protocol import (
    AnyGame,
    GuidesPlayers,
    HasDescriptions,
    HasLayers,
    HasPanels,
    Seat,
    State,
    View,
)
from realmtable.engine.table_parts import HasIcons
from realmtable.server.tables.scenes.changes import NOTHING, apply_change, find_change, read_scene
from realmtable.server.tables.scenes.parts import own_parts, shared_parts

MAX_PROMPT_LENGTH = 90
MOST_SENT = 0.5  # of a picture that a step changes, on average; of one in a single part, all is sent
PROMPT_VERBS = (
    "Accept", "Answer", "Begin", "Choose", "Discard", "Draw", "End", "Keep", "Move", "Offer", "Pass", "Place", "Put",
    "Rearrange", "Wait",
)  # fmt: skip


def handles_distinguish_moves(play: RandomGame) -> None:
    for state in play.states:
        for seat in play.game.to_move(state):
            view = play.game.view(state, None if seat < 0 else seat)
            moves = moves_of(play.game, state, seat)
            paths = [play.game.handles(view, move) for move in moves]
            assert len(set(paths)) == len(moves)
            assert all(path and all(path) for path in paths)
            assert json.loads(json.dumps(paths)) == [list(path) for path in paths]


def drawn_handles(game: AnyGame, view: View) -> list[str]:
    """Return the handles of a picture and of the panels beside it."""
    panels = game.panels(view) if isinstance(game, HasPanels) else []
    pictures = [game.draw(view), *(panel.svg for panel in panels if panel.svg)]
    nodes = [node for picture in pictures for node in ET.fromstring(picture).iter()]  # noqa: S314 - our own pictures
    rows = [row.handle for panel in panels for row in panel.rows if row.handle]
    return [handle for node in nodes if (handle := node.get("data-handle"))] + rows


def a_handle_is_drawn_or_has_a_label(play: RandomGame) -> None:
    if not isinstance(play.game, HasDescriptions):
        return
    for step in play.steps[::3]:
        view = play.game.view(step.state, None if step.seat < 0 else step.seat)
        drawn = drawn_handles(play.game, view)
        assert len(set(drawn)) == len(drawn)
        paths = [play.game.handles(view, move) for move in moves_of(play.game, step.state, step.seat)]
        for handle in {handle for path in paths for handle in path} - set(drawn):
            assert play.game.label(handle) not in ("", handle)


def pictures_are_well_formed(play: RandomGame) -> None:
    for match in (to_match(play), to_match(play.first_part(2))):
        for viewer, theme in zip(viewers(play), ("auto", "light", "dark") * 2, strict=False):
            picture = ET.fromstring(play.game.draw(match.view(viewer), theme))  # noqa: S314 - our own picture
            assert picture.tag == "{http://www.w3.org/2000/svg}svg"
            spans = [span for line in play.game.sketch(match.view(viewer)) for span in line]
            assert {(type(text), type(style)) for text, style in spans} == {(str, str)}


def the_parts_that_a_step_changes_lead_to_its_picture_and_are_few(play: RandomGame) -> None:
    """A playable game may have pictures in one part."""
    sent = whole = 0
    for step, viewer in product(play.steps[::3], (None, 0)):
        before, after = (play.game.draw(play.game.view(state, viewer)) for state in (step.state, step.after))
        placed, shown = find_change(NOTHING, {"picture": parts_of(before), "panels": {}})
        _, change = find_change(placed, {"picture": parts_of(after), "panels": {}})
        picture = read_scene(apply_change(shown, change))["picture"]
        assert picture == after
        ET.fromstring(picture)  # noqa: S314 - our own picture
        if after != before:
            sent += sum(len(part["svg"]) for part in change["picture"].values() if part)
            whole += sum(len(text) for key, text in parts_of(after).items() if key != "style")
    assert sent <= MOST_SENT * whole or play.game.info.tier == "playable"


def layers_fit_the_picture_and_follow_from_the_view(play: RandomGame) -> None:
    """Layers have unique names, the picture's view box, the same styles each time, and no handles."""
    if not isinstance(play.game, HasLayers):
        return
    for state in play.states[::5]:
        for viewer, theme in zip(viewers(play), ("auto", "light", "dark") * 2, strict=False):
            view = play.game.view(state, viewer)
            layers = play.game.layers(view, theme)
            assert layers == play.game.layers(json.loads(json.dumps(view)), theme)
            assert len({layer.name for layer in layers}) == len(layers)
            picture = ET.fromstring(play.game.draw(view, theme))  # noqa: S314 - our own picture
            for layer in layers:
                drawn = ET.fromstring(layer.svg)  # noqa: S314 - as above
                assert drawn.get("viewBox") == picture.get("viewBox")
                assert drawn.get("width", "100%") == drawn.get("height", "100%") == "100%"
                assert not [node for node in drawn.iter() if node.get("data-handle")]
            ET.fromstring(draw_whole(play.game, view, theme))  # noqa: S314 - as above


def panels_are_plain_and_keep_their_ids(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, HasPanels):
        return
    for viewer in viewers(play):
        shown = [game.panels(game.view(state, viewer)) for state in play.states[::3]]
        for panels in shown:
            assert [panel.id for panel in panels] == [panel.id for panel in shown[0]]
            assert len({panel.id for panel in panels}) == len(panels)
            for panel in panels:
                assert re.fullmatch(r"[a-z][a-z0-9_]*", panel.id)
                assert panel.title
                assert panel.svg or panel.rows
                assert json.loads(json.dumps(asdict(panel)))["rows"] == [list(row) for row in panel.rows]


def a_prompt_says_what_to_do_in_one_sentence(play: RandomGame) -> None:
    game = play.game
    if not isinstance(game, GuidesPlayers):
        return
    for state, viewer in product(play.states, viewers(play)):
        prompt = game.prompt(game.view(state, viewer))
        may_act = viewer is not None and bool(game.legal_moves(state, viewer))
        assert (prompt is not None) == may_act
        if prompt is None:
            continue
        assert re.fullmatch(rf"({'|'.join(PROMPT_VERBS)})\b[^.!?]*\.", prompt.text), prompt
        assert len(prompt.text) <= MAX_PROMPT_LENGTH
        assert not prompt.title.endswith(".")
        assert prompt.progress is None or 1 <= prompt.progress[0] <= prompt.progress[1]
        if prompt.clause:
            names_a_clause(game, prompt.clause)


def what_the_page_of_a_table_shows_fits_the_game(play: RandomGame) -> None:
    """Chips, steps of a turn and choices name icons that exist and handles that can be chosen."""
    game = play.game
    icons = game.icons() if isinstance(game, HasIcons) else {}
    for state, viewer in product(play.states, viewers(play)):
        view = game.view(state, viewer)
        parts = own_parts(game, state, view) | shared_parts(game, view)
        legal = [] if viewer is None else game.legal_moves(state, viewer)
        starts = {path[0] for move in legal if (path := game.handles(view, move))}
        assert set(find_icons(parts)) <= {"", *icons}
        assert len(parts["chips"]) in {0, len(play.seats)}
        assert all(len(chip["facts"]) <= 4 for chip in parts["chips"].values())
        for card in parts["choice_cards"]:
            assert bool(card["handles"]) != bool(card["off"]), card
            assert set(card["handles"]) <= starts, card
        assert json.loads(json.dumps(parts))["moment"] is None or parts["moment"]["title"]


def find_icons(part: object) -> Iterator[str]:
    """Yield every icon that a part of the page names."""
    if isinstance(part, dict):
        yield from ([part["icon"]] if "icon" in part else [])
    values = part.values() if isinstance(part, dict) else part if isinstance(part, (list, tuple)) else ()
    for value in values:
        yield from find_icons(value)


def a_reason_names_a_clause_and_forbids_no_legal_step(play: RandomGame) -> None:
    game, rng = play.game, Random(len(play.steps))
    if not isinstance(game, GuidesPlayers):
        return
    for state, seat in [(step.state, step.seat) for step in play.steps[::6] if step.seat >= 0]:
        view = view_for_reason(game, state, seat)
        legal = [game.handles(view, move) for move in game.legal_moves(state, seat)]
        drawn = drawn_handles(game, view)
        begun = [path[: rng.randrange(len(path))] for path in rng.choices(legal, k=3)]
        for path, handle in [*((path, rng.choice(drawn)) for path in [(), *begun]), ((), "no such handle")]:
            reason = game.reason(view, path, handle)
            if reason is not None:
                names_a_clause(game, reason.clause)
                assert reason.sentence.endswith(".")
                assert (*path, handle) not in {path[: length + 1] for path in legal for length in range(len(path))}


def view_for_reason(game: AnyGame, state: State, seat: Seat) -> dict[str, Any]:
    """Return the view that a game gets when it is asked for a reason."""
    return {**game.view(state, seat), **({} if game.info.hidden else {"position": game.encode(state)})}


def names_a_clause(game: AnyGame, clause: str) -> None:
    rules = rules_of(game)
    assert clause
    assert rules is None or f"**{clause}**" in rules


def what_a_viewer_is_shown_follows_from_the_view(play: RandomGame) -> None:
    """Equal views give equal panels, prompts and reasons, whatever the others hold."""
    game, rng = play.game, Random(3)
    if not game.info.hidden:
        return
    for step in play.steps[::9]:
        for seat in play.seats:
            other = game.resample(step.state, seat, rng)
            assert shown_to(game, step.state, seat) == shown_to(game, other, seat)


def shown_to(game: AnyGame, state: State, seat: Seat) -> list[Any]:
    view = view_for_reason(game, state, seat)
    before = json.dumps(view)
    handles = drawn_handles(game, view)
    shown = [
        game.panels(view) if isinstance(game, HasPanels) else None,
        game.prompt(view) if isinstance(game, GuidesPlayers) else None,
        [game.reason(view, (), handle) for handle in handles] if isinstance(game, GuidesPlayers) else None,
        shared_parts(game, view),
        own_parts(game, state, view),
    ]
    assert json.dumps(view) == before
    return shown
