"""Sketch the map for a terminal."""

from __future__ import annotations

from realmtable.engine.protocol import Span, View


def sketch(view: View) -> list[list[Span]]:
    """Return the map and the players as lines of styled text."""
    return [[(f"Round {view['round']}", "title")]]
