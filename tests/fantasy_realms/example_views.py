"""Hand-made views, one for each situation that the picture has to show; drawing them needs no rules."""

from __future__ import annotations

from typing import Any, Final

from realmtable.games.fantasy_realms.cards import BY_NAME

View = dict[str, Any]


def entry(card: str, bonus: int = 0, penalty: int = 0, sentence: str = "", **changed: Any) -> View:  # noqa: ANN401 - any field
    """Return a card of a score; fields that are not given are as printed."""
    printed = BY_NAME[card]
    blanked = bool(changed.get("blanked"))
    strength = 0 if blanked else changed.get("strength", printed.strength)
    points = strength + bonus + penalty
    plain = {"card": card, "name": card, "suit": printed.suit, "strength": strength, "bonus": bonus, "penalty": penalty}
    scored: View = {"points": points, "blanked": blanked, "blanked_by": [], "cleared_by": [], "sentence": sentence}
    return {**plain, **scored, **changed}


def worth(*entries: View, choices: View | None = None, eighth: str | None = None) -> View:
    return {
        "total": sum(each["points"] for each in entries),
        "strength": sum(BY_NAME[each["card"]].strength for each in entries),
        "cards": list(entries),
        "choices": choices or {},
        "eighth": eighth,
        "exact": True,
    }


def view(seats: int, **changed: Any) -> View:  # noqa: ANN401 - any field
    """A view in which nothing has happened yet, seen by seat 0, with some fields changed."""
    plain: View = {
        "viewer": 0,
        "variant": "standard",
        "phase": "draw",
        "seats": seats,
        "seat": 0,
        "turn": 1,
        "first": 0,
        "hand": [],
        "drawn": [],
        "counts": [7] * seats,
        "known": [[] for _ in range(seats)],
        "discard": [],
        "deck": 53 - 7 * seats,
        "limit": 10,
        "last_turns": False,
        "moves": {},
        "offers": [],
        "bids": [],
        "refused": [],
        "ready": [False] * seats,
        "steps": 0,
        "worth": None,
        "scores": None,
        "ranking": None,
        "options": {},
        "last": [],
    }
    return {**plain, **changed}


def discard_entries(*cards: str, seats: int = 4) -> list[View]:
    return [{"card": card, "seat": place % seats} for place, card in enumerate(cards)]


def offers(*pairs: tuple[str, int]) -> list[View]:
    return [{"card": card, "seat": seat} for card, seat in pairs]


_COURT: Final = (
    entry("King", 15, sentence="8 and 15 for 3 Armies."),
    entry("Knights", sentence="20; a Leader is there."),
    entry("Elven Archers", 5, sentence="10 and 5 without Weather."),
    entry("Dwarvish Infantry", 0, -4, sentence="15, less 4 for 2 other Armies."),
    entry("Book of Changes", sentence="3; Candle counts as Land."),
    entry("Candle", suit="Land", sentence="2; no bonus without Bell Tower and a Wizard."),
    entry("Shapeshifter", name="Queen", suit="Leader", sentence="0 as Queen."),
)
_COURT_HAND: Final = [each["card"] for each in _COURT]
_COURT_WORTH: Final = worth(*_COURT, choices={"Book of Changes": ["Candle", "Land"], "Shapeshifter": "Queen"})

DRAWING: Final = view(
    4,
    turn=9,
    hand=_COURT_HAND,
    known=[[], ["Rainstorm", "Great Flood"], [], ["Dragon"]],
    discard=discard_entries("Swamp", "Magic Wand", "Basilisk", "Smoke", "Air Elemental"),
    deck=17,
    moves={"deck": True, "take": ["Swamp"], "drop": []},
    worth=_COURT_WORTH,
)

