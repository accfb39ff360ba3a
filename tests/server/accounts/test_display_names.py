"""Valid display names, and the cache of players' names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import String

from realmtable.engine.errors import BadInput
from realmtable.server import display_names
from realmtable.server.confusables import LOOK_ALIKES as LATIN
from realmtable.server.storage import schema
from realmtable.server.ttl_cache import TtlCache
from tests.server.support.accounts_app import FakeClock

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "name", ["Ada", "Ada Lovelace", "Jörg", "O'Neill", "Жанна 7", "さくら", "李小龍", "सीता", "a-b_c.d"]
)
def test_names_of_many_scripts_fit(name: str) -> None:
    assert display_names.clean_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "x" * 25,
        " ",
        "<b>",
        "a\x00b",
        "a\u202eb",
        "a\u200bb",
        "\u3164\u3164",
        "-- --",
        "\u0410da",
        "a\u0336\u0336b",
        "'a",
    ],
)
def test_other_names_do_not(name: str) -> None:
    with pytest.raises(BadInput):
        display_names.clean_name(name)
    assert display_names.key(name) == ""


@given(st.text(max_size=60))
def test_any_text_has_a_key_that_fits_its_column(text: str) -> None:
    key = display_names.key(text)
    assert len(key) <= 80
    assert "\x00" not in key
    if key:
        kept = display_names.clean_name(text)
        assert display_names.clean_name(kept) == kept
        assert display_names.key(kept) == key


def test_friendly_names_fit() -> None:
    assert all(
        display_names.clean_name(f"{mood} {bird} 99") for mood in display_names.MOODS for bird in display_names.BIRDS
    )


def test_a_recent_value_is_forgotten_by_time_size_and_word() -> None:
    clock = FakeClock()
    recent: TtlCache[str, int] = TtlCache(2, 5.0, clock)
    for number, key in enumerate(("a", "b", "c")):
        recent.put(key, number, recent.epoch)
    assert [recent.get(key) for key in "abc"] == [None, 1, 2]
    recent.get("b")
    recent.put("d", 3, recent.epoch)
    assert [recent.get(key) for key in "bcd"] == [1, None, 3]
    recent.forget("b")
    assert recent.get("b") is None
    recent.forget_where(lambda value: value == 3)
    assert recent.get("d") is None
    recent.put("a", 0, recent.epoch - 1)
    assert recent.get("a") is None
    recent.put("a", 1, recent.epoch)
    clock.now += 5.0
    assert recent.get("a") is None


# The first of each pair is written in another script, or with letters of another alphabet's look.
LOOK_ALIKES = [
    ("\u0421\u043e\u0441\u043e", "Coco"),  # Cyrillic
    ("\u0422\u043e\u043c", "Tom"),
    ("\u0412\u041e\u0412", "Bob"),
    ("\u0391\u039d\u039d\u0391", "Anna"),  # Greek
    ("\u13a0\u13c0\u13de", "DGL"),  # Cherokee
    ("\u0131da", "Ida"),  # Latin without a dot
    ("Ad\u0251", "Ada"),
    ("C\u014d\u010d\u00f6", "Coco"),
    ("\u0141ucja", "Lucja"),
    ("Bj\u00d8rn", "Bjorn"),
    ("Barney", "Bamey"),
    ("A1ice", "Alice"),
    ("Vvanda", "Wanda"),
]


@pytest.mark.parametrize(("borrowed", "name"), LOOK_ALIKES)
def test_names_that_look_alike_have_one_skeleton(borrowed: str, name: str) -> None:
    assert borrowed != name
    assert display_names.clean_name(borrowed)
    assert display_names.skeleton(borrowed) == display_names.skeleton(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ada", "Eda"), ("\u0412\u043e\u0432\u0430", "Bova2"), ("\u0421\u0430\u0448\u0430", "Caua"), ("Nova", "Vova")],
)
def test_other_names_have_others(one: str, other: str) -> None:
    assert display_names.skeleton(one) != display_names.skeleton(other)


@pytest.mark.long
def test_a_skeleton_fits_into_its_column() -> None:
    longest = max(len(display_names.skeleton(sign * display_names.MAX_LENGTH)) for sign in map(chr, range(0x3000)))
    kind = schema.players.c.skeleton.type
    assert isinstance(kind, String)
    assert 0 < longest <= (kind.length or 0)


def test_every_pair_of_look_alikes_is_read_as_one_sign() -> None:
    assert all(latin.isascii() and latin.isalnum() for latin in LATIN)
    signs = "".join(LATIN.values())
    assert len(set(signs)) == len(signs)
    assert not any(sign.isascii() for sign in signs)
