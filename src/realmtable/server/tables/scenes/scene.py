"""The scene of a table for one viewer: what leaves the server while a game is played.

Every fact about the game comes from `view` for that viewer; a test checks everything that viewers receive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import orjson

from realmtable.engine import chance
from realmtable.engine.protocol import (
    AnyGame,
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
from realmtable.server.tables.latest_turn import OWN_KINDS, TWO_PLAYERS, describe_latest
from realmtable.server.tables.picture_layers import store_layers
from realmtable.server.tables.rating_conditions import why_not_counted
from realmtable.server.tables.rematches import suggest_bots
from realmtable.server.tables.scenes.decision_deadline_text import describe_decision_deadline, warn_of_default
from realmtable.server.tables.scenes.headline import headline
from realmtable.server.tables.scenes.legal_choices import CROWDED, choices_of, group_choices, labels_of
from realmtable.server.tables.scenes.list_changes import KnownLists, SceneChanges, find_list_changes
from realmtable.server.tables.scenes.move_list import encode_recent_turns, list_recent_moves
from realmtable.server.tables.scenes.news_list import cache_news, encode_news, list_news
from realmtable.server.tables.scenes.panels_and_prompts import panels_of, prompt_of
from realmtable.server.tables.scenes.premoves import can_premove
from realmtable.server.tables.seat_names import name_of, names_for
from realmtable.server.tables.table import ChatMessage, Offer, Result, Table
from realmtable.server.tables.viewer_numbering import Numbering

Scene = dict[str, Any]
OWN_OFFER_WORDS: Final = {"draw": "You offered a draw.", "takeback": "You asked to take back your last turn."}
PAUSED: Final = "paused until someone watches"


class SceneContext(NamedTuple):
    """What a scene shows that is not in the log: players, ratings, connections and the time."""

    players: Mapping[str, Player]
    ratings: Mapping[str, dict[str, Any]]
    connected: Sequence[bool] | None
    now: float
    paused: bool = False  # whether a table of bots waits for a spectator
    watching: int | None = None  # the number of spectators, if known


def viewpoint(table: Table, you: Sequence[Seat]) -> Seat | None:
    """Return the seat whose view a player on these seats gets: the first of theirs that is to act, or their first."""
    if len(you) == 1:
        return you[0]
    acting = [seat for seat in you if seat in table.acting]
    return acting[0] if acting else you[0] if you else None


def scene(table: Table, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool) -> Scene:
    """Return the table as a viewer on the seats `you` (none: a spectator) sees it, with a picture or the view."""
    return {**public_part(table, context), **own_part(table, you, context, pictures=pictures)}


def encode_scene(
    table: Table, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool, groups: bool = False
) -> tuple[Scene, bytes]:
    """Return the viewer's own part of a scene, and the JSON of the whole scene.

    With `groups`, a long list of choices is sent in groups.
    """
    own = own_part(table, you, context, pictures=pictures)
    sent, head = _group_choices(own) if groups else own, b"{"
    if pictures:  # first, since compression looks only 32 KiB back: the next scene repeats more of the other fields
        head = orjson.dumps({"picture": own["picture"]})[:-1] + b","
        sent = {name: value for name, value in sent.items() if name != "picture"}
    return own, b"%b%b,%b" % (head, _encode_public_part(table, context), orjson.dumps(sent)[1:])


def encode_changes(
    table: Table, you: tuple[Seat, ...], context: SceneContext, known: KnownLists, *, groups: bool = False
) -> SceneChanges | None:
    """Return what may differ from a scene whose lists the viewer knows; None if the whole scene must be sent."""
    public = _public_changes(table, context, known) if table.is_alike_for_all else None
    if public is None:
        return None
    own = own_part(table, you, context, pictures=False)
    sent = _group_choices(own) if groups else own
    return SceneChanges(b"{%b,%b" % (public.data, orjson.dumps(sent)[1:]), public.known, public.now_known)


def _group_choices(own: Scene) -> Scene:
    """Return a viewer's own part with a long list of choices in groups."""
    return {**own, "choices": group_choices(own["choices"])} if len(own["choices"]) >= CROWDED else own


# ---- what all viewers see alike


