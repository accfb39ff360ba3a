"""Kinds of responses that several routers return."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response

# A standalone picture may contain styles and nothing else.
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def json_response(data: Any) -> Response:  # noqa: ANN401 - any plain data
    """Return a JSON response without validating the data, which may be encoded already."""
    return Response(data if isinstance(data, bytes) else orjson.dumps(data), media_type="application/json")


def svg_response(picture: str) -> Response:
    """Return a response with a standalone picture."""
    return Response(picture, media_type="image/svg+xml", headers={"Content-Security-Policy": SVG_POLICY})


@lru_cache(maxsize=64)
def _compress(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def layer_response(request: Request, svg: str, *, private: bool) -> Response:
    """Return a response with a layer of a picture, which browsers cache forever, because its key names its content."""
    data, headers = svg.encode(), {"Content-Security-Policy": SVG_POLICY, "Vary": "Accept-Encoding"}
    headers["Cache-Control"] = f"{'private' if private else 'public'}, max-age=31536000, immutable"
    if "gzip" in request.headers.get("accept-encoding", ""):
        data = _compress(data)
        headers["Content-Encoding"] = "gzip"
    return Response(data, media_type="image/svg+xml", headers=headers)


def text_file_response(text: str, name: str) -> Response:
    """Return a response that downloads a text file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
