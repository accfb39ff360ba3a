"""Structured logs without secrets: what happened, where and how long it took, never what people sent or saw.

A line names a route by its template (`/sign-in/{token}`), an error by its type and place. Bodies, queries, headers,
cookies and the messages of exceptions, which may repeat any of them, stay out. Other libraries are heard only when
they warn, and only their first line: at lower levels some write statements with their values.
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from traceback import StackSummary, walk_tb
from typing import Any, TextIO

import orjson
import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from realmtable.server.errors import Unavailable

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
# Asked for again and again, so told only to those who debug.
QUIET_ROUTES = ("/static", "/healthz", "/metrics")
# What these say comes from the system, the interpreter or our own sentences: no value that somebody sent.
SAFE_TO_LOG = (Unavailable, OSError, AttributeError, NameError, TypeError, ImportError)
MAX_CHAIN_LENGTH = 5
UNEXPECTED_MESSAGE = (
    "Something went wrong on our side; try again, and tell the administrator the request id {} if it stays."
)

KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def configure(log_format: str = "text", log_level: str = "info", stream: TextIO | None = None) -> None:
    """Write the lines of this process to a stream, by default the error stream, in the format of the settings."""
    level = logging.getLevelNamesMapping()[log_level.upper()]
    target = stream or sys.stderr
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _replace_exception,
            _renderer(log_format, target),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(target),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[LibraryLogHandler()], level=max(level, logging.WARNING), force=True)
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).setLevel(logging.NOTSET)


def logger() -> structlog.typing.FilteringBoundLogger:
    """The logger of the server; a line is an event in a few words and its facts as keywords."""
    made: structlog.typing.FilteringBoundLogger = structlog.get_logger()
    return made


def bind_facts(**facts: object) -> None:
    """Add facts to the lines of the request at hand, such as the code of a refusal; never what somebody sent."""
    structlog.contextvars.bind_contextvars(**facts)


class LibraryLogHandler(logging.Handler):
    """Hands warnings of other libraries to our logger: their own words, numbers, and where it happened."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        logger().log(record.levelno, _message_template(record), logger=record.name, exc_info=record.exc_info)


class RequestLog:
    """ASGI middleware, the outermost: gives a request its id and writes its line; answers 500 where the rest failed."""

    def __init__(self, app: ASGIApp, *, trust_proxy: bool = False) -> None:
        self.app = app
        self.trust_proxy = trust_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "lifespan":
            await self._run_lifespan(scope, receive, send)
        elif scope["type"] == "http":
            request_id = self._request_id(scope)
            with request_context(request_id):
                await self._handle_request(scope, receive, ResponseSender(send, request_id))
        else:
            await self.app(scope, receive, send)

    async def _run_lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Starting and stopping: a failure is told here, in our way, and not by the server."""

        async def send_wrapper(message: Message) -> None:
            await send({"type": message["type"]} if message["type"].endswith(".failed") else message)

        try:
            await self.app(scope, receive, send_wrapper)
        except Exception as error:
            logger().error("could not start or stop", exc_info=error)
            raise

    def _request_id(self, scope: Scope) -> str:
        given = read_header(scope, b"x-request-id") if self.trust_proxy else ""
        return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)

    async def _handle_request(self, scope: Scope, receive: Receive, answer: ResponseSender) -> None:
        begun = time.perf_counter()
        failure: Exception | None = None
        try:
            await self.app(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the last to hear of it: told in the log, answered with 500
            failure = error
            if not answer.status:
                await answer.send_error()
        finally:
            self._log_request(scope, answer, time.perf_counter() - begun, failure)

    @staticmethod
    def _log_request(scope: Scope, answer: ResponseSender, seconds: float, failure: Exception | None) -> None:
        route = route_template(scope)
        quiet = answer.streaming or route.startswith(QUIET_ROUTES)
        level = logging.ERROR if failure else logging.DEBUG if quiet else logging.INFO
        facts = {
            "method": request_method(scope),
            "route": route,
            "status": answer.status,
            "ms": round(seconds * 1000, 1),
        }
        table = (scope.get("path_params") or {}).get("table_id")
        if table and answer.status < 400:  # noqa: PLR2004 - an id that was found is one of ours, not any text
            facts["table"] = table
        logger().log(level, "stream" if answer.streaming else "request", **facts, exc_info=failure)


@contextmanager
def request_context(request_id: str) -> Iterator[None]:
    """The context of one request: its id stands in every line written inside."""
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request=request_id)
    try:
        yield
    finally:
        structlog.contextvars.clear_contextvars()


class ResponseSender:
    """Sends an answer on, adds the request id and remembers status and kind."""

    def __init__(self, send: Send, request_id: str) -> None:
        self.send = send
        self.request_id = request_id
        self.status = 0
        self.streaming = False

    async def __call__(self, message: Message) -> None:
        """Send one message of the answer."""
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            headers = [*message.get("headers", ()), (b"x-request-id", self.request_id.encode())]
            self.streaming = is_stream(message)
            message = {**message, "headers": headers}
        await self.send(message)

    async def send_error(self) -> None:
        """The answer to a request on which the program failed, in the shape of every error."""
        error = {"code": "Unexpected", "message": UNEXPECTED_MESSAGE.format(self.request_id)}
        body = orjson.dumps({"error": error})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self({"type": "http.response.start", "status": 500, "headers": headers})
        await self({"type": "http.response.body", "body": body})


def request_method(scope: Scope) -> str:
    """The method of a request; any word may arrive as one, so unknown ones share a name."""
    return scope["method"] if scope["method"] in KNOWN_METHODS else "other"


def route_template(scope: Scope) -> str:
    """The template of the route that answered, `unmatched` where none did; a folder of files is one route."""
    template = getattr(scope.get("route"), "path", None) or scope.get("root_path")
    return str(template) if template else "unmatched"


def read_header(scope: Scope, name: bytes) -> str:
    """A header of a request, empty where it is missing."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def is_stream(start: Message) -> bool:
    """Whether an answer that begins so is a stream of events."""
    return any(
        key.lower() == b"content-type" and value.startswith(b"text/event-stream") for key, value in start["headers"]
    )


