"""The server's errors, in addition to those of the engine (`realmtable.engine.errors`).

::

    RealmtableError
    ├── BadInput
    │   ├── BadSetup          a table cannot be opened with these settings
    │   └── TooLarge          a body, name or text is too long
    ├── Refused
    │   ├── StaleVersion      the table has changed since the version the request refers to
    │   ├── NotSeated         the sender does not have the seat
    │   ├── SeatTaken         the seat is occupied
    │   ├── NotRunning        the game has not started, or is over
    │   ├── NothingOffered    there is no offer to answer
    │   ├── NotAllowed        the sender is not allowed to do this
    │   │   └── SignInAgain   the action requires a recent sign-in
    │   ├── BadCredentials    wrong name, password, link or token
    │   ├── NameTaken         the name belongs to another player
    │   ├── QuotaReached      the sender has used up their storage
    │   └── RateLimited       too many requests; retry after `retry_after_s`
    ├── NotFound              no table, record, player or page has that id
    └── Unavailable           storage cannot be read or written; try again

`STATUS` maps each class to its HTTP status; the class name is the `code` in responses.
"""

from __future__ import annotations

from http import HTTPStatus

from realmtable.engine import errors
from realmtable.engine.errors import BadInput, RealmtableError, Refused


class BadSetup(BadInput):
    """A table cannot be opened with these settings."""


class TooLarge(BadInput):
    """A body, name or text is too long."""


class StaleVersion(Refused):
    """The table has changed since the version the request refers to."""


class NotSeated(Refused):
    """The sender does not have the seat."""


class SeatTaken(Refused):
    """The seat is occupied."""


class NotRunning(Refused):
    """The game has not started, or is over."""


class NothingOffered(Refused):
    """There is no offer to answer."""


class NotAllowed(Refused):
    """The sender is not allowed to do this."""


class SignInAgain(NotAllowed):
    """The action requires a recent sign-in."""


class BadCredentials(Refused):
    """Wrong name, password, link or token."""


class NameTaken(Refused):
    """The name belongs to another player."""


class QuotaReached(Refused):
    """The sender has used up their storage."""


class RateLimited(Refused):
    """Too many requests."""

    def __init__(self, message: str, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class NotFound(RealmtableError):
    """No table, record, player or page has that id."""


class Unavailable(RealmtableError):
    """Storage cannot be read or written at the moment."""


STATUS: dict[type[RealmtableError], HTTPStatus] = {
    TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.UnknownGame: HTTPStatus.NOT_FOUND,
    BadInput: HTTPStatus.UNPROCESSABLE_ENTITY,
    BadCredentials: HTTPStatus.UNAUTHORIZED,
    NotSeated: HTTPStatus.FORBIDDEN,
    NotAllowed: HTTPStatus.FORBIDDEN,
    QuotaReached: HTTPStatus.TOO_MANY_REQUESTS,
    RateLimited: HTTPStatus.TOO_MANY_REQUESTS,
    Refused: HTTPStatus.CONFLICT,
    NotFound: HTTPStatus.NOT_FOUND,
    Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}


def http_status(error: RealmtableError) -> HTTPStatus:
    """Return the HTTP status of an error: that of its nearest base class in `STATUS`."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def add_table_context(error: RealmtableError, game: str, version: int) -> RealmtableError:
    """Attach the game and version of the table to an error, for the response."""
    error.__dict__.update(game=game, version=version)
    return error
