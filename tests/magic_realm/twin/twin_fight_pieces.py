"""Heroes in combat for the twin of whole fights: their chits, belongings and the pieces that they can play.

Everything is plain dicts, with the names of Z2. A question is a dict of those who have to decide, each with the texts
of all legal steps (Z15); chance decides under the name CHANCE.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from tests.magic_realm.twin.twin_data import (
    CHARACTERS,
    ENCHANTED,
    GOODS,
    MONSTERS,
    USABLE_CARDS,
    Row,
    is_at_least,
    weight_of,
)
from tests.magic_realm.twin.twin_melee import CARDS

CHANCE: Final = "chance"
Question = dict[str, list[str]]
Answer = tuple[str, str]  # who, and the text of the step
DIRECTIONS: Final = ("thrust", "swing", "smash")
MANEUVERS: Final = ("charge", "dodge", "duck")
ONE_AT_A_TIME: Final = ("weapon", "horse", "boots", "gloves", "helmet", "breastplate", "shield", "suit")  # D25
MAX_STARS: Final = 2  # C8


def ask(name: str, options: list[str], *, always: bool = False) -> Generator[Question, Answer, str]:
    """Let someone choose; Z3: if there is one answer, the table gives it."""
    if len(options) == 1 and not always:
        return options[0]
    _, text = yield {name: options}
    return text


def roll(dice: int) -> Generator[Question, Answer, list[int]]:
    """Let chance roll one die or two (Z7)."""
    faces = range(1, 7)
    texts = [f"die {one}" for one in faces] if dice == 1 else [f"d {one} {two}" for one in faces for two in faces]
    _, text = yield {CHANCE: texts}
    return [int(word) for word in text.split()[1:]]


# Heroes.


def make_hero(name: str, seat: int) -> Row:
    """Return a hero with all chits active and nothing else."""
    return {
        "name": name,
        "seat": seat,
        "chits": [{**read_label(label), "state": "active"} for label in CHARACTERS[name]["chits"]],
        "goods": [],  # name, active, alerted, damaged; in the order in which they came
        "hidden": False,
        "finds": set(),  # the names of those that it sees when they are hidden
        "found": set(),  # all, counters, cards (D18, D22)
        "exits": [],  # the roadways onto which it can run (E14)
        "berserk": False,
        "curses": set(),
        "gold": 10,
        "fame": 0,
        "notoriety": 0,
        "kills": 0,
        "backs": 0,
        "fate": "fighting",
        "road": None,
        **begin_round(),
    }


def begin_round() -> Row:
    """Return what a hero has done in a round that begins."""
    return {"played": [], "charges": None, "target": None, "draft": [], "ready": False, "wounds": 0}


def read_label(label: str) -> Row:
    kind, mark = label.split()
    stars = mark.count("*")
    mark = mark.rstrip("*")
    return {"label": label, "kind": kind, "strength": mark[:-1], "time": int(mark[-1]), "stars": stars}


def type_of(chit: Row) -> str:
    """W1: Duck counts as Move, Berserk as Fight."""
    return {"Duck": "Move", "Berserk": "Fight"}.get(chit["kind"], str(chit["kind"]))


def list_fighting(fight: Row) -> list[Row]:
    """E5: the living characters in the clearing, in order."""
    return [hero for hero in fight["heroes"].values() if hero["fate"] == "fighting"]


def list_on_sheet(fight: Row, name: str) -> list[str]:
    return [monster for monster, row in fight["monsters"].items() if row["sheet"] == name]


def is_held(fight: Row, name: str) -> bool:
    """C26: whether a red-side-up monster is on the sheet."""
    return any(fight["monsters"][monster]["dark"] and is_tremendous(monster) for monster in list_on_sheet(fight, name))


def is_tremendous(monster: str) -> bool:
    return bool(MONSTERS[monster]["size"] == "T")


def is_spared(name: str, monster: str) -> bool:
    """M9: the Pilgrim and the Demons."""
    rows = [does for advantage in CHARACTERS[name]["advantages"] for does in advantage.get("does", [])]
    return any(does["verb"] == "spared_by" and MONSTERS[monster]["name"] in does["names"] for does in rows)


def can_see(hero: Row, other: Row) -> bool:
    """D18, D22."""
    if other["name"] == hero["name"]:
        return False
    if not other["hidden"] or other["name"] in hero["finds"] or "all" in hero["found"]:
        return True
    counters = {GOODS[item["name"]]["counter"] for item in other["goods"]}
    return ("counters" in hero["found"] and True in counters) or ("cards" in hero["found"] and False in counters)


def list_visible(fight: Row, hero: Row) -> list[str]:
    """The other characters that one can charge or aim at (E11, C3)."""
    return [other["name"] for other in list_fighting(fight) if can_see(hero, other)]


# Belongings.


def find_active(hero: Row, kind: str) -> Row | None:
    return next((item for item in hero["goods"] if item["active"] and GOODS[item["name"]]["class"] == kind), None)


def weapon_weight(hero: Row) -> str:
    """C9, C10: the weight of the active weapon or of the dagger."""
    weapon = find_active(hero, "weapon")
    return "N" if weapon is None else weight_of(weapon["name"])


def is_packed(hero: Row, item: Row) -> bool:
    """D11: whether an inactive horse carries an item."""
    if item["active"] or item["name"] in ENCHANTED:
        return False
    horses = [other for other in hero["goods"] if GOODS[other["name"]]["class"] == "horse" and not other["active"]]
    return any(is_at_least(GOODS[horse["name"]]["strength"], weight_of(item["name"])) for horse in horses)


def load_weights(hero: Row) -> list[str]:
    """The hero's weight and that of every item that no inactive horse carries."""
    items = [item for item in hero["goods"] if GOODS[item["name"]]["class"] != "horse"]
    weights = [weight_of(item["name"]) for item in items if not is_packed(hero, item)]
    return [CHARACTERS[hero["name"]]["weight"], *weights]


