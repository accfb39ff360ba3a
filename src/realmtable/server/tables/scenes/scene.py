"""What leaves the server: the scene of a table for one viewer, and moments of a match in a replay.

Every fact about the game comes from `view` for that viewer; a test checks everything that viewers receive.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import orjson

from realmtable.engine import chance
from realmtable.engine.match import LogEntry, Match
from realmtable.engine.protocol import (
    CHANCE,
    AnyGame,
    HasDescriptions,
    HasScoreBreakdowns,
    HasSeatNames,
    HasTopics,
    ScoreBreakdown,
    Seat,
    View,
    player_seats,
)
from realmtable.search.bot_levels import bot_name
from realmtable.server.accounts.accounts import Player
from realmtable.server.tables import actions
from realmtable.server.tables.latest_turn import TWO_PLAYERS, actor_name, describe_latest, latest_run
from realmtable.server.tables.picture_layers import list_layers, store_layers
from realmtable.server.tables.rating_conditions import why_not_counted
from realmtable.server.tables.rematches import suggest_bots
from realmtable.server.tables.scenes.headline import headline
from realmtable.server.tables.scenes.legal_choices import choices_of, labels_of, list_choices
from realmtable.server.tables.scenes.move_list import list_recent_moves
from realmtable.server.tables.scenes.panels import panels_of, prompt_of
from realmtable.server.tables.scenes.premoves import can_premove
from realmtable.server.tables.seat_names import name_of, names_for, write_names
from realmtable.server.tables.table import MAX_NEWS, ChatMessage, News, Offer, Result, Table
from realmtable.server.tables.viewer_numbering import Numbering, viewer_index

Scene = dict[str, Any]
OWN_OFFER_WORDS: Final = {"draw": "You offered a draw.", "takeback": "You asked to take back your last turn."}
PAUSED: Final = "paused until someone watches"


@dataclass(frozen=True, slots=True)
class SceneContext:
    """What a scene shows that is not in the log: players, ratings, connections and the time."""

    players: Mapping[str, Player]
    ratings: Mapping[str, dict[str, Any]]
    connected: Sequence[bool] | None
    now: float
    paused: bool = False  # whether a table of bots waits for a spectator
    watching: int | None = None  # the number of spectators, if known


def viewpoint(table: Table, you: Sequence[Seat]) -> Seat | None:
    """Return the seat whose view a player on these seats gets: the first of theirs that is to act, or their first."""
    acting = [seat for seat in you if seat in table.acting]
    return acting[0] if acting else you[0] if you else None


def scene(table: Table, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool) -> Scene:
    """Return the table as a viewer on the seats `you` (none: a spectator) sees it, with a picture or the view."""
    return {**public_part(table, context)[0], **own_part(table, you, context, pictures=pictures)}


def encode_scene(table: Table, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool) -> tuple[Scene, bytes]:
    """Return the viewer's own part of a scene, and the JSON of the whole scene."""
    own = own_part(table, you, context, pictures=pictures)
    return own, public_part(table, context)[1][:-1] + b"," + orjson.dumps(own)[1:]


# ---- what all viewers see alike


def public_part(table: Table, context: SceneContext) -> tuple[Scene, bytes]:
    """Return what all viewers of a scene see alike, and its JSON. Both are made once for all; do not change them."""
    time = context.now if table.setup.clock.kind != "none" else None  # otherwise nothing in it depends on the time
    key = (context.players, context.ratings, context.connected, context.paused, time)
    known: tuple[Any, Scene, bytes] | None = table.shared_parts.get("public")
    if known is None or known[0] != key:
        part = {**_public_facts(table), "sub": _subtitle(table, paused=context.paused)}
        if _all_see_alike(table.game):
            part |= _known_part(table, (), table.game.view(table.match.state, None), context)
        known = table.shared_parts["public"] = (key, part, orjson.dumps(part))
    return known[1], known[2]


def _all_see_alike(game: AnyGame) -> bool:
    """Whether all viewers know the same, and know the seats by the same names."""
    return not game.info.hidden and not isinstance(game, HasSeatNames)


