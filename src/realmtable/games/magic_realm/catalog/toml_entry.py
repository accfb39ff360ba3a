"""Reads the fields of an entry in a data file. Every mistake is reported in one sentence that names the entry."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from typing import Final

from realmtable.engine.errors import BadInput

MAX_TEXT: Final = 160
SIGNATURE: Final = re.compile(r"([NLMHT])([1-9])")


class TomlEntry:
    """A table of a data file whose fields are taken one by one; `finish` refuses those that are left."""

    def __init__(self, title: str, fields: object) -> None:
        if not isinstance(fields, dict):
            raise BadInput(f"{title} must be a table of fields, not {str(fields)[:40]}.")
        self.title = title
        self._fields: dict[str, object] = dict(fields)

    def has(self, field: str) -> bool:
        """Return whether a field is given and not taken yet."""
        return field in self._fields

    def holds_text(self, field: str) -> bool:
        """Return whether a field is given as a text."""
        return isinstance(self._fields.get(field), str)

    def fields(self) -> list[str]:
        """Return the names of the fields that are not taken yet."""
        return [*self._fields]

    def finish(self) -> None:
        """Refuse the fields that are left."""
        for field in self._fields:
            raise BadInput(f"{self.title} has an unknown field {field[:40]}.")

    def text(self, field: str, default: str | None = None) -> str:
        """Take a text."""
        value = self._take(field, default)
        if not (isinstance(value, str) and len(value) <= MAX_TEXT and (value or default == "")):
            raise BadInput(f"{field} of {self.title} must be a text of up to {MAX_TEXT} characters.")
        return value

    def word(self, field: str, words: Collection[str], default: str | None = None) -> str:
        """Take one of the given words."""
        value = self.text(field, default)
        if value not in words and value != default:
            raise BadInput(f"{field} of {self.title} must be one of {', '.join(words)}, not {value[:40]}.")
        return value

    def number(self, field: str, low: int, high: int, default: int | None = None) -> int:
        """Take a whole number within bounds; the default may lie outside."""
        if default is not None and not self.has(field):
            return default
        return self._check_number(field, self._take(field, None), low, high)

    def flag(self, field: str) -> bool:
        """Take true or false; an absent field is false."""
        value = self._take(field, default=False)
        if not isinstance(value, bool):
            raise BadInput(f"{field} of {self.title} must be true or false.")
        return value

    def words(
        self, field: str, words: Collection[str] | None = None, default: tuple[str, ...] | None = ()
    ) -> tuple[str, ...]:
        """Take a list of texts, each of them one of the given words if there are any."""
        values = []
        for value in self._list(field, None if default is None else list(default)):
            if not isinstance(value, str) or (words is not None and value not in words):
                allowed = f"of {', '.join(words)}" if words is not None else "of texts"
                raise BadInput(f"{field} of {self.title} must be a list {allowed}, without {str(value)[:40]}.")
            values.append(value)
        return tuple(values)

    def word_lists(self, field: str) -> tuple[tuple[str, ...], ...]:
        """Take a list of lists of texts."""
        rows = self._list(field, None)
        return tuple(TomlEntry(self.title, {field: row}).words(field) for row in rows)

    def numbers(self, field: str, low: int, high: int, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Take a list of whole numbers within bounds."""
        values = self._list(field, None if default is None else list(default))
        return tuple(self._check_number(field, value, low, high) for value in values)

    def number_lists(self, field: str, low: int, high: int) -> tuple[tuple[int, ...], ...]:
        """Take a list of lists of whole numbers within bounds."""
        rows = self._list(field, None)
        return tuple(TomlEntry(self.title, {field: row}).numbers(field, low, high) for row in rows)

    def point(self, field: str) -> tuple[int, int]:
        """Take a point, x and y."""
        values = self.numbers(field, -150, 150)  # the bend of a road may lie outside its tile
        if len(values) != 2:  # noqa: PLR2004 - x and y
            raise BadInput(f"{field} of {self.title} must be a point, such as [10, -20].")
        return values[0], values[1]

    def signature(self, field: str) -> tuple[str, int]:
        """Take a strength and a time, such as "M4"."""
        value = self.text(field)
        match = SIGNATURE.fullmatch(value)
        if match is None:
            raise BadInput(f"{field} of {self.title} must be a strength and a time, such as M4, not {value[:40]}.")
        return match[1], int(match[2])

    def entry(self, field: str, title: str = "") -> TomlEntry:
        """Take a table."""
        return TomlEntry(title or f"{field} of {self.title}", self._take(field, None))

    def entries(self, field: str, name: str = "name") -> list[TomlEntry]:
        """Take a list of tables; each is called by its field `name`, if it has one, or by its number."""
        found = []
        for number, row in enumerate(self._list(field, None), start=1):
            named = row.get(name) if isinstance(row, dict) else None
            found.append(TomlEntry(str(named)[:40] if named else f"{field} {number} of {self.title}", row))
        return found

    def _take(self, field: str, default: object) -> object:
        if field in self._fields:
            return self._fields.pop(field)
        if default is None:
            raise BadInput(f"{self.title} needs the field {field}.")
        return default

    def _list(self, field: str, default: list[str] | list[int] | None) -> list[object]:
        value = self._take(field, default)
        if not isinstance(value, list):
            raise BadInput(f"{field} of {self.title} must be a list.")
        return value

    def _check_number(self, field: str, value: object, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadInput(f"{field} of {self.title} must be a number from {low} to {high}, not {str(value)[:40]}.")
        return value


def parse_file(name: str, text: str) -> TomlEntry:
    """Return the table that a data file holds."""
    try:
        return TomlEntry(name, tomllib.loads(text))
    except ValueError as error:
        raise BadInput(f"{name} is not valid TOML: {error}.") from None
