"""The legal steps that a scene offers, listed once for each position: in a crowded one that takes its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, HasDescriptions, Seat
from realmtable.server.workers.replay_pool import ReplayPool

CROWDED: Final = 60  # choices from which they are listed elsewhere
MAX_EXPLAINED: Final = 120  # choices that are told in words with the scene
MAX_CACHED: Final = 256  # positions whose choices are remembered

Choice = dict[str, Any]
_cache: WeakKeyDictionary[Match, dict[Seat, list[Choice]]] = WeakKeyDictionary()  # the oldest first


def list_choices(game: AnyGame, state: Any, seat: Seat, view: Mapping[str, Any]) -> list[Choice]:  # noqa: ANN401 - the game's own
    """Each legal step of a seat with its clicks."""
    return [
        {"move": game.format_move(state, move), "path": list(game.handles(view, move))}
        for move in game.legal_moves(state, seat)
    ]


def add_words(game: AnyGame, state: Any, seat: Seat, choices: list[Choice]) -> None:  # noqa: ANN401 - as above
    """Say what each choice does; where they are very many a preview tells it one at a time."""
    if choices and len(choices) <= MAX_EXPLAINED and isinstance(game, HasDescriptions) and "words" not in choices[0]:
        for choice, move in zip(choices, game.legal_moves(state, seat), strict=True):
            choice["words"] = game.describe_move(state, move)


def list_encoded_choices(game_id: str, position: str, seat: Seat) -> list[Choice]:
    """The choices in an encoded position; runs in a process of its own."""
    game = registry.game(game_id)
    state = game.decode(position)
    choices = list_choices(game, state, seat, game.view(state, seat))
    add_words(game, state, seat, choices)
    return choices


def choices_of(match: Match, seat: Seat, view: Mapping[str, Any], *, words: bool) -> list[Choice]:
    """The choices of a seat at a match, with or without what they do."""
    found = _cache.get(match, {}).get(seat)
    if found is None:
        found = list_choices(match.game, match.state, seat, view)
        _cache_choices(match, seat, found)
    if words:
        add_words(match.game, match.state, seat, found)
        return found
    return [{"move": choice["move"], "path": choice["path"]} for choice in found]


async def prepare_choices(pool: ReplayPool, match: Match, seat: Seat) -> None:
    """Have the choices of a crowded position listed elsewhere, if they are not known yet."""
    game = match.game
    if seat in _cache.get(match, {}) or len(game.legal_moves(match.state, seat)) < CROWDED:
        return
    try:
        found = await pool.run(None, 0, list_encoded_choices, game.info.id, game.encode(match.state), seat)
    except RealmtableError:  # then they are listed here
        return
    _cache_choices(match, seat, found)


def _cache_choices(match: Match, seat: Seat, found: list[Choice]) -> None:
    _cache.setdefault(match, {})[seat] = found
    while len(_cache) > MAX_CACHED:
        del _cache[next(_cache.keys())]


def labels_of(game: AnyGame, choices: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The labels of clicks that are not their own."""
    if not choices or not isinstance(game, HasDescriptions):
        return {}
    handles = sorted({handle for choice in choices for handle in choice["path"]})
    return {handle: label for handle in handles if (label := game.label(handle)) != handle}
