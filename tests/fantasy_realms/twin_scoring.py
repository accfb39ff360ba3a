"""The slow twin of the scorer: the chapter Scoring of RULES.md in plain Python, for comparison with the product.

Written from the documents alone and importing nothing of the product. Nothing is pruned or remembered: `best` scores
the hand under every joint choice there is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from tests.fantasy_realms.twin_cards import (
    BOOK,
    CARDS,
    DOPPELGANGER,
    FOUNTAIN_SUITS,
    ISLAND,
    ISLAND_SUITS,
    MIRAGE,
    MIRAGE_SUITS,
    NECROMANCER,
    NECROMANCER_SUITS,
    SET_POINTS,
    SHAPESHIFTER,
    SHAPESHIFTER_SUITS,
    SUITS,
    WILD,
    EffectLine,
    Penalty,
    of_suits,
)
from tests.fantasy_realms.twin_runs import run_points

Options = Mapping[str, bool | int | str]
Hand = Collection[str]

SCORING_OPTIONS: Final[dict[str, bool | int | str]] = {
    "self_counts": True,
    "ring": "inert",
    "multi_runs": True,
    "multi_sets": True,
    "dirigible_army_word": True,
    "book_to_wild": False,
    "wild_is_suit": True,
    "wildfire_blanks_wild": True,
    "forest_once_per_card": True,
    "tie_break": "counted",
}


class Choices(NamedTuple):
    """What is chosen at scoring; None where nothing is. Cards of the hand are named as printed."""

    doppelganger: str | None = None
    mirage: str | None = None
    shapeshifter: str | None = None
    book: tuple[str, str] | None = None  # the card and its new suit
    island: str | None = None


NOTHING: Final = Choices()
FULL_REALM: Final = 8  # cards; nobody takes a ninth (S8)


class HandScore(NamedTuple):
    total: int
    per_card: dict[str, int]  # by printed names
    blanked: frozenset[str]  # printed names
    strength: int  # P6: what is compared when totals are equal


class ScoringCard:
    """A card of the hand as it is while the hand is scored."""

    __slots__ = ("acts", "name", "penalty", "printed", "stands", "strength", "struck", "suit")

    def __init__(self, printed: str) -> None:
        card = CARDS[printed]
        self.printed = printed
        self.name, self.suit, self.strength = card.name, card.suit, card.strength
        self.penalty: Penalty | None = card.penalty  # None where there is none, or none any more
        self.struck = False  # whether the word Army is struck out of the penalty
        # S6: whether it stays unblanked, and whether it blanks others; None while it is undecided.
        self.stands: bool | None = None
        self.acts: bool | None = None


# S2 to S4: what the cards become.


def apply_choices(hand: Iterable[str], choices: Choices) -> list[ScoringCard]:
    """The hand after the Wilds and the Book."""
    cards = {name: ScoringCard(name) for name in hand}
    if choices.doppelganger:
        copied = CARDS[choices.doppelganger]
        copy = cards[DOPPELGANGER]
        copy.name, copy.suit, copy.strength, copy.penalty = copied.name, copied.suit, copied.strength, copied.penalty
    if choices.mirage:
        cards[MIRAGE].name, cards[MIRAGE].suit = choices.mirage, CARDS[choices.mirage].suit
    if choices.shapeshifter:
        cards[SHAPESHIFTER].name, cards[SHAPESHIFTER].suit = choices.shapeshifter, CARDS[choices.shapeshifter].suit
    if choices.book:
        name, suit = choices.book
        cards[name].suit = suit
    return list(cards.values())


# S5: clearing.


def clear(cards: list[ScoringCard], island: str | None) -> None:
    clears = [suit for card in cards for suit in CARDS[card.printed].clears]
    strikes = [suit for card in cards for suit in CARDS[card.printed].strikes]
    for card in cards:
        if card.suit in clears or card.printed == island:
            card.penalty = None
        if card.suit in strikes:
            card.struck = True


# S6: blanking.


def threatens(blanker: ScoringCard, target: ScoringCard, options: Options) -> bool:
    """Whether the penalty of a card blanks a card, perhaps itself."""
    penalty = blanker.penalty
    if penalty is None or (blanker is target and not options["self_counts"]):
        return False
    if penalty.blanks_all_but:
        if target.suit == WILD and not options["wildfire_blanks_wild"]:
            return False
        return target.suit not in penalty.blanks_all_but and target.name not in penalty.blanks_all_but
    if target.suit == "Army" and blanker.struck:
        return False
    if target.suit in penalty.blanks_others and blanker is not target:
        return True
    return any(target.suit == suit and target.name != spared for suit, spared in penalty.blanks)


def threats_of(cards: list[ScoringCard], options: Options) -> dict[ScoringCard, list[ScoringCard]]:
    """What each card is threatened by."""
    penalties = [card for card in cards if card.penalty is not None]
    return {card: [other for other in penalties if threatens(other, card, options)] for card in cards}


def conditions(card: ScoringCard, options: Options) -> tuple[str, str]:
    """The suits without which and with which a card is blanked; where there is none, a text that is no suit."""
    if card.penalty is None:
        return "", ""
    lifted = card.struck and card.penalty.unless == "Army" and options["dirigible_army_word"]
    return "" if lifted else card.penalty.unless, card.penalty.if_held


def any_true(answers: list[bool | None]) -> bool | None:
    """Whether one of the answers is yes; None while that is not clear."""
    if True in answers:
        return True
    return None if None in answers else False


def standings_of(suit: str, card: ScoringCard, cards: list[ScoringCard], options: Options) -> list[bool | None]:
    """Whether each card of a suit stands, as a card sees it: one that is of the suit itself meets its own condition."""
    found = [other for other in cards if other.suit == suit and (other is not card or options["self_counts"])]
    return [True if other is card else other.stands for other in found]


def is_blanked(
    card: ScoringCard, threats: list[ScoringCard], cards: list[ScoringCard], options: Options
) -> bool | None:
    """Whether a card is blanked; None while that is not clear."""
    reasons = [threat.acts for threat in threats]
    unless, if_held = conditions(card, options)
    if if_held:
        reasons += standings_of(if_held, card, cards, options)
    if unless:
        met = any_true(standings_of(unless, card, cards, options))
        reasons.append(None if met is None else not met)
    return any_true(reasons)


def find_blockers(
    card: ScoringCard, threats: list[ScoringCard], cards: list[ScoringCard], options: Options
) -> list[ScoringCard]:
    """Return the undecided cards that a card's own decision waits for; none for an *unless* that is met already."""
    unless, if_held = conditions(card, options)
    met = any_true(standings_of(unless, card, cards, options))
    suits = (if_held, unless if met is None else "")
    hangs_on = [other for other in cards if other.suit in suits and other.stands is None and other is not card]
    return [threat for threat in threats if threat.acts is None] + hangs_on


