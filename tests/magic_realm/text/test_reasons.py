"""A click that does not begin a legal step is refused with a clause and a sentence (X4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text import reasons
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import at_site, begin, day, search
from tests.magic_realm.helpers.flow_helpers import CATALOG, VALLEYS
from tests.magic_realm.helpers.text_helpers import reason_of


@pytest.mark.parametrize(
    ("world", "verb"),
    [
        (lambda: decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS}"), "M"),
        (lambda: decode(MACHINE, f"options=map=stock1 heroes=Dwarf {VALLEYS} 1.at=CN6 1.plan=H;H"), "M"),
        (lambda: decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS} 1.plan=M_BV2;H;H;H"), "M"),
        (lambda: decode(MACHINE, f"options=map=stock1 heroes=Elf {VALLEYS} 1.at=BV2-BV5 1.plan=M_BV2"), "M"),
        (lambda: begin(day("1.goods=-", options="recording=as_you_go")), "M"),
        (lambda: begin(day("1.goods=-", "1.used=basic,basic,sunlight,sunlight", "1.plan=H;H;R;R", "1.phase=4",
                           options="recording=as_you_go")), "M"),
        (lambda: begin(day("1.goods=-", "1.at=B2-B3", options="recording=as_you_go")), "M"),
        (lambda: search("CG2"), "peer"),
        (lambda: search("CN6"), "peer"),
    ],
)  # fmt: skip
def test_x4_a_click_on_a_clearing_is_refused_with_the_clause_of_the_step_that_it_means(
    world: Callable[[], World], verb: str
) -> None:
    state = world()
    seen = view(state, MACHINE, 0)
    clearings = [*CATALOG.names.by_name("clearing")]
    at = seen["players"][0]["at"]
    compared = 0
    for clearing in clearings:
        found = reasons.reason(seen, (), clearing)
        road = "-".join(sorted((at, clearing), key=lambda end: clearings.index(end) if end in clearings else 0))
        text = f"run {road} with Move M4" if verb == "run" else f"{verb} {clearing}"
        if found is not None and clearing != at:
            with pytest.raises(IllegalMove) as refused:
                MACHINE.check(state, 0, parse_step(text))
            assert refused.value.clause == found.clause, (clearing, found)
            compared += 1
    assert compared > 50


def test_x4_reasons_for_the_days_of_followers_ponies_and_telescopes() -> None:
    morning = f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS}"
    assert reason_of(decode(MACHINE, f"{morning} 1.plan=F_Dwarf"), "BV2") == "B4"
    as_you_go = decode(MACHINE, morning.replace("stock1", "stock1,recording=as_you_go"))
    assert reason_of(as_you_go, "BV2") == "B2"
    written = decode(MACHINE, morning)
    assert reason_of(written, "CG2", "P") == "T1"
    assert reason_of(written, "BV2", "pony") == "D6"
    assert reason_of(written, "Dwarf") == "B2"
    assert reason_of(written, "BV2") == ""
    assert reason_of(written, "BV2", seat=1) == ""
    assert reasons.reason(view(written, MACHINE, None), (), "BV2") is None


def test_x4_reasons_in_the_turn() -> None:
    choosing = begin(day("1.goods=-", options="recording=as_you_go"))
    assert (reason_of(choosing, "Elf"), reason_of(choosing, "phase:H")) == ("D28", "")
    assert reason_of(search("CG2"), "Elf") == "D16"
    assert reason_of(at_site("Hoard", heroes="Witch_King"), "CG2") == "D22"


def test_x4_reasons_in_the_secret_choices() -> None:
    setup = "options=days=7,map=stock1 heroes=Captain day=0 part=setup agenda=secrets"
    assert reason_of(decode(MACHINE, setup), "ready") == "M10"
    chosen = reasons.reason(view(decode(MACHINE, f"{setup} 1.points=fame,fame"), MACHINE, 0), (), "ready")
    assert chosen is not None
    assert chosen.sentence == "Choose one of your character's starting places."
    done = reasons.reason(view(decode(MACHINE, f"{setup} 1.points=fame,fame 1.start=Inn"), MACHINE, 0), (), "BV2")
    assert done is not None
    assert done.sentence == "Choose Ready, or undo a choice."
