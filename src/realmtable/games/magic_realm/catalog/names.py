"""Names both ways: what a name in a step or position stands for, and what a thing is called (Z2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from realmtable.engine.errors import BadInput

FORBIDDEN: Final = ",/{}"  # they separate steps and placeholders
KINDS: Final = (
    "tile",
    "clearing",
    "character",
    "monster",
    "native",
    "group",
    "visitor",
    "goods",
    "spell",
    "map chit",
    "dwelling",
    "mission",
    "campaign",
)


class Named(NamedTuple):
    """What a name stands for: a kind of thing and its number."""

    kind: str
    id: int


class Names:
    """The names of all things. No name stands for two things, not even of different kinds.

    `things` are triples of kind, number and name; `codes` are further names that `find` understands.
    """

    def __init__(self, things: Iterable[tuple[str, int, str]], codes: Iterable[tuple[str, int, str]] = ()) -> None:
        names: dict[Named, str] = {}
        found: dict[str, Named] = {}
        for kind, number, name in (*things, *codes):
            named = Named(kind, number)
            if name in found:
                raise BadInput(f"The name {name} stands for a {found[name].kind} and for a {kind}.")
            if any(mark in name for mark in FORBIDDEN) or name != " ".join(name.split()) or not name.isascii():
                raise BadInput(f"The name {name} of a {kind} must be plain text without any of {FORBIDDEN}.")
            found[name] = named
            names.setdefault(named, name)
        self._names: Mapping[Named, str] = MappingProxyType(names)
        self._found: Mapping[str, Named] = MappingProxyType(found)
        self._by_kind: Mapping[str, tuple[str, ...]] = MappingProxyType(
            {kind: tuple(name for named, name in names.items() if named.kind == kind) for kind in KINDS}
        )

    def name(self, kind: str, number: int) -> str:
        """Return what a thing is called."""
        return self._names[Named(kind, number)]

    def find(self, name: str, *kinds: str) -> Named:
        """Return what a name stands for; raise `BadInput` if there is no such thing, or none of these kinds."""
        named = self._found.get(name)
        if named is None or (kinds and named.kind not in kinds):
            raise BadInput(f"There is no {' or '.join(kinds) or 'thing'} called {name[:40]}.")
        return named

    def all(self, kind: str) -> tuple[str, ...]:
        """Return the names of all things of a kind, by number."""
        return self._by_kind[kind]
