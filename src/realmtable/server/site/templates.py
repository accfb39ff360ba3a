"""Templates filled in and sent: what every page has in common, and the pages that say what went wrong."""

from __future__ import annotations

import time
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from realmtable.search.bots import bot_name
from realmtable.server.accounts.sessions import Visitor
from realmtable.server.error_responses import Problem
from realmtable.server.site.static_files import make_response, static_url

HTML: Final = "text/html; charset=utf-8"
THEMES: Final = ("auto", "light", "dark")
THEME_COOKIE: Final = "realmtable_theme"
NO_VISITOR: Final = Visitor(None, None, None)
SPANS: Final = ((86_400, "day"), (3_600, "h"), (60, "min"))
ERROR_ADVICE: Final = {
    HTTPStatus.NOT_FOUND: ("This page is not here", "Perhaps the address was cut short on its way to you."),
    HTTPStatus.TOO_MANY_REQUESTS: ("A little too quick", "Wait a moment, then load the page again."),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "The table is out of reach for a moment",
        "Nothing that was played is lost. Load the page again in a few seconds.",
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "Something broke on our side",
        "Nothing that was played is lost. Load the page again; if it stays like this, tell who runs this table.",
    ),
}
DEFAULT_ERROR_ADVICE: Final = ("That did not work", "Go back and try it another way.")


@cache
def environment() -> Environment:
    """The templates; a name that a template uses and nobody gave is an error."""
    made = Environment(
        loader=PackageLoader("realmtable.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False, "separators": (",", ":")}
    made.globals |= {"static": static_url, "bot_name": bot_name}
    made.filters |= {"ago": ago, "words": humanize_id, "iso": iso, "inline": render_inline}
    return made


def ago(moment: float) -> str:
    """How long ago a moment was, roughly.

    >>> ago(time.time() - 7300), ago(time.time())
    ('2 h ago', 'just now')
    """
    passed = time.time() - moment
    for seconds, unit in SPANS:
        count = int(passed // seconds)
        if count >= 1:
            return f"{count} {unit}{'s' if unit == 'day' and count > 1 else ''} ago"
    return "just now"


def render_inline(text: str) -> Markup:
    """A sentence with its emphasis and code marked up."""
    return Markup(MarkdownIt("commonmark", {"html": False}).renderInline(text))  # noqa: S704 - the renderer escapes


def iso(moment: float) -> str:
    """A moment as machines read it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def humanize_id(name: str) -> str:
    """An id as people write it.

    >>> humanize_id("free_placement")
    'Free placement'
    """
    return name[:1].upper() + name[1:].replace("_", " ")


def theme_of(request: Request) -> str:
    """The colours the reader has asked for; "auto" leaves it to the system."""
    theme = request.cookies.get(THEME_COOKIE, "auto")
    return theme if theme in THEMES else "auto"


def fragment(template: str, /, **context: Any) -> Markup:  # noqa: ANN401 - whatever the template shows
    """A template filled in, for the middle of a page."""
    return Markup(environment().get_template(template).render(context))  # noqa: S704 - templates escape by themselves


def page(request: Request, who: Visitor, template: str, status: int = 200, /, **context: Any) -> Response:  # noqa: ANN401
    """A whole page for whoever looks."""
    common = {"me": who.player, "csrf": who.csrf, "theme": theme_of(request), "path": request.url.path}
    common["stranger"] = "Guest" if hasattr(request.state, "visitor") else "You"  # where nobody has looked who it is
    html = environment().get_template(template).render(common | context)
    response = make_response(request, html.encode(), HTML, status=status)
    response.headers["cache-control"] = "private, no-cache"
    response.headers.append("vary", "Cookie")
    return response


def error_page(request: Request, problem: Problem) -> Response:
    """A refusal as a page that says what happened and what to do next."""
    who = getattr(request.state, "visitor", NO_VISITOR)
    title, advice = ERROR_ADVICE.get(HTTPStatus(problem.status), DEFAULT_ERROR_ADVICE)
    response = page(request, who, "error.html", problem.status, title=title, advice=advice, problem=problem)
    response.headers.update(problem.headers)
    return response