def can_carry(hero: Row, strength: str) -> bool:
    return all(is_at_least(strength, weight) for weight in load_weights(hero))


def is_possible(hero: Row, item: Row, *, cave: bool) -> bool:
    """D25: whether a horse or boots that are active can be so."""
    row = GOODS[item["name"]]
    if row["class"] not in {"horse", "boots"}:
        return True
    return not (row["class"] == "horse" and cave) and can_carry(hero, row["strength"])


def can_activate(hero: Row, item: Row, *, cave: bool) -> bool:
    """D25, T1."""
    row = GOODS[item["name"]]
    if item["active"] or (not row["counter"] and item["name"] not in {*USABLE_CARDS, *CARDS}):
        return False
    if row["class"] in ONE_AT_A_TIME and find_active(hero, row["class"]) is not None:
        return False
    item["active"] = True
    possible = is_possible(hero, item, cave=cave)
    item["active"] = False
    return possible


def settle(hero: Row, *, cave: bool) -> None:
    """D25: horses and boots that are too weak become inactive, both if both are."""
    while weak := [item for item in hero["goods"] if item["active"] and not is_possible(hero, item, cave=cave)]:
        for item in weak:
            item["active"] = False


def receive(hero: Row, items: list[Row], *, cave: bool) -> None:
    """K4: belongings of the dead come inactive."""
    for item in items:
        hero["goods"].append({**item, "active": item["name"] in ENCHANTED, "alerted": False})
    settle(hero, cave=cave)


# Pieces that can be played.


def list_chit_pieces(hero: Row, *kinds: str) -> list[Row]:
    """Active chits of some kinds that have not been played in this round; equal labels are one choice (Z2)."""
    labels = [chit["label"] for chit in hero["chits"] if chit["state"] == "active" and chit["kind"] in kinds]
    for piece in list_played(hero):
        if piece["text"] in labels:
            labels.remove(piece["text"])
    return [{**read_label(label), "text": label, "source": "chit"} for label in dict.fromkeys(labels)]


