"""Everything that can be refused, as one small tree.

The class names the situation and is the word on the wire; the message is one sentence that says what to do.

::

    RealmtableError
    ├── BadInput            something could not be read
    │   ├── BadNotation     the text of a move
    │   ├── BadPosition     the text of a state
    │   ├── BadOptions      options: unknown, out of bounds or contradictory
    │   ├── BadRecord       a record file, with its line
    │   └── UnknownGame     no game has that id
    └── Refused             well understood, but not allowed
        ├── IllegalMove     with the clause of RULES.md it breaks
        ├── NotYourTurn     another seat acts now
        ├── GameOver        nobody acts any more
        └── NothingToUndo   no step of that seat's own turn to take back
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class RealmtableError(Exception):
    """The root of every refusal of this package."""

    @property
    def code(self) -> str:
        """The word for this situation on the wire: the class name."""
        return type(self).__name__

    def __reduce__(self) -> tuple[Callable[..., RealmtableError], tuple[Any, ...]]:
        """Travel between processes with all facts, whatever the class asks for when it is made."""
        return _rebuild_error, (type(self), self.args, self.__dict__)


def _rebuild_error(kind: type[RealmtableError], args: tuple[Any, ...], facts: dict[str, Any]) -> RealmtableError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class BadInput(RealmtableError):
    """Something could not be read."""


class BadNotation(BadInput):
    """The text of a move could not be read."""


class BadPosition(BadInput):
    """The text of a state could not be read."""


class BadOptions(BadInput):
    """Options are unknown, out of bounds or contradictory."""


class BadRecord(BadInput):
    """A record could not be read; `line` counts from 1, 0 where no line is to blame."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"Line {line}: {message}" if line else message)
        self.line = line


class UnknownGame(BadInput):
    """No game has that id."""


class Refused(RealmtableError):
    """The request is well understood, but not allowed."""


class IllegalMove(Refused):
    """The move breaks the rules; `clause` is its number in the game's RULES.md."""

    def __init__(self, clause: str, message: str) -> None:
        super().__init__(f"{message} ({clause})")
        self.clause = clause
        self.sentence = message


class NotYourTurn(Refused):
    """Another seat acts now."""


class GameOver(Refused):
    """The game has ended."""


class NothingToUndo(Refused):
    """There is no step of that seat's own turn to take back."""
