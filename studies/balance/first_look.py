"""A first look at balance: play many random games of every board game and option, and write a page with the results.

`python -m studies.balance.first_look` writes first-look.md.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import click

import realmtable
from realmtable.engine.match import Match
from realmtable.engine.options import as_pairs
from realmtable.engine.protocol import GameInfo
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.playouts import PlayoutNumbers
from realmtable.lab.match_statistics import wilson
from realmtable.search.baselines import GreedyBot
from realmtable.search.playout_speed import play_out

PAGE = Path(__file__).with_name("first-look.md")
HALF = 0.5


def option_cases(info: GameInfo) -> list[dict[str, Any]]:
    """Return the default, the presets, and every other value of each switch and choice on its own."""
    cases: list[dict[str, Any]] = [{}, *(dict(values) for values in info.presets.values())]
    for option in info.options():
        if option.type == "switch":
            cases.append({option.name: not option.default})
        cases += [{option.name: choice} for choice in option.choices if choice != option.default]
    return [values for index, values in enumerate(cases) if values not in cases[:index]]


def format_row(info: GameInfo, values: dict[str, Any], games: int) -> str:
    """Play the games for one set of options and format a row of the game's table."""
    game = realmtable.game(info.id)
    options = game.options(None, **values)
    numbers = play_out(
        game, game.initial(2, options), [Random(f"{info.id} {values} {n}").getrandbits(63) for n in range(games)]
    )
    name = ", ".join(as_pairs(options)) or "default"
    return f"| {name} | {seat_share(numbers.winners, games)} | {_figures(numbers)} | {_endings(numbers)} |"


def verdict(winners: Counter[str], games: int) -> str:
    """Say which player the interval favours."""
    low, high = wilson((winners["0"] + winners["draw"] / 2) / games, games)
    return (
        "favours the first player"
        if low > HALF
        else "favours the second player"
        if high < HALF
        else "shows no advantage"
    )


def seat_share(winners: Counter[str], games: int) -> str:
    """Format White's share of the points, with a draw as half, its interval, and the share of draws."""
    points = winners["0"] + winners["draw"] / 2
    low, high = wilson(points / games, games)
    return f"{points / games:.1%} ({low:.1%}–{high:.1%}) | {winners['draw'] / games:.1%}"


def _figures(numbers: PlayoutNumbers) -> str:
    games = numbers.games
    return f"{numbers.turns / games:.0f} | {numbers.steps / games:.0f} | {numbers.choices / numbers.steps:.1f}"


def _endings(numbers: PlayoutNumbers) -> str:
    shares = numbers.reasons.most_common()
    return ", ".join(f"{reason} {count / numbers.games:.1%}" for reason, count in shares)


def play_greedy_games(info: GameInfo, values: dict[str, Any], games: int) -> tuple[Counter[str], int]:
    """Return the winners and turns of games between greedy players who look one step ahead."""
    game = realmtable.game(info.id)
    player = GreedyBot(length=1)
    winners: Counter[str] = Counter()
    turns = 0
    for number in range(games):
        rng = Random(f"greedy {info.id} {values} {number}")
        match = Match.start(game, game.initial(2, game.options(None, **values)))
        while acting := game.to_move(match.state):
            match = match.play(acting[0], player.choose(game, match.state, acting[0], rng))
        outcome = match.outcome()
        assert outcome is not None  # noqa: S101 - no seat is to act
        winners["draw" if outcome.winner is None else str(outcome.winner)] += 1
        turns += len(match.turns())
    return winners, turns


def format_greedy_row(values: dict[str, Any], winners: Counter[str], turns: int, games: int) -> str:
    """Format a row of the greedy table."""
    name = ", ".join(f"{key}=on" for key in values) or "default"
    return f"| {name} | {games:,} | {seat_share(winners, games)} | {turns / games:.0f} |"


def page(games: int, greedy_games: int) -> str:
    """Play all games and return the page."""
    parts = ["# Balance: a first look", INTRODUCTION.format(games=games)]
    for info in realmtable.infos():
        if not isinstance(realmtable.game(info.id), ArrayGame):
            continue  # ten thousand games of the others take too long
        click.echo(f"Playing {info.id} …", err=True)
        head = "| options | White's share | draws | turns | steps | choices per step | how games end |"
        rows = [format_row(info, values, games) for values in option_cases(info)]
        parts += [f"## {info.title}", "\n".join([head, "|---|---|---:|---:|---:|---:|---|", *rows])]
    parts += ["## Classic Realm between one-step greedy players", GREEDY_TEXT]
    head = "| options | games | White's share | draws | turns |"
    classic = realmtable.info("classic_realm")
    click.echo("Playing classic_realm, greedy …", err=True)
    played = [(values, *play_greedy_games(classic, values, greedy_games)) for values in GREEDY_CASES]
    rows = [format_greedy_row(values, winners, turns, greedy_games) for values, winners, turns in played]
    game = realmtable.game("classic_realm")
    random_winners = play_out(game, game.initial(), list(range(games))).winners
    parts.append("\n".join([head, "|---|---:|---|---:|---:|", *rows]))
    parts.append(
        f"With the standard set-up, random play {verdict(random_winners, games)} and one-step greedy play "
        f"{verdict(played[0][1], greedy_games)}. {CAUTION_TEXT}"
    )
    return "\n\n".join(parts) + "\n"


INTRODUCTION = (
    "Each row is {games:,} random games, played by `python -m studies.balance.first_look --games {games}`. White's "
    "share counts a draw as half a win; the brackets hold the 95% interval (Wilson). Random players are bad players: "
    "these figures show how the rules treat random play, not how good play would turn out."
)
GREEDY_TEXT = (
    "The booklet says that the first player in Classic Realm has a considerable advantage. Here both players choose "
    "the move with the best immediate evaluation (`evaluation.py` of the game), break ties at random, and look no "
    "further."
)
GREEDY_CASES: list[dict[str, Any]] = [{}, {"double_moves": True}, {"free_setup": True}]
CAUTION_TEXT = (
    "A greedy player dunks whenever possible and never considers the reply, so it matters which player has to start "
    "the exchanges. What the first move is worth to players who look further is a question for search, not for this "
    "page."
)


@click.command()
@click.option("--games", type=click.IntRange(10), default=10_000, show_default=True, help="Random games per row.")
@click.option(
    "--greedy-games", type=click.IntRange(10), default=1000, show_default=True, help="Games between greedy players."
)
def main(games: int, greedy_games: int) -> None:
    """Play the games and write the page."""
    PAGE.write_text(page(games, greedy_games), encoding="utf-8")
    click.echo(f"Wrote {PAGE.name}.", err=True)


if __name__ == "__main__":
    main()
