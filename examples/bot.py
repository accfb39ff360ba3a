"""A bot that plays one whole game over HTTP, using only the standard library. README.md says how to run it."""

import json
import os
import random
import time
from http.client import HTTPResponse
from urllib.request import HTTPCookieProcessor, Request, build_opener

TABLES = os.environ.get("SERVER", "http://127.0.0.1:8000") + "/api/tables"
web = build_opener(HTTPCookieProcessor())  # without a token we are a guest, identified by a cookie
headers = {"Content-Type": "application/json"}
if "BOT_TOKEN" in os.environ:
    headers["Authorization"] = f"Bearer {os.environ['BOT_TOKEN']}"


def call(path: str, body: dict[str, object] | None = None) -> HTTPResponse:
    """Send a GET, or a POST if there is a body. Requests with a cookie must carry the CSRF token that came with it."""
    data = None if body is None else json.dumps(body).encode()
    response: HTTPResponse = web.open(Request(TABLES + path, data, headers))
    if response.headers["X-CSRF-Token"]:
        headers["X-CSRF-Token"] = response.headers["X-CSRF-Token"]
    return response


def play(table: str) -> str:
    """Follow a table, play a random step whenever it is our turn, and return the result."""
    while True:
        try:
            for line in call(f"/{table}/events"):
                if line.startswith(b"data: "):  # something has changed: look at the table
                    scene = json.load(call(f"/{table}"))
                    if scene["result"]:
                        return str(scene["result"]["text"])
                    if scene["your_turn"]:
                        move = random.choice([move for group in scene["choices"].values() for move in group["moves"]])
                        call(f"/{table}/moves", {"version": scene["version"], "move": move})
        except OSError:  # refused (too fast, or the table has changed) or unreachable: try again
            time.sleep(1)


if __name__ == "__main__":
    if table := os.environ.get("TABLE", ""):
        call(f"/{table}/seats", {})
    else:
        setup = {"game": os.environ.get("GAME", "realm"), "seats": ["me", os.environ.get("OTHER", "bot:greedy")]}
        table = json.load(call("", {**setup, "listed": True}))["table"]
    print(f"Playing at {TABLES.removesuffix('/api/tables')}/tables/{table}", flush=True)
    print(play(table))
