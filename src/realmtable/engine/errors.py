"""The package's exceptions, as one small tree.

The class name describes the situation and doubles as the code on the wire; the message is one sentence that tells the
reader what to do.

::

    RealmtableError
    ├── BadInput            the input could not be read
    │   ├── BadNotation     the text of a move
    │   ├── BadPosition     the text of a state
    │   ├── BadOptions      options: unknown, out of bounds or contradictory
    │   ├── BadRecord       a record file, with its line
    │   └── UnknownGame     no game has that id
    └── Refused             understood, but not allowed
        ├── IllegalMove     breaks a clause of RULES.md
        ├── NotYourTurn     another seat is to act
        ├── GameOver        the game has ended
        └── NothingToUndo   the seat has no step in this turn to undo
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class RealmtableError(Exception):
    """Base class of every error this package raises on purpose."""

    @property
    def code(self) -> str:
        """The error code on the wire: the class name."""
        return type(self).__name__

    def __reduce__(self) -> tuple[Callable[..., RealmtableError], tuple[Any, ...]]:
        """Pickle with all attributes, whatever arguments the constructor takes."""
        return _rebuild_error, (type(self), self.args, self.__dict__)


def _rebuild_error(kind: type[RealmtableError], args: tuple[Any, ...], attributes: dict[str, Any]) -> RealmtableError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class BadInput(RealmtableError):
    """The input could not be read."""


class BadNotation(BadInput):
    """The text of a move could not be read."""


class BadPosition(BadInput):
    """The text of a state could not be read."""


class BadOptions(BadInput):
    """Options are unknown, out of bounds or contradictory."""


class BadRecord(BadInput):
    """A record could not be read; `line` counts from 1 and is 0 if no single line is at fault."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"Line {line}: {message}" if line else message)
        self.line = line


class UnknownGame(BadInput):
    """No game has that id."""


class Refused(RealmtableError):
    """The request was understood but is not allowed."""


class IllegalMove(Refused):
    """The move breaks the rules; `clause` is its number in the game's RULES.md, empty if the game has none."""

    def __init__(self, clause: str, message: str) -> None:
        super().__init__(f"{message} ({clause})" if clause else message)
        self.clause = clause
        self.sentence = message


class NotYourTurn(Refused):
    """Another seat is to act."""


class GameOver(Refused):
    """The game has ended."""


class NothingToUndo(Refused):
    """The seat has no step in the current turn to undo."""
