"""Steps, their effects, news, prompts, notes and labels in words."""

from __future__ import annotations

import re

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import CHANCE, Prompt, View
from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import Step
from realmtable.games.realms_of_etherium.text.describe import LABELS, label
from realmtable.games.realms_of_etherium.wording import next_starter
from tests.example_tables import read_table
from tests.realms_of_etherium.helpers import with_reserve

# Parts of positions that the tests name.
WORDS = {
    "MAGES": "mages=portal;portal;portal/portal;portal;portal",
    "START": "MAGES phase=act active=1",
    "RING": "tiles=Portal@0,0;Channel@1,0;Gather@1,-1;Conjure@0,-1;Quicken@0,1",
    "TRANSMUTE": "tiles=Portal@0,0;Transmute@1,0;Generate@1,-1",
    "SWAP": "tiles=Portal@0,0;Channel@0,-1;Protection@2,-1;Quicken@0,1;Swap@1,0;Affinity@1,-1:1",
    "SHIFT": "tiles=Portal@0,0;Channel@0,-1;Protection@2,-1;Quicken@0,1;Shift@1,0;Affinity@1,-1:1",
    "FREE": "tiles=Portal@0,0;Transmute@1,0;Lessen@1,-1;Lessen.2@0,1 mages=1,0;1,-1;0,1/portal phase=enter active=1 "
    "entering=1.1 reserve=Draw options=free_conversions=on",
    "LEND": "tiles=Portal@0,0;Transfer@1,0 mages=1,0;portal/portalx phase=act active=1 etherium=1.0/0.0 held=1,0 "
    "options=transfer_to=anyone",
    "DISPLACE": "tiles=Portal@0,0;Displace@1,0;Channel@1,-1 mages=1,0;portal;portal/1,0;1,0;portal",
    "LESSENED": "tiles=Portal@0,0;Displace@1,0;Lessen@1,-1 mages=1,0;portal;1,-1/1,0;1,0;portal",
    "TRIBUTE": "tiles=Portal@0,0;Tribute@1,0;Channel@1,-1 mages=1,0;portal;portal/1,-1;portal;portal etherium=1.0/2.2",
    "PARALYZE": "tiles=Portal@0,0;Paralyze@1,0;Draw@1,-1 mages=1,0;portal;portal/1,-1;1,-1x;1,-1x",
    "TRANSFER": "tiles=Portal@0,0;Transfer@1,0;Channel@1,-1 mages=1,0;1,-1x;portal/portal;portal;portal",
    "PROTECT": "tiles=Portal@0,0;Paralyze@1,0;Protection@1,-1 mages=1,0;portal;portal/1,-1;1,-1x;1,-1x "
    "etherium=0.0/1.0",
    "REARRANGING": "mages=1,0;1,-1x;portal/portal;0,-1x;portal",
    "IN_FIRST_REALM": "mages=1,0;portal;portal/portal;portal;portal",
    "IN_CONJURE": "mages=0,-1;portal;portal/portal;portal;portal",
    "ACT": "phase=act active=1 held=1,0",
    "SOURCE": "MAGES phase=source active=1 hex=1,0",
    "DRAW": "MAGES phase=draw active=1 hex=1,0",
    "REFILL": "MAGES phase=refill active=1 supply=realm reserve=Draw;Shift;Accord;Bond;Network",
    # A summoned Realm is entered once the Reserve is full again.
    "ENTERING_LATER": "tiles=Portal@0,0;Channel@1,0 REFILL hex=1,0",
    "ENTER": "phase=enter active=1 entering=1.1 held=1,0",
    "ENTER_CONJURE": "phase=enter active=1 entering=1.1 held=0,-1",
    "PUT": "phase=put active=1 entering=1.1 held=1,0 picked=2,-1 used=1@1,0",
    "WITH": "phase=with active=1 entering=1.1 held=1,0 picked=0,-1 used=1@1,0",
    "ASKED_TRIBUTE": "phase=tribute active=1 entering=1.1 asked=2.1 held=1,0",
    "ASKED_PROTECT": "phase=protect active=1 entering=1.1 asked=2.1 held=1,0 used=1@1,0",
    "PUSH": "phase=push active=1 held=1,0 displace=1,0 owner=2 used=1@1,0",
    "TARGET": "phase=target active=1 held=1,0 displace=1,0 owner=2 used=1@1,0 asked=2.1 options=displace_by=owner",
    "REACT": "TRANSMUTE;Propagate@2,-1 mages=1,0;1,-1;2,-1/portal;portal;portal phase=react active=1 entering=1.1 "
    "held=1,0 gained=0.1 used=1@1,0 options=one_gain_power=on",
    "LEAVE": "tiles=Portal@0,0;Condense@1,-1;Draw@1,0;Harvest@2,-1 mages=2,-1;portalx;portal/portal;1,-1x;portal",
    "LAST": "tiles=Portal@0,0;Channel@1,0 mages=portal;portalx;portalx/portalx;portalx;portalx phase=act active=1",
    "WINNING": "tiles=Portal@0,0;Conjure@1,0;Transmute@1,-1;Transmute.2@2,-1;Modularity@0,1 "
    "mages=0,1;portal;portal/portal;1,0x;portal etherium=1.3/2.1 phase=act active=1 held=0,1 options=points=3",
    "AWAY": "tiles=Portal@0,0;Channel@1,-1;Displace@2,-1;Gather@3,-1;Draw@3,-2 mages=2,-1;portal/2,-1;portal",
    "FAR_TARGET": "phase=target active=1 held=2,-1 displace=2,-1 owner=2 used=1@2,-1 asked=2.1 "
    "options=displace_by=owner",
}


