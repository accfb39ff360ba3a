"""What counts as a change on the table, and when a seat that changes nothing stands still."""

from __future__ import annotations

import pytest

from realmtable.games.realms_of_etherium.kernels.keys import is_standstill, table_key
from tests.realms_of_etherium.helpers import play, read

TILES = "tiles=Portal@0,0;Channel@1,0;Lessen@0,1;Draw@-1,1:1"
READY = f"{TILES} mages=1,0;0,1;portal/1,0;0,1;portal etherium=2.1/0.0 turn=4"


@pytest.mark.parametrize(
    "changed",
    [
        READY.replace("Lessen@0,1", "Lessen@1,-1").replace("0,1;portal", "1,-1;portal"),
        READY.replace("Draw@-1,1:1", "Draw@-1,1"),
        READY.replace("mages=1,0;", "mages=0,1;"),
        READY.replace("2.1/0.0", "2.1/0.1"),
        f"{READY} reserve=Draw;Shift;Shift;Accord;Bond;Network",
    ],
)
def test_realms_control_mages_etherium_and_reserves_are_changes(changed: str) -> None:
    assert table_key(read(READY)) != table_key(read(changed))
    assert not is_standstill(read(READY), read(changed))


def test_whose_turn_it_is_and_who_is_exhausted_is_no_change() -> None:
    assert table_key(read(READY)) == table_key(play(READY, "mage 1", "end"))


@pytest.mark.parametrize(
    ("text", "stands_still"),
    [
        (READY, True),
        (READY.replace("0,1;portal/", "0,1;portalx/"), False),  # other Mages have acted: this one may stand guard
        (READY.replace("/1,0;0,1;portal", "/1,0x;0,1;portal"), True),
        (f"{READY} phase=act active=1 held=1,0", True),
        (f"{READY} phase=act active=3", True),
        (f"{READY} phase=act active=1 moved=1", False),
        (f"{READY.replace('Channel@1,0', 'Channel@1,0:1')} phase=act active=1 held=1,0", False),  # perhaps just taken
        (f"{READY} phase=source active=3 hex=1,-1", False),
    ],
)
def test_a_seat_stands_still_if_it_uses_none_of_its_mages(text: str, stands_still: bool) -> None:
    assert is_standstill(read(text), read(text)) == stands_still


def test_questions_out_of_turn_are_no_standstill() -> None:
    text = (
        "tiles=Portal@0,0;Paralyze@1,0;Protection@0,1 mages=portal;portal/0,1;portal etherium=1.1/5.0"
        " seat=1 phase=act active=1"
    )
    asked = play(text, "to 1,0", "use")
    assert not is_standstill(asked, asked)
