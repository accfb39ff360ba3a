"""The routers of the API, in the order in which the application tries them."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from realmtable.server.api import (
    accounts,
    games,
    images,
    lessons,
    notifications,
    people,
    puzzles,
    scores,
    study,
    tables,
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    images.router,  # before those with shorter paths for the same moments
    tables.router,
    games.router,
    study.router,
    puzzles.router,
    lessons.router,
    scores.router,
    accounts.router,
    notifications.router,
    people.router,
)
