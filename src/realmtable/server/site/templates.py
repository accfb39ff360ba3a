"""Renders the templates: the context that all pages share, and the error pages."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from http import HTTPStatus
from typing import Annotated, Any, Final, NamedTuple

from fastapi import Depends, Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from realmtable.engine import registry
from realmtable.engine.options import spell_name
from realmtable.engine.protocol import HasPieceSymbols, format_player_counts
from realmtable.engine.table_parts import HasIcons
from realmtable.kit.wording import end_sentence
from realmtable.search.bot_levels import bot_name
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import Visitor, visitor
from realmtable.server.accounts.preferences import read_preferences
from realmtable.server.api.dependencies import Services, requester_of
from realmtable.server.error_responses import SENTENCES, Problem, internal_problem
from realmtable.server.fair_queue import Requester
from realmtable.server.site.static_files import accepts_gzip, make_response, static_url
from realmtable.server.study.lessons import further_lessons, has_lesson

HTML: Final = "text/html; charset=utf-8"
THEMES: Final = ("auto", "light", "dark")
THEME_COOKIE: Final = "realmtable_theme"
NO_VISITOR: Final = Visitor(None, None, None)
SPANS: Final = ((86_400, "day"), (3_600, "h"), (60, "min"))
# Title and advice of the error pages.
ERROR_ADVICE: Final = {
    HTTPStatus.NOT_FOUND: ("Page not found", "The link may be incomplete."),
    HTTPStatus.TOO_MANY_REQUESTS: ("Too many requests", ""),
    HTTPStatus.SERVICE_UNAVAILABLE: ("Temporarily unavailable", "Your games are saved. Reload in a few seconds."),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "Something went wrong",
        "Your games are saved. Reload the page; if the error persists, contact the administrator.",
    ),
}
DEFAULT_ERROR_ADVICE: Final = ("That didn't work", "")
# Messages that only repeat the title: the page shows the advice instead.
GENERIC_MESSAGES: Final = frozenset({SENTENCES[HTTPStatus.NOT_FOUND], internal_problem().message})


@cache
def environment() -> Environment:
    """Return the Jinja environment; undefined names in templates are errors."""
    templates = Environment(
        loader=PackageLoader("realmtable.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False, "separators": (",", ":")}
    templates.globals |= {"static": static_url, "bot_name": bot_name, "symbols_of": symbols_of, "icons_of": icons_of}
    templates.globals |= {"game_info": registry.info, "is_taught": has_lesson, "further_lessons": further_lessons}
    templates.filters |= {"ago": ago, "time_left": time_left, "words": humanize_id, "iso": iso, "inline": render_inline}
    templates.filters |= {"players": format_players, "sentence": end_sentence}
    return templates


def symbols_of(game_id: str) -> Mapping[str, str]:
    """Return the symbols of a game's pieces by the letters of its notation; empty if it has none."""
    game = registry.game(game_id)
    return game.piece_symbols() if isinstance(game, HasPieceSymbols) else {}


def icons_of(game_id: str) -> Mapping[str, str]:
    """Return a game's icons by name; empty if it has none."""
    game = registry.game(game_id)
    return game.icons() if isinstance(game, HasIcons) else {}


def ago(moment: float) -> str:
    """Describe roughly how long ago a time was.

    >>> ago(time.time() - 7300), ago(time.time())
    ('2 h ago', 'just now')
    """
    span = _format_span(time.time() - moment)
    return f"{span} ago" if span else "just now"


def time_left(moment: float) -> str:
    """Describe roughly how much time is left until a moment.

    >>> time_left(time.time() + 90000), time_left(time.time() - 1)
    ('1 day left', 'less than a minute left')
    """
    return f"{_format_span(moment - time.time()) or 'less than a minute'} left"


def _format_span(seconds: float) -> str:
    """Format a span of time in whole units of the largest that it holds; empty if that is less than a minute."""
    for length, unit in SPANS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'s' if unit == 'day' and count > 1 else ''}"
    return ""


def render_inline(text: str) -> Markup:
    """Render the inline Markdown of a sentence."""
    return Markup(MarkdownIt("commonmark", {"html": False}).renderInline(text))  # noqa: S704 - the renderer escapes


