"""Charges the bytes that a request to a table will store to its person and address, before it is processed."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import AnyVisitor
from realmtable.server.accounts.quotas import EVENT_BYTES, TABLE_BYTES
from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.api.dependencies import Services, ServicesDep
from realmtable.server.logs import find_header

READ_METHODS: Final = ("GET", "HEAD", "OPTIONS")
OPENS_TABLE_PATHS: Final = ("tables", "rematch")
CHAT_PATH: Final = "chat"
MAX_DIGITS: Final = 12  # of a content length
MAX_COUNTED_BYTES: Final = 64 * 1024  # a larger body contains a record, of which only the final position is stored


async def count_stored_bytes(request: Request, services: ServicesDep, visitor: AnyVisitor) -> None:
    """Dependency of all requests that change tables; raises if a person or address has used up its daily quota."""
    if request.method in READ_METHODS:
        return
    address = client_address(request, trust_proxy=services.settings.trust_proxy)
    last = request.scope["path"].rstrip("/").rpartition("/")[2]
    amount = _body_bytes(request) + (TABLE_BYTES if last in OPENS_TABLE_PATHS else EVENT_BYTES)
    in_a_game = last not in (*OPENS_TABLE_PATHS, CHAT_PATH)
    await services.quotas.spend(visitor.player, address, amount, in_a_game=in_a_game)


async def charge_action(services: Services, player: Player, address: str, length: int, *, in_a_game: bool) -> None:
    """Do the same as `count_stored_bytes` for a message on a table's socket."""
    await services.quotas.spend(player, address, length + EVENT_BYTES, in_a_game=in_a_game)


def _body_bytes(request: Request) -> int:
    """Return the declared size of the body; an unknown or invalid size counts as the maximum."""
    length = find_header(request.scope, b"content-length")
    if length is None:
        return 0 if find_header(request.scope, b"transfer-encoding") is None else MAX_COUNTED_BYTES
    is_number = length.isascii() and length.isdigit() and len(length) <= MAX_DIGITS
    return min(int(length), MAX_COUNTED_BYTES) if is_number else MAX_COUNTED_BYTES
