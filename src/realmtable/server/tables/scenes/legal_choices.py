"""The legal steps that a scene offers, cached by position, since listing them is slow in crowded positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from weakref import ref

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, DescribesButtons, HasDescriptions, ListsChoices, Seat, State
from realmtable.server.workers.replay_pool import ReplayPool

CROWDED: Final = 60  # from this many choices on, they are listed in a worker process
MAX_EXPLAINED: Final = 120  # up to this many choices, a scene describes each in words
MAX_CACHED: Final = 256  # positions

Choice = dict[str, Any]
# By match, oldest first; a `WeakKeyDictionary` takes several times as long.
_cache: dict[ref[Match], dict[Seat, list[Choice]]] = {}


def list_choices(
    game: AnyGame, state: State, seat: Seat, view: Mapping[str, Any], moves: Sequence[Any] | None = None
) -> list[Choice]:
    """Return each legal step of a seat with its click path; `moves` are the legal steps, if the caller has them."""
    moves = game.legal_moves(state, seat) if moves is None else moves
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


def list_encoded_choices(game_id: str, position: str, seat: Seat) -> list[Choice]:
    """Return the choices in an encoded position. Runs in a worker process."""
    game = registry.game(game_id)
    state = game.decode(position)
    choices = list_choices(game, state, seat, game.view(state, seat))
    add_words(game, state, seat, choices)
    return choices


def choices_of(match: Match, seat: Seat, view: Mapping[str, Any], *, words: bool) -> list[Choice]:
    """Return the choices of a seat in a match, with or without descriptions."""
    choices = _cache.get(ref(match), {}).get(seat)
    if choices is None:
        choices = list_choices(match.game, match.state, seat, view)
        _cache_choices(match, seat, choices)
    if words:
        add_words(match.game, match.state, seat, choices)
        return choices
    if choices and "words" not in choices[0]:
        return choices
    return [{"move": choice["move"], "path": choice["path"]} for choice in choices]


def group_choices(choices: Sequence[Choice]) -> list[Choice]:
    """Join neighbouring choices that differ only in the last handle, which also ends their notation.

    A group has the common beginnings and all ends, a few bytes per choice. In an end, effects in parentheses may follow
    the handle. Choices with words stay as they are.

    >>> group_choices([{"move": "Ab2d1", "path": ["b2", "d1"]}, {"move": "Ab2e1(Hb5)", "path": ["b2", "e1"]}])
    [{'move': 'Ab2', 'path': ['b2'], 'ends': 'd1 e1(Hb5)'}]
    """
    grouped: list[Choice] = []
    known: tuple[str, list[str]] | None = None  # the beginnings of the latest group
    for choice in choices:
        move, path = choice["move"], choice["path"]
        handle = path[-1] if path else ""
        bare = move.partition("(")[0]
        end = move[len(bare) - len(handle) :]  # the handle and the effects, if these are what the move ends with
        if not handle or not bare.endswith(handle) or " " in end or "(" in handle or "words" in choice:
            grouped.append(choice)
            known = None
            continue
        start = (bare.removesuffix(handle), path[:-1])
        if start == known:
            grouped[-1]["ends"] += f" {end}"
        else:
            grouped.append({"move": start[0], "path": start[1], "ends": end})
            known = start
    return grouped


def expand_choices(choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices that `group_choices` has joined, as clients do.

    >>> expand_choices([{"move": "Ab2", "path": ["b2"], "ends": "d1 e1"}, {"move": "end", "path": ["end"]}])[1:]
    [{'move': 'Ab2e1', 'path': ['b2', 'e1']}, {'move': 'end', 'path': ['end']}]
    """
    return [
        {"move": choice["move"] + end, "path": [*choice["path"], end.partition("(")[0]]} if "ends" in choice else choice
        for choice in choices
        for end in choice.get("ends", "").split(" ")
    ]


def list_few_choices(match: Match, seat: Seat) -> bool:
    """List and cache the choices of a seat unless the position is crowded; return whether they are cached."""
    if seat in _cache.get(ref(match), {}):
        return True
    game, state = match.game, match.state
    moves = game.legal_moves(state, seat)
    if len(moves) >= CROWDED:
        return False
    _cache_choices(match, seat, list_choices(game, state, seat, game.view(state, seat), moves))
    return True


async def prepare_choices(pool: ReplayPool, match: Match, seat: Seat) -> None:
    """List the choices of a crowded position in a worker process, unless they are cached."""
    game = match.game
    if seat in _cache.get(ref(match), {}) or len(game.legal_moves(match.state, seat)) < CROWDED:
        return
    try:
        choices = await pool.run(None, 0, list_encoded_choices, game.info.id, game.encode(match.state), seat)
    except RealmtableError:  # `choices_of` lists them in this process
        return
    _cache_choices(match, seat, choices)


def _cache_choices(match: Match, seat: Seat, choices: list[Choice]) -> None:
    by_seat = _cache.get(ref(match))
    if by_seat is None:
        by_seat = _cache[ref(match, _forget)] = {}
        while len(_cache) > MAX_CACHED:
            del _cache[next(iter(_cache))]
    by_seat[seat] = choices


def _forget(match: ref[Match]) -> None:
    _cache.pop(match, None)


class GameLabels(dict[str, str]):
    """The labels of one game's handles, asked for once each; every scene needs a dozen."""

    def __init__(self, game: HasDescriptions) -> None:
        super().__init__()
        self._game = game
        self._plain: set[str] = set()  # handles whose label is their name

    def __missing__(self, handle: str) -> str:
        """Ask the game for a label."""
        label = self[handle] = self._game.label(handle)
        if label == handle:
            self._plain.add(handle)
        return label

    def list_differing(self, handles: set[str]) -> dict[str, str]:
        """Return the labels of handles that differ from their names, in order."""
        return {handle: label for handle in sorted(handles - self._plain) if (label := self[handle]) != handle}


_labels_by_game: dict[str, GameLabels] = {}


def labels_of(game: AnyGame, choices: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the labels of handles that differ from their names."""
    if not choices or not isinstance(game, HasDescriptions):
        return {}
    labels = _labels_by_game.get(game.info.id)
    if labels is None:
        labels = _labels_by_game[game.info.id] = GameLabels(game)
    texts = labels.list_differing(set().union(*[choice["path"] for choice in choices]))
    return _describe_buttons(game, choices, texts) if isinstance(game, DescribesButtons) else texts


def _describe_buttons(
    game: DescribesButtons, choices: Sequence[Mapping[str, Any]], labels: dict[str, str]
) -> dict[str, str]:
    """Return the labels with those of buttons that describe their step; groups stay."""
    described = {}
    for choice in choices:
        handle = choice["path"][0] if len(choice["path"]) == 1 else ""
        if handle and "words" in choice and game.describes_button(handle):
            group, slash, _ = labels.get(handle, "").rpartition("/")
            described[handle] = f"{group}{slash}{choice['words'].partition(';')[0]}"
    return labels | described