def iso(moment: float) -> str:
    """Format a time as ISO 8601."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def humanize_id(name: str) -> str:
    """Turn an id into a label.

    >>> humanize_id("free_placement"), humanize_id("encounter1")
    ('Free placement', 'Encounter 1')
    """
    words = spell_name(name)
    return words[:1].upper() + words[1:]


def format_players(counts: Sequence[int]) -> str:
    """Format possible numbers of players for people.

    >>> format_players((2,)), format_players((3, 4, 5))
    ('2 players', '3 to 5 players')
    """
    return f"{format_player_counts(counts)} player{'' if tuple(counts) == (1,) else 's'}"


def theme_of(request: Request) -> str:
    """Return the visitor's theme; "auto" follows the system."""
    theme = request.cookies.get(THEME_COOKIE, "auto")
    return theme if theme in THEMES else "auto"


def preference_marks(visitor: Visitor) -> dict[str, str]:
    """Return the visitor's preferences that differ from the defaults, as data attributes of the page.

    Styles and scripts find them there, so that the page looks right from the start.
    """
    chosen = read_preferences(visitor.player.preferences if visitor.player else "").model_dump(exclude_defaults=True)
    return {name: value if isinstance(value, str) else "on" if value else "off" for name, value in chosen.items()}


def fragment(template: str, /, **context: Any) -> Markup:  # noqa: ANN401 - whatever the template shows
    """Render a template for use inside a page."""
    return Markup(environment().get_template(template).render(context))  # noqa: S704 - templates escape automatically


def waiting_games(request: Request) -> int:
    """Return how many games wait for the visitor of a page."""
    return getattr(request.state, "waiting", 0)


def waits_for_viewer(scene: Mapping[str, Any]) -> bool:
    """Whether another person at a table waits for the viewer's move."""
    others = [seat["player"] for seat in scene["seats"] if seat["player"] and seat["seat"] not in scene["you"]]
    return scene["your_turn"] and any(player["kind"] != "bot" for player in others)


class Frame(NamedTuple):
    """The parts of a page that depend on who sees it."""

    attributes: str
    title: str
    head: str
    header: str


MARKERS: Final = Frame(*(f"\0{name}\0" for name in Frame._fields))  # no template contains NUL, and it needs no escape
AT_MARKERS: Final = re.compile(r"\0(\w+)\0")


def make_frame(request: Request, visitor: Visitor) -> Frame:
    """Render the parts of a page that depend on its visitor."""
    stranger = "Guest" if hasattr(request.state, "visitor") else "You"  # "You": the visitor is not known
    return _render_frame(theme_of(request), visitor, stranger, waiting_games(request), request.url.path)


def _render_frame(theme: str, visitor: Visitor, stranger: str, waiting: int = 0, path: str = "") -> Frame:
    parts: Any = environment().get_template("page_frame.html").module
    marks = preference_marks(visitor)
    return Frame(
        parts.attributes(theme, marks),
        parts.title(waiting),
        parts.head(visitor.csrf, waiting, marks, path),
        parts.header(visitor.player, stranger, waiting, path),
    )


def _add_cache_headers(response: Response) -> Response:
    response.headers["cache-control"] = "private, no-cache"
    response.headers.append("vary", "Cookie")
    return response


