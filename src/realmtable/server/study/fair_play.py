"""The engine helps nobody in a rated game: while somebody plays one, it is silent about that game towards them."""

from __future__ import annotations

from realmtable.engine import registry
from realmtable.search.analysis import check_study
from realmtable.server.errors import NotAllowed
from realmtable.server.storage.store import Store


async def check_may_ask(store: Store, player_id: str | None, game_id: str) -> None:
    """Refuse a game that cannot be thought about, and anybody who plays a rated game of it at the moment."""
    check_study(registry.info(game_id))
    await check_is_free(store, player_id, game_id)


async def check_is_free(store: Store, player_id: str | None, game_id: str) -> None:
    """Refuse anybody who plays a rated game of this kind at the moment."""
    if player_id is not None and await store.plays_rated(player_id, game_id):
        title = registry.info(game_id).title
        raise NotAllowed(f"You are playing a rated game of {title}; the engine helps again when it is over.")
