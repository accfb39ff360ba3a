"""What has changed in a scene: the only form in which scenes are sent.

A change has the new values of the fields that differ. What is long is sent by entry: the fields in `BY_ENTRY` are
objects whose entries have a key each. Of these, a change has only the entries that differ; null removes one. In most,
each entry carries its place among the others as a number `at`, and a part of the picture has its text as `svg`; in
those of `BY_NUMBER`, the keys are numbers in order. A whole scene is the change from nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

BY_NUMBER: Final = ("lines", "news", "chat", "chips", "turn_steps", "choice_cards")
BY_ENTRY: Final = ("picture", "panels", "panel_parts", "choices", *BY_NUMBER)
LEAST_GAP: Final = 1e-6  # between two places; then all entries are numbered again

Scene = dict[str, Any]  # in which the fields in `BY_ENTRY` are mappings in order
Change = dict[str, Any]
Places = Mapping[str, float]  # of the entries of a field, ascending


class PlacedScene(NamedTuple):
    """A scene with the places of its entries, by field."""

    scene: Scene
    places: Mapping[str, Places]


NOTHING: Final = PlacedScene({}, {})


def find_change(before: PlacedScene, scene: Scene) -> tuple[PlacedScene, Change]:
    """Return a scene with the places of its entries, and its change from an earlier one; both have the same fields."""
    change: Change = {}
    places = dict(before.places)
    missing = object()
    for name, value in scene.items():
        old = before.scene.get(name, missing)
        if value is old:
            continue
        if name in BY_ENTRY:
            entries = {} if old is missing else old
            known = before.places.get(name, {})
            places[name] = known if name in BY_NUMBER else place_entries(value, known)
            changed = _find_changed_entries(entries, value, known, places[name])
            if changed or old is missing:
                change[name] = changed
        elif value != old:
            change[name] = value
    return PlacedScene(scene, places), change


def _find_changed_entries(
    before: Mapping[str, Any], entries: Mapping[str, Any], known: Places, places: Places
) -> dict[str, Any]:
    differing = [key for key, entry in entries.items() if entry is not (old := before.get(key)) and entry != old]
    if places is not known:
        differing += [key for key, place in places.items() if place != known.get(key)]
    changed: dict[str, Any] = {key: _with_place(entries[key], places.get(key)) for key in differing}
    if not before.keys() <= entries.keys():
        changed.update(dict.fromkeys([key for key in before if key not in entries]))
    return changed


def _with_place(entry: str | Mapping[str, Any], place: float | None) -> Mapping[str, Any]:
    if isinstance(entry, str):
        return {"at": place, "svg": entry}
    return entry if place is None else {"at": place, **entry}


def whole_change(placed: PlacedScene) -> Change:
    """Return the change from nothing to a scene."""
    return {
        name: {key: _with_place(entry, placed.places[name].get(key)) for key, entry in value.items()}
        if name in BY_ENTRY
        else value
        for name, value in placed.scene.items()
    }


def place_entries(keys: Iterable[str], known: Places) -> Places:
    """Return ascending places for keys in order; those with a known place keep it if they can.

    >>> place_entries("abc", {})
    {'a': 0, 'b': 1, 'c': 2}
    >>> place_entries("axc", {"a": 0, "b": 1, "c": 2})
    {'a': 0, 'x': 1.0, 'c': 2}
    >>> place_entries("xby", {"a": 0, "b": 1, "c": 2})
    {'x': 0.0, 'b': 1, 'y': 2}
    """
    order = list(keys)
    if order == [*known]:
        return known
    following: list[float | None] = []  # the next known place from each key on
    place: float | None = None
    for key in reversed(order):
        place = known.get(key, place)
        following.append(place)
    places: dict[str, float] = {}
    last: float = -1
    for key, after in zip(order, reversed(following), strict=True):
        place = known.get(key)
        if place is None or place <= last:
            place = last + 1 if after is None or after <= last else (last + after) / 2
            if place - last < LEAST_GAP:
                return {key: index for index, key in enumerate(order)}
        places[key] = last = place
    return places


def apply_change(scene: Mapping[str, Any], change: Mapping[str, Any]) -> Scene:
    """Return a scene, as it was sent, after a change, as clients do.

    >>> apply_change({"step": 1, "news": {"1": {"text": "a"}}}, {"step": 2, "news": {"1": None, "2": {"text": "b"}}})
    {'step': 2, 'news': {'2': {'text': 'b'}}}
    """
    return {**scene, **{name: _apply(scene.get(name), value, name) for name, value in change.items()}}


def read_scene(scene: Mapping[str, Any]) -> Scene:
    """Return a scene, as it was sent, with lists in the place of entries, whole pictures, and a path for each choice.

    >>> read_scene({"choices": {"b2": {"at": 0, "moves": {"Ab2d1": ["d1"]}}}})
    {'choices': [{'move': 'Ab2d1', 'path': ['b2', 'd1']}]}
    """
    ordered = {name: sorted(scene[name].items(), key=_place) for name in BY_ENTRY if name in scene}
    read: Scene = {name: value for name, value in scene.items() if name != "panel_parts"}
    for name in ordered.keys() - {"panel_parts"}:
        read[name] = [{field: value for field, value in entry.items() if field != "at"} for _, entry in ordered[name]]
    if "choices" in scene:
        read["choices"] = list_choices_in(dict(ordered["choices"]))
    if "picture" in scene:
        read["picture"] = "".join([part["svg"] for _, part in ordered["picture"]])
        parts = ordered.get("panel_parts", [])
        for panel in read["panels"]:
            panel["svg"] = "".join([part["svg"] for key, part in parts if key.startswith(f"{panel['id']}/")])
    return read


def list_choices_in(groups: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the choices of a scene as a list.

    >>> list_choices_in({"b2": {"moves": {"Ab2d1": ["d1"]}}, "end": {"moves": {"end": []}, "words": {"end": "End"}}})[1]
    {'move': 'end', 'path': ['end'], 'words': 'End'}
    """
    return [
        {"move": move, "path": [first, *rest]} | ({"words": group["words"][move]} if "words" in group else {})
        for first, group in groups.items()
        for move, rest in group["moves"].items()
    ]


def _apply(before: Mapping[str, Any] | None, value: Any, name: str) -> Any:  # noqa: ANN401 - of any field
    if name not in BY_ENTRY:
        return value
    entries = {**(before or {}), **value}
    return dict(sorted(((key, entry) for key, entry in entries.items() if entry is not None), key=_place))


def _place(entry: tuple[str, Mapping[str, Any]]) -> float:
    key, value = entry
    return float(value.get("at", key))
