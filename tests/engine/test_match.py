"""A match is a value: it plays, resolves chance, takes moves back, and shows what a viewer may see."""

from __future__ import annotations

import json

import pytest

import realmtable
from realmtable.engine import chance
from realmtable.engine.errors import IllegalMove, NothingToUndo, NotYourTurn
from realmtable.engine.match import Match, fold_label, format_move_for, group_into_turns, topic_for
from realmtable.engine.protocol import CHANCE, Outcome, Turn
from tests.toys.dice_duel import DiceDuel
from tests.toys.long_march import LongMarch
from tests.toys.secret_cards import SecretCards

DUEL, CARDS = DiceDuel(), SecretCards()
REALM = realmtable.game("realm")
SETUP = "Bh11 Bh2 Be8 Be5 Bb5 Bb8 Pi10 Pg3 Pf7 Pd6 Pc4 Pc9"


def play_realm(texts: str = SETUP) -> Match:
    match = Match.start(REALM)
    for text in texts.split():
        match = step(match, text)
    return match


def step(match: Match, text: str) -> Match:
    return match.play(match.game.to_move(match.state)[0], match.game.parse_move(match.state, text))


def test_it_starts_with_the_first_state_or_with_a_given_one() -> None:
    assert Match.start(REALM).state == REALM.initial()
    state = DUEL.initial(3, DUEL.options("quick"))
    assert Match.start(DUEL, state).state is state
    assert (Match.start(DUEL, state).log(), Match.start(DUEL, state).turns()) == ([], [])


def test_a_step_leaves_the_match_before_alone() -> None:
    first = Match.start(REALM)
    second = step(first, "Bh11")
    assert (first.entry, first.state) == (None, REALM.initial())
    assert second.parent is first
    assert second.entry == (0, REALM.parse_move(first.state, "Bh11"), first.state, Turn(1, 0))


def test_a_refused_step_changes_nothing() -> None:
    match = play_realm()
    with pytest.raises(IllegalMove):
        step(match, "Pi10i11")
    with pytest.raises(NotYourTurn):
        match.play(1, REALM.parse_move(match.state, "Pg3g6"))
    assert len(match.log()) == 12


# ---- chance


def test_with_a_seed_chance_acts_by_itself() -> None:
    first, second = (str(1 + chance.draw("8", index, [1] * 6)) for index in range(2))
    match = Match.start(DUEL, seed="8").play(0, "roll")
    assert [(entry.seat, entry.move) for entry in match.log()] == [(0, "roll"), (CHANCE, first)]
    assert (match.draws, match.state.pot) == (1, int(first))
    match = match.play(0, "roll")
    assert (match.draws, match.log()[-1].move) == (2, second)


def test_without_a_seed_chance_waits() -> None:
    match = Match.start(DUEL).play(0, "roll")
    assert DUEL.to_move(match.state) == (CHANCE,)
    assert match.resolve_chance() is match
    assert match.play(CHANCE, "4").state.pot == 4


def test_chance_may_act_before_anybody_and_many_times() -> None:
    match = Match.start(CARDS, seed="x")
    assert match.draws == len(match.log()) == 6
    assert {entry.seat for entry in match.log()} == {CHANCE}
    assert Match.start(CARDS, seed="x").state == match.state
    assert Match.start(CARDS, seed="y").state != match.state


# ---- taking back


def test_a_step_of_the_running_turn_is_taken_back() -> None:
    before = play_realm()
    after = step(before, "Pi10i6")
    assert after.undo(0) is before


@pytest.mark.parametrize(
    ("texts", "seat", "reason"),
    [
        ("", 0, "no step to undo"),
        ("Bh11", 0, "The turn is over"),
        ("Bh11", 1, "no step to undo"),
        (f"{SETUP} Pi10i6", 1, "no step to undo"),
        (f"{SETUP} Pi10i6 end", 0, "The turn is over"),
    ],
)
def test_other_steps_stand(texts: str, seat: int, reason: str) -> None:
    with pytest.raises(NothingToUndo, match=reason):
        play_realm(texts).undo(seat)


def test_the_end_of_the_game_cannot_be_taken_back() -> None:
    state = DUEL.decode("1-0-1-5-0-0:0-0::target=5")
    match = Match.start(DUEL, state).play(0, "hold")
    assert match.outcome() == Outcome((5.0, 0.0), (1, 2), "target", "The points are 5, 0.")
    with pytest.raises(NothingToUndo, match="The turn is over"):
        match.undo(0)


def test_dice_stand() -> None:
    with pytest.raises(NothingToUndo, match="no step to undo"):
        Match.start(DUEL, seed="7").play(0, "roll").undo(0)