def find_all_blockers(card: ScoringCard, awaits: dict[ScoringCard, list[ScoringCard]]) -> set[ScoringCard]:
    """All that a card awaits, and what these await, and so on."""
    found: set[ScoringCard] = set()
    waiting = list(awaits[card])
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += awaits[other]
    return found


def innermost_rings(awaits: dict[ScoringCard, list[ScoringCard]]) -> list[ScoringCard]:
    """The cards of all rings that await only themselves."""
    reach = {card: find_all_blockers(card, awaits) for card in awaits}
    return [card for card in awaits if all(card in reach[other] for other in reach[card])]


def decide(cards: list[ScoringCard], threats: dict[ScoringCard, list[ScoringCard]], options: Options) -> None:
    """Decide each card of which it is clear what becomes of it, until there is none."""
    found = True
    while found:
        found = False
        for card in cards:
            blanked = is_blanked(card, threats[card], cards, options) if card.stands is None else None
            if blanked is not None:
                card.stands = card.acts = not blanked
                found = True


def blank(cards: list[ScoringCard], options: Options) -> None:
    """Decide what is clear; when nothing is, rings are blanked, and deciding goes on."""
    threats = threats_of(cards, options)
    decide(cards, threats, options)
    while undecided := [card for card in cards if card.stands is None]:
        awaits = {card: find_blockers(card, threats[card], cards, options) for card in undecided}
        for card in innermost_rings(awaits):
            card.stands = False
            card.acts = options["ring"] == "together"
        decide(cards, threats, options)


# S7: points. `live` are the unblanked cards.


def count_matches(line: EffectLine, card: ScoringCard, live: list[ScoringCard], options: Options) -> int:
    """How many cards a line counts."""
    total = 0
    for other in live:
        if other is card and not options["self_counts"]:
            continue
        ways = (other.suit in line.each) + (other.name in line.each) + (other.suit in line.others and other is not card)
        total += 1 if ways and options["forest_once_per_card"] else ways
    return total


def holds(words: Collection[str], card: ScoringCard, live: list[ScoringCard], options: Options) -> bool:
    """Whether one of the words is held, as a card sees it."""
    for other in live:
        if (other.suit in words or other.name in words) and (other is not card or options["self_counts"]):
            return True
    return False


def line_points(line: EffectLine, card: ScoringCard, live: list[ScoringCard], options: Options) -> int:
    if line.lacks and holds((line.lacks,), card, live, options):
        return 0
    for group in line.needs:
        if not holds(group, card, live, options):
            return 0
    if line.each or line.others:
        return line.points * count_matches(line, card, live, options)
    return line.points


def without_army(line: EffectLine) -> EffectLine:
    """A line of a penalty out of which the word Army is struck; where no word is left, nothing."""
    each = tuple(word for word in line.each if word != "Army")
    others = tuple(word for word in line.others if word != "Army")
    gone = (line.each or line.others) and not (each or others)
    return EffectLine(0) if gone else line._replace(each=each, others=others)


def suits_of(live: list[ScoringCard], options: Options) -> list[str]:
    """The suits of the cards, without Wild where it is none."""
    return [card.suit for card in live if card.suit != WILD or options["wild_is_suit"]]


