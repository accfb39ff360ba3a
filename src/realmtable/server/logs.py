"""Structured logs without secrets: what happened, where and how long it took, never what people sent or saw.

Each line names a route by its template (`/sign-in/{token}`) and an error by its type and location. Bodies, queries,
headers, cookies and exception messages, which may quote any of these, are never logged. Of other libraries only the
first line of each warning is logged: at lower levels some of them log SQL statements with their values.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from contextvars import ContextVar
from random import Random
from traceback import StackSummary, walk_tb
from types import MappingProxyType
from typing import Any, TextIO, cast

import orjson
import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from realmtable.server.errors import Unavailable

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
# Requested so often that they are logged at debug level only.
QUIET_ROUTES = ("/static", "/healthz", "/metrics")
# The messages of these come from the system, the interpreter or our own code and never quote user input.
SAFE_TO_LOG = (Unavailable, OSError, AttributeError, NameError, TypeError, ImportError)
MAX_CHAIN_LENGTH = 5
UNEXPECTED_MESSAGE = (
    "Something went wrong on our side; try again. If the error persists, report request id {} to the administrator."
)

OnResponse = Callable[[str, str, int, float | None], None]

_RANDOM = Random()  # noqa: S311 - an id of a request is no secret, and asking the system for one takes longer
# What every line of the current request says. One variable of our own, because structlog's functions look through all.
_FACTS: ContextVar[Mapping[str, object]] = ContextVar("realmtable_log_facts", default=MappingProxyType({}))
_LOGGER: structlog.typing.FilteringBoundLogger = structlog.get_logger()  # follows later calls of `configure`

KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def configure(log_format: str = "text", log_level: str = "info", stream: TextIO | None = None) -> None:
    """Write the logs of this process to `stream` (stderr by default) in the given format."""
    level = logging.getLevelNamesMapping()[log_level.upper()]
    target = stream or cast("TextIO", PatientFile(sys.stderr))
    processors: list[structlog.typing.Processor] = [
        _add_facts,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _replace_exception,
        _renderer(log_format, target),
    ]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(target),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[LibraryLogHandler()], level=max(level, logging.WARNING), force=True)
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).setLevel(logging.NOTSET)


class PatientFile:
    """A file that loses lines when nobody reads it or the disk is full, instead of failing."""

    def __init__(self, target: TextIO) -> None:
        self.isatty = target.isatty
        self._target = target

    def write(self, text: str) -> None:
        """Write a line."""
        with suppress(OSError):
            self._target.write(text)

    def flush(self) -> None:
        """Pass the line on at once."""
        with suppress(OSError):
            self._target.flush()


def logger() -> structlog.typing.FilteringBoundLogger:
    """Return the server's logger. Log a short event name, with the facts as keywords."""
    return _LOGGER


class LibraryLogHandler(logging.Handler):
    """Passes warnings of other libraries to our logger: the message template, its numbers and the traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record."""
        logger().log(record.levelno, _message_template(record), logger=record.name, exc_info=record.exc_info)


