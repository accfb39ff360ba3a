"""Draw the cards of all characters, treasures and monsters: for the page that shows them, and enlarged over the map."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from realmtable.engine.protocol import CardGallery, GalleryCard, GalleryGroup
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import EVERY_DAY, Character, Face, Monster
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import RED
from realmtable.games.magic_realm.day_rules.active_goods import can_be_active
from realmtable.games.magic_realm.picture.action_chits import CHIT_HEIGHT, CHIT_WIDTH, draw_plain_chit
from realmtable.games.magic_realm.picture.characters import (
    WEIGHTS,
    describe_character,
    describe_kind,
    draw_large_shield,
)
from realmtable.games.magic_realm.picture.counters import DrawnDenizens, draw_token
from realmtable.games.magic_realm.picture.emblems import TREASURE_EMBLEMS, draw_emblem
from realmtable.games.magic_realm.picture.style import STYLE, STYLE_NAME, text_element
from realmtable.kit.svg import SVG_NAMESPACE, Element, element
from realmtable.kit.text_metrics import wrap_text
from realmtable.kit.wording import format_count

CARD_WIDTH: Final = 250
CARD_HEIGHT: Final = 360
_MIDDLE: Final = CARD_WIDTH / 2
_ROOM: Final = CARD_WIDTH - 28
SPECIAL_KINDS: Final = ("exchange", "site")  # what they do is done when they are found (T5)
VALUES_ONLY: Final = "In this game, only its values count."
_SIZES: Final = {"small": "Small treasure", "large": "Large treasure", "within": "Card that leads to treasures"}
_TITLES: Final = {"small": "Small treasures", "large": "Large treasures", "within": "Cards that lead to treasures"}
_CHITS_PER_ROW: Final = 6
_PICTURE: Final = 100  # the side of the small picture of a treasure
_CHIT_SCALE: Final = 0.62


@cache
def gallery() -> CardGallery:
    """Return all cards."""
    catalog = load_catalog()
    kinds = {monster.kind: monster for monster in reversed(catalog.monsters)}
    monsters = [kinds[kind] for kind in dict.fromkeys(monster.kind for monster in catalog.monsters)]
    groups = [GalleryGroup("Characters", tuple(_show_character(one) for one in catalog.characters))]
    groups += [
        GalleryGroup(title, tuple(_show_treasure(one) for one in catalog.treasures if one.size == size))
        for size, title in _TITLES.items()
    ]
    groups.append(GalleryGroup("Monsters", tuple(_show_monster(one) for one in monsters)))
    return CardGallery(STYLE, tuple(groups))


def _show_character(character: Character) -> GalleryCard:
    texts = [f"{one.name}: {one.text}" for one in character.advantages]
    gear = ", ".join(filter(None, [character.gear.weapon, *character.gear.armor])) or "no weapon"
    parts = [
        draw_large_shield(character.name, None, 50, 48, 3),
        text_element(character.name, 164, 48, 18, "mr-bold mr-letter"),
        text_element(describe_kind(character), 164, 68, 14, "mr-soft"),
        *_draw_chits(character, 100),
        *_draw_lines([*texts, f"Starts at the {' or the '.join(character.starts)} with {gear}."], 186),
    ]
    return GalleryCard(character.name, _draw_card(parts, describe_character(character)), describe_character(character))


def _draw_chits(character: Character, top: float) -> list[Element]:
    """Draw the twelve action chits in two rows."""
    chits = sorted(character.chits, key=lambda chit: (chit.kind, chit.time))
    drawn = []
    for number, chit in enumerate(chits):
        row, column = divmod(number, _CHITS_PER_ROW)
        x = _MIDDLE + (column - _CHITS_PER_ROW / 2) * (CHIT_WIDTH * _CHIT_SCALE + 4) + 2
        y = top + row * (CHIT_HEIGHT * _CHIT_SCALE + 4)
        spot = f"translate({x:.1f} {y:.1f}) scale({_CHIT_SCALE})"
        drawn.append(element("g", *draw_plain_chit(chit), class_=f"mr-{chit.kind.lower()}", transform=spot))
    return drawn


def _show_treasure(treasure: Treasure) -> GalleryCard:
    facts = _list_facts(treasure)
    lines = [treasure.text, *([] if _has_effect(treasure) else [VALUES_ONLY])]
    parts = [
        draw_emblem(TREASURE_EMBLEMS[treasure.kind], _MIDDLE, 70, 44, "mr-gem"),
        *_draw_title(treasure.name, _SIZES[treasure.size] + ", great" * treasure.is_great),
        *_draw_lines([*facts, *lines], 194),
    ]
    text = f"{treasure.name}. {_SIZES[treasure.size]}. {'. '.join(facts)}. {' '.join(lines)}".replace(". .", ".")
    return GalleryCard(treasure.name, _draw_card(parts, text), text)


@cache
def draw_treasure_picture(treasure: Treasure) -> Element:
    """Return a small picture of a treasure by its kind, with a stone in its corner if it is great."""
    stone = draw_emblem(TREASURE_EMBLEMS["item"], 17, 17, 9, "mr-gem")
    return element(
        "svg",
        element("rect", class_="mr-red", width=_PICTURE, height=_PICTURE, rx=10),
        draw_emblem(TREASURE_EMBLEMS[treasure.kind], _PICTURE / 2, _PICTURE / 2, 30, "mr-beast mr-on"),
        *([stone] if treasure.is_great else []),
        xmlns=SVG_NAMESPACE,
        viewBox=f"0 0 {_PICTURE} {_PICTURE}",
        class_=f"rt-board rt-{STYLE_NAME} rt-auto",
        role="img",
        aria_label=f"{treasure.name}, {_SIZES[treasure.size].lower()}" + ", great" * treasure.is_great,
    )


def _has_effect(treasure: Treasure) -> bool:
    return treasure.kind in SPECIAL_KINDS or can_be_active(
        load_catalog().names.by_name("goods")[treasure.name], in_combat=True
    )


def _list_facts(treasure: Treasure) -> list[str]:
    """Return weight and values, those that are not 0."""
    worth = [f"{treasure.price} gold"] if treasure.price else []
    worth += [f"{number} {word}".replace("-", "−") for word, number in _list_points(treasure.fame, treasure.notoriety)]
    weight = f"Weight {WEIGHTS[treasure.weight]}" if treasure.weight else "Stays where it is"
    return [weight, *([f"Worth {', '.join(worth)}"] if worth else [])]


def _list_points(fame: int, notoriety: int) -> list[tuple[str, int]]:
    return [(word, number) for word, number in (("fame", fame), ("notoriety", notoriety)) if number]


def _show_monster(monster: Monster) -> GalleryCard:
    count = sum(other.kind == monster.kind for other in load_catalog().monsters)
    facts = _describe_monster(monster, count)
    token = draw_token(DrawnDenizens(monster.kind, False, monster.size, "light", False, None, False, 1), {})
    parts = [
        element("g", *token, transform="translate(125 70) scale(5)"),
        *_draw_title(monster.kind, f"{WEIGHTS[monster.size].capitalize()} monster"),
        *_draw_lines(facts, 194),
    ]
    text = f"{monster.kind}. {' '.join(facts)}"
    return GalleryCard(monster.kind, _draw_card(parts, text), text)


def _describe_monster(monster: Monster, count: int) -> list[str]:
    days = "Prowls every day." if monster.row == EVERY_DAY else f"Prowls when a {monster.row} is rolled."
    looks = [word for word, is_so in (("armoured", monster.is_armored), ("flying", monster.flies)) if is_so]
    bounty = [f"{number} {word}".replace("-", "−") for word, number in _list_points(monster.fame, monster.notoriety)]
    return [
        days,
        *([f"{' and '.join(looks).capitalize()}."] if looks else []),
        f"Light side: {_describe_face(monster.light)}.",
        f"Dark side: {_describe_face(monster.dark)}.",
        *([f"Worth {', '.join(bounty)}."] if bounty else []),
        f"{count} of them." if count > 1 else "Only one.",
    ]


def _describe_face(face: Face) -> str:
    """Return the times and the harm of one side."""
    harm = face.harm if face.harm == RED else WEIGHTS.get(face.harm, "")
    if face.spell:
        attack = f"casts {face.spell} at time {face.attack}"
    elif face.attack:
        stars = f" and {format_count(face.stars, 'star')}" if face.stars else ""
        attack = f"attacks at time {face.attack}, {harm} harm{stars}"
    else:
        attack = "cannot attack"
    return f"moves at time {face.move}, {attack}"


# ---- the card


def _draw_title(name: str, kind: str) -> list[Element]:
    lines = wrap_text(name, 18, _ROOM, 1.2)
    down = 152 if len(lines) == 1 else 143
    title = [
        text_element(line, _MIDDLE, down + 20 * row, 18, "mr-bold mr-letter") for row, line in enumerate(lines)
    ]  # fmt: skip
    return [*title, text_element(kind, _MIDDLE, 180 if len(lines) > 1 else 173, 13, "mr-soft")]


def _draw_lines(texts: Sequence[str], top: float) -> list[Element]:
    """Draw paragraphs, with a small space between them."""
    drawn, down = [], top
    for text in texts:
        for line in wrap_text(text, 13, _ROOM):
            drawn.append(text_element(line, _MIDDLE, down, 13))
            down += 16
        down += 4
    return drawn


def _draw_card(parts: Sequence[Element], text: str) -> Element:
    return element(
        "svg",
        element("rect", class_="mr-plate", x=1, y=1, width=CARD_WIDTH - 2, height=CARD_HEIGHT - 2, rx=12),
        *parts,
        xmlns=SVG_NAMESPACE,
        viewBox=f"0 0 {CARD_WIDTH} {CARD_HEIGHT}",
        width="100%",
        class_=f"rt-board rt-{STYLE_NAME} rt-auto",
        role="img",
        aria_label=text,
    )
