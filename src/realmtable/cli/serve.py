"""`realmtable serve`: the table in the browser, from a laptop to several processes behind a proxy."""

from __future__ import annotations

import errno
import gc
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import Field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from realmtable.cli.shared import Command, disable_compiling
from realmtable.engine.errors import BadInput
from realmtable.server.extras import require_extras_for
from realmtable.server.settings import ANY_HOST, Settings, flag_name, label, variable_name

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI
    from starlette.types import ASGIApp, Receive, Scope, Send

MAX_PORTS_TRIED = 50
SHUTDOWN_TIMEOUT_S = 10
KEEP_ALIVE_S = 75  # longer than a proxy keeps a connection, so that it never meets one that is just being closed
BACKLOG = 4096
STARTUP_TIMEOUT_S = 60


def setting_flags(*names: str) -> Callable[[Command], Command]:
    """Flags that override settings, by default every one of them."""

    def add(command: Command) -> Command:
        for item in reversed([item for item in Settings.setting_fields() if not names or item.name in names]):
            command = _flag(item)(command)
        return command

    return add


def _flag(item: Field[Any]) -> Callable[[Command], Command]:
    """The flag of one setting. It takes any text: what is wrong with it, `Settings` says in a sentence."""
    shown = "" if item.default in ("", None) else f" [default: {_format_default(item.default)}]"
    text = f"{item.metadata['help']} [{variable_name(item.name)}]{shown}"
    if item.type == "bool":
        return click.option(
            f"{flag_name(item.name)}/--no{flag_name(item.name)[1:]}", item.name, default=None, help=text
        )
    kinds = {"int": "NUMBER", "float": "NUMBER", "str": "TEXT", "str | None": "TEXT"}
    metavar = "|".join(item.metadata.get("choices", ())) or kinds[str(item.type)]
    return click.option(flag_name(item.name), item.name, default=None, metavar=metavar, help=text)


def _format_default(value: object) -> str:
    return {"True": "on", "False": "off"}.get(str(value), str(value))


HELP = """Serve the table: people play in the browser, programs over HTTP.

\b
For example
  realmtable serve --open
  realmtable serve --host 0.0.0.0
  realmtable serve --public-url https://example.org --trust-proxy

Every setting is a flag or a variable, named in brackets; a flag goes before. docs/deploy.md shows how to run this for
others: behind a proxy, in several processes, with backups.
"""


@click.command("serve", help=HELP)
@setting_flags()
def command(**flags: Any) -> None:  # noqa: ANN401 - one for each setting
    """Serve until a signal ends it."""
    disable_compiling()
    was_asked = flags["port"] is not None or bool(os.environ.get(variable_name("port")))
    settings = Settings.read(flags=flags)
    require_extras_for(settings)
    with suppress(KeyboardInterrupt), open_listener(settings, was_asked=was_asked) as listener:
        settings = settings.with_port(listener.getsockname()[1])
        serve(settings, listener)


