"""What the twin of Magic Realm compares of a position (F2 to F7), as plain data.

It differs from the text of F1 in two ways: everything is written, not only what has changed, and who knows which
inactive card is left out, because the twin does not follow that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.magic_realm.twin.twin_data import TILES, tile_of
from tests.magic_realm.twin.twin_search import CAMPFIRES, STACK_OWNERS
from tests.magic_realm.twin.twin_written_day import ORDERS

if TYPE_CHECKING:
    from tests.magic_realm.twin.twin_game import Game
    from tests.magic_realm.twin.twin_state import Hero


def describe_game(game: Game) -> dict[str, Any]:
    seats = {hero.seat: hero for hero in [*game.deaths, *game.dead.values(), *game.heroes.values()]}
    living = {hero.seat for hero in game.heroes.values()}
    names = {hero.seat: hero.name for hero in game.heroes.values() if is_born(game, hero)}
    found: dict[str, Any] = {
        "heroes": [names.get(seat, "-") for seat in range(game.seat_count)],
        "day": game.day_number,
        "part": game.part,
        "rows": game.rows,
        "first": next((seat for seat, hero in seats.items() if hero.name == game.first), None),
        "map": {"{}:{},{},{}".format(*text.split()) for text in game.tiles},
        "chits": describe_chits(game),
        "campfires": {tile_of(place) for name, place in game.dwellings.items() if name in CAMPFIRES.values()},
        "monsters": game.monsters,
        "ghosts": game.ghosts,
        "held": game.held,
        "boxes": game.boxes,
        "piles": {name: pile for name, pile in game.piles.items() if pile},
        "gone": {*game.gone},
        "damaged": game.damaged,
        "open": game.vault_is_open,
    }
    for seat, hero in seats.items():
        facts = describe_hero(game, hero) if seat in living else {"dead": True}
        found |= {f"{seat + 1}.{key}": value for key, value in facts.items()}
    return found


def is_born(game: Game, hero: Hero) -> bool:
    """Whether a living hero is on the map, or will be when the game begins; not while a new life is prepared."""
    return hero.at != "nowhere" or game.part == "setup"


def describe_chits(game: Game) -> dict[str, tuple[set[int], bool, bool]]:
    """Return for each decided chit who knows it, whether it is face up, and whether it has summoned today."""
    heroes = [*game.heroes.values(), *game.deaths, *game.dead.values()]
    everyone = {*range(game.seat_count)}
    found = {}
    for tile, chits in game.chits.items():
        if TILES[tile]["group"] == "V":
            continue
        for chit in chits:
            name = f"{tile} {chit}"
            seers = everyone if name in game.public else {hero.seat for hero in heroes if name in hero.seen}
            found[name] = (seers, name in game.face_up, name in game.summoned and chit not in STACK_OWNERS)
    return found


def describe_hero(game: Game, hero: Hero) -> dict[str, Any]:
    return {
        "dead": not is_born(game, hero),
        "at": hero.at,
        "home": hero.home,
        "unhidden": not hero.hidden,
        "blocked": hero.blocked,
        "found": hero.found,
        "anywhere": hero.anywhere,
        "guide": game.heroes[hero.guide].seat if hero.guide and not hero.done else None,  # none in a circle
        "came": hero.came,
        "climbs": hero.climbs,
        "tired": game.chit_numbers(hero, "fatigued"),
        "wounded": game.chit_numbers(hero, "wounded"),
        "gold": hero.gold,
        "fame": hero.fame,
        "notoriety": hero.notoriety,
        "goods": [
            item.name + "+" * item.active + "!" * item.alerted + "~" * (item.name in game.damaged)
            for item in hero.goods
        ],
        "curses": hero.curses,
        "berserk": hero.berserk,
        "kills": hero.kills,
        "knows": {name for name in hero.knows if hero.name != "Wizard" or "-" not in name},  # F7
        "points": sorted(hero.points),
        **({"plan": hero.plan} if game.part == "birdsong" else {}),  # then it is done or kept, whatever is simpler
        "used": hero.used,
        "orders": {kind: word for kind, word in hero.orders.items() if word != ORDERS[kind][0]},
        "backs": hero.backs,
        "ordered": hero.ordered,
        "ready": hero.ready,
    }
