"""Draw the signs of seats."""

from __future__ import annotations

from realmtable.kit.svg import Element, element, path


def seat_sign(seat: int, across: float, down: float) -> Element:
    """Draw a small shield in the seat's colour."""
    shape = path(
        "M", across - 8, down - 9, "h", 16, "v", 8, "c", 0, 6, -4, 9, -8, 11, "c", -4, -2, -8, -5, -8, -11, "z"
    )
    return element("path", class_=f"fr-shield fr-shield{seat}", d=shape)


def ready_sign(across: float, down: float) -> Element:
    """Draw a tick for a seat that wants no more trades."""
    return element("path", class_="fr-tick", d=path("M", across - 7, down, "l", 5, 6, "l", 9, -12))
