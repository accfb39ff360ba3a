"""`realmtable score`: what a hand of cards is worth."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from realmtable.cli.command_helpers import disable_compiling, read_text
from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.kit import calculators
from realmtable.kit.calculators import AnyHandScorer, Question

if TYPE_CHECKING:
    from rich.console import Console

MAX_BYTES = 20_000_000
MAX_HANDS = 1_000_000
MIN_HANDS_TO_COMPILE = 2_000  # hands; fewer are scored faster than the rules compile
MIN_HANDS_FOR_BAR = 500  # hands; fewer are scored without a progress bar
DEFAULT_PLAYERS = 4
MAX_WARNINGS = 5  # hands of unusual size that are named one by one


class Hand(NamedTuple):
    """A hand of a file: its JSON entry, and the question that the game's scorer parsed from it."""

    entry: dict[str, Any]
    question: Any


class OtherPlayers(NamedTuple):
    """The number of players, including the user, and the cards that the others are known to hold."""

    seats: int
    taken: str


@click.command("score")
@click.argument("hand", required=False)
@click.option("--game", "game_id", metavar="GAME", help="The game of the hand. [default: the first that has hands]")
@click.option("--discard", default="", metavar="CARDS", help="Cards in the discard area.")
@click.option("--file", type=click.Path(path_type=Path), help="Score every hand of a JSON file; - for standard input.")
@click.option("--choose", multiple=True, metavar="CARD=CHOICE", help="Fix a choice, or `none`; may be repeated.")
@click.option("--option", "pairs", multiple=True, metavar="KEY=VALUE", help="Rule option; may be repeated.")
@click.option("--advise", is_flag=True, help="Also advise what to draw or discard next.")
@click.option("--players", type=int, help=f"Number of players, for --advise. [default: {DEFAULT_PLAYERS}]")
@click.option("--taken", default="", metavar="CARDS", help="Cards that others are known to hold, for --advise.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(  # noqa: PLR0913 - one argument for each flag
    *,
    hand: str | None,
    game_id: str | None,
    discard: str,
    file: Path | None,
    choose: Sequence[str],
    pairs: Sequence[str],
    advise: bool,
    players: int | None,
    taken: str,
    as_json: bool,
) -> None:
    """Score a HAND of cards: their names, separated by commas.

    Case and accents do not matter, older names are accepted, and you can shorten a name as long as it is unambiguous.
    Choices are made for the best total; the output explains the points of each card.

    \b
    For example
      realmtable score "King, Queen, Knights, Rangers, Warlord, Sword of Keth, Shield of Keth"
      realmtable score "Necromancer, Forest, Mirage, …" --discard "Unicorn, Hydra"
      realmtable score "Island, Mirage, Book of Changes, …" --choose "Mirage=Rainstorm"
                       --choose "Book of Changes=Bell Tower:Wizard" --choose "Island=none"
      realmtable score "King, Queen, Knights, …" --discard "Warlord, Smoke" --advise --players 3
      realmtable score --file hands.json --json

    The file is a list of objects with `hand` and an optional `discard`; see docs/play/fantasy-scoring.md.
    """  # noqa: D301 - Click needs the literal \b
    if (hand is None) == (file is None):
        raise BadInput("Name the cards of one hand, or give many hands with --file.")
    if file is not None and (discard or choose):
        raise BadInput("--discard and --choose do not work with --file: each hand of the file has its own `discard`.")
    if file is not None and advise:
        raise BadInput("Advice is for one hand: name its cards instead of using --file.")
    if not advise and (taken or players is not None):
        raise BadInput("--players and --taken are for --advise: add it, or leave them out.")
    if game_id is None:
        game_id = calculators.first_game_with_hands() or ""
    scorer = calculators.find_hand_scorer(game_id)
    if scorer is None:
        raise BadInput(f"{registry.info(game_id).title} has no hands to score.")
    if file is not None:
        score_file(scorer, file, pairs, as_json=as_json)
    else:
        others = OtherPlayers(DEFAULT_PLAYERS if players is None else players, taken) if advise else None
        score_hand(scorer, scorer.read(hand or "", discard, choose, pairs), others, as_json=as_json)


# ---- one hand