def state_of(text: str) -> State:
    """The state of a position with `WORDS` written out, with a full Reserve unless the line names one."""
    while (written := re.sub(r"\b[A-Z_]{3,}\b", lambda word: WORDS[word[0]], text)) != text:
        text = written
    return GAME.decode(with_reserve(text))


def view_of(text: str, viewer: int | None = None) -> View:
    return GAME.view(state_of(text), viewer)


# A position, a legal step, its words, and its news, if it has any.
STEPS = read_table("""
RING mages=portal;1,0;1,0x/portal;portal;portal | mage 2 | Activate Mage 2 in Channel |
RING START | to 1,-1 | Move to Gather and gain 1 Black | Scarlet moves to Gather and gains 1 Black
RING IN_FIRST_REALM ACT | to portal | Move to the Portal | Scarlet moves to the Portal
RING START | summon -1,0 | Summon a Realm next to Conjure, clockwise of Portal |
RING START | end | End the activation | Scarlet ends the activation
RING IN_FIRST_REALM etherium=2.0/0.0 ACT moved=1 | end | End the activation |
SOURCE | draw victory | Draw the top tile of the Victory Supply |
SOURCE | take Draw | Take Draw from the Reserve | Scarlet summons Draw from the Reserve
RING IN_FIRST_REALM etherium=2.0/0.0 ACT | control | Take Control of Channel for 2 White | Scarlet takes Control of Channel for 2 White
DISPLACE etherium=1.0/0.0 ACT | displace | Pay 1 White to push Mages out of Displace | Scarlet pays 1 White to push Mages out of Displace
LESSENED ACT | displace | Push Mages out of Displace | Scarlet pushes Mages out of Displace
DISPLACE etherium=0.0/0.0 PUSH | push 2.1 to 1,-1 | Push Azure's Mage 1 to Channel; Azure gains 2 White | Scarlet pushes Azure's Mage 1 to Channel; Azure gains 2 White
DISPLACE PUSH | next | Push no more Mages of Azure | Scarlet pushes no more Mages of Azure
DISPLACE PUSH options=displace_by=owner | push 2.1 | Push Azure's Mage 1 | Scarlet pushes Azure's Mage 1
DISPLACE TARGET | to 1,-1 | Send Mage 1 to Channel and gain 2 White | Azure sends Mage 1 to Channel and gains 2 White
TRANSFER etherium=1.0/0.0 ACT | transfer 2 | Pay 1 White to continue with Mage 2 in Channel | Scarlet pays 1 White to continue with Mage 2 in Channel
LEND | transfer 2.1 | Pay 1 White to continue with Azure's Mage 1 in the Portal | Scarlet pays 1 White to continue with Azure's Mage 1 in the Portal
FREE | make 1 black | Make 1 Black for nothing | Scarlet makes 1 Black for nothing
RING IN_CONJURE etherium=0.3/0.0 ENTER_CONJURE | use | Pay 3 Black to get a new Mage | Scarlet pays 3 Black to get a new Mage
RING IN_CONJURE etherium=0.3/0.0 ENTER_CONJURE | skip | Leave Conjure unused | Scarlet leaves Conjure unused
TRANSMUTE mages=1,0;1,-1;portal/portal;portal;portal etherium=4.0/0.0 ENTER | make 2 black | Turn 4 White into 2 Black and gain 1 Black | Scarlet turns 4 White into 2 Black and gains 1 Black
TRANSMUTE IN_FIRST_REALM etherium=0.2/0.0 ENTER | make 4 white | Turn 2 Black into 4 White | Scarlet turns 2 Black into 4 White
SWAP REARRANGING etherium=2.0/1.1 ENTER | swap 0,-1 | Pay 2 White to swap Channel | Scarlet pays 2 White to swap Channel
SWAP REARRANGING WITH | with 0,1 | Swap Channel with Quicken; Scarlet has 2 points (Affinity +1) | Scarlet swaps Channel with Quicken; Scarlet has 2 points (Affinity +1)
# only Realms whose worth changes are named
SWAP;Rooting@2,-2:1 REARRANGING WITH | with 0,1 | Swap Channel with Quicken; Scarlet has 2 points (Affinity +1) | Scarlet swaps Channel with Quicken; Scarlet has 2 points (Affinity +1)
SHIFT REARRANGING etherium=2.0/1.1 ENTER | shift 2,-1 | Pay 1 White to move Protection | Scarlet pays 1 White to move Protection
SHIFT REARRANGING PUT | put 1,1 | Put Protection next to Quicken, clockwise of Shift; Scarlet has 0 points (Affinity −1) | Scarlet has 0 points (Affinity −1)
TRIBUTE ASKED_TRIBUTE | collect white | Take 1 White from Azure's Mage 1 | Scarlet takes 1 White from Azure's Mage 1
TRIBUTE ASKED_TRIBUTE | collect black | Pay 1 White to take 1 Black from Azure's Mage 1 | Scarlet pays 1 White to take 1 Black from Azure's Mage 1
TRIBUTE ASKED_TRIBUTE | skip | Take nothing from Azure's Mage 1 | Scarlet takes nothing from Azure's Mage 1
PROTECT ASKED_PROTECT | protect | Pay 1 White to protect Mage 1 | Azure pays 1 White to protect Mage 1
PROTECT ASKED_PROTECT | skip | Decline Protection; Azure's Mage 1 becomes Exhausted | Azure declines Protection; Azure's Mage 1 becomes Exhausted
PARALYZE etherium=0.1/0.0 ENTER | use | Pay 1 Black to Exhaust opponents' Mages in adjacent Realms; Azure's Mage 1 becomes Exhausted | Scarlet pays 1 Black to Exhaust opponents' Mages in adjacent Realms; Azure's Mage 1 becomes Exhausted
REACT | react Propagate | React with Propagate and gain 2 White | Scarlet reacts with Propagate and gains 2 White
DRAW supply=realm | reveal Channel | Turn up Channel; Scarlet gains 2 White | Scarlet summons Channel from the Realm Supply and gains 2 White
DRAW supply=victory | reveal Affinity | Turn up Affinity | Scarlet summons Affinity from the Victory Supply
REFILL | reveal Channel | Put Channel into the Reserve |
ENTERING_LATER | reveal Lessen | Put Lessen into the Reserve; Scarlet gains 2 White | Scarlet gains 2 White
MAGES phase=first | first 2 | Azure begins | Azure begins
LEAVE phase=act active=1 held=2,-1 | to 1,0 | Move to Draw; Harvest is Dispelled | Scarlet moves to Draw; Harvest is Dispelled
LAST | end | End the activation; Round 2 begins | Scarlet ends the activation; Round 2 begins
LAST moved=1 | end | End the activation; Round 2 begins | Round 2 begins
LAST options=max_rounds=5 round=5 | end | End the activation; the game ends | Scarlet ends the activation; the game ends
WINNING | control | Take Control of Modularity for 1 White and 3 Black; Scarlet has 3 points (Modularity +3); this is the last Round | Scarlet takes Control of Modularity for 1 White and 3 Black; Scarlet has 3 points (Modularity +3); this is the last Round
""")  # noqa: E501 - a row is one example


