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


class NamedThing(NamedTuple):
    """What a name stands for: a kind of thing and its number."""

    kind: str
    id: int


class Names:
    """The names of all things, and of all that steps and positions refer to.

    `things` are triples of kind, number and name. No name stands for two of them, not even of different kinds. `codes`
    are further names that `find` understands. `references` hold further kinds, such as what can be looted: they may
    share names with things and with each other.
    """

    def __init__(
        self,
        things: Iterable[tuple[str, int, str]],
        codes: Iterable[tuple[str, int, str]] = (),
        references: Mapping[str, Mapping[int, str]] = MappingProxyType({}),
    ) -> None:
        names: dict[str, dict[int, str]] = {kind: {} for kind in KINDS}
        found: dict[str, NamedThing] = {}
        for kind, number, name in (*things, *codes):
            if name in found:
                raise BadInput(f"The name {name} stands for a {found[name].kind} and for a {kind}.")
            if any(mark in name for mark in FORBIDDEN) or name != " ".join(name.split()) or not name.isascii():
                raise BadInput(f"The name {name} of a {kind} must be plain text without any of {FORBIDDEN}.")
            found[name] = NamedThing(kind, number)
            names[kind].setdefault(number, name)
        self._found = found
        kinds: dict[str, Mapping[int, str]] = {**names, **references}
        self._by_number = {kind: MappingProxyType({**by_number}) for kind, by_number in kinds.items()}
        self._by_name = {kind: MappingProxyType(_find_first(names)) for kind, names in self._by_number.items()}

    def by_number(self, kind: str) -> Mapping[int, str]:
        """Return the names of all things of a kind, by number."""
        return self._by_number[kind]

    def by_name(self, kind: str) -> Mapping[str, int]:
        """Return the numbers of all things of a kind, by name: the lowest number of those that share a name."""
        return self._by_name[kind]

    def find(self, name: str, *kinds: str) -> NamedThing:
        """Return what a name stands for; raise `BadInput` if there is no such thing, or none of these kinds."""
        named = self._found.get(name)
        if named is None or (kinds and named.kind not in kinds):
            raise BadInput(f"There is no {' or '.join(kinds) or 'thing'} called {name[:40]}.")
        return named


def _find_first(names: Mapping[int, str]) -> dict[str, int]:
    return {name: number for number, name in reversed([*names.items()])}
