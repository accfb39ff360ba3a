"""What a table's server can refuse, beside what the engine refuses (`realmtable.engine.errors`).

::

    RealmtableError
    ├── BadInput
    │   ├── BadSetup          a table cannot be opened like this
    │   └── TooLarge          a body, name or text is longer than allowed
    ├── Refused
    │   ├── StaleVersion      the table has moved on since the sender looked
    │   ├── NotSeated         the sender has no seat (or not this one) at the table
    │   ├── SeatTaken         somebody sits there
    │   ├── NotRunning        the table has not begun, or is over
    │   ├── NothingOffered    there is no offer to answer
    │   ├── NotAllowed        the sender may not do this
    │   │   └── SignInAgain   the sender must have signed in a short while ago
    │   ├── BadCredentials    name and password, link or token do not fit
    │   ├── NameTaken         a claimed name belongs to somebody else
    │   ├── QuotaReached      the sender has stored as much as one may
    │   └── RateLimited       too many requests; `retry_after_s` says when to come back
    ├── NotFound              no table, record, player or page has that id
    └── Unavailable           storage cannot be reached or written; try again

`STATUS` gives each its HTTP status; the class name is the `code` on the wire.
"""

from __future__ import annotations

from http import HTTPStatus

from realmtable.engine import errors
from realmtable.engine.errors import BadInput, RealmtableError, Refused


class BadSetup(BadInput):
    """A table cannot be opened like this."""


class TooLarge(BadInput):
    """Something is longer than allowed."""


class StaleVersion(Refused):
    """The table has moved on since the sender looked."""


class NotSeated(Refused):
    """The sender has no seat at the table, or not this one."""


class SeatTaken(Refused):
    """Somebody sits there."""


class NotRunning(Refused):
    """The table has not begun, or is over."""


class NothingOffered(Refused):
    """There is no offer to answer."""


class NotAllowed(Refused):
    """The sender may not do this."""


class SignInAgain(NotAllowed):
    """The sender must have signed in a short while ago."""


class BadCredentials(Refused):
    """Name and password, link or token do not fit."""


class NameTaken(Refused):
    """A claimed name belongs to somebody else."""


class QuotaReached(Refused):
    """The sender has stored as much as one may."""


class RateLimited(Refused):
    """Too many requests."""

    def __init__(self, message: str, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class NotFound(RealmtableError):
    """No table, record, player or page has that id."""


class Unavailable(RealmtableError):
    """Storage cannot be reached or written at the moment."""


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
    """The HTTP status of a refusal: that of the nearest class above it."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def add_table_context(error: RealmtableError, game: str, version: int) -> RealmtableError:
    """The error, knowing at which game's table and at which version it was raised: the answer says so."""
    error.__dict__.update(game=game, version=version)
    return error
