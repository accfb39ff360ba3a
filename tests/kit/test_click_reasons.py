"""A click that cannot be made is answered with the clause that forbids it, in every game we ship."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import realmtable
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import GuidesPlayers, Reason, State

OptionValues = dict[str, OptionValue]
REALM = "W:Bh11,Pg10,Eg12S,Ei12x,Pd4,Pa8 B:Bh2,Be8,Pg3,Eg9N"
SACRIFICE: OptionValues = {"power_sacrifice": True}
CLASSIC = "W:Fb2,Fe2,~h2*6 B:Fk11,~k2*7"
MEDIEVAL = "W:De2,Mb5,Me5,Mk8 B:Dh5,Mb8,Dk11,Mh11"
MODERN = "W:Ab5,Aa4,Ce2,Hh8,Aj7 B:Ab8,Ck4,Al9,Ak8,Ah11"
ORIENTAL = "W:Ee2,Mb5,Mc4,Ml6 B:Eh11,Mb8,Mk6,Mk9"


def make_state(game_id: str, board: str, options: OptionValues, steps: str) -> State:
    """Return the position of a text, or the first one, after some steps."""
    game = realmtable.game(game_id)
    chosen = ",".join(f"{name}={'on' if value is True else value}" for name, value in options.items())
    written = board + (f" options={chosen}" if chosen else "")
    state = game.decode(written) if board else game.initial(2, game.options(None, **options))
    for text in steps.split():
        state = game.play(state, game.to_move(state)[0], game.parse_move(state, text))
    return state


def reason_for(game_id: str, state: State, clicks: str) -> Reason | None:
    """Return the answer to the last of some clicks by the acting seat."""
    game = realmtable.game(game_id)
    assert isinstance(game, GuidesPlayers)
    *path, handle = clicks.split()
    view = {**game.view(state, game.to_move(state)[0]), "position": game.encode(state)}
    return game.reason(view, tuple(path), handle)


class WrongClick(NamedTuple):
    """Clicks of which the last is impossible, and the expected answer; without a clause, no answer is expected."""

    game: str
    board: str  # empty: the first position
    options: OptionValues
    steps: str  # played before
    clicks: str
    clause: str
    words: str


CASES: list[tuple[str, str, OptionValues, str, str, str, str]] = [
    ("realm", REALM, {}, "", "a1", "R9", "a1 is empty"),
    ("realm", REALM, {}, "", "g3", "R9", "your opponent's"),
    ("realm", REALM, {}, "", "h11", "R6", "A Base never moves"),
    ("realm", REALM, {}, "", "g10 f9", "R7", "f9 is not on the rank or file of g10"),
    (
        "realm",
        REALM,
        {},
        "Pd4d7",
        "g10",
        "R9",
        "or a Concentration into the Realm around e8",
    ),
    ("realm", REALM, SACRIFICE, "xPg10(Ei12N)", "d4", "V13", "only pieces in the Realm around h11"),
    ("realm", REALM, {}, "", "g10", "", ""),  # it can be chosen
    ("realm", "W:Bh11,Pa1,Pl4 B:Bh2,Ea2x,Eb1x", {}, "", "a1", "R7", "The piece on a1 has no legal move."),
    ("realm", REALM, {}, "", "rearrange e2", "R11", "nothing to rearrange in the Realm around e2"),
    ("realm", REALM, {}, "", "rearrange g11", "R11", "choose its Center h11"),
    ("realm", REALM, SACRIFICE, "", "sacrifice d4", "V13", "would not let an Enforcer of its Realm move"),
    ("realm", REALM, SACRIFICE, "", "sacrifice a1", "V13", "You have no Power on a1"),
    ("realm", REALM, SACRIFICE, "", "sacrifice g10 g12", "V13", "no immobile Enforcer on g12"),
    ("realm", REALM, {}, "Rh11", "a1", "R11", "outside the Realm around h11"),
    ("realm", "", {}, "", "a1", "R2", "Place a Base on a vacant Center."),
    ("realm", "", {}, "Bh11", "h11", "R2", "h11 is taken"),
    ("realm", "", {}, "", "nothing", "", ""),
    ("realm", "", {"choose_seat": "place"}, "", "a1", "S1", "Choose first who places first."),
    ("classic_realm", CLASSIC, {}, "", "a1", "C2", "a1 is water"),
    ("classic_realm", CLASSIC, {}, "", "k11", "C2", "your opponent's"),
    ("classic_realm", CLASSIC, {}, "", "b2 e2", "C3", "Your own frog is on e2"),
    ("classic_realm", CLASSIC, {}, "", "end", "", ""),
    ("classic_realm", "W:Fb2 B:", {"free_setup": True}, "", "a1", "V1", "a1 is water; place the frog on a pad."),
    ("medieval_realm", MEDIEVAL, {}, "", "a1", "M2", "a1 is a Border space"),
    ("medieval_realm", MEDIEVAL, {}, "", "b8", "M2", "your opponent's"),
    ("medieval_realm", MEDIEVAL, {}, "", "e2 e5", "M3", "the move must go on"),
    ("medieval_realm", MEDIEVAL, {}, "", "b5 off", "M8", "cannot leave the board"),
    ("medieval_realm", MEDIEVAL, {}, "", "off", "", ""),
    ("medieval_realm", MEDIEVAL, {}, "", "b5 nowhere", "", ""),
    ("medieval_realm", "W:Mb11,De2 B:Mk2", {}, "", "b11", "", ""),
    ("modern_realm", MODERN, {}, "", "c1", "D2", "c1 is empty"),
    ("modern_realm", MODERN, {}, "", "h8", "D11", "An HQ never moves"),
    ("modern_realm", MODERN, {}, "", "b5 c5", "D4", "must leave its Realm"),
    ("modern_realm", MODERN, {}, "", "pass", "", ""),
    ("modern_realm", "W:Cb5,Ac7 B:Ab8,Aa9", {}, "Cb5b7", "b6", "D10", "b6 is outside the Realm around b8"),
    ("modern_realm", "", {"counter_agent": "choose"}, "", "a1", "V1", "not one of your eight Centers"),
    ("oriental_realm", ORIENTAL, {}, "", "a1", "O2", "a1 is empty"),
    ("oriental_realm", ORIENTAL, {}, "", "b5 c6", "O3", "not on the rank or file"),
    ("oriental_realm", ORIENTAL, {}, "", "pass", "", ""),
    ("oriental_realm", "", {"free_setup": True}, "", "a1", "V1", "Choose a piece to place first."),
    (
        "oriental_realm",
        "",
        {"free_setup": True},
        "Mb2",
        "hand:Mandarin a1",
        "V1",
        "Realm around b2 already holds a piece",
    ),
    ("oriental_realm", "", {"free_setup": True}, "Eb2 Me2", "hand:Emperor h2", "V1", "place a Mandarin"),
    ("oriental_realm", "", {"emperor": "choose"}, "", "a1", "V2", "holds your Emperor."),
]


@pytest.mark.parametrize("case", [WrongClick(*case) for case in CASES])
def test_a_click_on_the_board(case: WrongClick) -> None:
    reason = reason_for(case.game, make_state(case.game, case.board, case.options, case.steps), case.clicks)
    if not case.clause:
        assert reason is None
        return
    assert reason is not None
    assert (reason.clause, case.words in reason.sentence) == (case.clause, True), reason
    assert reason.sentence.endswith(".")


def test_a_board_game_needs_the_position_and_a_game_that_goes_on() -> None:
    game = realmtable.game("classic_realm")
    assert isinstance(game, GuidesPlayers)
    assert game.reason(game.view(game.initial(), 0), (), "a1") is None
    over = "W:Fb2,~e5*7 B:~k11*8 phase=over end=all_in_water"
    assert game.reason({**game.view(game.decode(over), 0), "position": over}, (), "a1") is None


CARD_VIEW: dict[str, Any] = {"viewer": 0, "ready": [False, False], "offers": [], "bids": []}
OFFER = {"card": "King", "seat": 0}
BID = {"card": "Queen", "seat": 0, "for": "Storm"}


@pytest.mark.parametrize(
    ("view", "clicks", "clause"),
    [
        ({"phase": "draw", "moves": {}}, ["hand:King"], ""),  # not to act
        ({"phase": "draw", "moves": {"deck": True}}, ["hand:King"], "P2"),
        ({"phase": "draw", "moves": {"deck": True}}, ["discard:King"], ""),
        ({"phase": "draw", "moves": {"deck": True}}, ["nothing"], ""),
        ({"phase": "discard", "moves": {"drop": ["King"]}}, ["hand:King"], ""),
        ({"phase": "discard", "moves": {"drop": ["King"]}}, ["hand:Queen"], "W1"),
        ({"phase": "discard", "moves": {"drop": ["King"]}}, ["deck"], "P3"),
        ({"phase": "trade", "moves": {"active": True}, "ready": [True, False]}, ["hand:King"], "X5"),
        ({"phase": "trade", "moves": {"ready": True}}, ["deck"], "X1"),
        ({"phase": "trade", "moves": {"ready": True}}, ["hand:King", "offer:Storm"], "X2"),
        ({"phase": "trade", "moves": {"ready": True}}, ["offer:Storm"], ""),
        ({"phase": "trade", "moves": {"ready": True}, "offers": [OFFER]}, ["hand:King"], "X4"),
        ({"phase": "trade", "moves": {"ready": True}, "bids": [BID]}, ["offer:Storm", "hand:Queen"], "X4"),
        ({"phase": "trade", "moves": {"ready": True}, "bids": [BID]}, ["hand:Queen"], ""),
        ({"phase": "necromancer", "moves": {"leave": True}}, ["hand:King"], "X7"),
        ({"phase": "necromancer", "moves": {"leave": True}}, ["deck"], ""),
        ({"phase": "keep", "moves": {"keep": ["King"]}}, ["hand:King"], ""),
        ({"phase": "keep", "moves": {"keep": ["King"]}}, ["hand:Queen"], "X7"),
    ],
)
def test_a_click_on_a_card(view: dict[str, Any], clicks: list[str], clause: str) -> None:
    game = realmtable.game("fantasy_realms")
    assert isinstance(game, GuidesPlayers)
    reason = game.reason({**CARD_VIEW, **view}, tuple(clicks[:-1]), clicks[-1])
    assert (reason.clause if reason else "") == clause