def open_listener(settings: Settings, *, was_asked: bool) -> socket.socket:
    """A socket on the port; if nobody asked for this one, on the next that is free."""
    tried = range(settings.port, settings.port + (1 if was_asked else MAX_PORTS_TRIED))
    for port in tried:
        try:
            listener = _bind_socket(settings.host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise BadInput(f"Cannot listen on {settings.host}, port {port}: {_reason(error)}.") from None
            continue
        if port != settings.port:
            click.echo(f"Port {settings.port} is taken, so this is on port {port}.")
        return listener
    if was_asked:
        raise BadInput(f"Port {settings.port} is taken; choose another with {label('port')}, or 0 for any.")
    raise BadInput(f"Ports {tried[0]} to {tried[-1]} are all taken; choose one with {label('port')}.")


def _bind_socket(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    listener.set_inheritable(True)
    return listener


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def serve(settings: Settings, listener: socket.socket) -> None:
    """Serve until a signal ends it."""
    import asyncio  # noqa: PLC0415 - the help text need not wait for any of these

    from realmtable.server.storage.database import migrate  # noqa: PLC0415
    from realmtable.server.storage.database_lock import lock_database  # noqa: PLC0415

    raise_file_limit()
    # Before any process starts: a refusal is one sentence, said once. The process that serves takes the lock again.
    with lock_database(settings.database_url):
        asyncio.run(migrate(settings.database_url))
    threading.Thread(target=announce, args=(settings,), daemon=True).start()
    if settings.processes == 1:
        serve_single_process(settings, listener)
    else:
        serve_multiple_processes(settings, listener)


def serve_single_process(settings: Settings, listener: socket.socket) -> None:
    """One process."""
    import uvicorn  # noqa: PLC0415 - as above

    server = uvicorn.Server(uvicorn_config(settings, make_application(settings)))
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        return
    if not server.started:
        sys.exit(1)


def serve_multiple_processes(settings: Settings, listener: socket.socket) -> None:
    """Several processes; this one starts them, replaces those that die, and ends them."""
    from uvicorn.supervisors import Multiprocess  # noqa: PLC0415 - as above

    from realmtable.server import logs  # noqa: PLC0415

    logs.configure(settings.log_format, settings.log_level)
    with tempfile.TemporaryDirectory(prefix="realmtable-metrics-") as folder:
        os.environ.update({**settings.to_environment(), "PROMETHEUS_MULTIPROC_DIR": folder})
        Multiprocess(uvicorn_config(settings, "realmtable.cli.serve:application"), sockets=[listener]).run()


def application() -> ASGIApp:
    """The application of one process of several: its settings stand in the environment."""
    return make_application(Settings.read())


def make_application(settings: Settings) -> ASGIApp:
    """The application, with logs that are written and streams that know when to end."""
    from realmtable.server import logs  # noqa: PLC0415 - as above
    from realmtable.server.app import create_app  # noqa: PLC0415

    logs.configure(settings.log_format, settings.log_level)
    app = create_app(settings)
    warm_up(app)

    def stop_streams() -> None:
        services = getattr(app.state, "services", None)  # none if it is still being started
        if services is not None:
            services.stop_streams()

    return StreamShutdown(app, stop_streams)


def warm_up(app: FastAPI) -> None:
    """Have the routes built that FastAPI would build during somebody's first request, while everybody waits.

    What is there now stays: the garbage collector need not look at it again, and full collections, which would hold
    up thousands of streams for half a second, become rare.
    """
    scope = {"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []}
    for route in app.routes:
        route.matches(scope)
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 1_000)


def uvicorn_config(settings: Settings, app: ASGIApp | str) -> uvicorn.Config:
    """How Uvicorn runs the application. It logs nothing itself; who is behind a proxy, `limits` finds out."""
    from realmtable.server.request_limits import LimitedConfig, LimitedProtocol  # noqa: PLC0415 - as above

    found = LimitedConfig(
        app,
        factory=isinstance(app, str),
        workers=settings.processes,
        http=LimitedProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
    )
    found.request_limit_s = settings.request_limit_s
    return found


class StreamShutdown:
    """Ends open streams as soon as the process is asked to leave: Uvicorn would wait for them, and they never end.

    Uvicorn handles the signals; its handler is kept and called after ours, in one process as in each of several.
    """

    def __init__(self, app: ASGIApp, leave: Callable[[], None]) -> None:
        self.app = app
        self.stop_streams = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; the first one, which starts the application, comes when the signals are handled."""
        if scope["type"] == "lifespan" and threading.current_thread() is threading.main_thread():
            import asyncio  # noqa: PLC0415 - as above

            for number in (signal.SIGINT, signal.SIGTERM):
                self._chain_signal_handler(number, asyncio.get_running_loop().call_soon_threadsafe)
        await self.app(scope, receive, send)

    def _chain_signal_handler(self, number: signal.Signals, soon: Callable[[Callable[[], None]], object]) -> None:
        before = signal.getsignal(number)

        def handle(got: int, frame: FrameType | None) -> None:
            soon(self.stop_streams)
            if callable(before):
                before(got, frame)

        signal.signal(number, handle)


def raise_file_limit() -> None:
    """Let this process hold as many connections as the system allows it to ask for."""
    with suppress(ImportError, OSError, ValueError):  # no such limit here, or no such right
        import resource  # noqa: PLC0415 - not everywhere

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def announce(settings: Settings) -> None:
    """Once the server answers, say where, and open the browser if it is wanted."""
    if wait_for_server(settings.host, settings.port):
        click.echo(f"Realmtable is at {settings.public_url} (Ctrl-C ends it).")
        if settings.open_browser and has_screen():
            webbrowser.open(settings.public_url)


def wait_for_server(host: str, port: int) -> bool:
    """Wait until somebody answers on a port; False if nobody does."""
    target = ("::1" if host == "::" else "127.0.0.1") if host in ANY_HOST else host
    until = time.monotonic() + STARTUP_TIMEOUT_S
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection((target, port), timeout=1):
            return True
        time.sleep(0.05)
    return False


def has_screen() -> bool:
    """Whether a browser would open in a window: without one, a text browser would take the terminal over."""
    if sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) or Path("/mnt/wslg").exists()
