"""Journals of fights: they lead to the same state, and do not tell the order of simultaneous plays."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.journal import note_step, replay
from realmtable.games.magic_realm.combat_rules.round_costs import Rounds
from realmtable.games.magic_realm.world.steps import Journal, JournalEntry
from tests.magic_realm.helpers.fight_helpers import clash, go, random_fight, skip, step, warrior


@pytest.mark.parametrize("seed", range(4))
def test_a_journal_leads_to_the_same_state_at_every_moment(seed: int) -> None:
    rng = random.Random(seed)
    first = fight = machine.begin(random_fight(rng))
    journal: Journal = ()
    steps = 0
    while fight.agenda and steps < 150:
        seat = rng.choice(machine.list_deciding(fight))
        chosen = rng.choice(machine.list_answers(fight, seat))
        fight, journal, steps = machine.play(fight, seat, chosen), note_step(journal, seat, chosen), steps + 1
        if steps % 10 == 0:
            assert replay(first, journal) == fight
    assert replay(first, journal) == fight


def test_c7_the_order_of_plays_leaves_no_trace() -> None:
    fight = skip(go(clash(warrior("Amazon", 0), warrior("Elf", 1)), "stir"), "play")
    duck, dodge = step("evade duck Move M4"), step("evade dodge Move M4")
    ready, back = step("ready"), step("back")
    orders = [
        [(0, duck), (1, dodge), (0, ready)],
        [(1, dodge), (0, duck), (0, ready)],
        [(1, duck), (0, dodge), (0, back), (1, back), (0, duck), (0, ready), (1, dodge)],
    ]
    journals = set()
    for order in orders:
        journal: Journal = ()
        for seat, each in order:
            journal = note_step(journal, seat, each)
        journals.add(journal)
        assert replay(fight, journal) == replay(fight, [JournalEntry(*pair) for pair in orders[0]])
    assert len(journals) == 1


def test_a_journal_with_an_illegal_step_is_refused() -> None:
    with pytest.raises(IllegalMove):
        replay(clash(warrior("Elf", 0)), [JournalEntry(0, step("ready"))])


def test_e2_the_last_melee_is_seen_in_any_order() -> None:
    fight = replace(clash(warrior("Amazon", 0, "Mace-1"), warrior("Elf", 1)), rounds=Rounds(2, 1))
    fight = go(fight, "stir", "pass", "pass", "done", "done", "next Amazon", "aim Elf", "next Elf", "aim none")
    steps = [(0, "strike thrust Fight M5"), (0, "ready"), (1, "evade duck Move L2*"), (1, "ready")]  # a miss
    first = fight
    journal: Journal = ()
    for seat, text in steps:
        fight, journal = machine.play(fight, seat, step(text)), note_step(journal, seat, step(text))
    while fight.agenda[-1].kind != "look":
        seat, answer = (found := machine.list_deciding(fight)[0]), machine.list_answers(fight, found)[0]
        fight, journal = machine.play(fight, seat, answer), note_step(journal, seat, answer)
    assert machine.list_deciding(fight) == (0, 1)
    orders = []
    for seats in ((0, 1), (1, 0)):
        ended, noted = fight, journal
        for seat in seats:
            ended, noted = machine.play(ended, seat, step("continue")), note_step(noted, seat, step("continue"))
        assert ended.agenda == ()
        assert replay(first, noted) == ended
        orders.append(noted)
    assert orders[0] == orders[1]
