"""Every illegal step is refused with a clause of RULES.md and a sentence."""

from __future__ import annotations

import random
import re

import pytest

from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.steps import Step, StepKind, step_of
from realmtable.games.realms_of_etherium.text.clicks import HEX_FIRST, LATER_TURN, NOT_YOURS
from realmtable.games.realms_of_etherium.text.refusals import NO_MOVE_LEFT, NO_SUCH_STEP, PHASE_REASONS, find_reason
from tests.realms_of_etherium.helpers import RULES, busy_ones, list_codes, list_texts, read

CLAUSES = {*re.findall(r"^- \*\*(\w+)\*\*", RULES, re.MULTILINE)}

ACT = "phase=act active=1"
WORLD = "tiles=Portal@0,0;Channel@1,0;Quicken@0,1;Conjure@-1,1;Displace@2,-1;Transfer@1,-1"
MAGES = "mages=1,0;portal;portalx;portalx/portal;portal"


def reason(text: str, step: str) -> tuple[str, str]:
    position = read(text)
    assert step not in list_texts(position)
    return find_reason(position, parse_step(step))


LENDING = f"{WORLD} mages=1,-1;portalx/portal;portalx;portalx {ACT} etherium=1.0/0.0"
LENT = (
    f"{WORLD} mages=1,-1;portalx/2,-1x;portal phase=act active=2.1 received etherium=9.9/0.0 options=transfer_to=anyone"
)
SHIFTING = "tiles=Portal@0,0;Shift@1,0;Channel@0,1;Condense@1,-1;Affinity@2,-1;Bond@5,0"
SWAPPING = SHIFTING.replace("Shift@", "Swap@")
IN_SHIFT = f"{SHIFTING} mages=1,0/portal;portal etherium=2.0/0.0 active=1 entering=1.1 reserve=Draw"
IN_SWAP = f"{SWAPPING} mages=1,0/portal;portal etherium=2.0/0.0 active=1 entering=1.1 reserve=Draw"
# Two groups of Realms that only their Portals hold together.
APART = "tiles=Portal@0,0;Portal.2@6,-1;{0}@1,0;Gather@0,1;Channel@5,0;Condense@6,0;Harvest@5,1"
IN_APART = "mages=1,0/portal;portal etherium=2.0/0.0 active=1 entering=1.1 picked=6,-1 reserve=Draw"
PUSHING = f"{WORLD} mages=2,-1;2,-1;2,-1/2,-1;portal phase=push active=1 displace=2,-1"
TRIBUTE = "tiles=Portal@0,0;Tribute@1,0;Generate@0,1;Propagate@1,-1 mages=1,0;0,1;1,-1/portal active=1 entering=1.1"


