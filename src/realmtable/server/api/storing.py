"""Counts what requests at tables are about to store, by person and address, before anything else is done for them."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from realmtable.server.accounts.quotas import EVENT_BYTES, TABLE_BYTES
from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.accounts.sessions import AnyVisitor
from realmtable.server.api.shared import ServicesDep

READ_METHODS: Final = ("GET", "HEAD", "OPTIONS")
OPENS_TABLE_PATHS: Final = ("tables", "rematch")
CHAT_PATH: Final = "chat"
MAX_DIGITS: Final = 12  # digits
MAX_COUNTED_BYTES: Final = 64 * 1024  # of a record from which a table begins, only the position is stored


async def count_stored_bytes(request: Request, services: ServicesDep, who: AnyVisitor) -> None:
    """Dependency of all that changes tables: RateLimited if a person or address has stored enough for a day."""
    if request.method in READ_METHODS:
        return
    address = client_address(request, trust_proxy=services.settings.trust_proxy)
    last = request.url.path.rstrip("/").rpartition("/")[2]
    amount = _body_bytes(request) + (TABLE_BYTES if last in OPENS_TABLE_PATHS else EVENT_BYTES)
    in_a_game = last not in (*OPENS_TABLE_PATHS, CHAT_PATH)
    await services.quotas.spend(who.player, address, amount, in_a_game=in_a_game)


def _body_bytes(request: Request) -> int:
    """How much a request says it sends; one that says it in another way counts as if it sent all it may."""
    said = request.headers.get("content-length")
    if said is None:
        return MAX_COUNTED_BYTES if "transfer-encoding" in request.headers else 0
    is_number = said.isascii() and said.isdigit() and len(said) <= MAX_DIGITS
    return min(int(said), MAX_COUNTED_BYTES) if is_number else MAX_COUNTED_BYTES