def _public_facts(table: Table) -> Scene:
    """Return what every viewer of this version sees alike, in any game."""
    return {
        **_lasting_facts(table),
        "status": table.status,
        "acting": list(player_seats(table.acting)),
        "seed": table.seed if table.result is not None else None,
        "rematch": table.rematch,
        "not_counted": why_not_counted(table),
        "explorable": may_explore(table),
    }


def _lasting_facts(table: Table) -> Scene:
    """Return the facts that are the same in all versions of a table."""
    facts: Scene | None = table.viewer_caches.get(_lasting_facts)
    if facts is None:
        info, setup = table.game.info, table.setup
        facts = table.viewer_caches[_lasting_facts] = {
            "table": table.id,
            "game": info.id,
            "title": info.title,
            "topics": topics_of(table.game),
            "clock": {"kind": setup.clock.kind, "text": setup.clock.describe(), "timeout": setup.timeout_rule},
            "commitment": chance.commitment(table.seed),
            "invite": f"/tables/{table.id}",
            "rated": setup.rated,
            "chance": info.chance,
        }
    return facts


# ---- what a viewer knows


def _known_part(table: Table, you: tuple[Seat, ...], view: View, context: SceneContext) -> Scene:
    """Return what a viewer knows of the match: the seats, the list of moves and the news."""
    game, viewer, numbering = table.game, viewpoint(table, you), table.numbering(you)
    names = names_for(game, view, len(table.seats))
    lines, has_earlier = list_recent_moves(table, you, viewer)
    news = _news(table, viewer, numbering, names)
    return {
        "version": numbering.visible_version(table.version),
        "seats": [_seat_data(table, seat, names[seat], context) for seat in range(len(table.seats))],
        "lines": lines,
        "earlier": has_earlier,
        "step": numbering.visible_step(table.step),
        "news": news,
        "latest": describe_latest(news, you, names),
        "last": [list(path) for path in table.last_turn_paths_in(view)],
    }


def own_part(table: Table, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool) -> Scene:
    """Return the part of a scene that depends on the viewer, or on the time."""
    game, viewer = table.game, viewpoint(table, you)
    view = game.view(table.match.state, viewer)
    names, result = names_for(game, view, len(table.seats)), table.result
    may_act = viewer is not None and actions.may_act(table, viewer)
    choices = choices_of(table.match, viewer, view, words=pictures) if may_act and viewer is not None else []
    may_chat = actions.may_chat(table, you)
    data: Scene = {} if _all_see_alike(game) else _known_part(table, you, view, context)
    if len(table.seats) > TWO_PLAYERS and _all_see_alike(game):  # it depends on the viewer's own latest step
        data["latest"] = describe_latest(public_part(table, context)[0]["news"], you, names)
    data |= {
        "you": list(you),
        "your_turn": bool(choices),
        "headline": headline(table, you, names),
        "prompt": prompt_of(game, view) if table.status == "running" else None,
        "choices": choices,
        "labels": labels_of(game, choices),
        "can": _possible_actions(table, you),
        "offer": None if table.offer is None else _offer(table.offer, you, names),
        "chat_open": may_chat,
        "chat": _chat(table, context, table.numbering(you), names) if may_chat and table.chat else [],
        "bell": None
        if table.clock_deadline is None
        else {"remaining_s": max(0.0, table.clock_deadline - context.now), "running": True},
        "now": context.now,
        "watching": context.watching,
        "result": None if result is None else result.with_names(names).as_data(),
        "tallies": tallies(game, view, result),
        "next_bots": suggest_bots(table, you),
    }
    if pictures:
        data["picture"] = table.draw(view) if game.info.hidden else table.picture
        data["layers"] = store_layers(game, view)
        data["panels"] = panels_of(game, view)
    else:
        data["view"] = view
    return data


def may_explore(table: Table) -> bool:
    """Whether positions may be exported: the game has no hidden information, or it is over."""
    return not table.game.info.hidden or table.result is not None


