"""What a server can be told: one field a setting, read from `REALMTABLE_*` variables, overridden by flags of `serve`.

`Settings.read` refuses what it cannot use in one sentence, a variable nobody knows included: a mistyped name must not
silently start a server on the wrong database. Addresses may hold passwords, so no message repeats them.
"""

from __future__ import annotations

import difflib
import math
import os
import socket
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_data_path

from realmtable.engine.errors import BadInput

PREFIX = "REALMTABLE_"
# Variables that are no settings: the compile switch, and whatever tests hand to one another.
NOT_SETTINGS = ("REALMTABLE_COMPILE", "REALMTABLE_TEST_")
SWITCH_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
ANY_HOST = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not listened on
MIN_SECRET_LENGTH = 16
MIB = 1024 * 1024


def setting(default: Any, text: str, **bounds: Any) -> Any:  # noqa: ANN401 - as dataclasses.field
    """A field with its sentence of help and, where they apply, `low`, `high` or `choices`; a `secret` is not shown."""
    return field(default=default, repr=not bounds.get("secret"), metadata={"help": text, **bounds})


def default_database_url() -> str:
    """SQLite in the folder where this person's programs keep their data."""
    return f"sqlite:///{user_data_path('realmtable') / 'tables.sqlite3'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a server can be told, checked. The help of a field is what `realmtable serve --help` prints."""

    database_url: str = setting(
        "",
        "Where tables are kept: sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME. Default: a file of your own.",
        secret=True,
    )
    redis_url: str | None = setting(
        None,
        "Redis that tells several server processes of each other's moves: redis://HOST:PORT/0. Default: none.",
        secret=True,
    )
    host: str = setting("127.0.0.1", "The address to listen on; 0.0.0.0 lets the whole network in.")
    port: int = setting(
        8000,
        "The port to listen on; 0 takes any free one. If 8000 was not asked for and is taken, the next free one.",
        low=0,
        high=65535,
    )
    public_url: str = setting(
        "", "The address people type and links begin with; https makes cookies secure. Default: http://HOST:PORT."
    )
    trust_proxy: bool = setting(
        False, "Believe X-Forwarded-For and X-Request-Id: only behind a proxy that sets them itself."
    )
    processes: int = setting(
        1, "How many server processes share the port; more than one needs PostgreSQL and Redis.", low=1, high=64
    )
    bot_workers: int = setting(2, "How many bots may think at once, each in a process of its own.", low=1, high=64)
    bot_limit_s: float = setting(10.0, "Seconds after which a thinking bot is stopped.", low=0.1, high=3600)
    bot_pace_s: float = setting(
        0.7, "Seconds that pass at least before a bot's step is shown, so that people can follow.", low=0, high=60
    )
    compile_bots: bool = setting(
        True, "Compile the rules in the background, for strong bots; off, they think in plain Python and see less."
    )
    study_workers: int = setting(
        1, "How many processes think for analyses, hints and the analysis board.", low=1, high=64
    )
    replay_workers: int = setting(
        1,
        "How many processes play lines and positions that people try out, and as many again whole records and games;"
        " with 0 the server does so itself, which saves memory and holds others up.",
        low=0,
        high=64,
    )
    study_s: float = setting(1.0, "Seconds that each thought of theirs takes.", low=0.01, high=60)
    limits_factor: float = setting(
        1.0, "Multiplies every rate limit; 0 switches them off, for load tests only.", low=0, high=1_000_000
    )
    max_streams: int = setting(
        5000, "How many event streams one process keeps open; more are asked to come back later.", low=1, high=1_000_000
    )
    memory_mib: int = setting(
        512,
        "MiB of tables that one process keeps in memory; finished and unused ones leave first, and are read again.",
        low=16,
        high=1_000_000,
    )
    guest_mib: int = setting(
        10, "MiB that one guest may store within a day, and of records in all; 0 for no bound.", low=0, high=1_000_000
    )
    member_mib: int = setting(
        100, "The same for somebody with a name and a password; 0 for no bound.", low=0, high=1_000_000
    )
    address_mib: int = setting(
        30, "MiB that may be stored from one address within a day; 0 for no bound.", low=0, high=1_000_000
    )
    guest_tables: int = setting(
        200, "How many tables of one guest are kept at a time; 0 for no bound.", low=0, high=1_000_000
    )
    member_tables: int = setting(
        5000, "The same for somebody with a name and a password; 0 for no bound.", low=0, high=1_000_000
    )
    abandoned_days: int = setting(
        14, "Days after which a guests' game that nobody went on with is removed; 0 keeps them.", low=0, high=3650
    )
    guest_days: int = setting(
        90,
        "Days after which finished games and records of guests, and guests who did not come back, are removed;"
        " 0 keeps them.",
        low=0,
        high=3650,
    )
    low_disk_mib: int = setting(
        500, "MiB of free disk below which /healthz says degraded, and no records are taken.", low=0, high=1_000_000
    )
    max_streams_per_address: int = setting(
        200,
        "How many of them one address may keep open; players come first, then whoever has the fewest.",
        low=1,
        high=1_000_000,
    )
    request_limit_s: float = setting(
        30.0, "Seconds within which a request must have arrived whole; slower ones are refused.", low=1, high=3600
    )
    session_days: int = setting(365, "Days until a browser that has not come back is forgotten.", low=1, high=3650)
    rated_age_hours: float = setting(
        24.0, "Hours that an account must have existed before it plays rated games.", low=0, high=8760
    )
    rated_games: int = setting(
        3, "Unrated games that an account must have finished before it plays rated ones.", low=0, high=1000
    )
    log_format: str = setting(
        "text", "How log lines are written: text for people, json for programs.", choices=("text", "json")
    )
    log_level: str = setting("info", "The least urgent lines to write.", choices=("debug", "info", "warning", "error"))
    metrics_token: str | None = setting(
        None,
        "Secret that /metrics asks for as a bearer token. Default: none, /metrics answers this machine only.",
        secret=True,
    )
    open_browser: bool = setting(False, "Open the browser on the table once the server answers.")

    def __post_init__(self) -> None:
        for item in fields(self):
            _check_bounds(item, getattr(self, item.name))
        if not self.database_url:
            object.__setattr__(self, "database_url", default_database_url())
        if not self.public_url:
            object.__setattr__(self, "public_url", default_url(self.host, self.port))
        object.__setattr__(self, "public_url", self.public_url.rstrip("/"))
        self._check_addresses()
        if self.metrics_token is not None and len(self.metrics_token) < MIN_SECRET_LENGTH:
            raise BadInput(f"{label('metrics_token')} must have at least {MIN_SECRET_LENGTH} characters.")
        if self.processes > 1 and not (self.uses_postgresql and self.redis_url):
            raise BadInput(
                f"Several processes need one PostgreSQL, {label('database_url')}, and one Redis,"
                f" {label('redis_url')}, between them; without both there can be only one."
            )

    def _check_addresses(self) -> None:
        if _scheme(self.database_url) not in {"sqlite", "postgresql"}:
            raise BadInput(f"{label('database_url')} must begin with sqlite:/// or postgresql://.")
        if self.redis_url is not None and _scheme(self.redis_url) not in {"redis", "rediss", "unix"}:
            raise BadInput(f"{label('redis_url')} must begin with redis://, rediss:// or unix://.")
        if not _is_origin(self.public_url):
            raise BadInput(
                f"{label('public_url')} must be http:// or https:// with a host and no path, like https://example.org."
            )

    @property
    def uses_postgresql(self) -> bool:
        """Whether tables are kept in PostgreSQL."""
        return _scheme(self.database_url) == "postgresql"

    def with_port(self, port: int) -> Settings:
        """The same settings on another port; a public address that was derived from the port follows it."""
        derived = self.public_url == default_url(self.host, self.port)
        return replace(self, port=port, public_url="" if derived else self.public_url)

    def to_environment(self) -> dict[str, str]:
        """The variables from which another process reads these same settings."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {variable_name(name): _format_value(value) for name, value in values.items() if value is not None}

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, flags: Mapping[str, Any] | None = None) -> Settings:
        """Settings from the variables (by default the process's own) and, over them, flags that are not None."""
        found = os.environ if environment is None else environment
        _refuse_unknown(found)
        values = {
            item.name: _parse(item, found[variable_name(item.name)])
            for item in fields(cls)
            if found.get(variable_name(item.name), "") != ""
        }
        given = {name: value for name, value in (flags or {}).items() if value is not None}
        return cls(**(values | {name: _convert(name, value) for name, value in given.items()}))

    @classmethod
    def setting_fields(cls) -> Iterator[Field[Any]]:
        """The settings in the order of their help; a field's metadata holds its help and bounds."""
        return iter(fields(cls))


def variable_name(name: str) -> str:
    """The environment variable of a setting.

    >>> variable_name("bot_limit_s")
    'REALMTABLE_BOT_LIMIT_S'
    """
    return PREFIX + name.upper()


def flag_name(name: str) -> str:
    """The flag of `serve` that overrides a setting.

    >>> flag_name("bot_limit_s"), flag_name("open_browser")
    ('--bot-limit-s', '--open')
    """
    return "--open" if name == "open_browser" else "--" + name.replace("_", "-")


def label(name: str) -> str:
    """How a message names a setting, whichever way it was given."""
    return f"{flag_name(name)} ({variable_name(name)})"


def default_url(host: str, port: int) -> str:
    """What to type in the browser to reach a server that listens there.

    >>> default_url("127.0.0.1", 8000), default_url("::1", 80)
    ('http://127.0.0.1:8000', 'http://[::1]')
    """
    shown = own_address() if host in ANY_HOST else host
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}" if port == 80 else f"http://{shown}:{port}"  # noqa: PLR2004 - where http lives