@pytest.mark.parametrize(("text", "step", "words", "news"), STEPS)
def test_steps_have_words_and_news(text: str, step: str, words: str, news: str) -> None:
    state = state_of(text)
    acting, move = GAME.to_move(state)[0], GAME.parse_move(state, step)
    legal = [outcome.move for outcome in GAME.chance(state)] if acting == CHANCE else GAME.legal_moves(state, acting)
    assert move in legal, [GAME.format_move(state, other) for other in legal]
    assert (GAME.describe_move(state, move), GAME.news(state, acting, move, None)) == (words, news)


def test_players_get_their_colours_in_turn() -> None:
    state = GAME.play(*_first_colour(GAME.initial(2, GAME.options(player_powers=True))))
    _, _, second = _first_colour(state)
    assert GAME.describe_move(state, second) == "Azure gets the power of Blue"


def test_v21_players_read_what_a_colour_does_and_choose_in_their_own_turns() -> None:
    state = GAME.initial(2, GAME.options("player_powers"))
    state = GAME.play(state, 0, GAME.parse_move(state, "colour Red"))
    assert (GAME.to_move(state), GAME.turn(state)) == ((1,), (0, 1))
    step = GAME.parse_move(state, "colour Blue")
    assert GAME.describe_move(state, step) == "Choose Blue: Blue gains give 1 White more"
    assert GAME.news(state, 1, step, None) == "Azure chooses Blue: Blue gains give 1 White more"
    assert GAME.prompt(GAME.view(state, 1)) == Prompt("", "Choose a colour: it decides your player power.", None, "U5")
    assert GAME.describes_button(*GAME.handles(GAME.view(state, 1), step))
    assert GAME.name_uses(state, 1, step) == ["colour Blue"]
    with pytest.raises(IllegalMove, match="nobody has yet"):
        GAME.play(state, 1, GAME.parse_move(state, "colour Red"))


