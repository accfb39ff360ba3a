"""Pages that say who runs the site, what it stores and what it asks of players; and the files for search engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from fastapi import APIRouter, Request, Response

from realmtable.engine import registry
from realmtable.server.api.dependencies import ServicesDep
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.services import SUBSCRIPTION_DAYS
from realmtable.server.site.offline_pages import offline_paths
from realmtable.server.site.static_files import make_response
from realmtable.server.site.templates import VisitDep
from realmtable.server.storage.moderation import REPORT_DAYS

# What belongs to players or costs work; the beginnings of paths.
NOT_CRAWLED: Final = (
    "/account",
    "/analyse",
    "/api/",
    "/lobby/",
    "/my-games",
    "/players/",
    "/positions/",
    "/records/",
    "/settings",
    "/sign-in/",
    "/tables/",
)
# Programs that fetch a page because someone shared its link, to show its title and picture.
PREVIEWS: Final = ("facebookexternalhit", "LinkedInBot", "Twitterbot")
ROBOTS: Final = (
    "User-agent: *\n"
    + "".join(f"Disallow: {path}\n" for path in NOT_CRAWLED)
    + "\n"
    + "".join(f"User-agent: {name}\n" for name in PREVIEWS)
    + "Disallow: /sign-in/\n"
)

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


@router.get("/privacy")
@router.get("/terms")
@router.get("/contact")
@declare_bounds(5)
async def about(visit: VisitDep) -> Response:
    """Show what is stored and for how long, what the site asks of players, or who runs it."""
    settings, template = visit.services.settings, f"{visit.request.scope['route'].path.removeprefix('/')}.html"
    context = {"settings": settings, "report_days": REPORT_DAYS, "subscription_days": SUBSCRIPTION_DAYS}
    return await visit.shared_page(template, (settings,), lambda: context)


@router.get("/robots.txt")
@declare_bounds(1)
async def robots(request: Request, services: ServicesDep) -> Response:
    """Return what search engines may not fetch."""
    text = f"{ROBOTS}\nSitemap: {services.settings.public_url}/sitemap.xml\n"
    return make_response(request, text.encode(), "text/plain; charset=utf-8")


@router.get("/sitemap.xml")
@declare_bounds(2)
async def sitemap(request: Request, services: ServicesDep) -> Response:
    """Return the addresses of the public pages."""
    addresses = (escape(services.settings.public_url + path) for path in public_paths())
    entries = "".join(f"<url><loc>{address}</loc></url>\n" for address in addresses)
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{namespace}">\n{entries}</urlset>\n'
    return make_response(request, text.encode(), "application/xml; charset=utf-8")


def public_paths() -> Iterator[str]:
    """Yield the paths of the pages that are the same for everyone, and of the lists of players and games."""
    yield from ("/", "/watch", "/puzzles", "/openings", "/battle", "/api", "/privacy", "/terms", "/contact")
    for info in registry.infos():
        yield from (f"/play/{info.id}", f"/ratings/{info.id}")
    yield from offline_paths()
