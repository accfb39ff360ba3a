"""Structured logs without secrets: what happened, where and how long it took, never what people sent or saw.

Each line names a route by its template (`/sign-in/{token}`) and an error by its type and location. Bodies, queries,
headers, cookies and exception messages, which may quote any of these, are never logged. Of other libraries only the
first line of each warning is logged: at lower levels some of them log SQL statements with their values.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from traceback import StackSummary, walk_tb
from typing import Any, TextIO, cast

import structlog
from starlette.types import Scope

from realmtable.server.errors import Unavailable

# The messages of these come from the system, the interpreter or our own code and never quote user input.
SAFE_TO_LOG = (Unavailable, OSError, AttributeError, NameError, TypeError, ImportError)
MAX_CHAIN_LENGTH = 5


log = structlog.get_logger(__name__)
KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def configure(log_format: str = "text", log_level: str = "info", stream: TextIO | None = None) -> None:
    """Write the logs of this process to `stream` (stderr by default) in the given format."""
    level = logging.getLevelNamesMapping()[log_level.upper()]
    target = stream or cast("TextIO", PatientFile(sys.stderr))
    processors: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
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


class LibraryLogHandler(logging.Handler):
    """Passes warnings of other libraries to our logger: the message template, its numbers and the traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record."""
        log.log(record.levelno, _message_template(record), logger=record.name, exc_info=record.exc_info)


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


def _message_template(record: logging.LogRecord) -> str:
    """Return the first line of a library's message, with every argument that is not a number replaced by "…"."""
    text = str(record.msg).strip().partition("\n")[0]
    if not isinstance(record.args, tuple):
        return text
    try:
        return text % tuple(value if isinstance(value, int | float) else "…" for value in record.args)
    except (TypeError, ValueError):  # the template needs a number, or its first line lacks some arguments
        return text


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
        return structlog.processors.JSONRenderer(default=str, ensure_ascii=False, separators=(",", ":"))
    return structlog.dev.ConsoleRenderer(colors=stream.isatty(), pad_event_to=0, sort_keys=False)
