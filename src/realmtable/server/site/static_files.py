"""Styles, scripts and icons. Their address holds a digest of all of them, so a browser may keep them for ever.

One digest for the whole folder, not one a file: scripts import each other by relative addresses, which stay right only
while they share the same folder of the address.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from realmtable import web
from realmtable.server.errors import NotFound

FOLDER: Final = Path(web.__file__).parent / "static"
FOREVER: Final = "public, max-age=31536000, immutable"
MIN_GZIP_BYTES: Final = 500  # bytes; below this packing gains nothing

router = APIRouter(include_in_schema=False)


class StaticFile(NamedTuple):
    """One file, ready to be sent."""

    content: bytes
    gzipped: bytes
    type: str


@cache
def files() -> dict[str, StaticFile]:
    """Every file by its path under the folder."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.is_file())
    return {path.relative_to(FOLDER).as_posix(): _load(path) for path in paths}


def _load(path: Path) -> StaticFile:
    content = path.read_bytes()
    # The system's own table of types may know a script by another name, and a browser would refuse it then.
    kind = "text/javascript" if path.suffix == ".js" else mimetypes.guess_type(path.name)[0] or "text/plain"
    text = kind.startswith("text/") or kind.endswith(("json", "xml"))
    return StaticFile(content, gzip.compress(content, mtime=0), f"{kind}; charset=utf-8" if text else kind)


@cache
def digest() -> str:
    """A few letters that change with any of the files."""
    total = hashlib.sha256()
    for name, file in files().items():
        total.update(f"{name}\n{len(file.content)}\n".encode())
        total.update(file.content)
    return total.hexdigest()[:12]


def static_url(name: str) -> str:
    """The address of a static file, for templates; a name that is not there is an error of ours."""
    if name not in files():
        raise KeyError(name)
    return f"/static/{digest()}/{name}"


def accepts_gzip(request: Request) -> bool:
    """Whether the browser reads packed answers."""
    return "gzip" in request.headers.get("accept-encoding", "")


def make_response(
    request: Request, content: bytes, kind: str, packed: bytes | None = None, status: int = 200
) -> Response:
    """An answer, packed where the browser reads that and it is worth it."""
    response = Response(content, status, media_type=kind)
    if len(content) >= MIN_GZIP_BYTES:
        response.headers["vary"] = "Accept-Encoding"
        if accepts_gzip(request):
            body = gzip.compress(content, 6, mtime=0) if packed is None else packed
            response = Response(body, status, dict(response.headers) | {"content-length": str(len(body))})
            response.headers["content-encoding"] = "gzip"
    return response


@router.get("/static/{version}/{name:path}")
async def static_file(request: Request, version: str, name: str) -> Response:
    """A file; of an older page's version too, since that page must go on working, but then not for keeping."""
    file = files().get(name)
    if file is None:
        raise NotFound("There is no such file. Reload the page you came from.")
    response = make_response(request, file.content, file.type, file.gzipped)
    response.headers["cache-control"] = FOREVER if version == digest() else "no-cache"
    return response


@router.get("/favicon.ico")
async def favicon(request: Request) -> Response:
    """The icon where browsers look for it unasked."""
    return await static_file(request, digest(), "icon.svg")
