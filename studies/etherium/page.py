"""Make balance.md from the sums of many games; `studies.etherium.balance` plays them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Final, NamedTuple

from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.tiles.manifest import standard_manifest
from realmtable.kit.wording import join_words
from realmtable.lab.match_statistics import Z
from studies.etherium.batches import GAMES
from studies.etherium.comparisons import (
    describe_network,
    describe_prices,
    describe_stronger,
    price_rows,
    stronger_rows,
)
from studies.etherium.tables import (
    CLEAR_Z,
    COLOURS,
    ORDINALS,
    QUICK,
    SEATS,
    Results,
    mean,
    share_text,
    side_of_par,
    table,
)
from studies.etherium.texts import (
    ADVICE,
    CAUTION,
    CHANGED_POWERS,
    INTRODUCTION,
    POWERS,
    PRICES_TEXT,
    SELECTION,
    STRONGER,
    TILES,
)

MIN_PAR: Final = 10.0  # expected wins below which the normal approximation says nothing
WINNER_POINTS: Final = "winner's points"
POWER_TOPICS: Final = {
    "printed": "as printed",
    "guarded": "without Paralyze in Round 1 (`paralyze_guard`)",
}


def make_page(results: Results) -> str:
    """Return the whole page."""
    parts = [
        INTRODUCTION.format(total=sum(sums[GAMES] for sums in results.values())),
        "## The turn order, and how games end",
        table(order_rows(results)),
        describe_order(results),
        table(length_rows(results)),
        "## Player powers",
        POWERS,
    ]
    for topic, words in POWER_TOPICS.items():
        if any(results[topic, seats, QUICK][GAMES] for seats in SEATS):
            parts += [f"Shares of the wins, powers {words}:", table(power_rows(results, topic))]
    parts += [
        describe_powers(results),
        f"{ADVICE} {describe_advice(results)}",
        "What the players of each colour did in a game of four with the powers as printed:",
        table(deed_rows(results)),
        describe_orange(results),
        describe_green(results),
        "## Tiles",
        TILES,
        table(tile_rows(results, "victory")),
        table(tile_rows(results, "normal")),
        describe_tiles(results),
        "## Prices",
        PRICES_TEXT,
        table(price_rows(results)),
        describe_prices(results),
        f"{describe_network(results)} {SELECTION}".lstrip(),
        "## A stronger bot",
        STRONGER,
        table(stronger_rows(results)),
        describe_stronger(results),
        "## How certain this is",
        CAUTION,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


# ---- the turn order


def order_rows(results: Results) -> Iterator[list[str]]:
    """Yield the shares of the wins by the turn order of Round 1."""
    yield ["players", GAMES, "par", *ORDINALS]
    for seats in SEATS:
        sums = results["standard", seats, QUICK]
        shares = [share_text(sums[f"order {order} won"], sums[GAMES], 1 / seats) for order in range(seats)]
        yield [str(seats), f"{sums[GAMES]:,.0f}", f"{1 / seats:.1%}", *shares, *[""] * (6 - seats)]


def describe_order(results: Results) -> str:
    """Say which places in the turn order are better or worse than par."""
    sentences = []
    for seats in SEATS:
        sums = results["standard", seats, QUICK]
        sides = [side_of_par(sums[f"order {order} won"], sums[GAMES], 1 / seats) for order in range(seats)]
        better = [ORDINALS[order] for order, side in enumerate(sides) if side > 0]
        worse = [ORDINALS[order] for order, side in enumerate(sides) if side < 0]
        if better or worse:
            found = [f"{join_words(better)} won more than par"] if better else []
            found += [f"{join_words(worse)} won less than par"] if worse else []
            sentences.append(f"with {seats} players {join_words(found)}")
    if not sentences:
        return "No place in the turn order is clearly better or worse than par with any number of players."
    return f"Clear differences: {'; '.join(sentences)}. No other place differs clearly from par."


def length_rows(results: Results) -> Iterator[list[str]]:
    """Yield the length of games and how they end."""
    reasons = layout.REASONS[1:]
    yield ["players", "points to end", "Rounds", "± standard deviation", "winner's points", *reasons, "shared wins"]
    for seats in SEATS:
        sums = results["standard", seats, QUICK]
        if not sums[GAMES]:
            continue
        rounds = mean(sums, "rounds")
        spread = sqrt(max(0.0, mean(sums, "squared_rounds") - rounds**2))
        ends = [f"{mean(sums, f'end {reason}'):.1%}" for reason in reasons]
        needed = str(standard_manifest().points[seats - 2])
        middle = f"{rounds - spread:.0f}–{rounds + spread:.0f}"
        points = f"{mean(sums, WINNER_POINTS):.1f}"
        yield [str(seats), needed, f"{rounds:.1f}", middle, points, *ends, f"{mean(sums, 'shared'):.1%}"]


# ---- player powers


class PooledShare(NamedTuple):
    """A colour's wins over all numbers of players, as a multiple of par with its 95% interval."""

    ratio: float
    low: float
    high: float
    side: int  # 1 or -1 if it is clearly above or below par