def public_part(table: Table, context: SceneContext, *, encoded: bool = False) -> Scene:
    """Return what all viewers of a scene see alike; if `encoded`, some of it may be JSON already."""
    part = {**_lasting_facts(table), **_changing_facts(table), "sub": _subtitle(table, paused=context.paused)}
    if table.is_alike_for_all:
        part |= _known_part(table, (), table.game.view(table.match.state, None), context, encoded=encoded)
        if _latest_differs(table):
            del part["latest"]
    return part


def _encode_public_part(table: Table, context: SceneContext) -> bytes:
    """Return the JSON of what all viewers of a scene see alike, without its braces, made once for all."""
    key = _public_key(table, context)
    known: tuple[Any, bytes] | None = table.shared_parts.get("public")
    if known is None or known[0] != key:
        known = table.shared_parts["public"] = (key, orjson.dumps(public_part(table, context, encoded=True))[1:-1])
    return known[1]


def _public_changes(table: Table, context: SceneContext, known: KnownLists) -> SceneChanges | None:
    """Return the changed fields of the public part as JSON without braces, cached for all viewers."""
    key = (known, _public_key(table, context))
    made: tuple[Any, SceneChanges | None] | None = table.shared_parts.get("changes")
    if made is None or made[0][0] is not known or made[0] != key:
        made = table.shared_parts["changes"] = (key, _make_public_changes(table, context, known))
    return made[1]


def _make_public_changes(table: Table, context: SceneContext, known: KnownLists) -> SceneChanges | None:
    found = find_list_changes(table, known)
    if found is None:
        return None
    lists, now_known = found
    part = {**_changing_facts(table), "sub": _subtitle(table, paused=context.paused), **lists}
    view, numbering = table.game.view(table.match.state, None), table.numbering(())
    names = names_for(table.game, view, len(table.seats))
    part |= _match_part(table, (), view, context, names, list_news(table, None, numbering, names))
    if _latest_differs(table):
        del part["latest"]
    return SceneChanges(orjson.dumps(part)[1:-1], known, now_known)


def _public_key(table: Table, context: SceneContext) -> tuple[object, ...]:
    """Return what the public part of a scene depends on, apart from the version of the table."""
    time = context.now if table.setup.clock.kind != "none" else None  # otherwise nothing in it depends on the time
    return context.players, context.ratings, context.connected, context.paused, time


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


def _changing_facts(table: Table) -> Scene:
    """Return what every viewer of this version sees alike, in any game."""
    return {
        "status": table.status,
        "acting": list(player_seats(table.acting)),
        "seed": table.seed if table.result is not None else None,
        "rematch": table.rematch,
        "rematch_by": table.rematch_by,
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
            "score_units": list(info.score_units),
            "clock": {"kind": setup.clock.kind, "text": setup.clock.describe(), "timeout": setup.timeout_rule},
            "commitment": chance.commitment(table.seed),
            "invite": f"/tables/{table.id}",
            "rated": setup.rated,
            "chance": info.chance,
        }
    return facts


# ---- what a viewer knows


def _known_part(
    table: Table, you: tuple[Seat, ...], view: View, context: SceneContext, *, encoded: bool = False
) -> Scene:
    """Return what a viewer knows of the match: the seats, the list of moves and the news.

    If `encoded`, which needs a table that is alike for all, the lines and the news may be JSON that was kept.
    """
    game, viewer, numbering = table.game, viewpoint(table, you), table.numbering(you)
    names = names_for(game, view, len(table.seats))
    turns: tuple[object, bool] | None = encode_recent_turns(table) if encoded else None
    lines, has_earlier = turns or list_recent_moves(table, you, viewer)
    news = list_news(table, viewer, numbering, names)
    return {
        **_match_part(table, you, view, context, names, news),
        "lines": lines,
        "earlier": has_earlier,
        "news": encode_news(table, numbering, names) if encoded else news,
    }


def _match_part(
    table: Table,
    you: tuple[Seat, ...],
    view: View,
    context: SceneContext,
    names: Sequence[str],
    news: Sequence[Mapping[str, Any]],
) -> Scene:
    """Return what a viewer knows of the match, without the list of moves and the news."""
    numbering = table.numbering(you)
    return {
        "version": numbering.visible_version(table.version),
        "seats": _seats(table, names, context),
        "step": numbering.visible_step(table.step),
        "latest": describe_latest(news, you, names),
        "last": [list(path) for path in table.last_turn_paths_in(view)],
        "result": None if table.result is None else table.result.with_names(names).as_data(),
        "tallies": tallies(table.game, view, table.result),
    }


