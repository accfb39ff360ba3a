"""Server settings, read from `REALMTABLE_*` environment variables and overridden by flags of `serve`.

`Settings.read` refuses invalid values and unknown variables with a one-sentence error: a mistyped name must not start a
server on the wrong database. Error messages never quote addresses, which may contain passwords.
"""

from __future__ import annotations

import difflib
import ipaddress
import math
import os
import re
import socket
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_data_path

from realmtable.engine.errors import BadInput
from realmtable.engine.extras import require_extra

PREFIX = "REALMTABLE_"
# Variables that are not settings: the compile switch, and those used by tests.
NOT_SETTINGS = ("REALMTABLE_COMPILE", "REALMTABLE_TEST_")
SWITCH_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
ANY_HOST = ("0.0.0.0", "::", "")  # noqa: S104 - only compared with, never bound
EMAIL = re.compile(r"[^@\s,;<>]{1,64}@[^@\s,;<>]{1,255}", re.ASCII)
MIN_SECRET_LENGTH = 16
MIB = 1024 * 1024


def setting(default: Any, text: str, **bounds: Any) -> Any:  # noqa: ANN401 - as dataclasses.field
    """Define a setting with its help text and, optionally, `low`, `high` or `choices`; a `secret` is hidden in repr."""
    return field(default=default, repr=not bounds.get("secret"), metadata={"help": text, **bounds})


