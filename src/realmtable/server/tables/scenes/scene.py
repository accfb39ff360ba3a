"""The scene of a table for one viewer: what leaves the server while a game is played.

Every fact about the game comes from `view` for that viewer; a test checks everything that viewers receive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from realmtable.engine import chance
from realmtable.engine.pictures import find_handles, parts_of
from realmtable.engine.protocol import (
    AnyGame,
    HasPanels,
    HasScoreBreakdowns,
    HasTopics,
    Prompt,
    ScoreBreakdown,
    Seat,
    View,
    player_seats,
)
from realmtable.search.bot_levels import bot_name
from realmtable.server.accounts.accounts import Player
from realmtable.server.tables import actions
from realmtable.server.tables.absence import CLAIMS, Claim, find_claim
from realmtable.server.tables.decision_deadlines import describe_decision_deadline, warn_of_default
from realmtable.server.tables.events.step import list_news
from realmtable.server.tables.first_steps import describe_first_step, why_not_abort
from realmtable.server.tables.latest_turn import OWN_KINDS, TWO_PLAYERS, describe_latest
from realmtable.server.tables.picture_layers import store_layers
from realmtable.server.tables.rating_conditions import why_not_counted
from realmtable.server.tables.rematches import suggest_bots
from realmtable.server.tables.scenes.changes import Scene, list_choices_in
from realmtable.server.tables.scenes.headline import headline
from realmtable.server.tables.scenes.legal_choices import (
    choices_by_handle,
    labels_of,
    panel_facts,
    parts_of_panels,
    plays_forced_steps,
    prompt_of,
)
from realmtable.server.tables.scenes.move_list import list_recent_moves
from realmtable.server.tables.scenes.parts import by_number, own_parts, shared_parts
from realmtable.server.tables.scenes.premoves import can_premove
from realmtable.server.tables.table import ChatMessage, Offer, Result, Table
from realmtable.server.tables.viewer_knowledge import Numbering, name_of, names_for

OWN_OFFER_WORDS: Final = {"draw": "You offered a draw.", "takeback": "You asked to take back your last turn."}
PAUSED: Final = "paused until someone watches"


class SceneContext(NamedTuple):
    """What a scene shows that is not in the log: players, ratings and connections."""

    players: Mapping[str, Player]
    ratings: Mapping[str, dict[str, Any]]
    connected: Sequence[bool] | None
    paused: bool = False  # whether a table of bots waits for a spectator
    watching: int | None = None  # the number of spectators, if known
    away_since: Sequence[float | None] | None = None  # when each seat's player was missed first, if they are away


def viewpoint(table: Table, you: Sequence[Seat]) -> Seat | None:
    """Return the seat whose view a player on these seats gets: the first of theirs that is to act, or their first."""
    if len(you) == 1:
        return you[0]
    acting = [seat for seat in you if seat in table.acting]
    return acting[0] if acting else you[0] if you else None


def scene(table: Table, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool) -> Scene:
    """Return the table as a viewer on the seats `you` (none: a spectator) sees it, with a picture or the view."""
    return {**_public_part(table, context), **_own_part(table, you, context, pictures=pictures)}


# ---- what all viewers see alike


def _public_part(table: Table, context: SceneContext) -> Scene:
    """Return what all viewers of a scene see alike, made once for all."""
    key = (context.players, context.ratings, context.connected, context.away_since, context.paused)
    known: tuple[Any, Scene] | None = table.shared_parts.get("public")
    if known is None or known[0] != key:
        known = table.shared_parts["public"] = (key, _make_public_part(table, context))
    return known[1]


def _make_public_part(table: Table, context: SceneContext) -> Scene:
    info, setup = table.game.info, table.setup
    part = {
        "table": table.id,
        "game": info.id,
        "title": info.title,
        "topics": topics_of(table.game),
        "score_units": list(info.presentation.score_units),
        "clock": {"kind": setup.clock.kind, "text": setup.clock.describe(), "timeout": setup.timeout_rule},
        "commitment": chance.commitment(table.seed),
        "invite": f"/tables/{table.id}",
        "rated": setup.rated,
        "chance": info.chance,
        "status": table.status,
        "acting": list(player_seats(table.acting)),
        "seed": table.seed if table.result is not None else None,
        "rematch": table.rematch,
        "rematch_by": table.rematch_by,
        "not_counted": why_not_counted(table),
        "explorable": may_explore(table),
        "plays_forced": plays_forced_steps(table),
        "sub": _subtitle(table, paused=context.paused),
    }
    if table.is_alike_for_all:
        part |= _known_part(table, (), table.game.view(table.match.state, None), context)
        if _latest_differs(table):
            del part["latest"]
    return part


def _latest_differs(table: Table) -> bool:
    """Whether viewers get different summaries of the latest steps.

    With several opponents, it depends on a viewer's own latest step, with chance on whose turn it was; and no one reads
    that they asked for a hint or offered something.
    """
    return (
        len(table.seats) > TWO_PLAYERS
        or table.game.info.chance
        or (bool(table.news) and table.news[-1].kind in OWN_KINDS)
    )


# ---- what a viewer knows


def _known_part(table: Table, you: tuple[Seat, ...], view: View, context: SceneContext) -> Scene:
    """Return what a viewer knows of the match."""
    game, viewer, numbering = table.game, viewpoint(table, you), table.numbering(you)
    names = names_for(game, view, len(table.seats))
    lines, has_earlier = list_recent_moves(table, you, viewer)
    news = list_news(table, viewer, numbering, names)
    return {
        "version": numbering.visible_version(table.version),
        "seats": [_seat_data(table, seat, names[seat], context) for seat in range(len(table.seats))],
        "step": numbering.visible_step(table.step),
        "latest": describe_latest(news, you, names),
        "last": [list(path) for path in table.last_turn_paths_in(view)],
        "result": None if table.result is None else table.result.with_names(names).as_data(),
        "tallies": tallies(game, view, table.result),
        "lines": {str(line["steps"][0]): line for line in lines},
        "earlier": has_earlier,
        "news": {str(item["version"]): item for item in news},
        **shared_parts(game, view),
    }


def _own_part(table: Table, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool) -> Scene:
    """Return the part of a scene that depends on the viewer."""
    game, viewer = table.game, viewpoint(table, you)
    view = game.view(table.match.state, viewer)
    drawn = _draw(table, view) if pictures else {"view": view}
    choices: dict[str, dict[str, Any]] = {}
    if viewer is not None and actions.may_act(table, viewer):
        choices = choices_by_handle(table, viewer, view, find_handles(drawn["picture"]) if pictures else None)
    may_chat = actions.may_chat(table, you)
    if table.is_alike_for_all:
        names: Sequence[str] = game.info.seat_names
        data: Scene = {}
        if _latest_differs(table):
            news = list_news(table, None, table.numbering(()), names)
            data["latest"] = describe_latest(news, you, names[: len(table.seats)])
    else:
        names = names_for(game, view, len(table.seats))
        data = _known_part(table, you, view, context)
    deadline, claim = table.clock_deadline, find_claim(table, you, context.away_since)
    data |= {
        "you": list(you),
        "your_turn": bool(choices),
        "headline": headline(table, you, names),
        "prompt": _prompt(table, viewer, view) if table.status == "running" else None,
        "choices": choices,
        "labels": labels_of(game, list_choices_in(choices)) if choices else {},
        **{
            name: by_number(parts)
            for name, parts in own_parts(game, table.match.state, view if choices else None).items()
        },
        "can": _possible_actions(table, you, claim, may_chat=may_chat),
        "offer": None if table.offer is None else _offer(table.offer, you, names),
        "chat_open": may_chat,
        "chat": _chat(table, context, table.numbering(you), names) if may_chat and table.chat else {},
        "bell": None if deadline is None else {"until": deadline},
        "answer": describe_decision_deadline(table, viewer),
        "first_step": describe_first_step(table, you),
        "claim": None if claim is None else {"seat": claim.seat, "possible_at": _round_time(claim.possible_at)},
        "watching": context.watching,
        "next_bots": None if table.result is None else suggest_bots(table, you),
    }
    return data | drawn


def _draw(table: Table, view: View) -> Scene:
    """Return the parts of a viewer's picture, the layers under it and the panels beside it."""
    picture = table.draw(view) if table.game.info.hidden else table.picture
    panels = table.game.panels(view) if isinstance(table.game, HasPanels) else []
    return {
        "picture": parts_of(picture),
        "layers": store_layers(table.game, view),
        "panels": {panel.id: panel_facts(panel) for panel in panels},
        "panel_parts": parts_of_panels(panels, picture),
    }


