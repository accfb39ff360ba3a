"""What an installed site needs: the service worker, and the page it shows when the server cannot be reached.

The worker stores the pages in `offline_paths`, which are the same for every visitor.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response

from realmtable import games, web
from realmtable.engine import registry
from realmtable.engine.protocol import HasCardGallery
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site import static_files
from realmtable.server.site.templates import NO_VISITOR, Visit
from realmtable.server.study import lessons

WEB: Final = Path(web.__file__).parent
TEXT_SUFFIXES: Final = frozenset({".html", ".md", ".toml"})
SCRIPT: Final = "text/javascript; charset=utf-8"

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


@router.get("/service-worker.js")
@declare_bounds(1)
async def service_worker(request: Request) -> Response:
    """Return the service worker, which browsers must not cache, or they would miss an update."""
    response = static_files.make_response(request, worker_script(tuple(offline_paths())), SCRIPT)
    response.headers["cache-control"] = "no-cache"
    response.headers["service-worker-allowed"] = "/"
    return response


@router.get("/offline")
@declare_bounds(5)
async def offline_page(request: Request) -> Response:
    """Show what can be read offline. The page is the same for every visitor, because it is stored."""
    infos = registry.infos()
    taught = {info.id for info in infos if lessons.has_lesson(info.id)}
    context = {"games": infos, "lessons": taught}
    return await Visit(request, NO_VISITOR).shared_page("offline.html", (), lambda: context)


@cache
def worker_script(pages: tuple[str, ...]) -> bytes:
    """Return the service worker with the constants it expects; it stores `pages`."""
    files = [static_files.static_url(name) for name in static_files.files()]
    constants = {"CACHE": f"realmtable-{content_digest()}", "FILES": files, "PAGES": pages}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    return head.encode() + static_files.strip_comments((WEB / "service_worker.js").read_bytes())


def offline_paths() -> Iterator[str]:
    """Yield the addresses of the pages that can be read offline."""
    yield "/rules"
    for game in (info.id for info in registry.infos()):
        yield f"/rules/{game}"
        if isinstance(registry.game(game), HasCardGallery):
            yield f"/rules/{game}/cards"
        if lessons.has_lesson(game):
            yield f"/learn/{game}"
        for lesson in lessons.further_lessons(game):
            yield f"/learn/{game}/{lesson.number}"


@cache
def content_digest() -> str:
    """Return a digest that changes when static files, templates or texts of games change."""
    total = hashlib.sha256(f"{static_files.digest()} {version('realmtable')}".encode())
    for folder in (WEB, Path(games.__file__).parent):
        for path in sorted(folder.rglob("*")):
            if path.suffix in TEXT_SUFFIXES:
                total.update(path.read_bytes())
    return total.hexdigest()[:16]