def default_database_url() -> str:
    """Return the address of an SQLite file in the user's data folder."""
    return f"sqlite:///{user_data_path('realmtable') / 'tables.sqlite3'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All server settings, validated. `realmtable serve --help` prints the help text of each field."""

    database_url: str = setting(
        "",
        "Database: sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME. Default: a file in your data folder.",
        secret=True,
    )
    redis_url: str | None = setting(
        None,
        "Redis server that connects several server processes: redis://HOST:PORT/0. Default: none.",
        secret=True,
    )
    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0 accepts connections from the whole network.")
    port: int = setting(
        8000,
        "Port to listen on; 0 picks a free one. If the port is not set and 8000 is taken, the next free one is used.",
        low=0,
        high=65535,
    )
    public_url: str = setting(
        "", "Public address of the site, used in links; https makes cookies secure. Default: http://HOST:PORT."
    )
    trust_proxy: bool = setting(
        False, "Trust X-Forwarded-For and X-Request-Id; enable only behind a proxy that sets them."
    )
    processes: int = setting(
        1,
        "Number of server processes that share the port; more than one requires PostgreSQL and Redis.",
        low=1,
        high=64,
    )
    bot_workers: int = setting(2, "Number of bots that can think at once, each in its own process.", low=1, high=64)
    bot_limit_s: float = setting(10.0, "Maximum thinking time of a bot per step, in seconds.", low=0.1, high=3600)
    bot_pace_s: float = setting(
        0.7, "Minimum delay in seconds before a bot's run of steps is shown, so that people can follow.", low=0, high=60
    )
    compile_bots: bool = setting(
        True, "Compile the rules in the background for stronger bots; if off, bots use plain Python and play worse."
    )
    study_workers: int = setting(1, "Number of processes for analyses, hints and the analysis board.", low=1, high=64)
    replay_workers: int = setting(
        1,
        "Number of processes that replay lines and positions, and the same number again for whole records and games;"
        " one more each makes pictures and animations to share. With 0 the server process does all this itself, which"
        " saves memory but delays other requests.",
        low=0,
        high=64,
    )
    study_s: float = setting(1.0, "Thinking time per position of the study workers, in seconds.", low=0.01, high=60)
    address_limits: str = setting(
        "auto",
        "Whether to limit people who share an address: new guests and names per hour, and no engine for anyone at the"
        " address of a player in a rated game. With auto, on unless the public address is on a private network.",
        choices=("auto", "on", "off"),
    )
    limits_factor: float = setting(
        1.0, "Factor applied to every rate limit; 0 disables them (load tests only).", low=0, high=1_000_000
    )
    max_streams: int = setting(
        5000,
        "Maximum number of open sockets and event streams per process; further clients have to wait.",
        low=1,
        high=1_000_000,
    )
    memory_mib: int = setting(
        512,
        "Memory for tables per process, in MiB; finished and unused tables are evicted first and reloaded on demand.",
        low=16,
        high=1_000_000,
    )
    guest_mib: int = setting(10, "MiB of records that a guest may store; 0 for no limit.", low=0, high=1_000_000)
    member_mib: int = setting(100, "MiB of records that a member may store; 0 for no limit.", low=0, high=1_000_000)
    guest_tables: int = setting(200, "Maximum number of tables of a guest; 0 for no limit.", low=0, high=1_000_000)
    member_tables: int = setting(5000, "Maximum number of tables of a member; 0 for no limit.", low=0, high=1_000_000)
    abandoned_days: int = setting(
        14, "Days after which an abandoned game between guests is removed; 0 keeps them.", low=0, high=3650
    )
    guest_days: int = setting(
        90,
        "Days after which inactive guests and the finished games and records of guests are removed; 0 keeps them.",
        low=0,
        high=3650,
    )
    low_disk_mib: int = setting(
        500,
        "Free disk space in MiB below which /healthz reports degraded and records are refused.",
        low=0,
        high=1_000_000,
    )
    max_streams_per_address: int = setting(
        200,
        "Maximum number of open sockets and event streams per address; players come first, then people with few.",
        low=1,
        high=1_000_000,
    )
    request_limit_s: float = setting(
        30.0, "Seconds within which a whole request must arrive; slower ones are refused.", low=1, high=3600
    )
    absence_s: float = setting(
        60.0,
        "Seconds after which an opponent who is away loses a claim, or a bot takes over their seat, in games with a"
        " live clock; a tenth of their time if that is longer. 0: never.",
        low=0,
        high=86_400,
    )
    session_days: int = setting(365, "Days after which an inactive session expires.", low=1, high=3650)
    rated_age_hours: float = setting(
        24.0, "Minimum age in hours of an account before it can play rated games.", low=0, high=8760
    )
    rated_games: int = setting(
        3, "Number of unrated games an account must finish before it can play rated ones.", low=0, high=1000
    )
    operator: str = setting("", "Name of the person or group who runs the site, shown on /contact. Default: none.")
    contact: str = setting("", "E-mail address on /contact, for questions about accounts and data. Default: none.")
    push_contact: str = setting(
        "",
        "E-mail address that push services may write to about our notifications. Default: the contact, or"
        " postmaster@HOST.",
    )
    push_loopback: bool = setting(False, "Accept push services on this machine, over plain http too; for tests only.")
    log_format: str = setting("text", "Log format: text for people, json for programs.", choices=("text", "json"))
    log_level: str = setting("info", "Lowest level of messages to log.", choices=("debug", "info", "warning", "error"))
    metrics_token: str | None = setting(
        None,
        "Bearer token required by /metrics. Default: none; /metrics then answers only this machine.",
        secret=True,
    )
    open_browser: bool = setting(False, "Open the site in the browser once the server is ready.")

    def __post_init__(self) -> None:
        for item in fields(self):
            _check_bounds(item, getattr(self, item.name))
        if not self.database_url:
            object.__setattr__(self, "database_url", default_database_url())
        if not self.public_url:
            object.__setattr__(self, "public_url", default_url(self.host, self.port))
        object.__setattr__(self, "public_url", self.public_url.rstrip("/"))
        self._check_addresses()
        for name in ("contact", "push_contact"):
            if getattr(self, name) and not EMAIL.fullmatch(getattr(self, name)):
                raise BadInput(f"{label(name)} must be an e-mail address, like admin@example.org.")
        if self.metrics_token is not None and len(self.metrics_token) < MIN_SECRET_LENGTH:
            raise BadInput(f"{label('metrics_token')} must have at least {MIN_SECRET_LENGTH} characters.")
        if self.processes > 1 and not (self.uses_postgresql and self.redis_url):
            raise BadInput(
                f"More than one process requires PostgreSQL, {label('database_url')}, and Redis,"
                f" {label('redis_url')}; set both, or use a single process."
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
        """Whether the database is PostgreSQL."""
        return _scheme(self.database_url) == "postgresql"

    @property
    def limits_addresses(self) -> bool:
        """Whether people who share an address are limited together."""
        if self.address_limits == "auto":
            return not _is_private(urlsplit(self.public_url).hostname or "")
        return self.address_limits == "on"

    @property
    def notification_contact(self) -> str:
        """The e-mail address that push services may write to."""
        return self.push_contact or self.contact or f"postmaster@{urlsplit(self.public_url).hostname}"

    def with_port(self, port: int) -> Settings:
        """Return the same settings with another port; a public address derived from the port changes with it."""
        derived = self.public_url == default_url(self.host, self.port)
        return replace(self, port=port, public_url="" if derived else self.public_url)

    def to_environment(self) -> dict[str, str]:
        """Return the environment variables from which another process reads the same settings."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {variable_name(name): _format_value(value) for name, value in values.items() if value is not None}

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, flags: Mapping[str, Any] | None = None) -> Settings:
        """Read settings from `environment` (default: the process's own); flags that are not None override it.

        The value of a variable that a flag overrides has no effect, so it may be wrong: the flag is the correction.
        """
        variables = os.environ if environment is None else environment
        _refuse_unknown(variables)
        values: dict[str, Any] = {}
        for item in fields(cls):
            flag, variable = (flags or {}).get(item.name), variables.get(variable_name(item.name), "")
            if flag is not None or variable != "":
                values[item.name] = _convert(item, variable.strip() if flag is None else flag)
        return cls(**values)


def variable_name(name: str) -> str:
    """Return the environment variable of a setting.

    >>> variable_name("bot_limit_s")
    'REALMTABLE_BOT_LIMIT_S'
    """
    return PREFIX + name.upper()


def flag_name(name: str) -> str:
    """Return the flag of `serve` that overrides a setting.

    >>> flag_name("bot_limit_s"), flag_name("open_browser")
    ('--bot-limit-s', '--open')
    """
    return "--open" if name == "open_browser" else "--" + name.replace("_", "-")


def label(name: str) -> str:
    """Return a setting's flag and variable, for messages."""
    return f"{flag_name(name)} ({variable_name(name)})"


def default_url(host: str, port: int) -> str:
    """Return the address at which a browser reaches a server on this host and port.

    >>> default_url("127.0.0.1", 8000), default_url("::1", 80)
    ('http://127.0.0.1:8000', 'http://[::1]')
    """
    address = own_address() if host in ANY_HOST else host
    address = f"[{address}]" if ":" in address else address
    return f"http://{address}" if port == 80 else f"http://{address}:{port}"  # noqa: PLR2004 - the default port of http


def own_address() -> str:
    """Return this machine's address in its network, for links that other machines can open."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address; connecting UDP sends nothing
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _refuse_unknown(variables: Mapping[str, str]) -> None:
    known = [item.name.upper() for item in fields(Settings)]
    for name in variables:
        setting_name = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and setting_name not in known and not name.startswith(NOT_SETTINGS):
            similar = difflib.get_close_matches(setting_name, known, n=1)
            raise BadInput(
                f"There is no setting {name}" + (f"; did you mean {PREFIX}{similar[0]}?" if similar else ".")
            )


def _convert(item: Field[Any], value: Any) -> Any:  # noqa: ANN401 - the type of the setting
    """Return the value of a variable or a flag."""
    if item.type == "bool" and isinstance(value, str):
        if value.lower() not in SWITCH_WORDS:
            raise BadInput(f"{label(item.name)} must be on or off.")
        return SWITCH_WORDS[value.lower()]
    try:
        return {"int": int, "float": float}.get(str(item.type), lambda same: same)(value)
    except (TypeError, ValueError):
        kind = "whole number" if item.type == "int" else "number"
        raise BadInput(f"{label(item.name)} must be a {kind}.") from None


def _check_bounds(item: Field[Any], value: Any) -> None:  # noqa: ANN401 - the type of the setting
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
        parts.port  # noqa: B018 - reading it validates it
    except ValueError:
        return False
    is_bare = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and is_bare


def _is_private(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".home.arpa", ".internal"))


def _format_value(value: Any) -> str:  # noqa: ANN401 - the type of the setting
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def require_extras_for(settings: Settings) -> None:
    """Raise MissingExtra if a server with these settings lacks packages."""
    require_extra("server")
    if settings.uses_postgresql:
        require_extra("postgres")
    if settings.redis_url is not None:
        require_extra("redis")
