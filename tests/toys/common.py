"""Code shared by the toys: moves as text, comma-separated turns, ranking by scores, and a simple picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast
from xml.sax.saxutils import escape

from realmtable.engine.errors import BadOptions, BadPosition, GameOver
from realmtable.engine.options import parse_pairs
from realmtable.engine.protocol import AnyGame, HandlePath, Options, Outcome, ParsedTurn, View

NAMES = ("Ann", "Bob", "Cid", "Dot")


class TextMoves:
    """The part of a toy whose moves are their own texts and handles; its turns are written with commas."""

    def format_move(self, state: object, move: str) -> str:  # noqa: ARG002 - a move is its own text
        return move

    def format_turn(self, state: object, moves: Sequence[str]) -> str:  # noqa: ARG002 - a move is its own text
        return ",".join(moves)

    def parse_turn(self, state: object, text: str, *, running: bool = False) -> ParsedTurn:  # noqa: ARG002 - no step ends a turn
        return read_turn(cast("AnyGame", self), state, text)

    def handles(self, view: View, move: str) -> HandlePath:  # noqa: ARG002 - a move means the same click in every view
        return (move,)


def read_turn(game: AnyGame, state: object, text: str) -> ParsedTurn:
    """Parse the steps of one turn, and return the rest of the text.

    When several seats act at once, the record names the seat separately; here any seat that can take the step will do.
    """
    texts = text.split(",")
    acting, turn = game.to_move(state), game.turn(state)
    if not acting:
        raise GameOver("The game is over.")
    moves: list[str] = []
    while texts and (game.to_move(state), game.turn(state)) == (acting, turn):
        move = game.parse_move(state, texts.pop(0))
        able = [seat for seat in acting if move in game.legal_moves(state, seat)]
        state = game.play(state, (able or acting)[0], move)
        moves.append(move)
    return ParsedTurn(moves, [], ",".join(texts))


def read_options(game: AnyGame, text: str) -> Options:
    """Parse the options of a position."""
    pairs = [pair for pair in text.split(",") if pair]
    try:
        return game.options(None, **parse_pairs(game.info.options_type, pairs))
    except BadOptions as error:
        raise BadPosition(str(error)) from None


def outcome_of_scores(scores: Sequence[int], reason: str) -> Outcome:
    """Return the outcome: more points win, and equal points share a place."""
    ranking = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Outcome(tuple(map(float, scores)), ranking, reason, f"The points are {', '.join(map(str, scores))}.")


def picture(lines: Sequence[str], handles: Sequence[str]) -> str:
    """Draw lines of text and a box for each handle as SVG."""
    texts = "".join(f'<text y="{20 * row + 20}">{escape(line)}</text>' for row, line in enumerate(lines))
    boxes = "".join(f'<rect data-handle="{escape(handle)}" width="9" height="9"/>' for handle in handles)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120">{texts}{boxes}</svg>'
