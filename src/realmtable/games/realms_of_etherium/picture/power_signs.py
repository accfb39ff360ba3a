"""What a tile does in signs, for its face on the map.

A line has numbers and signs. A sign is written in braces: ``{white}`` and ``{black}`` are Etherium, ``{star}`` is a
victory point, ``{red}`` is the sign of a colour, ``{swap}`` is the emblem of a power, and ``{arrow}``, ``{mage}``,
``{flag}``, ``{rival}`` and ``{linked}`` are things that powers are about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.games.realms_of_etherium.tiles.manifest import Cost, Power, Tile


def power_lines(tile: Tile) -> tuple[str, ...]:
    """Return one or two lines that say what a tile does; none for a Portal and Disruption, which show their emblem.

    >>> from realmtable.games.realms_of_etherium.tiles.tile_facts import standard_tiles
    >>> [power_lines(standard_tiles()[name]) for name in ("Draw", "Swap", "Network")]
    [('{white}/{red}',), ('2{white}:{swap}',), ('1{star}/', '{linked}{yellow}')]
    """
    return _LINES[tile.power.verb](tile)


def price_text(cost: Cost) -> str:
    """Return a price in signs; "free" if it is nothing.

    >>> price_text(Cost(2, 1)), price_text(Cost(0, 0))
    ('2{white} 1{black}', 'free')
    """
    parts = [f"{amount}{{{colour}}}" for amount, colour in ((cost.white, "white"), (cost.black, "black")) if amount]
    return " ".join(parts) or "free"


def _paid(tile: Tile) -> tuple[str, ...]:
    emblem = f"{{{tile.power.verb}}}"
    return (emblem if tile.use == (0, 0) else f"{price_text(tile.use)}:{emblem}",)


def _conjure(tile: Tile) -> tuple[str, ...]:
    return ("+1{mage}" if tile.use == (0, 0) else f"{price_text(tile.use)}{{arrow}}{{mage}}",)


def _amount(power: Power) -> str:
    return price_text(Cost(power.white, power.black))


def _gain(tile: Tile) -> tuple[str, ...]:
    power = tile.power
    amount = _amount(power)
    return (f"{amount.removeprefix('1')}/{{{power.per}}}" if power.per else f"+{amount}",)


def _score(tile: Tile) -> tuple[str, ...]:
    power = tile.power
    each = f"{power.points}{{star}}/"
    if power.colours:
        return each, f"{{{power.colours[0]}}}{{{power.colours[1]}}}"
    counted = f"{{{power.of or _COUNTED[power.by]}}}"
    is_linked = power.verb == "score_connected" or power.where == "connected"
    return (each, f"{{linked}}{counted}") if is_linked else (f"{each}{counted}",)


_COUNTED: Final = {"owner": "flag", "opponents": "rival", "": "score_types"}
_LINES: Final[Mapping[str, Callable[[Tile], tuple[str, ...]]]] = {
    "portal": lambda _: (),
    "disrupt": lambda _: (),
    "gain": _gain,
    "conjure": _conjure,
    "convert": lambda tile: (f"{price_text(tile.use)}{{convert}}{{black}}",),
    "push": _paid,
    "protect": _paid,
    "extra_move": lambda _: ("+1{extra_move}",),
    "transfer": _paid,
    "exhaust": _paid,
    "shift": _paid,
    "swap": _paid,
    "tribute": lambda _: ("+1{white}/{mage}",),
    "react": lambda tile: (f"{{{tile.power.to}}}{{arrow}}+{_amount(tile.power)}",),
    "lessen": lambda _: ("−1{white}", "{purple}{orange}{green}"),
    "streamline": lambda _: ("{flag}−1{black}",),
    "score_adjacent": _score,
    "score_pairs": _score,
    "score_connected": _score,
    "score_controlled": _score,
    "score_types": _score,
}