def test_in_a_game_with_secrets_no_step_can_be_taken_back() -> None:
    match = Match.start(CARDS, CARDS.decode("1::123//0+456//0:")).play(0, "1")
    with pytest.raises(NothingToUndo, match="hidden information"):
        match.undo(0)


# ---- views


def test_the_log_in_turns() -> None:
    match = step(step(play_realm(), "Pi10i6"), "Pc4g4")
    turns = match.turns()
    assert [len(turn.moves) for turn in turns] == [1] * 12 + [2]
    assert (turns[-1].turn, turns[-1].seat, turns[-1].before) == (Turn(7, 0), 0, play_realm().state)
    assert list(group_into_turns([])) == []


def test_every_draw_is_a_separate_run() -> None:
    match = Match.start(DUEL, DUEL.initial(2, DUEL.options(None, dice=2)), seed="s").play(0, "roll")
    assert [(turn.seat, len(turn.moves)) for turn in match.turns()] == [(0, 1), (CHANCE, 1), (CHANCE, 1)]


def test_the_view_has_the_latest_turn_where_nothing_is_secret() -> None:
    assert Match.start(REALM).view(None)["last"] == []
    match = step(step(play_realm(), "Pi10i6"), "Pc4g4")
    assert match.view(1)["last"] == [["i10", "i6"], ["c4", "g4"]]
    assert {**REALM.view(match.state, 1), "last": match.view(1)["last"]} == match.view(1)
    json.dumps(match.view(0))


def test_the_view_never_reveals_a_secret_step() -> None:
    match = Match.start(CARDS, CARDS.decode("1::123//0+456//0:")).play(0, "1")
    assert match.view(1)["last"] == []
    assert match.view(0)["mine"] == "1"


def test_there_is_no_outcome_before_the_end() -> None:
    assert Match.start(REALM).outcome() is None


@pytest.mark.parametrize(("ranking", "winner"), [((1, 2), 0), ((2, 1), 1), ((1, 1), None), ((2, 3, 1), 2)])
def test_the_winner_is_alone_in_first_place(ranking: tuple[int, ...], winner: int | None) -> None:
    assert Outcome((0.0,) * len(ranking), ranking, "x", "X.").winner == winner


def test_a_step_is_shown_as_far_as_a_viewer_may_know_it() -> None:
    state = play_realm().state
    seat, move = REALM.to_move(state)[0], REALM.legal_moves(state, REALM.to_move(state)[0])[0]
    assert format_move_for(REALM, state, seat, move, None) == REALM.format_move(state, move)
    cards = Match.start(CARDS, seed="1").state
    move = CARDS.legal_moves(cards, 0)[0]
    assert [format_move_for(CARDS, cards, 0, move, viewer) for viewer in (None, 0, 1)] == ["…", move, "…"]
    fantasy = realmtable.game("fantasy_realms")
    drawn = fantasy.parse_move(fantasy.initial(3), "first 2")
    assert format_move_for(fantasy, fantasy.initial(3), CHANCE, drawn, None) == "first 2"


def test_steps_of_chance_may_share_a_line() -> None:
    fantasy = realmtable.game("fantasy_realms")
    first = fantasy.parse_move(fantasy.initial(3), "first 2")
    assert fold_label(fantasy, CHANCE, fantasy.initial(3), first) == "Azure begins"
    assert fold_label(fantasy, 0, fantasy.initial(3), first) == ""
    assert fold_label(DUEL, CHANCE, DUEL.initial(2), "1") == ""


# ---- long games, and games that decide what can be undone


def march() -> Match:
    match = Match.start(LongMarch(), LongMarch().initial(2), seed="x")
    for seat, move in ((0, "n"), (1, "e"), (1, "done"), (0, "s")):
        match = match.play(seat, move)
    return match


def test_a_match_forgets_its_first_steps_and_stays_the_same() -> None:
    match = march()
    short = match.forget_before(2)
    assert [entry.move for entry in short.log()] == ["done", "s"]
    assert (short.state, short.seed, short.draws) == (match.state, match.seed, match.draws)
    assert short.play(0, "done").state == match.play(0, "done").state
    assert match.forget_before(4) is match
    assert match.forget_before(9) is match
    assert match.forget_before(0).log() == []


def test_a_game_may_decide_what_can_be_undone_although_things_are_hidden() -> None:
    match = march()
    assert match.undo(0).state.plans == ("n", "e")
    with pytest.raises(NothingToUndo):
        match.undo(1)
    with pytest.raises(NothingToUndo):
        match.forget_before(2).undo(0).undo(1)


def test_only_games_with_topics_have_them() -> None:
    match = march()
    assert topic_for(match.game, match.state, 0, "n", 0) == "plan"
    realm = realmtable.game("realm")
    state = realm.initial()
    assert topic_for(realm, state, 0, realm.legal_moves(state, 0)[0], None) == ""
