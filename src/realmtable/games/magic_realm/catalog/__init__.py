"""The facts of the game: tiles, characters, counters, cards and tables, read once from `data/`."""

from __future__ import annotations

from realmtable.games.magic_realm.catalog.catalog import Catalog
from realmtable.games.magic_realm.catalog.load import load_catalog, map_graph

__all__ = ["Catalog", "load_catalog", "map_graph"]