def _message_template(record: logging.LogRecord) -> str:
    """The first line of a foreign message, with dots for all it fills in but numbers."""
    text = str(record.msg).strip().partition("\n")[0]
    if not isinstance(record.args, tuple):
        return text
    try:
        return text % tuple(value if isinstance(value, int | float) else "…" for value in record.args)
    except (TypeError, ValueError):  # a number was asked for, or the line is cut short
        return text


def _replace_exception(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:  # noqa: ANN401 - structlog's
    """Replace an exception by its types and places."""
    found = line.pop("exc_info", None)
    error = found[1] if isinstance(found, tuple) else sys.exc_info()[1] if found is True else found
    if isinstance(error, BaseException):
        line["exception"] = format_exception(error)
    return line


def format_exception(error: BaseException) -> str:
    """An exception and what it came from: types and places, and a message only where it repeats nothing from outside.

    >>> format_exception(ValueError("hunter2"))
    'ValueError'
    """
    return "\n".join(part for link in _exception_chain(error) for part in _exception_lines(link))


def _exception_chain(error: BaseException) -> Iterator[BaseException]:
    """The exception, then its causes; of a group, what is inside."""
    waiting = [error]
    for _ in range(MAX_CHAIN_LENGTH):
        if not waiting:
            return
        link = waiting.pop(0)
        yield link
        inner = list(link.exceptions) if isinstance(link, BaseExceptionGroup) else []
        cause = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
        waiting += [*inner, *([cause] if cause else [])]


def _exception_lines(error: BaseException) -> Iterator[str]:
    speaks = isinstance(error, SAFE_TO_LOG)
    message = (error.strerror or "") if isinstance(error, OSError) else str(error)
    yield f"{type(error).__name__}: {message}" if speaks and message else type(error).__name__
    for frame in StackSummary.extract(walk_tb(error.__traceback__)):
        yield f"  {frame.filename}:{frame.lineno} {frame.name}"


def _renderer(log_format: str, stream: TextIO) -> structlog.typing.Processor:
    if log_format == "json":
        return structlog.processors.JSONRenderer(serializer=_dump_json)
    return structlog.dev.ConsoleRenderer(colors=stream.isatty(), pad_event_to=0, sort_keys=False)


def _dump_json(line: dict[str, Any], **_: object) -> str:
    return orjson.dumps(line, default=str).decode()
