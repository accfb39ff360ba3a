"""The headline of a table for one viewer: whose turn it is, or how the game ended for them."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.engine.language import translate
from realmtable.engine.protocol import HasClock, Seat, player_seats
from realmtable.kit.wording import join_words
from realmtable.server.storage.table_store import ABORTED
from realmtable.server.tables.decision_deadlines import asked_seat
from realmtable.server.tables.table import Result, Table

SOLO = 1
TWO_PLAYERS = 2
SECOND_BEST = 2


def headline(table: Table, you: tuple[Seat, ...], names: Sequence[str] | None = None) -> str:
    """Return the headline for a viewer on the seats `you` (none: a spectator), who knows the seats by these names."""
    usual = table.game.info.seat_names
    names = usual if names is None else names
    if table.result is not None:
        result = table.result.with_names(names)
        return describe_result(result, you[0], names) if len(you) == 1 else describe_places(result, names)
    if table.trouble:
        return "This game cannot continue"
    if not table.started:
        return "Waiting for players"
    acting, game = player_seats(table.acting), table.game
    if table.clock_deadline is not None and isinstance(game, HasClock):  # all act at once
        phase = game.clock_phase(table.match.state)
        return f"{phase} (you're {names[you[0]]})" if len(you) == 1 else phase
    if (asked := asked_seat(game, table.match.state)) is not None:
        return f"Your answer (you're {names[asked]})" if you == (asked,) else f"{names[asked]} to answer"
    if len(you) == 1 and you[0] in acting:
        is_plain = len(table.seats) == SOLO and names[0] == usual[0]
        return "Your turn" if is_plain else f"Your turn (you're {names[you[0]]})"
    return f"{join_words([names[seat] for seat in acting])} to move" if acting else "Waiting for the clock"


# ---- for a player


def describe_result(result: Result, seat: Seat, names: Sequence[str]) -> str:
    """Describe a result to the player on a seat.

    >>> timeout = Result((1, 2), None, "time", "Black ran out of time; White wins.")
    >>> [describe_result(timeout, seat, ["White", "Black"]) for seat in range(2)]
    ['You won: Black ran out of time.', 'You lost on time.']
    """
    if result.reason == ABORTED:
        return result.text
    if result.reached:
        return _describe_goal(result, seat)
    if result.scores is None:
        return _describe_early_end(result, seat, names)
    if len(result.ranking) > TWO_PLAYERS:
        return _describe_place(result, result.scores, seat, names)
    if len(result.ranking) == SOLO or _shares_place(result, seat):
        return result.text
    return f"You {'won' if result.ranking[seat] == 1 else 'lost'}. {result.text}"


def _shares_place(result: Result, seat: Seat) -> bool:
    return result.ranking.count(result.ranking[seat]) > 1


def _describe_goal(result: Result, seat: Seat) -> str:
    """Say whether a seat reached its own goal and, with several players, where it came.

    >>> result = Result((1, 2), (9, 6), "days", "", (True, False))
    >>> [_describe_goal(result, seat) for seat in range(2)]
    ['You reached your goal and won.', 'You fell short of your goal and came 2nd of 2.']
    """
    verdict = "You reached your goal" if result.reached[seat] else "You fell short of your goal"
    if len(result.ranking) == SOLO:
        return f"{verdict}."
    if result.ranking[seat] == 1 and result.reached[seat] and not _shares_place(result, seat):
        return f"{verdict} and won."
    return f"{verdict} and {_place(result, seat)}."


def _describe_early_end(result: Result, seat: Seat, names: Sequence[str]) -> str:
    """Describe a game that ended by time, resignation, agreement or a claim, not by its own rules.

    >>> result = Result((1, 1, 3), None, "resignation", "Cid resigned; Ann and Bob share the win.")
    >>> [_describe_early_end(result, seat, ["Ann", "Bob", "Cid"]) for seat in (0, 2)]
    ['You share the win: Cid resigned.', 'You resigned and came 3rd of 3.']
    """
    on_time, count = result.reason == "time", len(result.ranking)
    if count == SOLO:
        return "You ran out of time." if on_time else "You gave up."
    if result.ranking.count(1) == count:
        return result.text
    if result.reason == "absence":
        if result.ranking[seat] > 1:
            return translate("You lost: you left the game.")
        return translate("You won: {player} left the game.", player=names[1 - seat])
    if result.ranking[seat] > 1 and count > TWO_PLAYERS:
        return f"You {'ran out of time' if on_time else 'resigned'} and {_place(result, seat)}."
    if result.ranking[seat] > 1:
        return "You lost on time." if on_time else "You lost by resignation."
    if count > TWO_PLAYERS and result.ranking.count(1) == 1:
        return f"You won. {result.text}"  # which says what happened to the others
    loser = names[max(range(count), key=result.ranking.__getitem__)]
    won = "share the win" if _shares_place(result, seat) else "won"
    return f"You {won}: {loser} {'ran out of time' if on_time else 'resigned'}."


def _describe_place(result: Result, scores: Sequence[float], seat: Seat, names: Sequence[str]) -> str:
    """Describe who won among several, and where a seat came.

    >>> result = Result((2, 1, 2), (120, 195, 120), "full_discard", "")
    >>> [_describe_place(result, (120, 195, 120), seat, ["Ruby", "Jade", "Amber"]) for seat in range(2)]
    ['Jade wins with 195. You share 2nd place with 120.', 'You win with 195 points.']
    """
    winner, place = result.ranking.index(1), ordinal(result.ranking[seat])
    came = f"share {place} place" if _shares_place(result, seat) else f"came {place}"
    if result.ranking[seat] == 1:
        return f"You {came if _shares_place(result, seat) else 'win'} with {format_points(scores[seat])}."
    if not _has_clear_winner(result, scores):
        return f"{result.text} You {came} with {scores[seat]:g}."
    return f"{names[winner]} wins with {scores[winner]:g}. You {came} with {scores[seat]:g}."


def _has_clear_winner(result: Result, scores: Sequence[float]) -> bool:
    """Whether the winner has the most points alone; otherwise the text of the result explains the tie."""
    return result.ranking.count(1) == scores.count(scores[result.ranking.index(1)]) == 1


def _place(result: Result, seat: Seat) -> str:
    """Return where a seat came: "came 2nd of 6" or "share 2nd place"."""
    place = ordinal(result.ranking[seat])
    return f"share {place} place" if _shares_place(result, seat) else f"came {place} of {len(result.ranking)}"


# ---- for spectators, and people who play several seats


def describe_places(result: Result, names: Sequence[str]) -> str:
    """Describe a result to those who do not play just one seat: the text or, with many seats, the first two places.

    >>> result = Result((2, 1, 3), (120, 195, 77), "full_discard", "Jade wins with 195 points.")
    >>> describe_places(result, ["Ruby", "Jade", "Amber"])
    'Jade wins with 195. Ruby came 2nd with 120.'
    """
    scores = result.scores
    if scores is None or result.reached or len(result.ranking) <= TWO_PLAYERS or not _has_clear_winner(result, scores):
        return result.text
    winner, best = result.ranking.index(1), [seat for seat, rank in enumerate(result.ranking) if rank == SECOND_BEST]
    came = "came 2nd" if len(best) == 1 else "share 2nd place"
    next_best = f"{join_words([names[seat] for seat in best])} {came} with {scores[best[0]]:g}"
    return f"{names[winner]} wins with {scores[winner]:g}. {next_best}."


# ---- numbers


def format_points(points: float) -> str:
    """Format points.

    >>> format_points(1), format_points(2.5)
    ('1 point', '2.5 points')
    """
    return f"{points:g} point{'' if points == 1 else 's'}"


def ordinal(number: int) -> str:
    """Return an ordinal number.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st']
    """
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else suffix}"