def own_address() -> str:
    """This machine's address in its network, for links that others can follow."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; naming it sends nothing
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _refuse_unknown(found: Mapping[str, str]) -> None:
    known = [item.name.upper() for item in fields(Settings)]
    for name in found:
        word = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and word not in known and not name.startswith(NOT_SETTINGS):
            near = difflib.get_close_matches(word, known, n=1)
            raise BadInput(f"There is no setting {name}" + (f"; did you mean {PREFIX}{near[0]}?" if near else "."))


def _parse(item: Field[Any], text: str) -> Any:  # noqa: ANN401 - the type of the setting
    """The value that a variable's text means."""
    if item.type == "bool":
        if text.strip().lower() not in SWITCH_WORDS:
            raise BadInput(f"{label(item.name)} must be on or off.")
        return SWITCH_WORDS[text.strip().lower()]
    return _convert(item.name, text.strip())


def _convert(name: str, value: Any) -> Any:  # noqa: ANN401 - as above
    kind = next(item.type for item in fields(Settings) if item.name == name)
    try:
        return {"int": int, "float": float}.get(str(kind), lambda same: same)(value)
    except (TypeError, ValueError):
        raise BadInput(f"{label(name)} must be a {'whole ' if kind == 'int' else ''}number.") from None


def _check_bounds(item: Field[Any], value: Any) -> None:  # noqa: ANN401 - as above
    low, high = item.metadata.get("low"), item.metadata.get("high")
    if low is not None and not (math.isfinite(value) and low <= value <= high):
        raise BadInput(f"{label(item.name)} must be between {low:,} and {high:,}, not {value}.")
    choices = item.metadata.get("choices")
    if choices and value not in choices:
        raise BadInput(f"{label(item.name)} must be {' or '.join(choices)}.")


def _scheme(url: str) -> str:
    return url.partition("://")[0]


def _is_origin(url: str) -> bool:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - read to have it checked
    except ValueError:
        return False
    bare = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and bare


def _format_value(value: Any) -> str:  # noqa: ANN401 - as above
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
