"""Where the game is: the day, its part, and who is awaited."""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import Seat, View
from realmtable.engine.table_parts import Moment
from realmtable.games.magic_realm import INFO
from realmtable.kit.wording import join_words

PARTS: Final = ("birdsong", "sunrise", "daylight", "sunset", "evening", "midnight")
_COMBAT_PARTS: Final = ("sunset", "evening")  # in games without combat, midnight follows daylight


def moment(view: View) -> Moment:
    """Return the moment of the game."""
    text = _say_awaited(view)
    if view["part"] == "over":
        return Moment(translate("The end"), icon="goal")
    if view["part"] == "setup":
        return Moment(translate("Set-up"), text, "site")
    names = {
        "birdsong": translate("Birdsong"),
        "sunrise": translate("Sunrise"),
        "daylight": translate("Daylight"),
        "sunset": translate("Sunset"),
        "evening": translate("Evening"),
        "midnight": translate("Midnight"),
    }
    parts = [part for part in PARTS if view["combat_rules"] or part not in _COMBAT_PARTS]
    now = _find_part(view)
    title = translate("Day {day} of {last} · {part}", day=view["day"], last=view["last_day"], part=names[now])
    return Moment(title, text, now, tuple((part, names[part]) for part in parts), parts.index(now))


def _find_part(view: View) -> str:
    """Return the part of the day; the sun sets while chance draws the clearing where the evening comes first (E1)."""
    is_sunset = view["part"] == "evening" and view["doing"] is not None and view["doing"]["kind"] == "clearing"
    return "sunset" if is_sunset else str(view["part"])


def _say_awaited(view: View) -> str:
    """Say whose choice is awaited or, while the viewer writes the day, who has written theirs."""
    viewer, acting = view["viewer"], view["acting"]
    if viewer in acting:
        others = [player["seat"] for player in view["players"] if player["seat"] != viewer and not player["dead"]]
        ready = [name_seat(view, seat) for seat in others if seat not in acting] if view["part"] == "birdsong" else []
        if ready:
            return translate_count("{players} is ready", "{players} are ready", len(ready), players=join_words(ready))
        return translate("It is your turn")
    names = [name_seat(view, seat) for seat in acting]
    return translate("Waiting for {players}", players=join_words(names)) if names else ""


def name_seat(view: View, seat: Seat) -> str:
    """Return the character of a seat, or the seat's usual name before one is chosen."""
    return view["players"][seat]["character"] or INFO.seat_names[seat]