def _subtitle(table: Table, *, paused: bool) -> str:
    if table.trouble:
        return table.trouble
    number = table.game.turn(table.match.state).number
    turn = [f"Turn {number}"] if table.started else []
    clock = [table.setup.describe_clock()] if table.setup.clock.kind != "none" else []
    rated = why_not_counted(table) or "rated" if table.setup.rated else ""
    parts = [*turn, table.setup.describe() or "standard rules", *clock, *[rated] * table.setup.rated]
    return " · ".join([*parts, *[PAUSED] * paused])


def _seat_data(table: Table, seat: Seat, name: str, context: SceneContext) -> dict[str, Any]:
    sitter = table.seats[seat]
    player = None if sitter is None else context.players.get(sitter.player_id)
    late = next((context.players.get(late.player_id) for late in table.timed_out if late.seat == seat), None)
    running = table.status == "running" and seat in table.clock.running
    timed = table.setup.clock.kind != "none"
    return {
        "seat": seat,
        "name": name,
        "player": _player_data(player),
        "bot": None if sitter is None else sitter.bot,
        "rating": None if sitter is None else context.ratings.get(sitter.player_id),
        "connected": None if context.connected is None else context.connected[seat],
        "clock": {"remaining_s": table.clock.remaining_at(context.now)[seat], "running": running} if timed else None,
        "timed_out": _player_data(late),
    }


def _player_data(player: Player | None) -> dict[str, str] | None:
    return None if player is None else {"id": player.id, "name": display_name(player), "kind": player.kind}


def display_name(player: Player) -> str:
    """Return the name to show for a player; a bot has the name of its level."""
    return bot_name(player.name) if player.kind == "bot" else player.name


def _news(table: Table, viewer: Seat | None, numbering: Numbering, names: Sequence[str]) -> list[dict[str, Any]]:
    index = viewer_index(viewer)
    if _all_see_alike(table.game):
        return _kept_news(table, numbering, names)
    known = [news for news in table.news if news.is_known(index)][-MAX_NEWS:]
    return [_news_data(news, index, numbering, names) for news in known]


def _kept_news(table: Table, numbering: Numbering, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the news where all viewers read the same forever; the data of earlier versions is used again."""
    news = table.news[-MAX_NEWS:]
    known, data = table.viewer_caches.get(News, ((), []))
    same = len(news) - 1
    if same > 0 and known[-same:] == news[:-1]:  # as after a move
        data = [*data[-same:], _news_data(news[-1], 0, numbering, names)]
    else:
        data = [_news_data(item, 0, numbering, names) for item in news]
    table.viewer_caches[News] = (news, data)
    return data


def _news_data(news: News, index: int, numbering: Numbering, names: Sequence[str]) -> dict[str, Any]:
    return {
        "version": numbering.visible_version(news.version),
        "seat": news.seat,
        "kind": news.kind,
        "text": news.texts[index] if len(news.texts) > 1 else news.texts[0],
        "words": write_names(news.words[index] if len(news.words) > 1 else news.words[0], names),
    }


def topics_of(game: AnyGame) -> list[dict[str, str]]:
    """Return the topics by which a game's move list can be filtered, in order."""
    titles = game.topics() if isinstance(game, HasTopics) else {}
    return [{"topic": topic, "title": title} for topic, title in titles.items()]


def _offer(offer: Offer, you: Sequence[Seat], names: Sequence[str]) -> dict[str, Any]:
    words = OWN_OFFER_WORDS[offer.what] if offer.seat in you else offer.describe(names[offer.seat])
    return {**offer._asdict(), "words": words}


def _chat(table: Table, context: SceneContext, numbering: Numbering, names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "version": numbering.visible_version(message.version),
            "name": _sender_name(table, message, context, names),
            "player": message.player_id,
            "seat": message.seat,
            "text": message.text,
            "at": message.at,
        }
        for message in table.chat
    ]


