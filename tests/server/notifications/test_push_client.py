"""Only public https addresses are connected to, whatever a browser says its push service is."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from realmtable.engine.errors import BadInput
from realmtable.server.notifications import push_client
from realmtable.server.notifications.push_client import ForbiddenAddress, PushClient, check_endpoint, is_public
from tests.server.support.live_server import wait_until
from tests.server.support.push_service import PushBrowser, PushService, decode

pytestmark = pytest.mark.anyio

THREADS = 2
GOOD = (
    "https://fcm.googleapis.com/fcm/send/abc:def",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://push.example.org:443/x?token=1%2F",
    "https://93.184.215.14/send",
)
BAD = (
    "",
    "push",
    "http://push.example.org/x",
    "ftp://push.example.org/x",
    "https://push.example.org:8443/x",
    "https://push.example.org:99999/x",
    "https://localhost/x",
    "https://printer/x",
    "https://127.0.0.1/x",
    "http://127.0.0.1:9/x",
    "https://10.1.2.3/x",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://[fd00::1]/x",
    "https://user:password@push.example.org/x",
    "https://push.example.org/x#y",
    "https://push.example.org/x y",
    "https://push.example.org/\r\nHost: a",
    "https://püsh.example.org/x",
    "https://[push.example.org/x",
)


@pytest.mark.parametrize("url", GOOD)
def test_public_addresses_are_accepted(url: str) -> None:
    check_endpoint(url)


@pytest.mark.parametrize("url", BAD)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(BadInput):
        check_endpoint(url)


def test_a_setting_admits_this_machine_alone() -> None:
    check_endpoint("http://127.0.0.1:9/x", allow_loopback=True)
    for url in ("http://10.1.2.3/x", "http://push.example.org/x", "ftp://127.0.0.1/x"):
        with pytest.raises(BadInput):
            check_endpoint(url, allow_loopback=True)


@pytest.mark.parametrize(
    "text",
    [
        "0.0.0.0",  # noqa: S104 - not bound
        "100.64.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "224.0.0.1",
        "255.255.255.255",
        "fe80::1",
        "ff02::1",
        "64:ff9b::10.0.0.1",
        "2002:a00:1::",
        "2001:0:a00:1::",
        "::",
    ],
)
def test_private_addresses_are_not_public(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


async def test_a_name_that_leads_to_this_machine_is_not_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    async with PushService() as service:

        async def resolve(*_: Any) -> list[Any]:
            return [ipaddress.ip_address("93.184.215.14"), ipaddress.ip_address("127.0.0.1")]

        monkeypatch.setattr(push_client, "resolve", resolve)
        client = PushClient()
        with pytest.raises(ForbiddenAddress):
            await client.post(service.url.replace("127.0.0.1", "push.example.org"), {}, b"")
        await client.close()
        assert service.requests == []


async def test_a_redirect_is_not_followed() -> None:
    async with PushService("307 Temporary Redirect\r\nLocation: /other") as service:
        client = PushClient(allow_loopback=True)
        assert (await client.post(f"{service.url}/first", {}, b"x")).status == 307
        await client.close()
        assert [request.path for request in service.requests] == ["/first"]


async def test_a_service_that_does_not_answer_is_an_os_error(monkeypatch: pytest.MonkeyPatch) -> None:
    client = PushClient(allow_loopback=True)
    async with PushService() as service:
        url = service.url
    with pytest.raises(OSError, match="Connect"):
        await client.post(url, {}, b"")
    monkeypatch.setattr(push_client, "TIMEOUT_S", 0.05)

    async def read_only(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(read_only, "127.0.0.1", 0) as silent:
        with pytest.raises(TimeoutError):
            await client.post(f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}", {}, b"")
    await client.close()


async def test_the_name_is_resolved_once_and_the_next_address_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    async with PushService() as service:

        async def resolve(*_: Any) -> list[Any]:
            return [ipaddress.ip_address("127.0.0.2"), ipaddress.ip_address("127.0.0.1")]

        monkeypatch.setattr(push_client, "resolve", resolve)
        client = PushClient(allow_loopback=True)
        url = service.url.replace("127.0.0.1", "push.example.org")
        assert (await client.post(url, {"TTL": "60"}, b"body")).status == 201
        await client.close()
        (request,) = service.requests
        assert (request.body, request.headers["ttl"]) == (b"body", "60")
        assert request.headers["host"] == url.removeprefix("http://")


async def test_a_slow_name_server_does_not_take_the_threads_of_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, started = threading.Event(), list[int]()

    def look_up(*_: Any, **__: Any) -> list[Any]:
        started.append(1)
        answers.wait(10)
        raise socket.gaierror

    async def is_blocked() -> bool:
        return len(started) >= THREADS

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    loop, client = asyncio.get_running_loop(), PushClient()
    loop.set_default_executor(ThreadPoolExecutor(THREADS))
    posts = [asyncio.ensure_future(client.post("https://push.example.org/x", {}, b"")) for _ in range(4)]
    try:
        await wait_until(is_blocked)
        assert await asyncio.wait_for(asyncio.to_thread(int, "7"), 2) == 7
    finally:
        answers.set()
        assert all(isinstance(end, OSError) for end in await asyncio.gather(*posts, return_exceptions=True))
        await client.close()


# The example of RFC 8291, appendix A.
PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard() -> None:
    key = ec.derive_private_key(int.from_bytes(decode(PRIVATE)), ec.SECP256R1())
    assert PushBrowser(key, decode(AUTH)).decrypt(decode(BODY)) == b"When I grow up, I want to be a watermelon"