def _prompt(table: Table, viewer: Seat | None, view: View) -> dict[str, Any] | None:
    """Return what the viewer is asked to do and, if they are asked out of turn, what happens without an answer."""
    prompt, warning = prompt_of(table.game, view), warn_of_default(table, viewer)
    if not warning:
        return prompt
    prompt = prompt or {**Prompt()._asdict(), "rules": None}
    return {**prompt, "text": f"{prompt['text']} {warning}".strip()}


def may_explore(table: Table) -> bool:
    """Whether positions may be exported: the game has no hidden information, or it is over."""
    return not table.game.info.hidden or table.result is not None


def _subtitle(table: Table, *, paused: bool) -> str:
    if table.trouble:
        return table.trouble
    number = table.game.turn(table.match.state).number
    turn = [f"{table.game.info.presentation.turn_word} {number}" if number else "Set-up"] if table.started else []
    clock = [table.setup.describe_clock()] if table.setup.clock.kind != "none" else []
    rated = why_not_counted(table) or "rated" if table.setup.rated else ""
    parts = [*turn, table.setup.describe() or "standard rules", *clock, *[rated] * table.setup.rated]
    return " · ".join([*parts, *[PAUSED] * paused])


def _seat_data(table: Table, seat: Seat, name: str, context: SceneContext) -> dict[str, Any]:
    sitter = table.seats[seat]
    player = None if sitter is None else context.players.get(sitter.player_id)
    late_ids = [late.player_id for late in table.timed_out if late.seat == seat]
    return {
        "seat": seat,
        "name": name,
        "player": _player_data(player),
        "bot": None if sitter is None else sitter.bot,
        "rating": None if sitter is None else context.ratings.get(sitter.player_id),
        "connected": None if context.connected is None else context.connected[seat],
        "away_since": None if context.away_since is None else _round_time(context.away_since[seat]),
        "clock": None if table.setup.clock.kind == "none" else _clock_data(table, seat),
        "timed_out": _player_data(context.players.get(late_ids[0])) if late_ids else None,
    }


