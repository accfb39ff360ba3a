"""The score of Magic Realm (Q7, Q8), for the twin.

`score(purse)` takes plain data: `points` (those assigned, `["fame", "fame", "gold"]`, with `treasures` for great
treasures, as in Z11), `character` (for its worth and chits) or `worth`, `gold`, `fame`, `notoriety`, `spells` (how many
were learned), `goods` (names as in the set-up of a day, `+` for active ones, or dicts with `great`, `fame`,
`notoriety`, `weight`), `fatigued` and `wounded` (numbers of chits), `curses` and `dead`.
"""

from __future__ import annotations

from typing import Any, Final

from tests.magic_realm.twin.twin_data import CHARACTERS, GOODS, is_at_least, weight_of
from tests.magic_realm.twin.twin_state import make_hero

FACTORS: Final = {"treasures": 1, "spells": 2, "fame": 10, "notoriety": 20, "gold": 30}
DEAD: Final = -100


def score(purse: dict[str, Any]) -> int:
    return DEAD if purse.get("dead") else sum(sum(pair) for pair in score_kinds(purse).values())


def score_kinds(purse: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """The basic and the bonus score of each kind."""
    scores = {}
    owned = count_owned(purse)
    for kind, factor in FACTORS.items():
        points = purse["points"].count(kind)
        rest = owned[kind] - points * factor
        if kind == "gold":
            rest -= purse["worth"] if "worth" in purse else CHARACTERS[purse["character"]]["worth"]
        if rest < 0:
            rest *= 3
        basic = rest // factor
        scores[kind] = (basic, basic * points)
    return scores


def count_owned(purse: dict[str, Any]) -> dict[str, int]:
    goods = [GOODS[name] if isinstance(name, str) else name for name in keep_carried(purse)]
    curses = purse.get("curses", [])
    return {
        "treasures": sum(bool(row.get("great")) for row in goods),
        "spells": purse.get("spells", 0),
        "fame": (-1 if "Disgust" in curses else purse.get("fame", 0)) + sum(row.get("fame", 0) for row in goods),
        "notoriety": purse.get("notoriety", 0) + sum(row.get("notoriety", 0) for row in goods),
        "gold": -1 if "Ashes" in curses else purse.get("gold", 0),
    }


def keep_carried(purse: dict[str, Any]) -> list[str | dict[str, Any]]:
    """Q7: what is too heavy is dropped, and inactive horses do not help. Horses have no weight."""
    named = [name for name in purse.get("goods", []) if isinstance(name, str)]
    others = [row for row in purse.get("goods", []) if not isinstance(row, str)]
    strength = "T"
    if "character" in purse:
        facts = {key: purse.get(key, []) for key in ("fatigued", "wounded")}
        strength = make_hero(purse["character"], 0, {"at": "", "goods": named, **facts}).strength()
    names = [name.removesuffix("+") for name in named]
    return [
        *(name for name in names if is_at_least(strength, weight_of(name))),
        *(row for row in others if is_at_least(strength, row.get("weight", "N"))),
    ]
