"""Styles, scripts, icons and the font.

Their addresses contain a digest of all files, so browsers can cache them forever. There is one digest for the whole
folder, not one per file, because scripts import each other by relative addresses.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from realmtable import web
from realmtable.server.errors import NotFound
from realmtable.server.request_bounds import BoundedRoute, declare_bounds

FOLDER: Final = Path(web.__file__).parent / "static"
FOREVER: Final = "public, max-age=31536000, immutable"
# A file loads nothing itself; the policy of pages is longer than many files.
FILE_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
MIN_GZIP_BYTES: Final = 500  # below this size compression is not worth it

# Comments of scripts that fill whole lines or end them, and comments and indentation of styles; no text contains such.
COMMENT_LINES: Final = re.compile(rb"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
END_COMMENTS: Final = re.compile(rb"(?<=[;,(){}\[\]]) // .*")
TYPES_IN_LINES: Final = re.compile(rb"/\*\* @type .*?\*/ ")
INDENTATION: Final = re.compile(rb"^\s+", re.MULTILINE)  # with empty lines; in templates it stands before elements
STYLE_COMMENTS: Final = re.compile(rb"[ \t]*/\*[\s\S]*?\*/\n?|^\s+", re.MULTILINE)
# The system's MIME table may lack these or map scripts to another type, which browsers would refuse.
TYPES: Final = {".js": "text/javascript", ".woff2": "font/woff2"}
VENDOR: Final = "vendor"  # scripts of others, sent as they are

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


class StaticFile(NamedTuple):
    """A file ready to send."""

    content: bytes
    gzipped: bytes
    type: str


@cache
def files() -> dict[str, StaticFile]:
    """Return all files by their path in the folder."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.is_file())
    return {path.relative_to(FOLDER).as_posix(): _load(path) for path in paths}


def _load(path: Path) -> StaticFile:
    content = path.read_bytes()
    if path.suffix == ".js" and path.parent.name != VENDOR:
        content = INDENTATION.sub(b"", strip_comments(content))
    elif path.suffix == ".css":
        content = STYLE_COMMENTS.sub(b"", content)
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
    text = kind.startswith("text/") or kind.endswith(("json", "xml"))
    return StaticFile(content, gzip.compress(content, mtime=0), f"{kind}; charset=utf-8" if text else kind)


def strip_comments(script: bytes) -> bytes:
    r"""Leave out the comments, which browsers need not load.

    >>> strip_comments(b'// A page.\n/** Says hello. */\nlog("//", /** @type {any} */ (1)); // to all\n')
    b'log("//", (1));\n'
    """
    for comments in (COMMENT_LINES, TYPES_IN_LINES, END_COMMENTS):
        script = comments.sub(b"", script)
    return script


@cache
def digest() -> str:
    """Return a digest that changes when any file changes."""
    total = hashlib.sha256()
    for name, file in files().items():
        total.update(f"{name}\n{len(file.content)}\n".encode())
        total.update(file.content)
    return total.hexdigest()[:12]


def static_url(name: str) -> str:
    """Return the address of a static file; raise KeyError if it does not exist."""
    if name not in files():
        raise KeyError(name)
    return f"/static/{digest()}/{name}"


def accepts_gzip(request: Request) -> bool:
    """Whether the browser accepts gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


def make_response(
    request: Request, content: bytes, kind: str, gzipped: bytes | None = None, status: int = 200
) -> Response:
    """Return a response, compressed if the browser accepts it and it is worth it."""
    response = Response(content, status, media_type=kind)
    if len(content) >= MIN_GZIP_BYTES:
        response.headers["vary"] = "Accept-Encoding"
        if accepts_gzip(request):
            body = gzip.compress(content, 6, mtime=0) if gzipped is None else gzipped
            response = Response(body, status, dict(response.headers) | {"content-length": str(len(body))})
            response.headers["content-encoding"] = "gzip"
    return response


@router.get("/static/{version}/{name:path}")
@declare_bounds(0)
async def static_file(request: Request, version: str, name: str) -> Response:
    """Return a file. Older versions in the address work too, for pages that are still open, but are not cached."""
    file = files().get(name)
    if file is None:
        raise NotFound("There is no such file; reload the page that links to it.")
    response = make_response(request, file.content, file.type, file.gzipped)
    response.headers["cache-control"] = FOREVER if version == digest() else "no-cache"
    response.headers["content-security-policy"] = FILE_POLICY
    return response


@router.get("/favicon.ico")
@declare_bounds(0)
async def favicon(request: Request) -> Response:
    """Return the icon at the address that browsers try by default."""
    return await static_file(request, digest(), "icon.svg")