def list_card_pieces(hero: Row, kind: str) -> list[Row]:
    """Active gloves or boots that have not been played in this round."""
    item = find_active(hero, kind)
    if item is None or any(piece["text"] == item["name"] for piece in list_played(hero)):
        return []
    does = next(does for does in GOODS[item["name"]]["does"] if does["verb"] in {"move_piece", "fight_piece"})
    return [{"text": item["name"], "source": kind, "strength": does["strength"], "time": does["time"], "stars": 0}]


def list_horse_pieces(hero: Row) -> list[Row]:
    """Both sides of the active horse; C1: not the one that was played in the encounter."""
    item = find_active(hero, "horse")
    if item is None:
        return []
    sides = []
    for gait, ending in (("walk", ""), ("gallop", " gallop")):
        mark = GOODS[item["name"]][gait]
        side = {"text": item["name"] + ending, "source": "horse", "horse": item["name"], "stars": 0}
        sides.append({**side, "strength": mark[0], "time": int(mark[1])})
    return [side for side in sides if all(piece["text"] != side["text"] for piece in hero["played"])]


def list_played(hero: Row) -> list[Row]:
    """The pieces of the encounter and of the play that is being made."""
    return [*hero["played"], *(entry["piece"] for entry in hero["draft"] if "piece" in entry)]


def fits_stars(hero: Row, piece: Row) -> bool:
    """C8."""
    stars: int = sum(played["stars"] for played in [*list_played(hero), piece])
    return stars <= MAX_STARS


def list_fight_pieces(hero: Row) -> list[Row]:
    """C7, C9, E13."""
    weight = weapon_weight(hero)
    pieces = [*list_chit_pieces(hero, "Fight"), *list_card_pieces(hero, "gloves")]
    return [piece for piece in pieces if is_at_least(piece["strength"], weight) and fits_stars(hero, piece)]


def list_move_pieces(fight: Row, hero: Row, *, duck: bool, horse: bool) -> list[Row]:
    """C7, C9, E11, E14."""
    kinds = ("Move", "Duck") if duck else ("Move",)
    pieces = [*list_chit_pieces(hero, *kinds), *list_card_pieces(hero, "boots")]
    if horse and not fight["cave"]:
        pieces += list_horse_pieces(hero)
    return [piece for piece in pieces if can_carry(hero, piece["strength"]) and fits_stars(hero, piece)]


# Chits.


def list_payments(hero: Row, kind: str) -> list[str]:
    """W1: how a star of one type can be paid."""
    chits = [chit for chit in hero["chits"] if type_of(chit) == kind]
    active = [chit for chit in chits if chit["state"] == "active"]
    tired = [chit for chit in chits if chit["state"] == "fatigued" and chit["stars"] == 1]
    if "Wither" in hero["curses"]:  # C27
        tired = []
    found = [f"tire {chit['label']}" for chit in active if chit["stars"] == 1]
    doubles = [chit["label"] for chit in active if chit["stars"] == MAX_STARS]
    found += [f"tire {label} for {other['label']}" for label in doubles for other in tired]
    return [*dict.fromkeys(found or [f"tire {label}" for label in doubles])]


def tire(hero: Row, text: str) -> None:
    label, _, other = text.removeprefix("tire ").partition(" for ")
    change_chit(hero, label, "active", "fatigued")
    if other:
        change_chit(hero, other, "fatigued", "active")


def list_woundable(hero: Row) -> list[str]:
    """W2: the active chits, or the fatigued ones if there are none."""
    for state in ("active", "fatigued"):
        labels = [chit["label"] for chit in hero["chits"] if chit["state"] == state]
        if labels:
            return [f"wound {label}" for label in dict.fromkeys(labels)]
    return []


def wound(hero: Row, text: str) -> None:
    states = {chit["state"] for chit in hero["chits"]}
    change_chit(hero, text.removeprefix("wound "), "active" if "active" in states else "fatigued", "wounded")


def change_chit(hero: Row, label: str, old: str, new: str) -> None:
    """Z2: the first chit with this label in this state is used."""
    chit = next(chit for chit in hero["chits"] if chit["label"] == label and chit["state"] == old)
    chit["state"] = new
