"""No text can mislead its readers: direction controls and hidden characters are removed."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from realmtable.server.api import models
from realmtable.server.invisible_characters import strip_invisible
from tests.server.support.fake_workers import RECORDS
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

TURNED = "safe\u202eexe.\u2066\u200f\u061ctxt\u200b\u00ad\ufeff\U000e0041"
# Fields of requests that need not be cleaned, each with what checks it instead.
CHECKED_OTHERWISE = {
    **dict.fromkeys(
        ["game", "preset", "options", "kind", "chat", "what", "key", "seats", "known_layers", "timeout", "bots"],
        "a known word or a pattern",
    ),
    **dict.fromkeys(
        ["handle", "path", "piece", "hand", "discard", "choose", "taken", "seat"], "a place or a card that exists"
    ),
    "name": "realmtable.server.display_names",
    "player": "the id of a player who exists",
    **dict.fromkeys(
        ["password", "current_password", "token", "endpoint", "keys", "p256dh", "auth"], "a secret, shown to nobody"
    ),
}
CLEANED = {"text", "move", "moves", "position", "record", "label"}


def test_every_control_of_direction_is_left_out() -> None:
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    signs = [sign for sign in map(chr, range(sys.maxunicode + 1)) if unicodedata.bidirectional(sign) in turning]
    assert len(signs) == len(turning)
    assert strip_invisible("".join(signs) + "\u200e\u200f\u061c") == ""


def test_what_writing_needs_stays() -> None:
    for text in ("Grüße, 世界!", "\u0645\u06cc\u200c\u062e\u0648", "👩\u200d🔬", "a\tb\r\nc\n", "שלום", "é", "e\u0301"):
        assert strip_invisible(text) == text


@pytest.mark.long
def test_no_control_stays_but_breaks_and_joiners() -> None:
    kept = {
        sign
        for sign in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(sign) == "Cc" and strip_invisible(sign)
    }
    assert kept == set("\t\n\r")
    assert strip_invisible("\u200c\u200d") == "\u200c\u200d"


def requests(root: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for kind in root.__subclasses__():
        yield kind
        yield from requests(kind)


def test_every_field_of_a_request_is_cleaned_or_checked_otherwise() -> None:
    """A new text field must be thought about."""
    texts = set()
    for kind in requests(models.RequestBody):
        for name, field in kind.model_fields.items():
            if "str" in str(field.annotation) or "Literal" in str(field.annotation):
                texts.add(name)
    assert texts - set(CHECKED_OTHERWISE) <= CLEANED
    assert not CLEANED & set(CHECKED_OTHERWISE)


async def chat_of(person: Person, table: str) -> str:
    text: str = (await person.get(f"/api/tables/{table}"))["chat"][-1]["text"]
    return text


async def test_chat_records_and_labels_are_cleaned(ann: Person) -> None:
    table = await ann.open_table(seats=["me", "me"])
    await ann.post(f"/api/tables/{table}/chat", {"text": TURNED})
    assert await chat_of(ann, table) == "safeexe.txt"
    error = await ann.expect_refusal("POST", f"/api/tables/{table}/chat", {"text": "\u202e\u200b"})
    assert error["message"] == "The message is empty."
    record = (RECORDS / "realm/records/option-power-sacrifice.record").read_text(encoding="utf-8")
    kept = (
        await ann.post("/api/records", {"text": record.replace("Source: made for this table", f"Source: {TURNED}")})
    )["record"]
    text = (await ann.send("GET", f"/api/records/{kept}/record")).text
    assert "\nSource: safeexe.txt\n" in text
    await ann.post("/api/me/tokens", {"label": TURNED})
    assert (await ann.get("/api/me/tokens"))["tokens"][0]["label"] == "safeexe.txt"
    error = await ann.expect_refusal("POST", "/api/me/tokens", {"label": "\u202e\u200b "})
    assert error["message"] == "Say what the token is for."
    assert (await ann.expect_refusal("POST", "/api/me/name", {"name": f"Ada{TURNED}"}))["code"] == "BadInput"