class RequestLog:
    """The outermost ASGI middleware: assigns request ids, logs requests and answers uncaught exceptions with 500.

    After each response `on_response` is called with the method, the route, the status and the seconds it took, which
    are None for a stream.
    """

    def __init__(self, app: ASGIApp, *, trust_proxy: bool = False, on_response: OnResponse | None = None) -> None:
        self.app = app
        self.trust_proxy = trust_proxy
        self.on_response = on_response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "lifespan":
            await self._run_lifespan(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id, failure, started_at = self._request_id(scope), None, time.perf_counter()
        sender = ResponseSender(send, request_id)
        with RequestContext(request_id):
            try:
                await self.app(scope, receive, sender)
            except Exception as error:  # noqa: BLE001 - the last handler: logged, and answered with 500
                failure = error
                if not sender.status:
                    await sender.send_error()
            finally:
                self._finish(scope, sender, time.perf_counter() - started_at, failure)

    async def _run_lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run startup and shutdown; log failures here instead of leaving that to Uvicorn."""

        async def send_wrapper(message: Message) -> None:
            await send({"type": message["type"]} if message["type"].endswith(".failed") else message)

        try:
            await self.app(scope, receive, send_wrapper)
        except Exception as error:
            logger().error("could not start or stop", exc_info=error)
            raise

    def _request_id(self, scope: Scope) -> str:
        given = read_header(scope, b"x-request-id") if self.trust_proxy else ""
        return given if REQUEST_ID.fullmatch(given) else new_request_id()

    def _finish(self, scope: Scope, sender: ResponseSender, seconds: float, failure: Exception | None) -> None:
        """Count and log a request that was answered."""
        method, route = request_method(scope), route_template(scope)
        if self.on_response is not None:
            self.on_response(method, route, sender.status or 500, None if sender.streaming else seconds)
        quiet = sender.streaming or route.startswith(QUIET_ROUTES)
        level = logging.ERROR if failure else logging.DEBUG if quiet else logging.INFO
        facts = {
            "method": method,
            "route": route,
            "status": sender.status,
            "ms": round(seconds * 1000, 1),
        }
        table = (scope.get("path_params") or {}).get("table_id")
        if table and sender.status < 400:  # noqa: PLR2004 - an id that exists is ours, not arbitrary user input
            facts["table"] = table
        logger().log(level, "stream" if sender.streaming else "request", **facts, exc_info=failure)


class RequestContext:
    """Adds a request's id to every line logged inside the block.

    A class, because `@contextmanager` costs twice the calls.
    """

    def __init__(self, request_id: str) -> None:
        self._request_id = request_id

    def __enter__(self) -> None:
        _FACTS.set({"request": self._request_id})

    def __exit__(self, *_: object) -> None:
        _FACTS.set({})


class ResponseSender:
    """Forwards a response, adds the request id, and remembers the status and whether it is an event stream."""

    def __init__(self, send: Send, request_id: str) -> None:
        self.send = send
        self.request_id = request_id
        self.status = 0
        self.streaming = False

    async def __call__(self, message: Message) -> None:
        """Send one message of the response."""
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            headers = [*message.get("headers", ()), (b"x-request-id", self.request_id.encode())]
            self.streaming = is_stream(message)
            message = {**message, "headers": headers}
        await self.send(message)

    async def send_error(self) -> None:
        """Answer with 500 in the shape of every other error."""
        error = {"code": "Unexpected", "message": UNEXPECTED_MESSAGE.format(self.request_id)}
        body = orjson.dumps({"error": error})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self({"type": "http.response.start", "status": 500, "headers": headers})
        await self({"type": "http.response.body", "body": body})


def new_request_id() -> str:
    """Return an id under which the log lines of a request or socket can be found."""
    return f"{_RANDOM.getrandbits(64):016x}"


def request_method(scope: Scope) -> str:
    """Return the method of a request. Clients may send any word, so unknown methods are all called "other"."""
    return scope["method"] if scope["method"] in KNOWN_METHODS else "other"


def route_template(scope: Scope) -> str:
    """Return the template of the matching route, or "unmatched"; a mounted folder counts as one route."""
    template = getattr(scope.get("route"), "path", None) or scope.get("root_path")
    return str(template) if template else "unmatched"


def find_header(scope: Scope, name: bytes) -> str | None:
    """Return a request header, or None if it is missing."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


def read_header(scope: Scope, name: bytes) -> str:
    """Return a request header, or an empty string if it is missing."""
    return find_header(scope, name) or ""


def is_stream(start: Message) -> bool:
    """Whether a response with this start message is an event stream."""
    for key, value in start["headers"]:
        if key.lower() == b"content-type":
            return bool(value.startswith(b"text/event-stream"))
    return False


def _message_template(record: logging.LogRecord) -> str:
    """Return the first line of a library's message, with every argument that is not a number replaced by "…"."""
    text = str(record.msg).strip().partition("\n")[0]
    if not isinstance(record.args, tuple):
        return text
    try:
        return text % tuple(value if isinstance(value, int | float) else "…" for value in record.args)
    except (TypeError, ValueError):  # the template needs a number, or its first line lacks some arguments
        return text


def _add_facts(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:  # noqa: ANN401 - structlog's
    """Add what every line of the current request says."""
    for name, value in _FACTS.get().items():
        line.setdefault(name, value)
    return line


def _replace_exception(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:  # noqa: ANN401 - structlog's
    """Replace an exception with its types and locations."""
    info = line.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else sys.exc_info()[1] if info is True else info
    if isinstance(error, BaseException):
        line["exception"] = format_exception(error)
    return line


def format_exception(error: BaseException) -> str:
    """Format an exception and its causes as types and locations; include messages only if they are safe to log.

    >>> format_exception(ValueError("hunter2"))
    'ValueError'
    """
    return "\n".join(part for link in _exception_chain(error) for part in _exception_lines(link))


def _exception_chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception, then the members of groups and the causes."""
    pending = [error]
    for _ in range(MAX_CHAIN_LENGTH):
        if not pending:
            return
        link = pending.pop(0)
        yield link
        inner = list(link.exceptions) if isinstance(link, BaseExceptionGroup) else []
        cause = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
        pending += [*inner, *([cause] if cause else [])]


def _exception_lines(error: BaseException) -> Iterator[str]:
    is_safe = isinstance(error, SAFE_TO_LOG)
    message = (error.strerror or "") if isinstance(error, OSError) else str(error)
    yield f"{type(error).__name__}: {message}" if is_safe and message else type(error).__name__
    for frame in StackSummary.extract(walk_tb(error.__traceback__)):
        yield f"  {frame.filename}:{frame.lineno} {frame.name}"


def _renderer(log_format: str, stream: TextIO) -> structlog.typing.Processor:
    if log_format == "json":
        return structlog.processors.JSONRenderer(serializer=_dump_json)
    return structlog.dev.ConsoleRenderer(colors=stream.isatty(), pad_event_to=0, sort_keys=False)


def _dump_json(line: dict[str, Any], **_: object) -> str:
    return orjson.dumps(line, default=str).decode()