def _first_colour(state: State) -> tuple[State, int, Step]:
    return state, CHANCE, GAME.chance(state)[0].move


def test_the_set_up_is_one_line() -> None:
    state = GAME.initial(2)
    assert GAME.fold_label(state, GAME.chance(state)[0].move) == "The Reserves are turned up"
    first = state_of("MAGES phase=first")
    assert GAME.fold_label(first, GAME.parse_move(first, "first 2")) == "Azure begins"
    later = state_of("DRAW supply=realm")
    assert GAME.fold_label(later, GAME.parse_move(later, "reveal Channel")) == ""


# ---- handles


@pytest.mark.parametrize(
    ("handle", "words"),
    [
        ("hex:1,-2", "Hex 1,-2"),
        ("mage:2.3", "Azure's Mage 3"),
        ("make:4:white", "Make White/Make 4 White"),
        ("reserve:Draw", "Reserve/Draw"),
        ("react:Generate", "React with Generate"),
        ("reveal:Draw", "Turn up Draw"),
        ("colour:Red", "The colour Red"),
        ("first:2", "Seat 2 begins"),
        ("nonsense", "nonsense"),
        ("nonsense:1", "nonsense:1"),
        ("hex:", "hex:"),
        ("mage:x", "mage:x"),
        *LABELS.items(),
    ],
)
def test_handles_have_labels(handle: str, words: str) -> None:
    assert label(handle) == GAME.label(handle) == words


def test_buttons_with_a_price_tell_their_step() -> None:
    assert [handle for handle in LABELS if not GAME.describes_button(handle)] == [
        "portal", "supply:realm", "supply:victory", "transfer", "end",
    ]  # fmt: skip
    assert GAME.describes_button("make:4:white")


# ---- prompts


def prompt_of(text: str, viewer: int | None = 0) -> tuple[str, str, str] | None:
    found = GAME.prompt(view_of(text, viewer))
    return None if found is None else (found.title, found.text, found.clause)


def test_the_prompt_counts_activations_and_etherium() -> None:
    text = "RING mages=portal;1,0;1,0x/portal;portal;portal etherium=2.1/0.0"
    assert prompt_of(text) == ("Activation 2 of 3; you have 2 White, 1 Black", "Choose a Mage to activate.", "R1")
    assert prompt_of(text, 1) is prompt_of(text, None) is prompt_of("MAGES phase=first") is None


