"""Bots in combat: they fight what they can beat, run from the rest, and always answer legally."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from realmtable.games.magic_realm.battle_calculator.battle_text import read_battle
from realmtable.games.magic_realm.battle_calculator.duel import hand_of
from realmtable.games.magic_realm.battle_calculator.odds import RoundResult, list_results
from realmtable.games.magic_realm.bots.answers import choose_steps
from realmtable.games.magic_realm.bots.danger import RUN_COST
from realmtable.games.magic_realm.bots.fight_values import (
    HELD,
    MOST_RISK,
    SHORTLIST,
    Stakes,
    estimate,
    find_risk,
    find_stakes,
    follow,
    rank_plays,
    value_fight,
    value_meeting,
    value_outcome,
)
from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.state import FIGHTING, RAN, Fight
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.world.entities import ACTIVE, WOUNDED
from realmtable.games.magic_realm.world.step_text import parse_step
from tests.magic_realm.helpers.bot_fight_helpers import ROAD, answer, look, play_on
from tests.magic_realm.helpers.bot_helpers import place, see, with_question
from tests.magic_realm.helpers.fight_helpers import MONSTER, chits, clash, go, random_fight, skip, warrior

STAKES = Stakes(life=10.0, wound=0.5, fame=0.3, notoriety=0.2)
KNIGHT = warrior("White Knight", 0, "Great Sword", "Suit of Armor-1", exits=(ROAD,))
GIANT = ("Giant-1",)
ONE_DIE = {"missile": DiceRule(1, 0)}


def play_steps(fight: Fight, seat: int, *steps: str) -> Fight:
    for text in steps:
        fight = machine.play(fight, seat, parse_step(text))
    return fight


# ---- whole fights


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_bots_answer_every_question_of_random_fights(seed: int) -> None:
    rng = Random(seed)
    fight = random_fight(rng)
    fight = replace(fight, warriors=tuple(replace(each, exits=(ROAD,)) for each in fight.warriors))
    assert not play_on(machine.begin(fight), rng, *fight.sheets.seats[:2]).agenda


@pytest.mark.long
def test_a_knight_beats_giants_and_lives() -> None:
    ends = [play_on(clash(KNIGHT, monsters=GIANT), Random(seed), 0).warrior(0) for seed in range(6)]
    assert [end.fate for end in ends] == [FIGHTING] * 6
    assert sum(end.kills for end in ends) >= 5


def test_a_wizard_runs_from_a_dragon() -> None:
    fight = clash(warrior("Wizard", 0, exits=(ROAD,)), monsters=["T Dragon-1"])
    assert play_on(fight, Random(1), 0).warrior(0).fate == RAN


# ---- single questions
def test_e14_a_bot_runs_from_what_it_cannot_beat_and_stays_for_what_it_can() -> None:
    elf = warrior("Elf", 0, exits=(ROAD,))
    assert answer(skip(clash(elf, monsters=["T Troll-1"]), "act"))[0].startswith("run BV2-BV5 with ")
    assert not answer(skip(clash(KNIGHT, monsters=GIANT), "act"))[0].startswith("run")
    assert answer(skip(go(clash(elf), "stir"), "act")) == ["done"]


def test_e13_a_bot_alerts_its_weapon_if_that_helps() -> None:
    bow = warrior("Elf", 0, "Light Bow-1", exits=(ROAD,), is_hidden=True, dice=ONE_DIE)
    fight = skip(go(clash(bow, monsters=["Axe Goblin-1"]), "stir"), "act")
    assert answer(fight)[0].startswith("alert Fight")
    ready = warrior("Elf", 0, "Light Bow-1!", exits=(ROAD,), is_hidden=True, dice=ONE_DIE)
    assert answer(skip(go(clash(ready, monsters=["Axe Goblin-1"]), "stir"), "act")) == ["done"]


def test_e13_a_berserker_may_rage() -> None:
    fight = skip(clash(warrior("Berserker", 0, "Great Axe-1!", exits=()), monsters=["Giant-1", "Giant-2"]), "act")
    assert answer(fight) == ["berserk"]


def test_e6_a_hidden_bot_asks_for_a_round_only_to_attack() -> None:
    strong = clash(replace(KNIGHT, is_hidden=True), monsters=["Giant-1"])
    assert answer(strong) == ["stir"]
    lured = go(strong, "stir")
    assert answer(lured) == ["pass"]
    aimed = skip(lured, "aim")
    assert answer(aimed) == ["aim Giant-1"]
    weak = clash(warrior("Wizard", 0, is_hidden=True, exits=(ROAD,)), monsters=["T Troll-1"])
    assert answer(weak) == ["rest easy"]
    assert answer(skip(go(weak, "stir"), "act")) == ["done"]
    assert answer(skip(go(weak, "stir"), "aim")) == ["aim none"]
    assert answer(clash(warrior("Elf", 0))) == ["rest easy"]


def test_e7_a_bot_takes_monsters_from_others_if_it_pays() -> None:
    knight, wizard = replace(KNIGHT, seat=1), warrior("Wizard", 0, exits=(ROAD,))
    fight = go(clash(wizard, knight, monsters=["Giant-1"]), "pass")
    assert answer(fight, 1) == ["lure Giant-1"]
    assert answer(clash(wizard, knight, monsters=["T Troll-1"]), 0) == ["pass"]
    assert answer(clash(KNIGHT, monsters=["Giant-1"])) == ["pass"]


def test_e7_a_bot_lures_nothing_that_would_keep_it_from_running() -> None:
    amazon, elf = warrior("Amazon", 0, "Short Sword-1", exits=(ROAD,)), warrior("Elf", 1, exits=(ROAD,))
    assert answer(clash(amazon, elf, monsters=["H Spider-1"])) == ["lure H Spider-1"]
    assert answer(clash(amazon, elf, monsters=["Giant-1", "H Spider-1"])) == ["pass"]


def test_e11_a_bot_charges_no_one_but_answers_attacks() -> None:
    amazon, elf = warrior("Amazon", 0, "Short Sword-1", exits=(ROAD,)), warrior("Elf", 1, exits=(ROAD,))
    fight = go(clash(amazon, elf), "stir")
    assert answer(fight) == ["pass"]
    charged = skip(go(fight, "charge Elf with Move M4"), "next")
    assert answer(go(charged, "next Elf"), 1) == ["aim Amazon"]
    peaceful = skip(fight, "next")
    assert answer(go(peaceful, "next Elf"), 1) == ["aim none"]
    aimed = go(peaceful, "next Amazon", "aim Elf", "next Elf")
    assert answer(aimed, 1) == ["aim Amazon"]


def test_c7_directions_against_characters_vary() -> None:
    amazon, elf = warrior("Amazon", 0, "Short Sword-1", exits=(ROAD,)), warrior("Elf", 1, exits=(ROAD,))
    fight = skip(go(clash(amazon, elf), "stir", "charge Elf with Move M4"), "next")
    fight = go(fight, "next Elf", "aim Amazon", "next Amazon", "aim Elf")
    plays = {tuple(answer(fight, 1, seed)) for seed in range(20)}
    assert len({play[0].split(" ")[1] for play in plays}) == 3
    assert all(play[-1] == "ready" for play in plays)
    assert answer(go(fight, "1: evade duck Move M4"), 1) == ["back"]
    undefended = skip(go(clash(amazon, elf), "stir", "charge Elf with Move M4"), "play")
    assert not any(step.startswith("strike") for step in answer(undefended, 1))


def test_z4_a_play_that_cannot_be_taken_back_is_completed() -> None:
    knight = warrior("Black Knight", 0, "Shield-1", exits=(ROAD,))
    begun = go(skip(clash(knight, warrior("Elf", 1)), "quiet"), "stir")
    begun = go(skip(begun, "play"), "0: evade duck Move M5")

    def answer_without_back(fight: Fight) -> list[str]:
        view = look(fight, 0)
        assert view["question"] is not None
        moves = [move for move in view["question"]["moves"] if move != "back"]
        return choose_steps(with_question(view, "play", *moves), Random(1))

    assert answer_without_back(begun) == ["shield thrust"]
    assert answer_without_back(go(begun, "0: shield thrust")) == ["ready"]


def test_c7_a_play_is_made_at_once_with_the_shield() -> None:
    knight = warrior("Black Knight", 0, "Mace-1", "Suit of Armor-1", "Shield-1", exits=(ROAD,))
    goblins = [f"Axe Goblin-{number}" for number in range(1, 4)]
    fight = skip(clash(knight, monsters=goblins), "aim")
    fight = play_steps(fight, 0, *answer(fight))
    steps = answer(fight)
    assert [step.split(" ")[0] for step in steps] == ["strike", "evade", "shield", "ready"]
    assert play_steps(fight, 0, *steps).agenda[-1].kind == "reposition"


def test_c9_who_can_play_nothing_puts_its_shield_and_is_ready() -> None:
    weak = warrior("Amazon", 0, "Great Sword", "Shield-1", chits=chits("Amazon", "Move M4", "Fight M5"), exits=())
    fight = go(skip(clash(weak, monsters=["Wolf-1"]), "aim"), "aim Wolf-1")
    assert [step.split(" ")[0] for step in answer(fight)] == ["shield", "ready"]


def test_w5_a_bot_gives_up_the_chits_that_it_needs_least() -> None:
    states = chits("Amazon", "Move M3*", "Fight M5", "Move M4")
    fight = go(
        skip(clash(warrior("Amazon", 0, "Breastplate-1", chits=states), monsters=["Giant Bat-1"]), "reposition"),
        "die 1",
    )
    assert answer(skip(fight, "wounds")) == ["wound Fight M5"]


# ---- values


def test_k1_bounty_grows_with_the_kills_of_the_day() -> None:
    wolf = MONSTER["Wolf-1"]
    assert STAKES.bounty([wolf, wolf]) == pytest.approx(3 * STAKES.bounty([wolf]))
    assert STAKES._replace(kills=2).bounty([wolf]) == pytest.approx(3 * STAKES.bounty([wolf]))


def test_stakes_come_from_goals_and_health() -> None:
    known = KnownWorld(see(place()))
    well, hurt = (find_stakes(known, chits) for chits in ((ACTIVE,) * 12, (WOUNDED,) * 8 + (ACTIVE,) * 4))
    assert 0 < well.wound < hurt.wound
    assert well.fame > 0
    assert well.life == hurt.life > 0


def test_outcomes_are_worth_what_they_bring() -> None:
    duel = read_battle("White Knight, Warhorse-1, Suit of Armor : T Troll")
    (troll,) = duel.monsters
    fine = value_outcome(duel, RoundResult(), STAKES)
    worse = (
        RoundResult(wounds=1),
        RoundResult(damaged=frozenset({1})),
        RoundResult(destroyed=frozenset({1})),
        RoundResult(has_horse=False),
        RoundResult(dark=frozenset({Counter(troll)})),
        RoundResult(words=("Blight",)),
        RoundResult(is_dead=True),
    )
    assert all(value_outcome(duel, outcome, STAKES) < fine for outcome in worse)
    assert value_outcome(duel, RoundResult(wounds=12), STAKES) == -STAKES.life
    assert value_outcome(duel, RoundResult(killed=(troll,)), STAKES) > fine


def test_what_may_lead_to_death_counts_as_a_share_of_it() -> None:
    troll = MONSTER["T Troll-1"]
    held, torn, bare = (
        RoundResult(dark=frozenset({Counter(troll)})),
        RoundResult(damaged=frozenset({1})),
        RoundResult(destroyed=frozenset({1})),
    )
    assert find_risk(RoundResult(is_dead=True)) == 1
    assert find_risk(RoundResult()) == 0 < find_risk(torn) < find_risk(bare) < find_risk(held) == HELD
    assert find_risk(held._replace(destroyed=frozenset({1, 2, 3}))) == MOST_RISK
    assert find_risk(RoundResult(dark=frozenset({Counter(MONSTER["Wolf-1"])}))) == 0


def test_who_can_run_loses_no_more_than_by_running() -> None:
    wizard, dragon = read_battle("Wizard : T Dragon"), read_battle("Wizard : T Flying Dragon")
    assert value_fight(wizard, STAKES, 2) < value_meeting(wizard, STAKES, 2) == -RUN_COST
    assert value_meeting(dragon, STAKES, 2) == value_fight(dragon, STAKES, 2) < -RUN_COST


def test_a_shortlist_is_compared_exactly_when_there_are_many_plays() -> None:
    duel = read_battle("Black Knight, Mace, Suit of Armor, Shield : 3 Axe Goblin")
    target = duel.monsters[0]
    ranked = rank_plays(duel, target, STAKES)
    assert len(ranked) == SHORTLIST
    assert ranked[0].choice.outcomes == list_results(duel, ranked[0].choice.play, target)
    guess = estimate(duel, target, STAKES)
    assert guess is not None
    assert guess.value <= ranked[0].value + 0.01


def test_c3_a_target_apart_does_not_strike_back() -> None:
    duel = read_battle("Elf, Light Bow alerted : Giant")
    alone = replace(duel, monsters=(), played=())
    judged = estimate(alone, duel.monsters[0], STAKES)
    assert judged is not None
    assert judged.choice.kill == pytest.approx(1 / 3)
    assert judged.choice.death == 0
    assert follow(duel, judged, STAKES, 2) < judged.value  # then the Giant strikes


def test_looking_ahead_ends_with_death_quiet_or_victory() -> None:
    duel = read_battle("Swordsman : Wolf")
    assert value_fight(replace(duel, monsters=()), STAKES, 2) == 0
    assert value_fight(duel, STAKES, 1) != value_fight(duel, STAKES, 2)


def test_c8_pieces_of_the_encounter_count() -> None:
    duel = read_battle("White Knight, Great Sword : Giant")
    star = next(piece for piece in hand_of(duel).pieces if piece.stars == 2)
    spent = replace(duel, played=(star,))
    assert all(
        piece is None or not piece.stars
        for judged in rank_plays(spent, duel.monsters[0], STAKES)
        for piece in (judged.choice.play.fight, judged.choice.play.move)
    )
    assert look(clash(KNIGHT, monsters=GIANT), 0)["question"] is not None