def set_points(live: list[ScoringCard], options: Options) -> int:
    """Collector: different names in each suit, or in the best."""
    gains = [0]
    for suit in set(suits_of(live, options)):
        names = {card.name for card in live if card.suit == suit}
        gains.append(SET_POINTS.get(min(len(names), max(SET_POINTS)), 0))
    return sum(gains) if options["multi_sets"] else max(gains)


def strengths(suits: tuple[str, ...], card: ScoringCard, live: list[ScoringCard], options: Options) -> list[int]:
    return [other.strength for other in live if other.suit in suits and (other is not card or options["self_counts"])]


def special_points(special: str, card: ScoringCard, live: list[ScoringCard], options: Options) -> int:
    if special == "gem":
        return run_points([other.strength for other in live], every_run=bool(options["multi_runs"]))
    if special == "collector":
        return set_points(live, options)
    if special == "tree":
        suits = suits_of(live, options)
        return 50 if len(suits) == len(set(suits)) else 0
    if special == "fountain":
        return max(strengths(FOUNTAIN_SUITS, card, live, options), default=0)
    return sum(strengths(("Army",), card, live, options))  # warlord


def points(card: ScoringCard, live: list[ScoringCard], options: Options) -> int:
    """What an unblanked card is worth. Bonuses are of the printed card: copies have none."""
    printed = CARDS[card.printed]
    total = card.strength
    if printed.special:
        total += special_points(printed.special, card, live, options)
    if printed.bonus:
        total += max([line_points(line, card, live, options) for line in printed.bonus])
    if card.penalty is not None:
        for line in card.penalty.lines:
            total += line_points(without_army(line) if card.struck else line, card, live, options)
    return total


def score(hand: Iterable[str], choices: Choices = NOTHING, options: Options = SCORING_OPTIONS) -> HandScore:
    """A hand under given choices, each of which must be one that `all_choices` gives."""
    cards = apply_choices(hand, choices)
    clear(cards, choices.island)
    blank(cards, options)
    live = [card for card in cards if card.stands]
    per_card = {card.printed: points(card, live, options) if card.stands else 0 for card in cards}
    blanked = frozenset(card.printed for card in cards if not card.stands)
    strength = sum(card.strength for card in live)
    if options["tie_break"] == "printed":
        strength = sum(CARDS[card.printed].strength for card in cards)
    return HandScore(sum(per_card.values()), per_card, blanked, strength)


# All choices there are.


def books(hand: Hand, choices: Choices, options: Options) -> Iterator[tuple[str, str] | None]:
    """S4: every card and suit for the Book, and nothing, after these choices for the Wilds."""
    yield None
    if BOOK in hand:
        suits = (*SUITS, WILD) if options["book_to_wild"] else SUITS
        for card in apply_choices(hand, choices):
            if card.printed != BOOK:
                yield from ((card.printed, suit) for suit in suits if suit != card.suit)


def islands(hand: Hand, choices: Choices) -> Iterator[str | None]:
    """S5: every card for Island, and nothing, after these choices for the Wilds and the Book."""
    yield None
    if ISLAND in hand:
        yield from (card.printed for card in apply_choices(hand, choices) if card.suit in ISLAND_SUITS)


def all_choices(hand: Hand, options: Options = SCORING_OPTIONS) -> Iterator[Choices]:
    """Every joint choice for a hand, the one of nothing at all first."""
    copies = [name for name in hand if name != DOPPELGANGER] if DOPPELGANGER in hand else []
    mirages = of_suits(MIRAGE_SUITS) if MIRAGE in hand else []
    shapes = of_suits(SHAPESHIFTER_SUITS) if SHAPESHIFTER in hand else []
    for copy in [None, *copies]:
        for mirage in [None, *mirages]:
            for shape in [None, *shapes]:
                wilds = Choices(copy, mirage, shape)
                for book in books(hand, wilds, options):
                    before = wilds._replace(book=book)
                    for island in islands(hand, before):
                        yield before._replace(island=island)


def eighths(hand: Hand, discard: Iterable[str] | None) -> list[str | None]:
    """S8: no eighth card, and every one that may be added."""
    if NECROMANCER not in hand or len(hand) == FULL_REALM:
        return [None]
    return [None, *(name for name in discard or () if CARDS[name].suit in NECROMANCER_SUITS)]


def best_realm(hand: Hand, discard: Iterable[str] | None = None, options: Options = SCORING_OPTIONS) -> tuple[int, int]:
    """The most a hand is worth over all choices, the eighth card included, and the lowest sum of P6 it then has."""
    hands = [[*hand, card] if card else list(hand) for card in eighths(hand, discard)]
    scores = [score(each, choices, options) for each in hands for choices in all_choices(each, options)]
    total, minus_strength = max((found.total, -found.strength) for found in scores)
    return total, -minus_strength


def best(hand: Hand, discard: Iterable[str] | None = None, options: Options = SCORING_OPTIONS) -> int:
    """The most a hand is worth over all choices, the eighth card included."""
    return best_realm(hand, discard, options)[0]
