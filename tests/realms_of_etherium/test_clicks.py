"""Clicks: every legal step has its own handles, and clicks that begin no legal step are explained with a clause."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step
from tests.realms_of_etherium.helpers import RESERVE, with_reserve

GAME = realmtable.game("realms_of_etherium")
ACT = "phase=act active=1"
WORLD = "tiles=Portal@0,0;Channel@1,0;Quicken@0,1;Conjure@-1,1;Displace@2,-1;Transfer@1,-1"
MAGES = "mages=1,0;portal;portalx/portal;2,-1"
PUSHING = f"{WORLD} mages=2,-1;2,-1;2,-1/2,-1;portal phase=push active=1 displace=2,-1 owner=1"
SHIFTING = (
    "tiles=Portal@0,0;Shift@1,0;Channel@0,1;Condense@1,-1;Affinity@2,-1 mages=1,0/portal;portal etherium=2.0/0.0 "
    "active=1 entering=1.1"
)
CONJURING = f"{WORLD} mages=-1,1/portal phase=enter entering=1.1 active=1 etherium=0.3/0.0"
TARGET = f"{WORLD} mages=1,0;2,-1/2,-1 phase=target active=2 displace=2,-1 owner=2 asked=2.1 options=displace_by=owner"


def reason(line: str, *clicks: str) -> str | None:
    """The clause that forbids clicks, as the table asks for it."""
    text = with_reserve(line)
    state = GAME.decode(text)
    view = {**GAME.view(state, GAME.to_move(state)[0]), "position": text}
    found = GAME.reason(view, clicks[:-1], clicks[-1])  # type: ignore[attr-defined]  # the game has reasons
    assert found is None or found.sentence.endswith(".")
    return None if found is None else str(found.clause)


@pytest.mark.parametrize(
    ("line", "clicks", "clause"),
    [
        (f"{WORLD} {MAGES}", ("mage:1.1",), None),  # legal
        (f"{WORLD} {MAGES}", ("mage:1.3",), "R1"),
        (f"{WORLD} {MAGES}", ("mage:2.1",), "R1"),
        (f"{WORLD} {MAGES}", ("hex:1,0",), "R1"),
        (f"{WORLD} {MAGES}", ("reserve:Draw",), "R1"),
        (f"{WORLD} {MAGES}", ("no such handle",), None),
        (f"{WORLD} {MAGES}", ("hex:99,0",), None),
        (f"{WORLD} {MAGES} {ACT}", ("reserve:Draw",), "M2"),
        (f"{WORLD} {MAGES} {ACT}", ("supply:realm",), "M2"),
        (f"{WORLD} {MAGES} {ACT}", ("mage:1.2",), "R3"),
        (f"{WORLD} {MAGES} {ACT}", ("transfer", "mage:1.2"), "T10"),
        (f"{WORLD} {MAGES} {ACT}", ("mage:2.2",), "R1"),
        (f"{WORLD} {MAGES} {ACT}", ("transfer", "mage:2.2"), "R1"),
        (f"{WORLD} {MAGES} {ACT} options=transfer_to=anyone", ("transfer", "mage:2.2"), "T10"),
        (f"{WORLD} {MAGES} {ACT}", ("hex:-1,1",), "W5"),
        (f"{WORLD} {MAGES} {ACT}", ("hex:5,5",), "M2"),
        (f"{WORLD} {MAGES} {ACT} moved=1", ("hex:0,0",), "T9"),
        (f"{WORLD} mages=portal;1,0/portal {ACT}", ("portal",), "M1"),
        (f"{WORLD} {MAGES} phase=source active=1 hex=1,1", ("hex:1,1",), "M3"),
        (f"{WORLD} {MAGES} phase=source active=1 hex=1,1", ("mage:1.2",), "M3"),
        (f"{SHIFTING} phase=enter before=0,1", ("hex:0,1",), "T14"),
        (f"{SHIFTING} phase=enter", ("portal",), "P3"),
        (f"{SHIFTING} phase=put picked=2,-1", ("hex:0,1",), "T12"),
        (f"{SHIFTING.replace('Shift@', 'Swap@')} phase=with picked=2,-1", ("hex:2,-1",), "T13"),
        (CONJURING, ("hex:1,0",), "P3"),
        (PUSHING, ("mage:2.1",), "T6"),
        (PUSHING, ("mage:1.2", "hex:5,5"), "M1"),
        (PUSHING, ("mage:1.2", "hex:0,0"), "W5"),
        (PUSHING, ("hex:1,0",), "T6"),
        (f"{PUSHING} options=displace_by=owner", ("mage:2.1",), "T6"),
        (TARGET, ("hex:-1,1",), "W5"),
    ],
)
def test_clicks_that_begin_no_legal_step_are_explained(line: str, clicks: tuple[str, ...], clause: str | None) -> None:
    assert reason(line, *clicks) == clause


def test_without_the_position_no_reason_is_known() -> None:
    state = GAME.decode(f"{WORLD} {MAGES} {RESERVE}")
    view = GAME.view(state, 0)
    assert GAME.reason(view, (), "mage:1.3") is None  # type: ignore[attr-defined]  # as above
    over = GAME.decode(f"{WORLD} {MAGES} phase=over end=max_rounds")
    position = {**GAME.view(over, 0), "position": GAME.encode(over)}
    assert GAME.reason(position, (), "mage:1.3") is None  # type: ignore[attr-defined]  # as above


@pytest.mark.parametrize(
    ("step", "path"),
    [
        ("mage 2", ("mage:1.2",)),
        ("transfer 2", ("transfer", "mage:1.2")),
        ("transfer 2.1", ("transfer", "mage:2.1")),
        ("colour Red", ("colour:Red",)),
        ("to portal", ("portal",)),
        ("summon 1,-2", ("hex:1,-2",)),
        ("push 2.3 to 1,0", ("mage:2.3", "hex:1,0")),
        ("push 2.3", ("mage:2.3",)),
        ("draw realm", ("supply:realm",)),
        ("take Quicken", ("reserve:Quicken",)),
        ("make 2 black", ("make:2:black",)),
        ("end", ("end",)),
    ],
)
def test_the_handles_of_steps(step: str, path: tuple[str, ...]) -> None:
    view = GAME.view(GAME.decode(f"{WORLD} {MAGES} {RESERVE}"), 0)
    assert GAME.handles(view, parse_step(step)) == path
