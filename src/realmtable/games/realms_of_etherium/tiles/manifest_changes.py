"""A manifest as its changes to the standard one, such as ``generate.copies:3;accord.control:1/3`` (F9).

Options, records and positions hold this text, so that they need no file. It can change every number, cost and colour;
names, sentences and verbs stay.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import spell_name
from realmtable.games.realms_of_etherium.tiles.manifest import (
    GAME_BOUNDS,
    OPTIONAL_PARAMETERS,
    VERBS,
    Cost,
    Manifest,
    Tile,
    check_manifest,
    make_tile,
    parse_manifest,
    quote,
    read_game,
    standard_manifest,
)

STANDARD: Final = "standard"
GAME: Final = "game"  # owns the numbers of the table [game]
FIELDS: Final = ("colour", "copies", "use", "control")
GAME_FIELDS: Final = (*GAME_BOUNDS, "points")
NUMBERS: Final = frozenset({"copies", "white", "black", *GAME_FIELDS})
NOTHING: Final = "none"  # stands for an empty text
MAX_CACHED: Final = 64  # manifests


@lru_cache(MAX_CACHED)
def read_changes(text: str) -> Manifest:
    """Return the standard manifest with changes; raise `BadOptions` with a sentence about the first mistake."""
    standard = standard_manifest()
    if text == STANDARD:
        return standard
    changes = _split_changes(text)
    for owner in changes:
        if owner != GAME:
            standard.tile(owner)  # refuses an unknown one
    tiles = tuple(_change_tile(tile, changes.get(tile.id, {})) for tile in standard.tiles)
    numbers = _change_entry(GAME, _game_entry(standard), changes.get(GAME, {}), GAME_FIELDS)
    return check_manifest(Manifest(tiles, **read_game(numbers)))


def write_changes(manifest: Manifest) -> str:
    """Return how a manifest differs from the standard one; raise `BadOptions` if changes cannot express it."""
    standard = standard_manifest()
    _check_same_tiles(manifest, standard)
    texts = _list_changes(GAME, _game_entry(standard), _game_entry(manifest), GAME_FIELDS)
    for before, after in zip(standard.tiles, manifest.tiles, strict=True):
        texts += _list_changes(before.id, _flat_entry(before), _flat_entry(after), _fields_of(before))
    return ";".join(texts) or STANDARD


def changes_from_file(text: str) -> str:
    """Return the changes that the text of a manifest file makes."""
    return write_changes(parse_manifest(text))


def describe_changes(text: str) -> str:
    """Describe the changes in words.

    >>> describe_changes("generate.copies:3;accord.control:1/3")
    'Generate copies 3 instead of 2, Accord control 1/3 instead of 2/2'
    """
    standard, changed = standard_manifest(), read_changes(text)
    entries = [("", GAME_FIELDS, _game_entry(standard), _game_entry(changed))] + [
        (f"{before.name} ", _fields_of(before), _flat_entry(before), _flat_entry(after))
        for before, after in zip(standard.tiles, changed.tiles, strict=True)
    ]
    words = [
        f"{owner}{spell_name(name)} {_value_text(after[name])} instead of {_value_text(before[name])}"
        for owner, fields, before, after in entries
        for name in fields
        if before[name] != after[name]
    ]
    return ", ".join(words) or "no change"


def _split_changes(text: str) -> dict[str, dict[str, str]]:
    """Split ``generate.copies:3;…`` into values by tile and field."""
    changes: dict[str, dict[str, str]] = {}
    if text.endswith(".toml"):
        raise BadOptions("A manifest file can only be named on the command line; write changes like generate.copies:3.")
    for part in text.split(";"):
        place, colon, value = part.partition(":")
        owner, dot, field = place.partition(".")
        if not (colon and dot and value):
            raise BadOptions(f"Write a change of the manifest like generate.copies:3, not {quote(part)}.")
        if field in changes.setdefault(owner, {}):
            raise BadOptions(f"The manifest changes {owner[:40]}.{field[:40]} twice.")
        changes[owner][field] = value
    return changes


def _change_tile(tile: Tile, changes: dict[str, str]) -> Tile:
    if not changes:
        return tile
    flat = _change_entry(tile.id, _flat_entry(tile), changes, _fields_of(tile))
    power = {name: flat.pop(name) for name in VERBS[tile.power.verb].parameters}
    given = {name: value for name, value in power.items() if value or name not in OPTIONAL_PARAMETERS}
    fixed = {
        "id": tile.id,
        "name": tile.name,
        "class": tile.tile_class,
        "text": tile.text,
        "sources": dict(tile.sources),
    }
    return make_tile({**fixed, **flat, "power": {"verb": tile.power.verb, **given}})


def _change_entry(
    owner: str, entry: dict[str, Any], changes: dict[str, str], fields: tuple[str, ...]
) -> dict[str, Any]:  # fmt: skip
    """Return an entry with changed values; what they mean is checked when the entry is read."""
    for field in changes:
        if field not in fields:
            raise BadOptions(f"{owner} has no {quote(field)} to change; it has {', '.join(fields)}.")
    return {**entry, **{field: _read_value(entry[field], field, value) for field, value in changes.items()}}


def _read_value(before: object, field: str, text: str) -> object:
    if isinstance(before, list):
        return [_read_number(part) for part in text.split("/")]
    if field == "per" and text == NOTHING:
        return ""
    return _read_number(text) if field in NUMBERS else text


def _read_number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text  # noqa: PLR2004 - digits


def _fields_of(tile: Tile) -> tuple[str, ...]:
    return (*FIELDS, *VERBS[tile.power.verb].parameters)


def _flat_entry(tile: Tile) -> dict[str, Any]:
    """Return the fields of a tile that changes can name, with the parameters of its power, as in the file."""
    entry: dict[str, Any] = {
        "colour": tile.colour,
        "copies": tile.copies,
        "use": _cost_text(tile.use),
        "control": _cost_text(tile.control),
    }
    for name in VERBS[tile.power.verb].parameters:
        value = getattr(tile.power, name)
        entry[name] = list(value) if isinstance(value, tuple) else value
    return entry


def _game_entry(manifest: Manifest) -> dict[str, Any]:
    return {**{name: getattr(manifest, name) for name in GAME_BOUNDS}, "points": list(manifest.points)}


def _cost_text(cost: Cost | None) -> str:
    return "none" if cost is None else f"{cost.white}/{cost.black}"


def _list_changes(owner: str, before: dict[str, Any], after: dict[str, Any], fields: tuple[str, ...]) -> list[str]:
    return [f"{owner}.{name}:{_value_text(after[name])}" for name in fields if before[name] != after[name]]


def _value_text(value: object) -> str:
    return "/".join(map(str, value)) if isinstance(value, list) else str(value) or NOTHING


def _check_same_tiles(manifest: Manifest, standard: Manifest) -> None:
    """Refuse what changes cannot express."""
    ids, known = [tile.id for tile in manifest.tiles], [tile.id for tile in standard.tiles]
    if ids != known:
        different = min(set(ids) ^ set(known), default="the order")
        raise BadOptions(
            f"A manifest for play needs the tiles of the standard one, in its order; {different} differs. "
            "Give a tile 0 copies to leave it out."
        )
    for ours, theirs in zip(standard.tiles, manifest.tiles, strict=True):
        for fact, before, after in (
            ("name", ours.name, theirs.name),
            ("verb", ours.power.verb, theirs.power.verb),
        ):
            if before != after:
                raise BadOptions(f"The {fact} of {ours.id} must stay {before} in a manifest for play, not {after}.")
