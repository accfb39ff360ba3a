"""Tasks that `replay_pool` runs in other processes: moments of games as images, for sharing.

An image shows what a spectator may see, to players too, because it is made to be passed on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import View, player_seats
from realmtable.kit.wording import join_words
from realmtable.server.images.render import Caption, Theme, render_captioned
from realmtable.server.tables.latest_turn import latest_run
from realmtable.server.tables.replays.replay_tasks import EncodedGame, EncodedRun
from realmtable.server.tables.viewer_knowledge import name_of

FRAME_WIDTH: Final = 540
MAX_FRAMES: Final = 60


class MomentPicture(NamedTuple):
    """A spectator's picture of a moment as SVG, and a line about it."""

    picture: str
    line: str


def draw_run(run: EncodedRun, result: str = "") -> MomentPicture:
    """Draw the moment at the end of a run, where the game may have ended with a `result`."""
    return draw_match(run.to_match(), result)


def draw_position(game_id: str, position: str | None) -> MomentPicture:
    """Draw a position, by default the game's first one."""
    game = registry.game(game_id)
    state = game.initial(game.info.seats[0]) if position is None else game.decode(position)
    return draw_match(Match.start(game, state))


def draw_match(match: Match, result: str = "") -> MomentPicture:
    """Draw a match as a spectator sees it, with its latest turn marked.

    After a resignation, for example, no seat is to move, whatever the position says.
    """
    game = match.game
    view = game.view(match.state, None)
    is_marked = match.entry is not None and not game.info.hidden
    last = [list(game.handles(view, move)) for move in latest_run(match).moves] if is_marked else []
    ended: dict[str, Any] = {"to_move": []} if result else {}
    return MomentPicture(draw_whole(game, {**view, "last": last, **ended}), result or describe_moment(match, view))


def describe_moment(match: Match, view: View) -> str:
    """Say how a game ended, or whose turn it is."""
    game, outcome = match.game, match.outcome()
    if outcome is not None:
        return outcome.text
    turn = f"{game.info.presentation.turn_word} {game.turn(match.state).number}"
    acting = [name_of(game, view, seat) for seat in player_seats(game.to_move(match.state))]
    return f"{turn} · {join_words(acting)} to move" if acting else turn


def render_frames(frames: Sequence[tuple[EncodedRun, str]], caption: Caption, theme: Theme) -> list[bytes]:
    """Return moments as PNG files, each from the run that ends with it and the result of the game, if it is its end."""
    moments = [draw_run(run, result) for run, result in frames]
    return [
        render_captioned(moment.picture, caption._replace(line=moment.line), "square", theme, FRAME_WIDTH)
        for moment in moments
    ]


def choose_frames(game: EncodedGame) -> list[EncodedRun]:
    """Return the runs whose ends are the frames of an animation: the start, the turns or every few of them, the end."""
    ends = [0, *game.ends] if game.steps else [0]
    count = min(len(ends), MAX_FRAMES)
    places = [round(index * (len(ends) - 1) / max(1, count - 1)) for index in range(count)]
    return [game.run_at(ends[place]) for place in places]
