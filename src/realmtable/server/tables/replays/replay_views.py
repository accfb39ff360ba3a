"""Replays of tables, imported records and positions, and "what if" lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.chance import commitment
from realmtable.engine.dice_verification import verify
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match, fold_label
from realmtable.engine.protocol import CHANCE, AnyGame, State, player_seats
from realmtable.engine.record import Record, RecordTurn
from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import NotAllowed, NotFound
from realmtable.server.tables import actions
from realmtable.server.tables.scenes.legal_choices import find_reason, reason_data, view_for_reason
from realmtable.server.tables.scenes.moment import match_at, moment
from realmtable.server.tables.scenes.move_list import list_moves
from realmtable.server.tables.scenes.scene import may_explore, topics_of, viewpoint
from realmtable.server.tables.table import Table
from realmtable.server.tables.viewer_knowledge import names_for

MAX_LINE_STEPS: Final = 400  # of a "what if" line

Moment = dict[str, Any]


def explore(game_id: str, position: str | None, texts: Sequence[str], known_layers: Collection[str] = ()) -> Moment:
    """Return a position after some trial steps, with its legal moves."""
    if len(texts) > MAX_LINE_STEPS:
        raise NotAllowed(f"A line can have at most {MAX_LINE_STEPS} steps.")
    game = registry.game(game_id)
    start = _read_position(game, position)
    match = Match.start(game, start, seed="what if")
    steps = 0
    for text in texts:
        for move in actions.read_moves(game, match.state, text):
            acting = game.to_move(match.state)
            match = match.play(acting[0] if acting else 0, move)
            steps += 1
    acting = game.to_move(match.state)
    viewer = acting[0] if acting and acting[0] != CHANCE else None
    return moment(match, viewer, step=steps, steps=steps, open_to_all=True, known_layers=known_layers)


def why_not(game_id: str, position: str | None, path: Sequence[str], handle: str) -> dict[str, Any]:
    """Return why the seat to move cannot choose a handle after the handles of `path`."""
    game = registry.game(game_id)
    state = _read_position(game, position)
    acting = player_seats(game.to_move(state))
    view = view_for_reason(game, state, acting[0]) if acting else None
    reason = None if view is None else find_reason(game_id, view, path, handle)
    return reason_data(game_id, reason, path)


def _read_position(game: AnyGame, position: str | None) -> State:
    """Return the state that a text describes; without one, the game's initial state."""
    return game.initial(game.info.seats[0]) if position is None else game.decode(position)


# ---- whole replays


def table_record(table: Table, names: dict[str, str]) -> Record:
    """Return the record of a table; `names` are the players by seat. Adds how it ended, if not by the rules."""
    headers = dict(names)
    if table.setup.clock.kind != "none":
        headers["Clock"] = table.setup.clock.describe()
    if table.setup.seats != table.game.info.seats[0]:
        headers["Seats"] = str(table.setup.seats)
    if table.result is not None and table.match.outcome() is None:
        headers["Termination"] = table.result.with_names(table.game.info.seat_names).text
    if table.setup.timeout_rule is not None and table.timed_out:
        late = [table.game.info.seat_names[seat] for seat in sorted(table.timed_out_seats)]
        headers["Timeout"] = ", ".join(late) + (" (last place)" if table.setup.timeout_rule == "last" else "")
    record = Record.from_match(table.match, headers)
    record.commitment = commitment(table.seed)
    if table.result is not None:
        record.seed = table.seed
    return record


def format_players(names: Sequence[str]) -> str:
    """Return the players of a game for a title; among more than two, equal names are counted.

    >>> format_players(["Ada", "Knight"]), format_players(["Ada", "Knight", "Knight", "Knight"])
    ('Ada – Knight', 'Ada – 3 × Knight')
    """
    if len(names) <= actions.TWO_PLAYERS:
        return " – ".join(names)
    return " – ".join(name if count == 1 else f"{count} × {name}" for name, count in Counter(names).items())