@pytest.mark.parametrize(
    ("text", "step", "clause"),
    [
        (f"{WORLD} {MAGES}", "mage 5", "R1"),
        (f"{WORLD} {MAGES}", "mage 3", "R1"),
        (f"{WORLD} {MAGES.replace('x', '')}", "mage 3", "N4"),
        (f"{WORLD} {MAGES}", "end", "R1"),
        (f"{WORLD} {MAGES} {ACT} moved=1", "to portal", "T9"),
        (f"{WORLD} {MAGES} {ACT}", "to 5,0", "M1"),
        (f"{WORLD} {MAGES} {ACT}", "to 0,0", "N1"),
        (f"{WORLD} {MAGES} {ACT}", "to 1,0", "M1"),
        (f"{WORLD} {MAGES} {ACT}", "to -1,1", "W5"),
        (f"{WORLD} {MAGES} {ACT} moved=1", "summon 1,1", "T9"),
        (f"{WORLD} {MAGES} {ACT}", "summon 0,1", "M2"),
        (f"{WORLD} {MAGES} {ACT}", "summon 3,-1", "M2"),
        (f"{WORLD} {MAGES} {ACT}", "summon -1,0", "M2"),
        (f"{WORLD} {MAGES} {ACT}", "control", "C1"),
        (f"{WORLD} {MAGES} {ACT}", "control save white", "N6"),
        (f"{WORLD} mages=portal/portal {ACT}", "control", "C2"),
        (f"{WORLD.replace('1,0;', '1,0:2;')} {MAGES} {ACT}", "control", "C2"),
        (f"{WORLD};Channel.2@2,-2:1 {MAGES} {ACT}", "control", "C2"),
        (f"{WORLD} mages=1,0/1,0 {ACT}", "control", "C2"),
        (f"{WORLD} {MAGES} {ACT} received options=transfer_control=off", "control", "V5"),
        (f"{WORLD};Bond@2,-2:1 {MAGES} {ACT} reserve=Swap options=manifest=game.control_markers:1", "control", "C2"),
        (f"{WORLD} {MAGES} {ACT}", "displace", "T6"),
        (f"{WORLD} mages=2,-1/2,-1 {ACT}", "displace", "P6"),
        (f"{WORLD} mages=2,-1/portal {ACT} etherium=1.0/0.0", "displace", "T6"),
        ("tiles=Portal@0,0;Displace@3,0 mages=3,0/3,0 etherium=1.0/0.0 phase=act active=1", "displace", "T6"),
        (f"{WORLD} {MAGES} {ACT} moved=1", "transfer 3", "T10"),
        (f"{WORLD} {MAGES} {ACT}", "transfer 3", "T10"),
        (f"{WORLD} mages=1,-1;portalx/portal {ACT}", "transfer 2", "P6"),
        (f"{WORLD} mages=1,-1;portalx/portal {ACT} etherium=1.0/0.0", "transfer 5", "T10"),
        (f"{WORLD} mages=1,-1;portalx/portal {ACT} etherium=1.0/0.0", "transfer 1", "T10"),
        (f"{WORLD} mages=1,-1;portal/portal {ACT} etherium=1.0/0.0", "transfer 2", "T10"),
        (f"{WORLD} mages=1,-1;portalx;portalx/portal {ACT} etherium=1.0/0.0", "transfer 3", "N4"),
        (f"{LENDING}", "transfer 1.2", "N6"),
        (f"{LENDING}", "transfer 2.1", "V19"),
        (f"{LENDING} options=transfer_to=anyone", "transfer 2.1", "T10"),
        (f"{LENDING} options=transfer_to=anyone", "transfer 2.3", "N4"),
        (f"{LENT}", "transfer 2", "V19"),
        (f"{LENT}", "control", "V19"),
        (f"{LENT}", "displace", "V19"),
        (f"{WORLD} {MAGES} phase=source active=1 hex=1,1 reserve=Swap", "take Quicken", "M3"),
        (f"{WORLD} {MAGES} phase=source active=1 hex=1,1", "end", "M3"),
        (f"{WORLD} mages=-1,1/portal phase=enter entering=1.1 active=1 etherium=0.3/0.0", "make 2 black", "T5"),
        (f"{WORLD} mages=-1,1/portal phase=enter entering=1.1 active=1 etherium=0.3/0.0", "end", "P3"),
        (f"{IN_SHIFT} phase=enter", "shift 4,4", "T12"),
        (f"{IN_SHIFT} phase=enter before=0,1", "shift 0,1", "T14"),
        (f"{IN_SHIFT} phase=enter triggered", "shift 2,-1", "T14"),
        (f"{IN_SHIFT} phase=put picked=2,-1", "put 0,1", "T12"),
        (f"{IN_SHIFT} phase=put picked=2,-1", "put 5,1", "T12"),
        (f"{IN_SHIFT} phase=put picked=2,-1", "end", "T12"),
        (f"{IN_SHIFT} phase=put picked=0,0", "put 2,0", "T12"),
        (f"{APART.format('Shift')} {IN_APART} phase=put", "put 1,1", "W8"),
        (f"{APART.format('Swap')} {IN_APART} phase=with", "with 0,1", "W8"),
        (f"{IN_SWAP} phase=enter before=0,1", "swap 0,1", "T14"),
        (f"{IN_SWAP} phase=with picked=2,-1", "with 2,-1", "T13"),
        (f"{IN_SWAP} phase=with picked=2,-1 before=0,1", "with 0,1", "T14"),
        (f"{PUSHING} owner=1", "push 2.1 to portal", "T6"),
        (f"{PUSHING} owner=1", "push 1.1 to 1,0", "T6"),
        (f"{PUSHING} owner=1", "push 1.2", "V3"),
        (f"{PUSHING} owner=1", "push 1.2 to portal", "W5"),
        (f"{PUSHING} owner=1", "push 1.2 to 9,9", "M1"),
        (f"{PUSHING} owner=1", "push 1.3 to 1,0", "N4"),
        (f"{TRIBUTE} phase=tribute asked=2.1 etherium=0.0/0.1", "collect white", "T15"),
        (f"{TRIBUTE} phase=tribute asked=2.1 etherium=0.0/1.1", "collect black", "T15"),
        (f"{TRIBUTE} phase=react gained=0.1 options=one_gain_power=on", "react Multiply", "P8"),
    ],
)
def test_refusals_name_the_clause(text: str, step: str, clause: str) -> None:
    found, sentence = reason(text, step)
    assert found == clause
    assert sentence.endswith(".")


