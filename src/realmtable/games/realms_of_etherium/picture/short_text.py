"""What a tile does in a few words and signs, for its face on the map.

A line has words and signs. A sign is written in braces: ``{white}`` and ``{black}`` are Etherium, ``{star}`` is a
victory point, and ``{red}`` is the sign of a colour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.games.realms_of_etherium.tiles.manifest import Cost, Power, Tile


def short_lines(tile: Tile) -> tuple[str, ...]:
    """Return one or two short lines that say what a tile does.

    >>> from realmtable.games.realms_of_etherium.tiles.tile_facts import standard_tiles
    >>> short_lines(standard_tiles()["Draw"]), short_lines(standard_tiles()["Swap"])
    (('1{white} for', 'each {red}'), ('2{white}: swap', 'two Realms'))
    """
    return _LINES[tile.power.verb](tile)


def price_text(cost: Cost) -> str:
    """Return a price in signs; "free" if it is nothing.

    >>> price_text(Cost(2, 1)), price_text(Cost(0, 0))
    ('2{white} 1{black}', 'free')
    """
    parts = [f"{amount}{{{colour}}}" for amount, colour in ((cost.white, "white"), (cost.black, "black")) if amount]
    return " ".join(parts) or "free"


def _with_price(tile: Tile, words: str) -> str:
    return words.capitalize() if tile.use == (0, 0) else f"{price_text(tile.use)}: {words}"


def _amount(power: Power) -> str:
    return price_text(Cost(power.white, power.black))


def _gain(tile: Tile) -> tuple[str, ...]:
    power = tile.power
    return (f"{_amount(power)} for", f"each {{{power.per}}}") if power.per else ("Gain", _amount(power))


def _score(tile: Tile) -> tuple[str, ...]:
    power = tile.power
    first = f"{power.points}{{star}} for each"
    if power.colours:
        return first, f"{{{power.colours[0]}}} with {{{power.colours[1]}}}"
    if power.of:
        return first, f"{'linked ' if power.verb == 'score_connected' else ''}{{{power.of}}}"
    if not power.by:
        return first, "type"
    own = "own" if power.by == "owner" else "rival"
    return first, f"{own} linked one" if power.where == "connected" else f"{own} Realm"


_LINES: Final[Mapping[str, Callable[[Tile], tuple[str, ...]]]] = {
    "portal": lambda _: ("All Portals are", "one place"),
    "disrupt": lambda _: ("Your activation", "ends here"),
    "gain": _gain,
    "conjure": lambda tile: (_with_price(tile, "a new"), "Mage"),
    "convert": lambda tile: (f"{price_text(tile.use)} into 1{{black}}", "or back"),
    "push": lambda tile: (_with_price(tile, "push"), "Mages away"),
    "protect": lambda tile: (_with_price(tile, "be"), "protected"),
    "extra_move": lambda _: ("1 more", "move"),
    "transfer": lambda tile: (_with_price(tile, "wake"), "another Mage"),
    "exhaust": lambda tile: (_with_price(tile, "tire"), "Mages nearby"),
    "shift": lambda tile: (_with_price(tile, "move"), "a Realm"),
    "swap": lambda tile: (_with_price(tile, "swap"), "two Realms"),
    "tribute": lambda _: ("1{white} from each", "Mage nearby"),
    "react": lambda tile: (f"Gain {{{tile.power.to}}}: get", f"{_amount(tile.power)} more"),
    "lessen": lambda _: ("Powers cost", "1{white} less"),
    "streamline": lambda _: ("Control costs", "1{black} less"),
    "score_adjacent": _score,
    "score_pairs": _score,
    "score_connected": _score,
    "score_controlled": _score,
    "score_types": _score,
}
