"""The headline of a table for one viewer: whose turn it is, or how the game ended for them."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.engine.protocol import Seat, player_seats
from realmtable.kit.realm_describe import join_words
from realmtable.server.tables.table import Result, Table

TWO_PLAYERS = 2


def headline(table: Table, you: tuple[Seat, ...]) -> str:
    """Return the headline for a viewer on the seats `you` (none: a spectator)."""
    names = table.game.info.seat_names
    if table.trouble:
        return "This game cannot continue"
    if table.result is not None:
        return describe_result(table.result, you[0], names) if len(you) == 1 else table.result.text
    if not table.started:
        return "Waiting for players"
    acting = player_seats(table.acting)
    if len(you) == 1 and you[0] in acting:
        return f"Your turn (you're {names[you[0]]})"
    return f"{join_words([names[seat] for seat in acting])} to move" if acting else "Waiting for the clock"


def describe_result(result: Result, seat: Seat, names: Sequence[str]) -> str:
    """Describe a result to the player on a seat.

    >>> timeout = Result((1, 2), None, "time", "Black ran out of time; White wins.")
    >>> [describe_result(timeout, seat, ["White", "Black"]) for seat in range(2)]
    ['You won: Black ran out of time.', 'You lost on time.']
    """
    shares_first_place = result.ranking[seat] == 1 and result.ranking.count(1) > 1
    if shares_first_place:
        return result.text
    if result.scores is None:
        return _describe_early_end(result, seat, names)
    if len(result.ranking) > TWO_PLAYERS:
        return _describe_place(result, result.scores, seat, names)
    return f"You {'won' if result.ranking[seat] == 1 else 'lost'}. {result.text}"


def _describe_early_end(result: Result, seat: Seat, names: Sequence[str]) -> str:
    """Describe a game that ended by time or resignation, not by its own rules."""
    if len(result.ranking) > TWO_PLAYERS and result.ranking[seat] == 1:
        return f"You won. {result.text}"  # the text says what happened to each of the others
    if result.ranking[seat] > 1:
        return "You lost on time." if result.reason == "time" else "You lost by resignation."
    loser = names[max(range(len(result.ranking)), key=result.ranking.__getitem__)]
    return f"You won: {loser} {'ran out of time' if result.reason == 'time' else 'resigned'}."


def _describe_place(result: Result, scores: Sequence[float], seat: Seat, names: Sequence[str]) -> str:
    """Describe who won and where a seat came among several.

    >>> result = Result((2, 1, 3), (120, 195, 77), "full_discard", "")
    >>> [_describe_place(result, (120, 195, 77), seat, ["Ruby", "Jade", "Amber"]) for seat in range(2)]
    ['Jade wins with 195 points. You came 2nd with 120.', 'You won with 195 points.']
    """
    rank, score, best = result.ranking[seat], f"{scores[seat]:g}", scores[result.ranking.index(1)]
    if rank == 1:
        return f"You won with {score} points."
    is_clear = result.ranking.count(1) == scores.count(best) == 1  # else the text explains the tie
    winner = f"{names[result.ranking.index(1)]} wins with {best:g} points." if is_clear else result.text
    return f"{winner} You came {ordinal(rank)} with {score}."


def ordinal(number: int) -> str:
    """Return an ordinal number.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st']
    """
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else suffix}"