def _clock_data(table: Table, seat: Seat) -> dict[str, float | None]:
    """Return the time a seat has left, and when it ends if its clock is running."""
    left, is_running = table.clock.left[seat], table.status == "running" and seat in table.clock.running
    return {"remaining_s": left, "until": _round_time(table.clock.since + left) if is_running else None}


def _round_time(at: float | None) -> float | None:
    return None if at is None else round(at, 3)


def _player_data(player: Player | None) -> dict[str, str] | None:
    return None if player is None else {"id": player.id, "name": display_name(player), "kind": player.kind}


def display_name(player: Player) -> str:
    """Return the name to show for a player; a bot has the name of its level."""
    return bot_name(player.name) if player.kind == "bot" else player.name


def topics_of(game: AnyGame) -> list[dict[str, str]]:
    """Return the topics by which a game's move list can be filtered, in order."""
    titles = game.topics() if isinstance(game, HasTopics) else {}
    return [{"topic": topic, "title": title} for topic, title in titles.items()]


def _offer(offer: Offer, you: Sequence[Seat], names: Sequence[str]) -> dict[str, Any]:
    words = OWN_OFFER_WORDS[offer.what] if offer.seat in you else offer.describe(names[offer.seat])
    return {**offer._asdict(), "words": words}


def _chat(table: Table, context: SceneContext, numbering: Numbering, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    return {
        str(version := numbering.visible_version(message.version)): {
            "version": version,
            "name": _sender_name(table, message, context, names),
            "player": message.player_id,
            "seat": message.seat,
            "text": message.text,
            "sent_at": message.at,
        }
        for message in table.chat
    }


def _sender_name(table: Table, message: ChatMessage, context: SceneContext, names: Sequence[str]) -> str:
    """Return the name of a message's sender, and of their seat if the game names it by what happens in it."""
    player = context.players.get(message.player_id)
    name = "Unknown" if player is None else player.name
    is_named = message.seat is not None and names[message.seat] != table.game.info.seat_names[message.seat]
    return f"{name} ({names[message.seat]})" if is_named and message.seat is not None else name


def _possible_actions(table: Table, you: tuple[Seat, ...], claim: Claim | None, *, may_chat: bool) -> list[str]:
    if table.status == "open":
        free = actions.open_seats(table)
        can = [*["sit"] * bool(free and not you), *["leave"] * bool(you)]
    elif table.status == "running" and you:
        can = ["undo"] if actions.can_undo(table, you) else []
        can += [f"offer_{what}" for what in actions.possible_offers(table, you)]
        can += ["premove"] * can_premove(table, you)
        can += ["hint"] * actions.can_ask_for_hint(table, you)
        can += ["answer"] * (table.offer is not None and table.offer.seat not in you)
        can += ["abort"] * (why_not_abort(table, you) is None)
        can += [f"claim_{what}" for what in CLAIMS if claim is not None]
        can.append("resign")
    else:
        can = ["rematch"] if you and table.result is not None else []
    return [*can, "chat"] if may_chat else can


def tallies(game: AnyGame, view: Mapping[str, Any], result: Result | None) -> list[dict[str, Any]]:
    """Return the score breakdowns of a finished game, best first, if the game provides them.

    The ranking of a table may differ from that of the rules: players who ran out of time may come last.
    """
    if not isinstance(game, HasScoreBreakdowns):
        return []
    found = game.score_breakdowns(view)
    ranked = found if result is None else [tally._replace(rank=result.ranking[tally.seat]) for tally in found]
    reached = () if result is None else result.reached
    return [
        _tally(game, tally, name_of(game, view, tally.seat), reached[tally.seat] if reached else None)
        for tally in sorted(ranked, key=lambda tally: tally.rank)
    ]


def _tally(game: AnyGame, tally: ScoreBreakdown, name: str, reached: bool | None) -> dict[str, Any]:
    query = "&".join(f"{name}={quote(value, safe=',=:')}" for name, value in tally.score_query)
    return {
        "seat": tally.seat,
        "name": name,
        "rank": tally.rank,
        "reached": reached,
        "total": tally.total,
        "lines": [line._asdict() for line in tally.lines],
        "sheet": f"/score/{game.info.id}?{query}" if query else None,
    }
