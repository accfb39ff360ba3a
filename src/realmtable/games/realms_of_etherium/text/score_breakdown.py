"""Break the final points of each player down by Victory Realm."""

from __future__ import annotations

from realmtable.engine.protocol import ScoreBreakdown, ScoreLine, Seat, View
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of


def score_breakdowns(view: View) -> list[ScoreBreakdown]:
    """Return each player's Victory Realms with their points, best player first; empty while the game goes on (C4)."""
    ended = view["outcome"]
    if ended is None:
        return []
    seats = sorted(range(len(view["players"])), key=lambda seat: (ended["ranking"][seat], seat))
    return [
        ScoreBreakdown(seat, ended["ranking"][seat], view["players"][seat]["points"], _lines_of(view, seat))
        for seat in seats
    ]


def _lines_of(view: View, seat: Seat) -> tuple[ScoreLine, ...]:
    owned = [realm for realm in view["realms"] if realm["seat"] == seat and realm["points"] is not None]
    owned.sort(key=lambda realm: (-realm["points"], realm["kind"]))
    return tuple(ScoreLine(realm["kind"], realm["points"], tile_of(view, realm["kind"]).sentence()) for realm in owned)
