"""Views of the games on the Realm board, and what their pictures say, for the tests of pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from realmtable.engine.match import Match
from realmtable.kit.terminal_picture import Span, plain_text
from tests.classic_realm.helpers import FAR, FULL, WON
from tests.picture_checks import (
    SVG,
    parse_svg,
)
from tests.realm_boards.boards import BOARDS, list_cases

View = dict[str, Any]


def view_at(name: str, where: str = "", steps: str = "", **changes: Any) -> View:  # noqa: ANN401 - any JSON value
    tested = BOARDS[name]
    return tested.game.view(tested.at(where, steps), None) | changes


def view_after(name: str, where: str, step: str) -> View:
    """A view of a match, which shows its latest step."""
    tested = BOARDS[name]
    state = tested.at(where)
    return Match.start(tested.game, state).play(0, tested.game.parse_move(state, step)).view(None)


def piece(at: str, seat: int, kind: str, facing: str | None = None, *, mobile: bool = True) -> View:
    return {"at": at, "seat": seat, "kind": kind, "facing": facing, "mobile": mobile}


PIECES = [
    piece("h11", 0, "base", mobile=False),
    piece("e8", 1, "base", mobile=False),
    piece("c10", 0, "power"),
    piece("d9", 1, "power"),
    piece("g12", 0, "enforcer", "S"),
    piece("g11", 0, "enforcer", "N"),
    piece("i12", 1, "enforcer", "W"),
    piece("i10", 1, "enforcer", "E"),
    piece("a1", 0, "enforcer", mobile=False),
    piece("l12", 1, "enforcer", mobile=False),
]


def realm_view(**changes: Any) -> View:  # noqa: ANN401 - any JSON value
    view: View = {
        "game": "realm",
        "viewer": None,
        "pieces": PIECES,
        "to_move": [0],
        "phase": "turn",
        "turn": {"number": 7, "seat": 0},
        "stock": [{"bases": 9, "enforcers": 6, "captured": 2}, {"bases": 0, "enforcers": 0, "captured": 0}],
        "realms": [1, 1],
        "lifted": [],
        "open": {"origin": None, "target": None, "moves": 0},
        "outcome": None,
    }
    return view | changes


def realm_end(winner: int | None, reason: str = "last_base") -> View:
    outcome = {"scores": [8, 7] if winner == 0 else [7, 8] if winner else [7, 7], "winner": winner, "reason": reason}
    return realm_view(phase="over", to_move=[], outcome=outcome)


REARRANGED = realm_view(
    phase="rearrange",
    to_move=[1],
    turn={"number": 8, "seat": 1},
    lifted=[
        {"seat": 1, "kind": "power", "facing": None, "mobile": True},
        {"seat": 1, "kind": "enforcer", "facing": None, "mobile": True},
        {"seat": 0, "kind": "enforcer", "facing": None, "mobile": False},
    ],
)
OPENED = realm_view(open={"origin": "h11", "target": "e8", "moves": 1}, last=[["c10", "g10"], ["g12"]])
DOUBLE = "options=double_moves=on"
BUSY = view_at("classic_realm", FULL)
PLACING = view_at("classic_realm", "free_setup=on", "Fb2 Fk11 Fe2")
LEAPT = view_after("classic_realm", FULL, "Fe5h5")
LAND = "W:De2,Mb5,Ma7 B:Dh11,Mb8"
BESIEGED = "W:Ee4,Md6,Mf6,Mb5,Mk5,Ml1,Mk1 B:Ee9,Ma5,Mc5,Me7,Ml2,Mj1,Mh8,Mh2 move=W options=warning=on"
WARNED = view_at("oriental_realm", BESIEGED)
MOVED = view_at("oriental_realm", "W:Ee4,Mb5,Mc5 B:Eh8", "Mb5b6", last=[["b5", "b6"]])
SURROUNDED = view_at("oriental_realm", "W:Ma1,Ek9 B:Ma2,Mb5 move=B", "Mb5b1")
COURT_SETUP = view_at("oriental_realm", "free_setup=on", "Mb2 Eh8")
STUCK = view_at("modern_realm", "W:Aa9,Hk8,Ce2 B:Ab8,Ac7,Hb2,Ch11")
DISLODGED = view_at("modern_realm", "W:Cb4 B:Ab8,Al12", "Cb4b7")
VIEWS: Mapping[str, list[View]] = {
    "realm": [realm_view(), realm_view(pieces=[]), REARRANGED, OPENED, *map(realm_end, (0, 1, None))],
    "classic_realm": [
        BUSY,
        PLACING,
        view_at("classic_realm", f"{FAR} right=W owed=0 {DOUBLE}", "Fb2e2"),
        LEAPT,
        view_at("classic_realm"),
        view_at("classic_realm", WON),
    ],
    "medieval_realm": [view_at("medieval_realm", LAND), view_at("medieval_realm", LAND + " dukes=1/2")],
    "oriental_realm": [
        view_at("oriental_realm"),
        MOVED,
        WARNED,
        SURROUNDED,
        view_at("oriental_realm", "W: B:", "pass pass"),
        COURT_SETUP,
        view_at("oriental_realm", "emperor=choose"),
    ],
    "modern_realm": [view_at("modern_realm"), STUCK, DISLODGED],
}
STYLES = {"realm": "realm", "classic_realm": "classic_realm", "medieval_realm": "medieval",
          "oriental_realm": "oriental", "modern_realm": "modern"}  # fmt: skip
MOST_BYTES = {"realm": 45_000, "classic_realm": 75_000, "medieval_realm": 75_000, "oriental_realm": 50_000,
              "modern_realm": 75_000}  # fmt: skip
each_view = pytest.mark.parametrize(
    ("tested", "view"), list_cases({name: [(view,) for view in views] for name, views in VIEWS.items()})
)


def game_of(view: View) -> Any:  # noqa: ANN401 - the game object
    return BOARDS[view["game"]].game


def draw(view: View, theme: str = "auto") -> str:
    return str(game_of(view).draw(view, theme))


def parse_picture(view: View, theme: str = "auto") -> Element:
    return parse_svg(draw(view, theme))


def headline_of(view: View) -> str:
    title = parse_picture(view)[0].text or ""
    assert title.startswith(game_of(view).info.title + ": ")
    return title.removeprefix(game_of(view).info.title + ": ")


def description_of(view: View) -> str:
    return parse_picture(view)[1].text or ""


def sketch_text(view: View) -> str:
    return plain_text([[Span(*span) for span in line] for line in game_of(view).sketch(view)])


def trays(view: View) -> list[str]:
    """The labels of White's tray and of Black's."""
    return [each.get("aria-label") or "" for each in parse_picture(view) if each.get("role") == "img"][::-1]


def texts_in(tray: Element) -> list[str]:
    return [words.text for words in tray.iter(SVG + "text") if words.text]