def score_hand(scorer: AnyHandScorer, question: Question, others: OtherPlayers | None, *, as_json: bool) -> None:
    """Score a hand and print its sheet, with advice if `others` is given."""
    if others is None or not scorer.is_advice_slow(question):
        disable_compiling()
    sheet = scorer.sheet(question)
    advice = None if others is None else get_advice(scorer, question, others)
    if sheet["note"]:
        click.echo(sheet["note"], err=True)
    if as_json:
        click.echo(json.dumps(_sheet_data(sheet) | ({} if advice is None else {"advice": advice}), ensure_ascii=False))
        return
    from rich.console import Console  # noqa: PLC0415 - only the terminal needs Rich

    console = Console(highlight=False)
    print_sheet(sheet, console)
    if advice is not None:
        print_advice(advice, console)


def _sheet_data(sheet: dict[str, Any]) -> dict[str, Any]:
    """Return a sheet in the format of scored files, with the score that fixed choices gave."""
    return {
        "hand": sheet["hand"],
        **({"discard": sheet["discard"]} if sheet["discard"] else {}),
        "score": sheet["total"],
        "best_score": sheet["best"],
        "per_card": {card["card"]: card["points"] for card in sheet["cards"]},
        "choices": sheet["made"],
        **({"eighth": sheet["eighth"]} if sheet["discard"] else {}),
        "explanation": {card["card"]: card["sentence"] for card in sheet["cards"]},
    }


def print_sheet(sheet: dict[str, Any], console: Console) -> None:
    """Print a sheet for people."""
    from realmtable.cli.rich_picture import plain_table  # noqa: PLC0415 - as above

    table = plain_table()
    for name in ("card", "counts as", "points", "why"):
        table.add_column(name, justify="right" if name == "points" else "left", no_wrap=name != "why")
    for card in sheet["cards"]:
        name = f"[strike dim]{card['card']}[/]" if card["blanked"] else card["card"]
        table.add_row(name, _counts_as(card), _format_points(card["points"]), card["sentence"])
    console.print(table)
    console.print(f"\n[bold]{_format_points(sheet['total'])} points[/bold]")
    for line in _choice_lines(sheet):
        console.print(line, markup=False)


def _format_points(points: int) -> str:
    return f"−{-points}" if points < 0 else str(points)


def _counts_as(card: dict[str, Any]) -> str:
    suit = card["suit"] or "no suit"
    return suit if card["name"] == card["card"] else f"{card['name']}, {suit}"


def _choice_lines(sheet: dict[str, Any]) -> Iterator[str]:
    for choice in sheet["choices"]:
        fixed = " (fixed)" if choice["fixed"] else ""
        yield f"{choice['card']} {choice['verb']} {choice['words']}{fixed}."
    lost = sheet["best"] - sheet["total"]
    if any(choice["fixed"] for choice in sheet["choices"]):
        better = ", ".join(
            f"{choice['card']} {choice['verb']} {choice['best_words']}"
            for choice in sheet["choices"]
            if choice["best"] != choice["value"]
        )
        below = f"{lost} points below the best, {sheet['best']}: {better}."
        yield below if lost else "These choices are the best possible."


# ---- advice


def get_advice(scorer: AnyHandScorer, question: Question, others: OtherPlayers) -> dict[str, Any]:
    """Return advice on a hand, without pictures."""
    scorer.check_advice(question, others.seats, others.taken)  # reports mistakes before the slow part
    click.echo("Thinking …", err=True)
    advice = scorer.advise(question, others.seats, others.taken, Random(repr((question, others))))
    for card in advice["heading"]["cards"]:
        del card["picture"]
    return advice


def print_advice(advice: dict[str, Any], console: Console) -> None:
    """Print advice for people."""
    from realmtable.cli.rich_picture import plain_table  # noqa: PLC0415 - as above

    for chart in advice["charts"]:
        console.print(f"\n[bold]{chart['title']}[/bold]")
        table = plain_table()
        table.add_column("choice")
        for name in ("points", "most games", "lead"):
            table.add_column(name, justify="right", no_wrap=True)
        for choice in chart["choices"]:
            row = (choice["words"], choice["shown"], choice["span"], _format_lead(choice))
            table.add_row(*row, style="bold" if choice["best"] else "")
        console.print(table)
        console.print(chart["note"], style="dim")
    console.print(f"\n{advice['words']}. {advice['reason']}", markup=False)
    console.print(_heading_line(advice["heading"]), markup=False)


