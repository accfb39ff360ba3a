"""Other prices and a stronger bot, for balance.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt

from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.tiles.manifest import standard_manifest
from realmtable.kit.wording import join_words
from realmtable.lab.match_statistics import Z
from studies.etherium.batches import GAMES, Sums
from studies.etherium.tables import CLEAR_Z, COLOURS, ORDINALS, QUICK, SEARCH, Results, mean, share_text
from studies.etherium.texts import PRICE_WORDS


def price_rows(results: Results) -> Iterator[list[str]]:
    """Yield games with other prices of Control."""
    yield [
        "prices", "players", GAMES, "Rounds", "ended by points", "Victory Realms taken per player", "first player",
        "takers of Network won",
    ]  # fmt: skip
    victory = [kind for kind, tile in enumerate(standard_manifest().tiles) if tile.tile_class == "victory"]
    for (topic, seats, bot), sums in results.items():
        if (topic == "standard" and seats in {2, 4} and bot == QUICK) or topic in PRICE_WORDS:
            if not sums[GAMES]:
                continue
            taken = sum(mean(sums, f"tile {kind} taken") for kind in victory) / seats
            first = share_text(sums["order 0 won"], sums[GAMES], 1 / seats)
            rounds, ended = f"{mean(sums, 'rounds'):.1f}", f"{mean(sums, 'end points'):.1%}"
            words = PRICE_WORDS.get(topic, "standard")
            network = f"tile {layout.KIND_NAMES.index('Network')}"
            network_won = share_text(sums[f"{network} won"], sums[f"{network} taken"], 1 / seats)
            yield [words, str(seats), f"{sums[GAMES]:,.0f}", rounds, ended, f"{taken:.2f}", first, network_won]


def describe_prices(results: Results) -> str:
    """Say how much prices change the length of games."""
    sentences = []
    for topic, words in PRICE_WORDS.items():
        changes = []
        for seats in (2, 4):
            sums, before = results[topic, seats, QUICK], results["standard", seats, QUICK]
            if sums[GAMES] and before["rounds"]:
                changes.append(f"{describe_length(sums, before)} with {seats} players")
        if changes:
            sentences.append(f"With {words}, games are {join_words(changes)}.")
    return " ".join(sentences)


def describe_length(sums: Sums, before: Sums) -> str:
    """Say how much longer or shorter games are than others, if that is clear."""
    change = mean(sums, "rounds") / mean(before, "rounds") - 1
    variances = [(mean(each, "squared_rounds") - mean(each, "rounds") ** 2) / each[GAMES] for each in (sums, before)]
    error = sqrt(max(0.0, sum(variances))) / mean(before, "rounds")
    if abs(change) <= CLEAR_Z * error:
        return "not clearly longer or shorter"
    return f"{abs(change):.0%} {'longer' if change > 0 else 'shorter'}"


def describe_network(results: Results) -> str:
    """Say how often those who take Network win, over all prices tried."""
    key = f"tile {layout.KIND_NAMES.index('Network')}"
    shares = [
        mean(sums, f"{key} won", f"{key} taken")
        for (topic, seats, bot), sums in results.items()
        if bot == QUICK and seats in {2, 4} and topic in {"standard", *PRICE_WORDS} and sums[f"{key} taken"]
    ]
    if not shares:
        return ""
    return f"Those who took Network won {min(shares):.0%} to {max(shares):.0%} of their games in these settings."


def stronger_rows(results: Results) -> Iterator[list[str]]:
    """Yield the same figures of both bots."""
    yield ["figure", *[f"{seats} players, {bot}" for seats in (2, 4) for bot in (QUICK, SEARCH)]]
    keys = [(seats, bot) for seats in (2, 4) for bot in (QUICK, SEARCH)]
    standard = [results["standard", seats, bot] for seats, bot in keys]
    printed = [results["printed", seats, bot] for seats, bot in keys]
    yield [GAMES, *[f"{sums[GAMES]:,.0f} + {more[GAMES]:,.0f}" for sums, more in zip(standard, printed, strict=True)]]
    yield ["Rounds", *[f"{mean(sums, 'rounds'):.1f}" for sums in standard]]
    for order in (0, 1):
        shares = [
            share_text(sums[f"order {order} won"], sums[GAMES], 1 / seats)
            for (seats, _), sums in zip(keys, standard, strict=True)
        ]
        yield [f"{ORDINALS[order]} player", *shares]
    for colour in COLOURS:
        shares = [
            share_text(sums[f"{colour} won"], sums[f"{colour} {GAMES}"], 1 / seats)
            for (seats, _), sums in zip(keys, printed, strict=True)
        ]
        yield [f"{colour.capitalize()}, as printed", *shares]


def describe_stronger(results: Results) -> str:
    """Say which powers win more or less often in the hands of the stronger bot."""
    if not any(results["printed", seats, SEARCH][GAMES] for seats in (2, 4)):
        return ""
    scores = {
        f"{colour.capitalize()} ({seats} players)": score_difference(
            results["printed", seats, SEARCH], results["printed", seats, QUICK], f"{colour} won", f"{colour} {GAMES}"
        )
        for seats in (2, 4)
        for colour in COLOURS
    }
    clear = {name: score for name, score in scores.items() if abs(score) > CLEAR_Z}
    likely = {name: score for name, score in scores.items() if Z < abs(score) <= CLEAR_Z}
    sentences = [
        _list_differences(clear, "won clearly {} often with `search` than with `quick`"),
        _list_differences(likely, "may win {} often with it (clear at 95%, not at 99.8%)"),
    ]
    none = "No power won clearly more or less often with `search` than with `quick`."
    return " ".join([*([] if clear else [none]), *filter(None, sentences)])


def _list_differences(scores: Mapping[str, float], words: str) -> str:
    sides = {
        "more": [name for name, score in scores.items() if score > 0],
        "less": [name for name, score in scores.items() if score < 0],
    }
    return " ".join(f"{join_words(names)} {words.format(word)}." for word, names in sides.items() if names)


def score_difference(one: Sums, other: Sums, won: str, games: str) -> float:
    """Return how many standard errors a share is higher in one setting than in the other."""
    if not one[games] or not other[games]:
        return 0.0
    pooled = (one[won] + other[won]) / (one[games] + other[games])
    error = sqrt(pooled * (1 - pooled) * (1 / one[games] + 1 / other[games]))
    return (mean(one, won, games) - mean(other, won, games)) / error if error else 0.0