class SharedPage:
    """A page whose content is the same for everyone: it is rendered once, and only its frame for each visitor."""

    def __init__(self, html: str) -> None:
        self._parts = AT_MARKERS.split(html)  # texts and names of the frame's parts, in turn
        self._digest = hashlib.blake2b(html.encode())
        self._for_strangers: dict[Frame, bytes] = {}  # compressed; strangers differ by little more than their theme

    def respond(self, request: Request, visitor: Visitor) -> Response:
        """Return the page for a visitor, or that it has not changed since they loaded it."""
        frame = make_frame(request, visitor)
        digest = self._digest.copy()
        digest.update("\0".join(frame).encode())
        tag = f'W/"{digest.hexdigest()[:32]}"'
        headers = {"etag": tag, "vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == tag:
            return _add_cache_headers(Response(None, HTTPStatus.NOT_MODIFIED, headers))
        html = "".join(getattr(frame, part) if number % 2 else part for number, part in enumerate(self._parts)).encode()
        gzipped = None
        if visitor.session is None and visitor.player is None and accepts_gzip(request):
            gzipped = self._for_strangers.get(frame)
            if gzipped is None:
                gzipped = self._for_strangers[frame] = gzip.compress(html, 9, mtime=0)
        response = make_response(request, html, HTML, gzipped)
        response.headers["etag"] = tag
        return _add_cache_headers(response)


_shared_pages: dict[tuple[object, ...], SharedPage] = {}


class Visit(NamedTuple):
    """A request for a page, and who sent it."""

    request: Request
    visitor: Visitor

    @property
    def player(self) -> Player | None:
        """The player who sent it; None for a stranger."""
        return self.visitor.player

    @property
    def services(self) -> Services:
        """The services of the running server."""
        services: Services = self.request.app.state.services
        return services

    @property
    def requester(self) -> Requester:
        """The person and address behind it."""
        return requester_of(self.services, self.request, self.player)

    def page(self, template: str, status: int = 200, /, **context: Any) -> Response:  # noqa: ANN401 - what templates show
        """Render a whole page for the visitor."""
        if "waiting" in context:
            self.request.state.waiting = context["waiting"]
        common: dict[str, Any] = {
            "frame": make_frame(self.request, self.visitor),
            "me": self.player,
            "theme": theme_of(self.request),
            "marks": preference_marks(self.visitor),
            "waiting": waiting_games(self.request),
        }
        html = environment().get_template(template).render(common | context)
        return _add_cache_headers(make_response(self.request, html.encode(), HTML, status=status))

    async def shared_page(
        self, template: str, key: tuple[object, ...], build: Callable[[], Mapping[str, Any]]
    ) -> Response:
        """Return a page whose content is the same for everyone; `build` makes its context, in a thread and only once.

        `key` names what it shows, in values that `build` accepts: those of an address may have many spellings.
        """
        theme = theme_of(self.request)
        known = (template, theme, *key)
        if known not in _shared_pages:
            context = {"frame": MARKERS, "theme": theme}

            def render() -> str:
                return environment().get_template(template).render(context | dict(build()))

            _shared_pages[known] = SharedPage(await asyncio.to_thread(render))
        return _shared_pages[known].respond(self.request, self.visitor)


def error_page(request: Request, problem: Problem) -> Response:
    """Render an error as a page that says what happened and what to do next."""
    if problem.status == HTTPStatus.TOO_MANY_REQUESTS:
        html, gzipped = _render_too_many(theme_of(request), problem.code, problem.message)
        response = _add_cache_headers(make_response(request, html, HTML, gzipped, problem.status))
    else:
        visitor = getattr(request.state, "visitor", NO_VISITOR)
        response = Visit(request, visitor).page("error.html", problem.status, **_describe_problem(problem))
    response.headers.update(problem.headers)
    return response


def _describe_problem(problem: Problem) -> dict[str, Any]:
    title, advice = ERROR_ADVICE.get(HTTPStatus(problem.status), DEFAULT_ERROR_ADVICE)
    lines = [advice] if problem.message in GENERIC_MESSAGES else [line for line in (problem.message, advice) if line]
    return {"title": title, "lines": lines, "problem": problem}


@lru_cache(maxsize=100)
def _render_too_many(theme: str, code: str, message: str) -> tuple[bytes, bytes]:
    """Return the page that refuses one request too many, also compressed: it must cost less than the request would."""
    problem = Problem(int(HTTPStatus.TOO_MANY_REQUESTS), code, message)
    context = {"frame": _render_frame(theme, NO_VISITOR, "You"), **_describe_problem(problem)}
    html = environment().get_template("error.html").render(context).encode()
    return html, gzip.compress(html, mtime=0)


async def identify_visitor(request: Request) -> Visitor:
    """Return the visitor of a page, stored in the request so that error pages show the same name."""
    found = await visitor(request)
    request.state.visitor = found
    return found


async def begin_visit(request: Request) -> Visit:
    """Dependency: the visitor of a page; the number of games that wait for them is stored in the request."""
    visit = Visit(request, await identify_visitor(request))
    if visit.player is not None:
        request.state.waiting = await visit.services.store.count_waiting(visit.player.id)
    return visit


VisitDep = Annotated[Visit, Depends(begin_visit)]
