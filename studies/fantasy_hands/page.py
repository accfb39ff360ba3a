"""The results of `studies.fantasy_hands` as tables, a picture and a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.scoring.hand_text import Choices
from realmtable.games.fantasy_realms.scoring.score import best_score
from studies.fantasy_hands.random_hands import HIGHEST, LOWEST, CardFigures, Estimate, Sample
from studies.fantasy_hands.search import CHECKED_HANDS, EIGHT, HandSearch, eighth_cards

MOST_SHOWN: Final = 20
SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
HIGH_TOTALS: Final = (200, 250)  # totals that are rare in random hands

BIN: Final = 10  # totals per bar
BAR, GAP, HEIGHT, FOOT = 12, 2, 160, 24


# ---- the best hands


def best_table(search: HandSearch) -> str:
    """Format the best hands of a finished search, with their choices."""
    rows = [
        f"| {rank} | {total} | {hand_text(cards, search.part.name == EIGHT.name)} | {choices_text(cards)} |"
        for rank, (total, cards) in enumerate(search.ranking()[:MOST_SHOWN], 1)
    ]
    return "\n".join(["|  | worth | cards | choices |", "|---:|---:|---|---|", *rows])


def hand_text(cards: Sequence[CardId], with_eighth: bool) -> str:
    """List the cards of a hand, with the Necromancer's possible cards in italics."""
    eighths = eighth_cards() if with_eighth else ()
    return ", ".join(f"*{CARDS[card].name}*" if card in eighths else CARDS[card].name for card in cards)


def choices_text(cards: Sequence[CardId]) -> str:
    """Describe the best choices of a hand."""
    return describe_choices(best_score(cards).choices) or "none"


def describe_choices(choices: Choices) -> str:
    """Describe choices in words."""
    parts = [f"{CARDS[wild].name} becomes {CARDS[name].name}" for wild, name in choices.copies]
    if choices.book is not None:
        parts.append(f"the Book changes {CARDS[choices.book[0]].name} to {choices.book[1]}")
    if choices.island is not None:
        parts.append(f"Island clears {CARDS[choices.island].name}")
    return "; ".join(parts)


def best_sentence(search: HandSearch) -> str:
    """Say how many hands were searched and found."""
    part = search.part
    kind = f"sets of {part.size} cards with the Necromancer" if part.fixed else f"hands of {part.size}"
    found = f"{len(search.best):,} are worth {part.least} or more"
    return f"All {search.hands_done:,} {kind} were searched; {found}."


# ---- random hands


def random_table(sample: Sample) -> str:
    """Format the distribution of the totals of random hands."""
    mean, (lowest, highest) = sample.mean(), sample.extremes()
    rows = [
        f"| mean | {mean.value:.2f} | {mean.value - mean.half_width:.2f} to {mean.value + mean.half_width:.2f} |",
        f"| standard deviation | {sample.deviation():.1f} | |",
    ]
    for share in SHARES:
        middle, low, high = sample.quantile(share)
        rows.append(f"| {share:.0%} of hands are worth at most | {middle} | {low} to {high} |")
    rows.append(f"| lowest and highest seen | {lowest} and {highest} | |")
    rows += [
        f"| share worth {total} or more | {share_text(sample.share_of_at_least(total))} | |" for total in HIGH_TOTALS
    ]
    return "\n".join([f"| {sample.hands:,} random hands | | 95% interval |", "|---|---:|---:|", *rows])


def share_text(share: float) -> str:
    """Format a share as a percentage with as many decimals as it needs."""
    return f"{share:.1%}" if share >= 0.01 else f"{share:.3%}"


def card_table(sample: Sample) -> str:
    """Format the effect of each card on random hands."""
    head = ["| card | suit | own points | lift of the total | blanked |", "|---|---|---:|---:|---:|"]
    return "\n".join([*head, *(card_row(entry) for entry in sample.cards())])


def card_row(entry: CardFigures) -> str:
    """Format a row of the table of cards."""
    card = CARDS[entry.card]
    return (
        f"| {card.name} | {card.suit} | {entry.own.value:.1f} | {entry.lift.value:+.1f} | {entry.blanked.value:.1%} |"
    )


def widest_interval(figures: Sequence[Estimate]) -> float:
    """Return half the width of the widest interval."""
    return max(figure.half_width for figure in figures)