def own_part(table: Table, you: tuple[Seat, ...], context: SceneContext, *, pictures: bool) -> Scene:
    """Return the part of a scene that depends on the viewer, or on the time."""
    game, viewer = table.game, viewpoint(table, you)
    view = game.view(table.match.state, viewer)
    may_act = viewer is not None and actions.may_act(table, viewer)
    choices = choices_of(table.match, viewer, view, words=pictures) if may_act and viewer is not None else []
    may_chat = actions.may_chat(table, you)
    if table.is_alike_for_all:
        names: Sequence[str] = game.info.seat_names
        data: Scene = {}
        if _latest_differs(table):
            news = cache_news(table, table.numbering(()), names).data
            data["latest"] = describe_latest(news, you, names[: len(table.seats)])
    else:
        names = names_for(game, view, len(table.seats))
        data = _known_part(table, you, view, context)
    deadline = table.clock_deadline
    data |= {
        "you": list(you),
        "your_turn": bool(choices),
        "headline": headline(table, you, names),
        "prompt": _prompt(table, viewer, view) if table.status == "running" else None,
        "choices": choices,
        "labels": labels_of(game, choices) if choices else {},
        "can": _possible_actions(table, you, may_chat=may_chat),
        "offer": None if table.offer is None else _offer(table.offer, you, names),
        "chat_open": may_chat,
        "chat": _chat(table, context, table.numbering(you), names) if may_chat and table.chat else [],
        "bell": None if deadline is None else {"remaining_s": max(0.0, deadline - context.now), "running": True},
        "answer": describe_decision_deadline(table, viewer, context.now),
        "now": context.now,
        "watching": context.watching,
        "next_bots": None if table.result is None else suggest_bots(table, you),
    }
    if pictures:
        data["picture"] = table.draw(view) if game.info.hidden else table.picture
        data["layers"] = store_layers(game, view)
        data["panels"] = panels_of(game, view, data["picture"])
    else:
        data["view"] = view
    return data


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
    turn = [f"{table.game.info.turn_word} {number}" if number else "Set-up"] if table.started else []
    clock = [table.setup.describe_clock()] if table.setup.clock.kind != "none" else []
    rated = why_not_counted(table) or "rated" if table.setup.rated else ""
    rules: str | None = table.viewer_caches.get(_subtitle)  # the same in all versions
    if rules is None:
        rules = table.viewer_caches[_subtitle] = table.setup.describe() or "standard rules"
    parts = [*turn, rules, *clock, *[rated] * table.setup.rated]
    return " · ".join([*parts, *[PAUSED] * paused])


class KnownSeats(NamedTuple):
    """The seats in a scene, kept for the next version of the table while nothing in them changes."""

    key: tuple[object, ...]
    data: list[dict[str, Any]]


def _seats(table: Table, names: Sequence[str], context: SceneContext) -> list[dict[str, Any]]:
    if table.setup.clock.kind != "none":
        return [_seat_data(table, seat, names[seat], context) for seat in range(len(table.seats))]
    key = (table.seats, table.timed_out, names, context.players, context.ratings, context.connected)
    known: KnownSeats | None = table.viewer_caches.get(KnownSeats)
    if known is None or known.key != key:
        data = [_seat_data(table, seat, names[seat], context) for seat in range(len(table.seats))]
        known = table.viewer_caches[KnownSeats] = KnownSeats(key, data)
    return known.data


def _seat_data(table: Table, seat: Seat, name: str, context: SceneContext) -> dict[str, Any]:
    sitter = table.seats[seat]
    player = None if sitter is None else context.players.get(sitter.player_id)
    late_ids = [late.player_id for late in table.timed_out if late.seat == seat]
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
        "timed_out": _player_data(context.players.get(late_ids[0])) if late_ids else None,
    }


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


def _possible_actions(table: Table, you: tuple[Seat, ...], *, may_chat: bool) -> list[str]:
    if table.status == "open":
        free = actions.open_seats(table)
        can = [*["sit"] * bool(free and not you), *["leave"] * bool(you)]
    elif table.status == "running" and you:
        can = ["undo"] if actions.can_undo(table, you) else []
        can += [f"offer_{what}" for what in actions.possible_offers(table, you)]
        can += ["premove"] * can_premove(table, you)
        can += ["hint"] * actions.can_ask_for_hint(table, you)
        can += ["answer"] * (table.offer is not None and table.offer.seat not in you)
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