def pool_shares(results: Results, topic: str, colour: str) -> PooledShare | None:
    """Compare what a colour won with what equal players would have won in the same games."""
    won = par = variance = 0.0
    for seats in SEATS:
        sums: Mapping[str, float] = results.get((topic, seats, QUICK), {})
        games = sums.get(f"{colour} {GAMES}", 0.0)
        won += sums.get(f"{colour} won", 0.0)
        par += games / seats
        variance += games * (1 / seats) * (1 - 1 / seats)
    if not par:
        return None
    error = sqrt(variance) / par
    ratio = won / par
    side = (ratio - CLEAR_Z * error > 1) - (ratio + CLEAR_Z * error < 1) if par >= MIN_PAR else 0
    return PooledShare(ratio, max(0.0, ratio - Z * error), ratio + Z * error, side)


def power_rows(results: Results, topic: str) -> Iterator[list[str]]:
    """Yield the share of the wins of each colour by the number of players, and all of them together."""
    yield ["power", *[f"{seats} players (par {1 / seats:.1%})" for seats in SEATS], "all, as a multiple of par"]
    for colour in COLOURS:
        cells = []
        for seats in SEATS:
            sums = results[topic, seats, QUICK]
            cells.append(share_text(sums[f"{colour} won"], sums[f"{colour} {GAMES}"], 1 / seats))
        yield [colour.capitalize(), *cells, pooled_text(pool_shares(results, topic, colour))]
    numbers = [results[topic, seats, QUICK][GAMES] for seats in SEATS]
    yield [GAMES, *[f"{number:,.0f}" for number in numbers], f"{sum(numbers):,.0f}"]


def pooled_text(pooled: PooledShare | None) -> str:
    """Format a multiple of par; bold if it is clearly not 1.

    >>> pooled_text(PooledShare(1.5, 1.4, 1.6, 1)), pooled_text(None)
    ('**1.50 (1.40–1.60)**', '–')
    """
    if pooled is None:
        return "–"
    text = f"{pooled.ratio:.2f} ({pooled.low:.2f}–{pooled.high:.2f})"
    return f"**{text}**" if pooled.side else text


def describe_powers(results: Results) -> str:
    """Say which powers are clearly strong or weak, as printed."""
    sides = {colour: pool_shares(results, "printed", colour) for colour in COLOURS}
    strong = [colour.capitalize() for colour, found in sides.items() if found and found.side > 0]
    weak = [colour.capitalize() for colour, found in sides.items() if found and found.side < 0]
    if not strong and not weak:
        return "These games show no clear difference between the powers."
    more, less = join_words(strong or ["no one"]), join_words(weak or ["no one"])
    return f"As printed and over all numbers of players, {more} won clearly more than par, and {less} clearly less."