def interval_sentence(sample: Sample) -> str:
    """Say how certain the table of cards is."""
    cards = sample.cards()
    own, lift = widest_interval([entry.own for entry in cards]), widest_interval([entry.lift for entry in cards])
    blanked = widest_interval([entry.blanked for entry in cards])
    return f"The 95% intervals are at most ±{own:.2f}, ±{lift:.2f} and ±{blanked:.2%}."


def draw_histogram(sample: Sample) -> str:
    """Draw the distribution of totals of random hands as an SVG."""
    counts = [int(sample.totals[start : start + BIN].sum()) for start in range(0, HIGHEST - LOWEST + 1, BIN)]
    rare = sample.hands / 20_000  # omit bars too low to see at both ends
    shown = [place for place, count in enumerate(counts) if count > rare]
    places = range(shown[0], shown[-1] + 1)
    width, top = BAR + (BAR + GAP) * len(places), max(counts)
    parts = [_bar(number, counts[place] / top) for number, place in enumerate(places)]
    parts += [_mark(number, LOWEST + place * BIN) for number, place in enumerate(places) if place % 5 == 0]
    title = f"Totals of {sample.hands:,} random hands, {BIN} points per bar"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{BAR} 0 {width} {HEIGHT + FOOT}" '
        f'width="{width}" role="img" aria-label="{title}"><title>{title}</title>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _bar(number: int, share: float) -> str:
    height = round(share * HEIGHT, 1)
    place = f'x="{number * (BAR + GAP)}" y="{HEIGHT - height:.1f}" width="{BAR}" height="{height}"'
    return f'<rect {place} fill="#2f7f86"/>'


def _mark(number: int, total: int) -> str:
    place = f'x="{number * (BAR + GAP)}" y="{HEIGHT + 16}"'
    return f'<text {place} text-anchor="middle" font-family="sans-serif" font-size="12" fill="#808080">{total}</text>'


# ---- the page


def page(searches: Sequence[HandSearch], sample: Sample, picture_name: str) -> str:
    """Return the whole page."""
    seven, eight = searches
    parts = [
        "# Fantasy Realms: the best hands, and the worth of random ones",
        INTRODUCTION.format(hands=sample.hands, seed=sample.seed),
        "## The best hands of seven",
        best_sentence(seven) + " The best:",
        best_table(seven),
        "## The best with the Necromancer",
        best_sentence(eight) + " " + NECROMANCER_TEXT,
        best_table(eight),
        "## How certain this is",
        CERTAINTY_TEXT.format(least=seven.part.least, checked=CHECKED_HANDS),
        "## Random hands",
        random_table(sample),
        f"![Distribution of the totals of random hands]({picture_name})",
        "## The cards in random hands",
        CARDS_TEXT + " " + interval_sentence(sample),
        card_table(sample),
    ]
    return "\n\n".join(parts) + "\n"


INTRODUCTION = (
    "Made by `python -m studies.fantasy_hands --random {hands} --seed {seed}`. Points follow "
    "[the rules](../../src/realmtable/games/fantasy_realms/RULES.md) with the default options and the best choices; "
    "hands of equal worth are in the order of the card list. `python -m studies.fantasy_hands.scoring_speed` measures "
    "the speed of scoring."
)
NECROMANCER_TEXT = (
    "Only sets with another card that is an Army, Leader, Wizard or Beast count, because the Necromancer must have "
    "taken one from the discard area; it may be any of the cards in italics. The best:"
)
CERTAINTY_TEXT = (
    "The two tables above involve no sampling. Every hand was scored with all its choices, unless it cannot be worth "
    "{least}: `upper_bound` in `bound.py` shows this for single hands and for all hands with the same first cards, and "
    "its docstring argues why. Every search begins by comparing the bound with the best totals of {checked:,} random "
    "hands, known whole and in part. The figures below come from random hands, each dealt from all 53 cards, without "
    "an eighth card for the Necromancer, and have 95% intervals."
)
CARDS_TEXT = (
    "A card's own points are those it scores when held, with the choices that are best for the whole hand, and 0 when "
    "blanked. Its lift is the mean total of the hands with it minus the mean of all hands, which includes its effect "
    "on other cards. Hands that players collect are not random: a card that needs others is worth more to them."
)