_BURNING: Final = (
    entry("Wildfire", sentence="40."),
    entry("Mountain", 50, sentence="9 and 50 with Smoke and Wildfire."),
    entry("Smoke", sentence="27; there is a Flame."),
    entry("Swamp", cleared_by=["Mountain"], sentence="18.", blanked=True, blanked_by=["Wildfire"]),
    entry("Necromancer", sentence="3."),
    entry("Great Flood", cleared_by=["Mountain"], sentence="32."),
    entry("Warship", blanked=True, sentence="Blanked: there is no Flood."),
    entry("Dragon", sentence="30; there is a Wizard."),
)
DISCARDING: Final = view(
    6,
    turn=23,
    phase="discard",
    hand=[each["card"] for each in _BURNING],
    drawn=["Dragon"],
    counts=[8, 7, 7, 7, 7, 7],
    known=[
        ["Dragon"],
        ["King", "Queen", "Princess", "Doppelgänger"],
        [],
        ["Enchantress"],
        [],
        ["Book of Changes", "Candle"],
    ],
    discard=discard_entries(
        "Hydra", "Magic Wand", "Basilisk", "Dwarvish Infantry", "Protection Rune", "Collector", "Whirlwind", seats=6
    ),
    deck=4,
    last_turns=True,
    worth=worth(*_BURNING),
)
WAITING: Final = {
    **DISCARDING,
    "phase": "draw",
    "seat": 1,
    "drawn": [],
    "hand": DISCARDING["hand"][:7],
    "worth": worth(*_BURNING[:7], entry("Basilisk", sentence="35 as the eighth card."), eighth="Basilisk"),
}
DEALING: Final = view(3, phase="deal", seat=None, hand=["King", "Queen"], counts=[2, 2, 1], deck=48)

SETTING_UP: Final = view(
    2,
    variant="two_player",
    limit=12,
    turn=7,
    phase="discard",
    hand=["Forest", "Unicorn", "Warhorse", "Beastmaster", "Cavern"],
    drawn=["Beastmaster", "Cavern"],
    counts=[5, 4],
    known=[[], ["Shield of Keth", "Sword of Keth"]],
    discard=discard_entries("Candle", "Rangers", "Water Elemental", "Light Cavalry", seats=2),
    deck=38,
    worth=worth(
        entry("Forest", 24, sentence="7 and 24 for 2 Beasts."),
        entry("Unicorn", sentence="9."),
        entry("Warhorse", 14, sentence="6 and 14 with a Wizard."),
        entry("Beastmaster", 18, sentence="9 and 18 for 2 Beasts."),
        entry("Cavern", sentence="6."),
    ),
)
CROWDED: Final = {
    **SETTING_UP,
    "discard": discard_entries(*(card for card in list(BY_NAME)[20:34]), seats=2),
    "last_turns": True,
    "phase": "draw",
    "drawn": [],
    "known": [[], list(BY_NAME)[:7]],
    "counts": [5, 7],
}