def test_m3_w2_refusals_of_steps_that_no_text_can_name() -> None:
    position = read(f"{WORLD} {MAGES} {ACT}")
    assert find_reason(position, Step(StepKind.SUMMON, 0))[0] == "W2"
    position[layout.RESERVE : layout.MAGE_PLACE] = 0
    assert find_reason(position, parse_step("summon 1,1"))[0] == "M3"
    position[layout.PHASE] = layout.IN_SOURCE
    assert find_reason(position, parse_step("draw realm"))[0] == "M3"
    assert find_reason(read(f"{IN_SHIFT} phase=put picked=2,-1"), Step(StepKind.PUT, 0))[0] == "W2"


def test_every_phase_and_every_click_has_a_clause_and_a_sentence() -> None:
    assert PHASE_REASONS.keys() == {*range(len(layout.PHASES))}
    for clause, sentence in (*PHASE_REASONS.values(), NO_MOVE_LEFT, NO_SUCH_STEP, NOT_YOURS, HEX_FIRST, LATER_TURN):
        assert clause in CLAUSES
        assert re.fullmatch(r"[A-Z].*\.", sentence)


def test_n1_a_step_that_does_not_exist() -> None:
    assert find_reason(read(f"{WORLD} {MAGES}"), Step(StepKind.MAGE, 9)) == ("N1", "There is no such step.")


LIVELY = (
    "game.mages:5;displace.copies:4;shift.copies:6;shift.use:0/0;swap.use:0/0;swap.copies:6;displace.use:0/0;"
    "paralyze.use:0/0;protection.copies:4;protection.use:0/0;tribute.copies:5;generate.copies:4;propagate.copies:4"
)


@pytest.mark.parametrize("seed", range(6))
def test_every_illegal_step_of_random_games_has_a_reason(seed: int) -> None:
    rng = random.Random(seed)
    options = EtheriumOptions(
        max_rounds=5, points=2, manifest=LIVELY, one_gain_power=seed % 2 == 0, displace_by=("active", "owner")[seed % 2]
    )
    position = first_position(2 + seed % 3, options)
    while position[layout.PHASE] != layout.OVER:
        codes = list_codes(position)
        near = [hex_ for hex_ in range(layout.HEX_COUNT) if layout.INSIDE[hex_]]
        tried = [rng.randrange(layout.STEP_CODES) for _ in range(4)]
        for first in (layout.SHIFT0, layout.PUT0, layout.SWAP0, layout.WITH0, layout.SUMMON0, layout.TO0):
            tried += [
                first + layout.FIRST_HEX + int(rng.choice(layout.SIDES)) * rng.randint(0, 2),
                first + rng.choice(near),
            ]
        tried += [rng.randrange(layout.PUSH0, layout.REVEAL0), rng.randrange(layout.NEXT, layout.REVEAL0)]
        for code in tried:
            if code not in codes:
                clause, sentence = find_reason(position, step_of(code))
                assert clause in CLAUSES
                assert sentence.endswith(".")
        apply_step(position, rng.choice(busy_ones(codes)))
    assert find_reason(position, Step(StepKind.END))[0] == "E2"