def table_replay(
    table: Table, player: Player | None, names: dict[str, str], latest: Moment, fairness: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the initial data of a table's replay page: its latest moment, and whether its dice were fair."""
    source = f"/api/tables/{table.id}"
    seats = table.seats_of(player.id if player else None)
    open_to_all = may_explore(table)
    seat_names = names_for(table.game, table.game.view(table.match.state, viewpoint(table, seats)), len(table.seats))
    return {
        "source": source,
        "title": f"{table.game.info.title}: {format_players(list(names.values()))}",
        "game": table.game.info.id,
        "headers": names | ({} if table.result is None else {"Result": table.result.with_names(seat_names).text}),
        "lines": list_moves(table, seats, viewpoint(table, seats)),
        "topics": topics_of(table.game),
        "you": list(seats),
        "steps": latest["steps"],
        "moment": latest,
        "fairness": fairness if table.game.info.chance else None,
        "downloads": {"record": f"{source}/record"} if open_to_all else {},
    }


def check_fairness(table: Table) -> dict[str, Any]:
    """Check that the dice and shuffles of a table match the hash that was published in advance."""
    published = commitment(table.seed)
    if table.result is None:
        text = "The seed is revealed when the game is over."
        return {"kept": None, "text": text, "commitment": published, "seed": None}
    verdict = verify(table_record(table, {}))
    return {"kept": verdict.is_fair, "text": verdict.text, "commitment": published, "seed": table.seed}


def record_replay(record_id: str, record: Record) -> dict[str, Any]:
    """Return the initial data of an imported record's page."""
    source = f"/api/records/{record_id}"
    lines, steps = _record_lines(record)
    players = [record.headers[name] for name in record.game.info.seat_names if name in record.headers]
    title = record.headers.get("Event") or format_players(players) or "Imported game"
    return {
        "source": source,
        "title": f"{record.game.info.title}: {title}",
        "game": record.game.info.id,
        "headers": record.headers,
        "comment": record.comment,
        "lines": lines,
        "steps": steps,
        "moment": record_moment(record, steps),
        "fairness": _record_fairness(record),
        "downloads": {"record": f"{source}/record"},
    }


def record_moment(record: Record, step: int) -> Moment:
    """Return a record after its first `step` steps."""
    match = record.replay()
    steps = len(match.log())
    if not 0 <= step <= steps:
        raise NotFound(f"The record has steps 0 to {steps}.")
    return moment(match_at(match, steps, step), None, step=step, steps=steps, open_to_all=True)


def position_replay(game_id: str, position: str | None) -> dict[str, Any]:
    """Return the initial data of a single position's page."""
    game = registry.game(game_id)
    return {
        "source": None,
        "title": f"{game.info.title}: a position",
        "game": game_id,
        "headers": {},
        "lines": [],
        "steps": 0,
        "moment": explore(game_id, position, ()),
        "fairness": None,
        "downloads": {},
    }


def _record_fairness(record: Record) -> dict[str, Any] | None:
    if record.commitment is None or not record.game.info.chance:
        return None
    try:
        verdict = verify(record)
    except RealmtableError as error:
        return {"kept": False, "text": str(error), "commitment": record.commitment, "seed": record.seed}
    return {"kept": verdict.is_fair, "text": verdict.text, "commitment": record.commitment, "seed": record.seed}


def _record_lines(record: Record) -> tuple[list[dict[str, Any]], int]:
    lines: list[dict[str, Any]] = []
    step = 0
    for turn in record.turns:
        first, step = step + 1, step + len(turn.moves)
        line, fold = _record_line(record.game, turn), fold_label(record.game, turn.seat, turn.before, turn.moves[0])
        if fold and lines and lines[-1]["text"] == fold and not lines[-1]["comment"]:
            first = lines.pop()["steps"][0]
        lines.append(line | {"steps": [first, step]})
    return lines, step


def _record_line(game: AnyGame, turn: RecordTurn) -> dict[str, Any]:
    """Return a turn with its comment and variations; a variation has the position and moves to play it."""
    position = game.encode(turn.before) if turn.variations else ""
    return {
        "turn": turn.turn.number,
        "seat": turn.seat,
        "text": fold_label(game, turn.seat, turn.before, turn.moves[0]) or turn.text,
        "comment": turn.comment,
        "variations": [
            {
                "position": position,
                "text": " ".join(step.text for step in variation),
                "moves": _format_moves(game, variation),
            }
            for variation in turn.variations
        ],
    }


def _format_moves(game: AnyGame, turns: Sequence[RecordTurn]) -> list[str]:
    texts = []
    for turn in turns:
        state = turn.before
        for move in turn.moves:
            texts.append(game.format_move(state, move))
            state = game.play(state, turn.seat, move)
    return texts