def describe_advice(results: Results) -> str:
    """Compare the powers in the games with changed rules with those as printed."""
    closer = [
        colour.capitalize()
        for colour, (ratio, low, high) in CHANGED_POWERS.items()
        if (printed := pool_shares(results, "printed", colour)) is not None
        and not low <= printed.ratio <= high
        and abs(ratio - 1) < abs(printed.ratio - 1)
    ]
    return (
        f"Yellow is still above par. The intervals show that {join_words(closer or ['no power'])} came closer to par "
        "than as printed."
    )


def deed_rows(results: Results) -> Iterator[list[str]]:
    """Yield what the players of each colour did in a game of four."""
    yield [
        "power", "White gained", "Black gained", "new Mages", "opponents' Mages Exhausted", "some in Round 1",
        "all in Round 1",
    ]  # fmt: skip
    sums = results["printed", 4, QUICK]
    for colour in COLOURS:
        number = f"{colour} {GAMES}"
        means = [mean(sums, f"{colour} {what}", number) for what in ("white", "black", "mages", "exhausted")]
        shares = [mean(sums, f"{colour} exhausted {when}", number) for when in ("first", "all")]
        yield [colour.capitalize(), *[f"{value:.2f}" for value in means], *[f"{share:.1%}" for share in shares]]


def describe_orange(results: Results) -> str:
    """Say how often Orange Exhausts everyone in the first Round."""
    shares = [
        f"{mean(sums, 'orange exhausted all', f'orange {GAMES}'):.1%} of its games with {seats} players"
        for seats in SEATS
        if (sums := results["printed", seats, QUICK])[f"orange {GAMES}"]
    ]
    return f"*Orange* Exhausted all Mages of all opponents in Round 1 in {join_words(shares or ['no game'])}."


def describe_green(results: Results) -> str:
    """Compare the Etherium that Green gained with that of the others."""
    sums = results["printed", 4, QUICK]
    games = sum(sums[f"{colour} {GAMES}"] for colour in COLOURS if colour != "green")
    others = sum(sums[f"{colour} {what}"] for colour in COLOURS if colour != "green" for what in ("white", "black"))
    own = mean(sums, "green white", f"green {GAMES}") + mean(sums, "green black", f"green {GAMES}")
    return f"*Green* gained {own:.1f} Etherium in a game of four, the others {others / games if games else 0:.1f}."


# ---- tiles


def tile_rows(results: Results, tile_class: str) -> Iterator[list[str]]:
    """Yield how often the tiles of a class were summoned and Controlled, and the win shares of those who did."""
    counts = [(seats, results["standard", seats, QUICK]) for seats in (2, 4)]
    head = [f"{what}, {seats} players" for seats, _ in counts for what in ("summoned", "Control taken", "takers won")]
    yield ["tile", "price of Control", *head]
    for kind, tile in enumerate(standard_manifest().tiles):
        if tile.tile_class == tile_class:
            cells = []
            for seats, sums in counts:
                cells += [f"{mean(sums, f'tile {kind} {what}'):.2f}" for what in ("summoned", "taken")]
                cells.append(share_text(sums[f"tile {kind} won"], sums[f"tile {kind} taken"], 1 / seats))
            price = "–" if tile.control is None else f"{tile.control.white}/{tile.control.black}"
            yield [tile.name, price, *cells]


def describe_tiles(results: Results) -> str:
    """Name the Victory Realms whose takers win most and least often, with two and with four players."""
    sentences = []
    for seats in (2, 4):
        sums = results["standard", seats, QUICK]
        ranked = sorted(
            (mean(sums, f"tile {kind} won", f"tile {kind} taken"), tile.name)
            for kind, tile in enumerate(standard_manifest().tiles)
            if tile.tile_class == "victory" and sums[f"tile {kind} taken"]
        )
        if ranked:
            best = join_words([name for _, name in reversed(ranked[-3:])])
            worst = join_words([name for _, name in ranked[:3]])
            sentences.append(f"With {seats} players, {best} won most often for their takers, {worst} least often.")
    return " ".join(sentences)
