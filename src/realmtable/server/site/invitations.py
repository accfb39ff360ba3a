"""Links that other sites preview, and the page that greets a person who was invited to a table."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any, NamedTuple

import segno
from fastapi import Response
from markupsafe import Markup

from realmtable.engine.pictures import insert_layers, layers_of
from realmtable.engine.protocol import GameInfo
from realmtable.kit.wording import end_sentence, join_words
from realmtable.server.accounts.accounts import Player
from realmtable.server.services import Services
from realmtable.server.site.game_summary import GameSummary, SummarySection, game_summary
from realmtable.server.site.templates import Visit
from realmtable.server.tables.actions import open_seats
from realmtable.server.tables.scenes.headline import headline
from realmtable.server.tables.scenes.scene import display_name
from realmtable.server.tables.table import Occupant, Table


class LinkPreview(NamedTuple):
    """What messengers and search engines read about a page (Open Graph)."""

    title: str
    description: str
    url: str
    image: str
    is_private: bool  # the page opens for everyone with the link, but search engines must not list it


async def preview_table(services: Services, table: Table, path: str = "") -> LinkPreview:
    """Return the link preview of a table, or of the page `path` below it, as a spectator sees it."""
    info, step = table.game.info, table.numbering(()).visible_step(table.step)
    host = await find_host(services, table)
    if table.status == "open":
        title, description = greet(host, info), f"{info.summary} {describe_terms(table, rated=table.setup.rated)}."
    else:
        names = await services.replay_cache.player_names(table)
        title = f"{info.title}: {' – '.join(names.values())}"
        description = f"{end_sentence(headline(table, ()))} {info.summary}"
    site = services.settings.public_url
    image = f"{site}/api/tables/{table.id}/moments/{step}.png?shape=wide"
    return LinkPreview(title, description, f"{site}/tables/{table.id}{path}", image, not table.setup.listed)


def preview_record(services: Services, record_id: str, replay: dict[str, Any]) -> LinkPreview:
    """Return the link preview of a stored record."""
    site = services.settings.public_url
    image = f"{site}/api/records/{record_id}/moments/{replay['steps']}.png?shape=wide"
    return LinkPreview(replay["title"], "Step through this game.", f"{site}/records/{record_id}", image, True)


# ---- invitations


def is_invitation(table: Table, player: Player | None) -> bool:
    """Whether a visitor may take a seat: the page then greets them instead of showing the board alone."""
    seated = table.seats_of(player.id if player else None)
    return table.status == "open" and bool(open_seats(table)) and not seated


async def invitation_page(visit: Visit, table: Table) -> Response:
    """Greet a person who was invited to a table: the board, the rules in brief, and one button."""
    info = table.game.info
    warning = await _warn_of_uncounted_game(visit, table)
    view = table.game.view(table.match.state, None)
    drawn = table.draw(view) if info.hidden else table.picture  # as in scenes, which share it
    picture = insert_layers(drawn, [layer.svg for layer in layers_of(table.game, view)])
    return visit.page(
        "invitation.html",
        game=info,
        table_id=table.id,
        greeting=greet(await find_host(visit.services, table), info),
        terms=describe_terms(table, rated=table.setup.rated and not warning),
        warning=warning,
        may_choose=len(open_seats(table)) > 1,
        picture=Markup(picture),  # noqa: S704 - drawn by the game
        summary=await asyncio.to_thread(linked_summary, info.id),
        link_preview=await preview_table(visit.services, table),
    )


async def _warn_of_uncounted_game(visit: Visit, table: Table) -> str:
    """Say that a rated game will not count if this visitor joins it; usually return an empty text."""
    me, services = visit.player, visit.services
    if me is None:
        return ""
    exhausted = await services.table_service.exhausted_pairs(table.setup, [*table.seats, Occupant(me.id)])
    rivals = await services.accounts.players({rival for pair in exhausted if me.id in pair for rival in pair - {me.id}})
    names = join_words(sorted(display_name(rival) for rival in rivals.values()))
    return f"You have played three rated games against {names} today; this one is unrated." if names else ""


async def find_host(services: Services, table: Table) -> str:
    """Return the name of the host: the person who opened the table or, if they have left, the first at it."""
    hosts = sorted(table.people.values(), key=lambda player_id: player_id != table.created_by)[:1]
    players = await services.accounts.players(hosts)
    return display_name(players[hosts[0]]) if hosts and hosts[0] in players else ""


def greet(host: str, info: GameInfo) -> str:
    """Return the first words of an invitation."""
    return f"{host} invites you to {info.title}" if host else f"You are invited to {info.title}"


def describe_terms(table: Table, *, rated: bool) -> str:
    """Describe the rules, the clock and the rating of a table that is not yet running."""
    setup = table.setup
    clock = setup.describe_clock() if setup.clock.kind != "none" else "no clock"
    words = [setup.describe() or "standard rules", clock, "rated" if rated else "unrated"]
    text = ", ".join(words)
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=64)
def linked_summary(game_id: str) -> GameSummary | None:
    """Return a game's summary for another page than that of its rules, to which its links lead."""
    summary = game_summary(game_id)
    if summary is None:
        return None

    def link(text: Markup) -> Markup:
        return Markup(str(text).replace('href="#', f'href="/rules/{game_id}#'))  # noqa: S704 - our own files

    sections = [SummarySection(section.title, link(section.text), section.pictures) for section in summary.sections]
    return summary._replace(aim=link(summary.aim), sections=sections)


@lru_cache(maxsize=256)
def qr_code(url: str) -> Markup:
    """Return the QR code of a link as SVG."""
    code = segno.make(url, error="m", micro=False)
    return Markup(code.svg_inline(scale=4, border=3, dark="#000", light="#fff", omitsize=True))  # noqa: S704 - made of squares