_TRADED: Final = (
    entry("Warlock Lord", 0, -10, sentence="25, less 10 for another Wizard."),
    entry("Collector", sentence="7."),
    entry("Fountain of Life", 35, sentence="1 and 35 of War Dirigible."),
    entry("War Dirigible", cleared_by=["Protection Rune"], sentence="35."),
    entry("Protection Rune", sentence="1."),
    entry("World Tree", sentence="2; two cards share a suit."),
    entry(
        "Doppelgänger",
        name="War Dirigible",
        suit="Weapon",
        strength=35,
        cleared_by=["Protection Rune"],
        sentence="35 as War Dirigible.",
    ),
)
TRADING: Final = view(
    5,
    variant="chaos",
    phase="trade",
    seat=None,
    first=None,
    limit=None,
    hand=[each["card"] for each in _TRADED],
    known=[
        ["World Tree", "Collector"],
        ["Candle", "Bell Tower"],
        ["Hydra"],
        [],
        ["Rangers", "Forge", "Lightning", "Queen", "Unicorn"],
    ],
    offers=offers(
        ("World Tree", 0),
        ("Collector", 0),
        ("Candle", 1),
        ("Bell Tower", 1),
        ("Hydra", 2),
        *((card, 4) for card in ("Rangers", "Forge", "Lightning", "Queen", "Unicorn")),
    ),
    bids=[
        {"card": "Swamp", "seat": 2, "for": "World Tree"},
        {"card": "Enchantress", "seat": 3, "for": "Collector"},
        {"card": "Warlock Lord", "seat": 0, "for": "Hydra"},
    ],
    ready=[False, False, False, True, False],
    deck=18,
    worth=worth(*_TRADED, choices={"Doppelgänger": "War Dirigible"}),
)
_MARKET: Final = [card for card in BY_NAME if card not in TRADING["hand"]]
FULL_MARKET: Final = {
    **view(7),
    **{key: TRADING[key] for key in ("variant", "phase", "seat", "first", "limit", "hand", "worth")},
    "known": [TRADING["hand"], *(_MARKET[7 * seat : 7 * seat + 7] for seat in range(6))],
    "offers": offers(
        *((card, 0) for card in TRADING["hand"]),
        *((card, 1 + place // 7) for place, card in enumerate(_MARKET[:42]) if place % 7 < 6),
    ),
    "bids": [
        {"card": _MARKET[7 * seat], "seat": 1 + seat, "for": card} for card in TRADING["hand"][:2] for seat in range(6)
    ],
    "deck": 4,
}
QUIET_MARKET: Final = {**TRADING, "offers": [], "bids": [], "known": [[], ["Hydra"], [], [], []], "ready": [False] * 5}
NECROMANCER: Final = {**TRADING, "phase": "necromancer", "seat": 0, "offers": [], "bids": [], "known": [[]] * 5}
KEEPING: Final = {
    **NECROMANCER,
    "phase": "keep",
    "hand": [*TRADING["hand"], "Smoke", "Gem of Order", "Magic Wand"],
    "drawn": ["Smoke", "Gem of Order", "Magic Wand"],
    "deck": 15,
}
OTHERS_KEEP: Final = {**KEEPING, "viewer": 1, "drawn": [], "hand": TRADING["hand"]}


def plain_entries(*cards: str) -> list[View]:
    return [entry(card, sentence=f"Strength {BY_NAME[card].strength}.") for card in cards]


def basilisk_entries(*cards: str) -> list[View]:
    return [entry(card, blanked=True, blanked_by=["Basilisk"], sentence="Blanked by Basilisk.") for card in cards]


_REALMS: Final = (
    _COURT_WORTH,
    worth(*_BURNING, eighth="Dragon"),
    worth(*_TRADED, choices={"Doppelgänger": "War Dirigible"}),
    worth(
        entry("Gem of Order", 150, sentence="Strength 5; +150 for the run 1 to 7."),
        *plain_entries("Magic Wand", "World Tree", "Elven Longbow", "Water Elemental", "Queen", "Forest"),
    ),
    worth(
        entry("Basilisk", sentence="Strength 35."),
        *basilisk_entries("Light Cavalry", "Empress", "Unicorn", "Hydra", "Rangers", "Princess"),
    ),
    worth(
        entry("Whirlwind", 40, sentence="Strength 13; +40 with Rainstorm and Blizzard."),
        entry("Rainstorm", 10, sentence="Strength 8; +10 for Island."),
        entry("Blizzard", 0, -5, sentence="Strength 30; −5 for Lightning."),
        entry("Lightning", 30, sentence="Strength 11; +30 with Rainstorm."),
        *plain_entries("Island", "Earth Elemental", "Enchantress"),
    ),
)


def final_view(seats: int, viewer: int | None = 0) -> View:
    scores = [{**score, "hand": [each["card"] for each in score["cards"]][:7]} for score in _REALMS[:seats]]
    totals = [score["total"] for score in scores]
    ranking = [1 + sum(other > total for other in totals) for total in totals]
    ending = {"phase": "over", "seat": None, "viewer": viewer, "scores": scores, "ranking": ranking, "deck": 3}
    discard = discard_entries(
        "Hydra", "Swamp", "Smoke", "King", "Candle", "Forge", "Island", "Queen", "Cavern", "Forest", seats=seats
    )
    hand = None if viewer is None else scores[viewer]["hand"]
    return {**view(seats), **ending, "discard": discard, "hand": hand, "worth": _REALMS[viewer or 0] if hand else None}


SPECTATING: Final = {**DRAWING, "viewer": None, "hand": None, "worth": None, "moves": {}, "seat": 2}
SPECTATING_TWO: Final = {**SETTING_UP, "viewer": None, "hand": None, "drawn": [], "worth": None}
SPECTATING_TRADE: Final = {**TRADING, "viewer": None, "hand": None, "bids": [], "worth": None}
SPECTATING_SIX: Final = {**DISCARDING, "viewer": None, "hand": None, "drawn": [], "worth": None}

VIEWS: Final[dict[str, View]] = {
    "drawing": DRAWING,
    "discarding": DISCARDING,
    "waiting": WAITING,
    "dealing": DEALING,
    "setting_up": SETTING_UP,
    "crowded": CROWDED,
    "trading": TRADING,
    "full_market": FULL_MARKET,
    "quiet_market": QUIET_MARKET,
    "necromancer": NECROMANCER,
    "keeping": KEEPING,
    "others_keep": OTHERS_KEEP,
    "spectating": SPECTATING,
    "spectating_two": SPECTATING_TWO,
    "spectating_trade": SPECTATING_TRADE,
    "spectating_six": SPECTATING_SIX,
    **{f"ended_{seats}": final_view(seats) for seats in (2, 3, 4, 6)},
    "ended_for_spectators": final_view(5, None),
}
