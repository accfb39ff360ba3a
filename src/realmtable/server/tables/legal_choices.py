"""The legal steps that a scene offers, listed once for each position: in a crowded one that takes its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, HasWords, Seat
from realmtable.server.workers.replay_pool import ReplayPool

CROWDED: Final = 60  # choices from which they are listed elsewhere
EXPLAINED: Final = 120  # choices that are told in words with the scene
KEPT: Final = 256  # positions whose choices are remembered

Choice = dict[str, Any]
_kept: WeakKeyDictionary[Match, dict[Seat, list[Choice]]] = WeakKeyDictionary()  # the oldest first


def list_choices(game: AnyGame, state: Any, seat: Seat, view: Mapping[str, Any]) -> list[Choice]:  # noqa: ANN401 - the game's own
    """Each legal step of a seat with its clicks."""
    return [
        {"move": game.format_move(state, move), "path": list(game.handles(view, move))}
        for move in game.legal_moves(state, seat)
    ]


def explain(game: AnyGame, state: Any, seat: Seat, choices: list[Choice]) -> None:  # noqa: ANN401 - as above
    """Say what each choice does; where they are very many a preview tells it one at a time."""
    if choices and len(choices) <= EXPLAINED and isinstance(game, HasWords) and "words" not in choices[0]:
        for choice, move in zip(choices, game.legal_moves(state, seat), strict=True):
            choice["words"] = game.words(state, move)


def list_elsewhere(game_id: str, position: str, seat: Seat) -> list[Choice]:
    """The choices in an encoded position; runs in a process of its own."""
    game = registry.game(game_id)
    state = game.decode(position)
    choices = list_choices(game, state, seat, game.view(state, seat))
    explain(game, state, seat, choices)
    return choices


def choices_of(match: Match, seat: Seat, view: Mapping[str, Any], *, words: bool) -> list[Choice]:
    """The choices of a seat at a match, with or without what they do."""
    found = _kept.get(match, {}).get(seat)
    if found is None:
        found = list_choices(match.game, match.state, seat, view)
        _keep(match, seat, found)
    if words:
        explain(match.game, match.state, seat, found)
        return found
    return [{"move": choice["move"], "path": choice["path"]} for choice in found]


async def prepare_choices(pool: ReplayPool, match: Match, seat: Seat) -> None:
    """Have the choices of a crowded position listed elsewhere, if they are not known yet."""
    game = match.game
    if seat in _kept.get(match, {}) or len(game.legal_moves(match.state, seat)) < CROWDED:
        return
    try:
        found = await pool.run(None, 0, list_elsewhere, game.info.id, game.encode(match.state), seat)
    except RealmtableError:  # then they are listed here
        return
    _keep(match, seat, found)


def _keep(match: Match, seat: Seat, found: list[Choice]) -> None:
    _kept.setdefault(match, {})[seat] = found
    while len(_kept) > KEPT:
        del _kept[next(_kept.keys())]


def labels_of(game: AnyGame, choices: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The labels of clicks that are not their own."""
    if not choices or not isinstance(game, HasWords):
        return {}
    handles = sorted({handle for choice in choices for handle in choice["path"]})
    return {handle: label for handle in handles if (label := game.label(handle)) != handle}
