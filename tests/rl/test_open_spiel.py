"""OpenSpiel's own tests and algorithms on our games."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, exploitability, mcts, outcome_sampling_mccfr
from open_spiel.python.observation import make_observation

import realmtable
import realmtable.rl.open_spiel
from realmtable.engine.errors import BadInput
from realmtable.rl.observations import Observer
from realmtable.rl.open_spiel import parse_options

Spiel = Any  # of a package without types


def load(game_id: str, **parameters: Any) -> Spiel:  # noqa: ANN401 - parameters of any kind
    return pyspiel.load_game("python_realmtable", {"game": game_id, **parameters})


@pytest.mark.long
@pytest.mark.parametrize("info", realmtable.infos(), ids=lambda info: info.id)
def test_games_pass_the_test_of_openspiel(info: Any) -> None:  # noqa: ANN401 - the facts of a game
    game = load(info.id, preset=info.suggested_preset, max_steps=25)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("info", realmtable.infos(), ids=lambda info: info.id)
def test_whole_games_pass_the_test_of_openspiel(info: Any) -> None:  # noqa: ANN401 - the facts of a game
    game = load(info.id, preset=info.suggested_preset)
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def test_the_game_can_be_named_in_a_text() -> None:
    game = pyspiel.load_game("python_realmtable(game=realm,preset=short,options=enforcers:4;agree_end:false)")
    assert game.setting.options.bases == 11
    assert game.setting.options.enforcers == 4
    assert game.setting.options.agree_end is False
    assert "realm" in str(game)


def test_the_featured_game_is_the_default() -> None:
    assert pyspiel.load_game("python_realmtable").setting.game.info.presentation.featured


def test_facts_follow_from_the_game() -> None:
    kinds = pyspiel.GameType
    board, cards = load("classic_realm").get_type(), load("fantasy_realms").get_type()
    assert (board.information, board.chance_mode) == (
        kinds.Information.PERFECT_INFORMATION,
        kinds.ChanceMode.DETERMINISTIC,
    )
    assert (cards.information, cards.chance_mode) == (
        kinds.Information.IMPERFECT_INFORMATION,
        kinds.ChanceMode.EXPLICIT_STOCHASTIC,
    )
    assert cards.utility == kinds.Utility.ZERO_SUM
    assert load("magic_realm", seats=1).get_type().utility == kinds.Utility.GENERAL_SUM


def test_texts_of_options_are_parsed() -> None:
    realm, etherium = (realmtable.info(game_id).options_type for game_id in ("realm", "realms_of_etherium"))
    assert parse_options(realm, "") == {}
    assert parse_options(realm, "agree_end:off;bases:11") == {"agree_end": False, "bases": 11}
    assert parse_options(realm, "; agree_end : off; bases:11;") == {"agree_end": False, "bases": 11}
    manifest = "generate.copies:3;game.points:9/9/8/8/7"
    assert parse_options(etherium, f"manifest:{manifest};player_powers:on") == {
        "manifest": manifest,
        "player_powers": True,
    }
    with pytest.raises(BadInput, match="name:value"):
        parse_options(realm, "bases")
    with pytest.raises(BadInput, match="There is no option frogs"):
        parse_options(realm, "bases:11;frogs:3")


def test_chance_has_probabilities_and_texts() -> None:
    state = load("fantasy_realms").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert state.action_to_string(1) == "first 2"
    state.apply_action(1)
    assert state.current_player() == 1
    assert state.legal_actions(0) == []
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["deck"]


def test_games_end_with_the_rewards_of_the_ranking() -> None:
    state = load("classic_realm").new_initial_state()
    rng = np.random.default_rng(2)
    while not state.is_terminal():
        assert state.returns() == [0.0, 0.0]
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert sorted(state.returns()) == [-1.0, 1.0]


def test_cut_off_games_end_without_a_reward() -> None:
    state = load("classic_realm", max_steps=1).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_copies_and_pickles_are_the_same_state() -> None:
    state = load("fantasy_realms", start_steps=12, start_seed=3).new_initial_state()
    for _ in range(6):
        state.apply_action(state.legal_actions()[-1])
    copies = [state.clone(), pickle.loads(pickle.dumps(state))]  # noqa: S301 - our own pickle
    for copy in copies:
        assert str(copy) == str(state)
        assert copy.information_state_string(0) == state.information_state_string(0)
        copy.apply_action(copy.legal_actions()[0])
        assert str(copy) != str(state)


def test_the_start_can_be_later_in_the_game() -> None:
    first, second = (str(load("realm", start_steps=9, start_seed=seed).new_initial_state()) for seed in (1, 2))
    assert first != second
    over = load("fantasy_realms", start_steps=5000).new_initial_state()
    assert over.is_terminal()


def test_observations_are_views() -> None:
    game = load("fantasy_realms", start_steps=9)
    state = game.new_initial_state()
    seen = json.loads(state.observation_string(1))
    assert seen == json.loads(json.dumps(game.setting.game.view(state.node.state, 1)))
    assert len(state.observation_tensor(1)) == sum(game.setting.observer.lengths)
    with pytest.raises(BadInput, match="no parameters"):
        game.make_py_observer(None, {"color": 1})


def test_a_tensor_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel asks for the tensor of the first state before each one, to find its size."""
    made: list[int] = []
    observe = Observer.observe

    def count(self: Observer, view: Any) -> Any:  # noqa: ANN401 - a view and its array
        made.append(view["viewer"])
        return observe(self, view)

    monkeypatch.setattr(Observer, "observe", count)
    env = rl_environment.Environment(load("classic_realm"))
    step = env.reset()
    for _ in range(3):
        before = len(made)
        step = env.step([step.observations["legal_actions"][step.observations["current_player"]][0]])
        assert made[before:] == [0, 1]
    first, second = step.observations["info_state"]
    assert first != second