def _format_lead(choice: dict[str, Any]) -> str:
    return "best" if choice["best"] else _format_points(-round(choice["behind"]))


def _heading_line(heading: dict[str, Any]) -> str:
    cards = [
        f"{card['card']} {round(card['chance'] * 100)}%{' (held)' if card['held'] else ''}" for card in heading["cards"]
    ]
    return f"Heading for about {', '.join(cards)}: {_format_points(heading['total'])} points together."


# ---- files of hands


def score_file(scorer: AnyHandScorer, path: Path, pairs: Sequence[str], *, as_json: bool) -> None:
    """Score the hands of a file. All hands are parsed first, so that a mistake in the last one is reported at once."""
    entries = _read_entries(path)
    hands = [_parse_hand(scorer, number, entry, pairs) for number, entry in enumerate(entries, 1)]
    _warn_about_sizes(scorer, hands)
    if len(hands) <= MIN_HANDS_TO_COMPILE:
        disable_compiling()
    with click.progressbar(
        length=len(hands), label="Scoring", show_pos=True, file=sys.stderr, hidden=len(hands) < MIN_HANDS_FOR_BAR
    ) as bar:
        _print_scores(scorer, hands, as_json=as_json, bar=bar)


def _read_entries(path: Path) -> list[Any]:
    try:
        entries = json.loads(read_text(path, MAX_BYTES))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not JSON: {error}.") from None
    if not isinstance(entries, list):
        raise BadInput(f'{path} must hold a list of hands: [{{"hand": ["CARD", …]}}, …].')
    if len(entries) > MAX_HANDS:
        raise BadInput(f"{path} holds {len(entries):,} hands; at most {MAX_HANDS:,} can be scored at a time.")
    return entries


def _parse_hand(scorer: AnyHandScorer, number: int, entry: object, pairs: Sequence[str]) -> Hand:
    if not isinstance(entry, dict) or not _is_cards(entry.get("hand")) or not _is_cards(entry.get("discard", [])):
        raise BadInput(f'Hand {number}: write {{"hand": ["CARD", …], "discard": ["CARD", …]}}; `discard` is optional.')
    try:
        return Hand(entry, scorer.read(entry["hand"], entry.get("discard", ()), (), pairs))
    except BadInput as error:
        raise BadInput(f"Hand {number}: {error}") from None


def _is_cards(value: object) -> bool:
    """Whether a value is a list of card names, or one text with commas."""
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(name, str) for name in value))


def _warn_about_sizes(scorer: AnyHandScorer, hands: Sequence[Hand]) -> None:
    unusual = [
        (number, words)
        for number, hand in enumerate(hands, 1)
        if (words := scorer.describe_unusual_size(hand.question))
    ]
    for number, words in unusual[:MAX_WARNINGS]:
        click.echo(f"Hand {number}: {words}", err=True)
    if len(unusual) > MAX_WARNINGS:
        click.echo(f"And {len(unusual) - MAX_WARNINGS:,} more hands have an unusual size.", err=True)


def _print_scores(scorer: AnyHandScorer, hands: Sequence[Hand], *, as_json: bool, bar: Any) -> None:  # noqa: ANN401 - Click's type has no public name
    """Score and print the hands one by one: the output for a large file need not fit in memory."""
    if as_json:
        click.echo("[", nl=False)
    for number, hand in enumerate(hands, 1):
        scored = _score_entry(scorer, hand)
        if as_json:
            click.echo(("" if number == 1 else ",") + "\n" + json.dumps(scored, ensure_ascii=False), nl=False)
        else:
            click.echo(f"{number:>6} {_format_points(scored['best_score']):>6}  {', '.join(scored['per_card'])}")
        bar.update(1)
    if as_json:
        click.echo("\n]")


def _score_entry(scorer: AnyHandScorer, hand: Hand) -> dict[str, Any]:
    """Return the entry of a hand, with its score added."""
    sheet = scorer.best_score(hand.question)
    eighth = {"eighth": sheet["eighth"]} if "discard" in hand.entry else {}
    return {
        **hand.entry,
        "best_score": sheet["total"],
        "per_card": {card["card"]: card["points"] for card in sheet["cards"]},
        "choices": sheet["choices"],
        **eighth,
        "explanation": {card["card"]: card["sentence"] for card in sheet["cards"]},
    }
