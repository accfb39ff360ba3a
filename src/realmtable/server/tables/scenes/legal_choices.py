"""The legal steps that a scene offers, and what they are called."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.protocol import (
    AnyGame,
    DescribesButtons,
    GuidesPlayers,
    HasDescriptions,
    ListsChoices,
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