def test_information_states_remember_what_a_seat_has_seen_and_done() -> None:
    """They change with what a seat sees and does, and not with what it cannot notice."""
    game = load("fantasy_realms", seats=3, start_steps=30)
    state = game.new_initial_state()
    actor = state.current_player()
    assert actor >= 0
    watcher = (actor + 1) % 3
    before = state.information_state_string(watcher)
    assert before == state.clone().information_state_string(watcher)
    state.apply_action(state.legal_actions()[0])  # draws from the deck: everyone sees that
    texts = set()
    for outcome, _ in state.chance_outcomes():
        child = state.child(outcome)
        texts.add(child.information_state_string(watcher))
    assert len(texts) == 1, "a watcher does not see which card was drawn"
    assert before not in texts
    own = {state.child(outcome).information_state_string(actor) for outcome, _ in state.chance_outcomes()}
    assert len(own) == len(state.chance_outcomes())


def test_observers_write_both_kinds_of_texts() -> None:
    game = load("classic_realm")
    state = game.new_initial_state()
    plain = make_observation(game, pyspiel.IIGObservationType(perfect_recall=False))
    whole = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    plain.set_from(state, player=0)
    assert plain.tensor.any()
    assert whole.string_from(state, player=0).endswith(plain.string_from(state, player=0))
    assert whole.string_from(state, player=0) != plain.string_from(state, player=0)


def test_mcts_of_openspiel_plays() -> None:
    game = load("classic_realm", start_steps=20, max_steps=60)
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 8, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(bot.step(state))
    assert not state.is_terminal()


@pytest.mark.long
def test_mccfr_of_openspiel_runs() -> None:
    game = load("fantasy_realms", max_steps=40)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(2):
        solver.iteration()
    assert solver.average_policy()


def check_cfr(start_steps: int, iterations: int) -> None:
    """Run CFR on the last turns of a card game, and check that it gets closer to an equilibrium."""
    game = load("fantasy_realms", options="max_turns:20", start_steps=start_steps)
    solver = cfr.CFRSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < before / 2


def test_cfr_of_openspiel_finds_the_best_discard() -> None:
    check_cfr(52, 3)


@pytest.mark.slow
def test_cfr_of_openspiel_finds_an_equilibrium_of_the_last_two_turns() -> None:
    check_cfr(50, 4)
