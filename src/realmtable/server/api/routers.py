"""The routers of the API, in the order in which the application tries them."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from realmtable.server.api import (
    accounts,
    games,
    images,
    lessons,
    new_tables,
    notifications,
    people,
    puzzles,
    scores,
    study,
    table_positions,
    tables,
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    images.router,  # before those with shorter paths for the same moments
    new_tables.router,
    tables.router,
    table_positions.router,
    games.router,
    study.router,
    puzzles.router,
    lessons.router,
    scores.router,
    accounts.router,
    notifications.router,
    people.router,
)
