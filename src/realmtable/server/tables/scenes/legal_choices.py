"""What a viewer can choose, why not, and what the panels and the prompt beside the picture say."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.pictures import leave_out_styles, parts_of
from realmtable.engine.protocol import (
    CLOCK,
    AnyGame,
    DescribesButtons,
    GuidesPlayers,
    HasDescriptions,
    HasPanels,
    ListsChoices,
    Panel,
    Reason,
    Seat,
    State,
)
from realmtable.server.tables.table import Table

MAX_EXPLAINED: Final = 120  # up to this many choices, each is described in words

Choice = dict[str, Any]


def list_choices(game: AnyGame, state: State, seat: Seat, view: Mapping[str, Any]) -> list[Choice]:
    """Return each legal step of a seat with its click path."""
    moves = game.legal_moves(state, seat)
    if isinstance(game, ListsChoices):
        texts, paths = game.format_legal_moves(state, moves), game.list_handles(view, moves)
    else:
        texts = [game.format_move(state, move) for move in moves]
        paths = [game.handles(view, move) for move in moves]
    return [{"move": text, "path": [*path]} for text, path in zip(texts, paths, strict=True)]


def add_words(game: AnyGame, state: State, seat: Seat, choices: list[Choice]) -> None:
    """Add a description to each choice; if there are too many, the client previews them one at a time."""
    if choices and len(choices) <= MAX_EXPLAINED and isinstance(game, HasDescriptions) and "words" not in choices[0]:
        for choice, move in zip(choices, game.legal_moves(state, seat), strict=True):
            choice["words"] = game.describe_move(state, move)


def choices_by_handle(
    table: Table, seat: Seat, view: Mapping[str, Any], shown: Container[str] | None
) -> dict[str, dict[str, Any]]:
    """Return the choices of a seat by the handle with which their clicks start: the rest of each path, by its move.

    Those that need a button have `words`, because they start with a handle that is not in `shown`, the picture; None
    if there is no picture.
    """
    match, key = table.match, (choices_by_handle, seat, shown is None)
    known: tuple[Match, dict[str, dict[str, Any]]] | None = table.viewer_caches.get(key)
    if known is None or known[0] is not match:  # as after a move
        choices = list_choices(match.game, match.state, seat, view)
        if shown is not None:
            _add_words_of_buttons(match.game, match.state, seat, choices, shown)
        known = table.viewer_caches[key] = (match, _group_by_handle(choices))
    return known[1]


def _add_words_of_buttons(
    game: AnyGame, state: State, seat: Seat, choices: Sequence[Choice], shown: Container[str]
) -> None:
    if not isinstance(game, HasDescriptions):
        return
    moves: Sequence[Any] | None = None
    for index, choice in enumerate(choices):
        first = choice["path"][0] if choice["path"] else ""
        if first not in shown or (isinstance(game, DescribesButtons) and game.describes_button(first)):
            moves = moves or game.legal_moves(state, seat)
            choice["words"] = game.describe_move(state, moves[index])


def _group_by_handle(choices: Sequence[Choice]) -> dict[str, dict[str, Any]]:
    """Group choices.

    >>> _group_by_handle([{"move": "Ab2d1", "path": ["b2", "d1"]}, {"move": "end", "path": ["end"], "words": "End"}])
    {'b2': {'moves': {'Ab2d1': ['d1']}}, 'end': {'moves': {'end': []}, 'words': {'end': 'End'}}}
    """
    groups: dict[str, dict[str, Any]] = {}
    for choice in choices:
        first, *rest = choice["path"]
        group = groups.setdefault(first, {"moves": {}})
        group["moves"][choice["move"]] = rest
        if "words" in choice:
            group.setdefault("words", {})[choice["move"]] = choice["words"]
    return groups


def describe_handle(game_id: str, position: str, seat: Seat, view: Mapping[str, Any], handle: str) -> dict[str, Any]:
    """Return what choosing a handle would do, if the game says so, and what each step does that starts with it.

    Runs in a worker process.
    """
    game = registry.game(game_id)
    text = game.note(view, handle) if isinstance(game, GuidesPlayers) else ""
    words = {}
    if isinstance(game, HasDescriptions):
        state = game.decode(position)
        for move in game.legal_moves(state, seat):
            if game.handles(view, move)[:1] == (handle,):
                words[game.format_move(state, move)] = game.describe_move(state, move)
    return {"text": text, "words": words}


def labels_of(game: AnyGame, choices: Collection[Mapping[str, Any]]) -> dict[str, str]:
    """Return the labels of handles that differ from their names."""
    if not choices or not isinstance(game, HasDescriptions):
        return {}
    handles = set().union(*[choice["path"] for choice in choices])
    texts = {handle: label for handle in sorted(handles) if (label := game.label(handle)) != handle}
    return _describe_buttons(game, choices, texts) if isinstance(game, DescribesButtons) else texts


def _describe_buttons(
    game: DescribesButtons, choices: Iterable[Mapping[str, Any]], labels: dict[str, str]
) -> dict[str, str]:
    """Return the labels with those of buttons that describe their step; groups stay."""
    described = {}
    for choice in choices:
        handle = choice["path"][0] if len(choice["path"]) == 1 else ""
        if handle and "words" in choice and game.describes_button(handle):
            group, slash, _ = labels.get(handle, "").rpartition("/")
            described[handle] = f"{group}{slash}{choice['words'].partition(';')[0]}"
    return labels | described


# ---- steps without a choice


def plays_forced_steps(table: Table) -> bool:
    """Whether pages play a seat's only legal step by themselves, for players who want that.

    A step is played at once only if nobody can learn from it what the seat holds: nothing is hidden, or all other
    players are bots. While the table's clock runs, what others do may give the seat more to choose from.
    """
    people = {sitter.player_id for sitter in table.seats if sitter is not None and not sitter.bot}
    return CLOCK not in table.acting and (not table.game.info.hidden or len(people) == 1)


# ---- panels, prompts and reasons


NOTHING_THERE: Final = "This cannot be chosen now; choose something that is highlighted, or use a button."
NOT_NEXT: Final = "This does not continue the move that you have started; choose something that is highlighted."


def panels_of(game: AnyGame, view: Mapping[str, Any], board: str) -> list[dict[str, Any]]:
    """Return the panels for a viewer as plain data, if the game has any; the board's picture has their styles."""
    panels = game.panels(view) if isinstance(game, HasPanels) else []
    return [{**panel_facts(each), "svg": leave_out_styles(each.svg, board) if each.svg else ""} for each in panels]


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