def _sender_name(table: Table, message: ChatMessage, context: SceneContext, names: Sequence[str]) -> str:
    """Return the name of a message's sender, and of their seat if the game names it by what happens in it."""
    player = context.players.get(message.player_id)
    name = "Unknown" if player is None else player.name
    is_named = message.seat is not None and names[message.seat] != table.game.info.seat_names[message.seat]
    return f"{name} ({names[message.seat]})" if is_named and message.seat is not None else name


def _possible_actions(table: Table, you: tuple[Seat, ...]) -> list[str]:
    if table.status == "open":
        free = actions.open_seats(table)
        can = [*["sit"] * bool(free and not you), *["leave"] * bool(you)]
    elif table.status == "running" and you:
        can = [
            *["undo"] * actions.can_undo(table, you),
            *[f"offer_{what}" for what in actions.possible_offers(table, you)],
            *["premove"] * can_premove(table, you),
            *["hint"] * actions.can_ask_for_hint(table, you),
        ]
        can += ["answer"] * bool(table.offer is not None and table.offer.seat not in you) + ["resign"]
    else:
        can = ["rematch"] * bool(you and table.result is not None)
    return [*can, *["chat"] * actions.may_chat(table, you)]


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


# ---- moments


def moment(  # noqa: PLR0913 - what a replay knows of a position
    match: Match,
    viewer: Seat | None,
    *,
    step: int,
    steps: int,
    open_to_all: bool,
    known_layers: Collection[str] = (),
    result: Result | None = None,
) -> dict[str, Any]:
    """Return a position of a match in a replay; `open_to_all` if nothing in it is secret, or no longer.

    Layers whose keys are in `known_layers` are only named.

    If the match is over, it ended with the `result` of its table, by default with that of the rules.
    """
    game, entry = match.game, match.entry
    acting = game.to_move(match.state)
    view = game.view(match.state, viewer)
    last = (
        []
        if game.info.hidden or entry is None
        else [list(game.handles(view, move)) for move in latest_run(match).moves]
    )
    outcome = match.outcome()
    ending = None
    if outcome is not None:
        names = names_for(game, view, len(outcome.ranking))
        ending = (result or Result.from_outcome(outcome, names)).with_names(names)
    choosing = acting[0] if open_to_all and acting and acting[0] != CHANCE else None
    own_view = None if choosing is None else game.view(match.state, choosing)
    choices = [] if choosing is None or own_view is None else list_choices(game, match.state, choosing, own_view)
    return {
        "step": step,
        "steps": steps,
        "text": "" if entry is None or not open_to_all else game.format_move(entry.before, entry.move),
        "words": "" if entry is None or not open_to_all else describe_step(game, entry, view),
        "turn": game.turn(match.state).number if entry is None else entry.turn.number,
        "seat": None if entry is None else entry.seat,
        "picture": game.draw({**view, "last": last}),
        "layers": list_layers(game, view, known_layers),
        "panels": panels_of(game, view),
        "position": game.encode(match.state) if open_to_all else None,
        "prompt": prompt_of(game, own_view) if own_view is not None and choices else None,
        "choices": choices,
        "labels": labels_of(game, choices),
        "acting": list(acting),
        "result": None if ending is None else {"text": ending.text, "reason": ending.reason},
        "tallies": tallies(game, view, ending),
        "last": last,
    }


def describe_step(game: AnyGame, step: LogEntry, view: View) -> str:
    """Describe a step in words, with the name of its seat as the viewer of `view` may know it."""
    state, move = step.before, step.move
    words = game.describe_move(state, move) if isinstance(game, HasDescriptions) else game.format_move(state, move)
    name = name_of(game, view, step.seat) if step.seat >= 0 else actor_name(step.seat, ())
    return f"{name}: {words}"


def match_at(match: Match, steps: int, step: int) -> Match:
    """Return the match as it was after its first `step` of `steps` steps."""
    node = match
    for _ in range(steps - step):
        assert node.parent is not None  # noqa: S101 - the caller has counted
        node = node.parent
    return node