# A position, the seat that is asked (from 0), the question and its clause.
PROMPTS = read_table("""
RING START | 0 | Choose a Realm to enter, or a hex with + to summon a Realm. | M1
tiles=Portal@0,0 START | 0 | Choose a hex with + to summon a Realm. | M1
tiles=Portal@0,0;Portal.2@1,0 START | 0 | Choose a hex with + to summon a Realm. | M1
RING mages=portal;0,1;portal/portal;portal;portal phase=act active=1 | 0 | Choose a Realm to enter, or a hex with + to summon a Realm (2 moves left). | M1
RING IN_FIRST_REALM etherium=2.0/0.0 ACT moved=1 | 0 | Choose a button below, or end the activation. | R2
SOURCE | 0 | Choose a tile for the new Realm: an open one, or the top of a Supply. | M3
TRANSMUTE mages=1,0;1,-1;portal/portal;portal;portal etherium=4.0/0.0 ENTER | 0 | Choose how much Etherium to convert, or skip it. | T5
SHIFT REARRANGING PUT | 0 | Choose an empty hex for the Realm. | T12
SWAP REARRANGING WITH | 0 | Choose the second Realm. | T13
TRIBUTE ASKED_TRIBUTE | 0 | Choose what to take from Azure's Mage 1. | T15
PROTECT ASKED_PROTECT | 1 | Choose whether to protect your Mage 1. | P9
DISPLACE PUSH | 0 | Choose a Mage, then where to push it. | T6
DISPLACE TARGET | 1 | Choose where your Mage 1 goes. | T6
REACT | 0 | Choose the Realm that reacts. | P8
""")  # noqa: E501 - a row is one example


@pytest.mark.parametrize(("text", "viewer", "words", "clause"), PROMPTS)
def test_every_decision_has_a_short_prompt(text: str, viewer: str, words: str, clause: str) -> None:
    found = prompt_of(text, int(viewer))
    assert found is not None
    assert found[1:] == (words, clause)
    assert len(words) <= 80
    assert (found[0] == "Out of turn") == (viewer == "1")


# ---- notes


def test_notes_say_what_entering_would_do() -> None:
    view = view_of("RING;Disruption@-1,0 START", 0)
    assert GAME.note(view, "hex:1,-1") == "You would gain 1 Black."
    assert GAME.note(view, "hex:1,0") == "You would gain 2 White."
    assert GAME.note(view, "hex:-1,0") == "Your activation would end here."
    assert GAME.note(view, "hex:0,-1") == ""
    assert GAME.note(view, "hex:9,9") == GAME.note(view, "portal") == GAME.note(view, "mage:1.1") == ""
    assert GAME.note(view_of("RING mages=portal;1,0;1,0x/portal;portal;portal", 0), "hex:1,0") == ""


def test_notes_give_the_words_of_changed_tiles() -> None:
    words = "On entering, you may pay 2 Black for a new Mage, which starts here, Exhausted."
    assert GAME.note(view_of("RING START options=manifest=conjure.use:0/2", 0), "hex:0,-1") == words


# ---- answers out of turn


@pytest.mark.parametrize(
    ("text", "step"),
    [("PROTECT ASKED_PROTECT", "skip"), ("DISPLACE TARGET", "to portal"), ("AWAY FAR_TARGET", "to 3,-2")],
)
def test_n9_the_table_declines_or_chooses_the_portal_or_the_first_step(text: str, step: str) -> None:
    state = state_of(text)
    (seat,) = GAME.to_move(state)
    assert seat != GAME.turn(state).seat
    assert GAME.format_move(state, GAME.default_step(state, seat)) == step


# ---- the next Round


@pytest.mark.parametrize(
    ("mages", "starter"),
    [
        ("portal;portal;portal/portal;portal;portal/portal;portal;portal", 0),
        ("portal;portal;portal/portal;portal;portalx/portal;portalx;portalx", 1),
        ("portal;portalx;portalx/portalx;portalx;portalx/portalx;portalx;portalx", 1),
    ],
)
def test_the_next_round_begins_after_the_last_to_activate(mages: str, starter: int) -> None:
    assert next_starter(view_of(f"mages={mages}")) == starter


# ---- the end


def test_points_are_broken_down_by_victory_realm() -> None:
    text = (
        "tiles=Portal@0,0;Conjure@1,0;Transmute@1,-1;Transmute.2@2,-1;Modularity@0,1:2;Rooting@2,0:2;Channel@-1,0:1 "
        "mages=portal;portal/portal;portal triggered"
    )
    assert GAME.score_breakdowns(view_of(text)) == []
    first, second = GAME.score_breakdowns(view_of(f"{text} phase=over end=points"))
    assert (first.seat, first.rank, first.total) == (1, 1, 5)
    assert [(line.title, line.points) for line in first.lines] == [("Modularity", 3), ("Rooting", 2)]
    assert first.lines[1].reason == "2 Green Realms touch it"
    assert (second.seat, second.total, second.lines) == (0, 0, ())
