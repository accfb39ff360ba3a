"""Bots play legally, repeat their games with the same seed, and the better one wins."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

import pytest

import realmtable
from realmtable.engine.bots import Bot, plan_steps
from realmtable.engine.errors import BadInput
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, Seat, State
from realmtable.search.bot_levels import (
    MAKERS,
    LevelBot,
    Strength,
    bot_name,
    levels,
    make_bot,
    make_bot_for,
    next_level,
)
from realmtable.search.mcts.bot import CompiledMctsBot
from realmtable.search.search_result import SearchLimits
from tests.conformance.random_games import GAMES, game_id, play_randomly
from tests.toys.dice_duel import DiceDuel
from tests.toys.secret_cards import SecretCards

REALM = realmtable.game("realm")
DUEL, CARDS = DiceDuel(), SecretCards()
SHORT = REALM.options(None, max_turns=20, no_progress=10)

BASELINES = ("random", "casual", "greedy")
QUICK = (*BASELINES, "level2", "level3")  # play a whole game in a moment
STEPS = 6  # three turns of each, where a turn is one step
every_bot = pytest.mark.parametrize("name", QUICK)


def takes_seconds(game: AnyGame, name: str) -> bool:
    """Whether a bot plays a game slowly when the rules are interpreted."""
    return game.info.id == "oriental_realm" and name not in ("random", "level2")


def start_of(game: AnyGame) -> State:
    return game.initial(game.info.seats[0], SHORT if game is REALM else None)


def play_bots(game: AnyGame, state: State, players: list[Bot], seed: int, steps: int = 10_000) -> Match:
    """Play a game between bots, at most `steps` steps; each bot sees a state that fits what its seat knows."""
    rng = Random(seed)
    match = Match.start(game, state, str(seed))
    while (acting := game.to_move(match.state)) and len(match.log()) < steps:
        seat = acting[0]
        known = game.resample(match.state, seat, rng)
        move = players[seat].choose(game, known, seat, rng)
        assert move in game.legal_moves(match.state, seat)
        match = match.play(seat, move)
    return match


def test_every_bot_is_found_by_its_name() -> None:
    assert {name for name in MAKERS if make_bot(name).name != name} == {"level1"}  # level 1 is the random bot
    assert make_bot("level1").name == "random"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There is no bot ; the bots are level1, "),
        ("Random", "There is no bot Random; the bots are "),
        ("x" * 99, f"There is no bot {'x' * 40}; the bots are "),
        ("random:nodes=5", "The bot random does not accept nodes=5: it takes no options."),
        ("level1:nodes=5", "The bot level1 does not accept nodes=5: it takes no options."),
        ("level3:seconds=5", "The bot level3 does not accept seconds=5: it takes nodes, each once and as key=value."),
        ("level8:nodes=no", "nodes must be a number above 0 and at most 1e+07, not no."),
        ("mcts:nodes", "The bot mcts does not accept nodes: it takes "),
        ("mcts:depth=3", "The bot mcts does not accept depth=3: it takes contempt, "),
        ("mcts:nodes=3:nodes=4", "The bot mcts does not accept nodes=4: it takes "),
        ("mcts:nodes=0", "nodes must be a number above 0 and at most 1e+07, not 0."),
        ("mcts:nodes=many", "nodes must be a number above 0 and at most 1e+07, not many."),
        ("uct:seconds=nan", "seconds must be a number above 0 and at most 3600, not nan."),
        ("mcts:threads=65", "threads must be a number above 0 and at most 64, not 65."),
    ],
)
def test_what_is_wrong_with_a_bot_is_said(text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        make_bot(text)
    assert str(caught.value).startswith(words)


def test_a_bot_accepts_search_options() -> None:
    bot = make_bot("mcts:nodes=77:seconds=0.5:threads=2:explore=0.25")
    assert isinstance(bot, CompiledMctsBot)
    assert (bot.limits, bot.threads, bot.changes) == (SearchLimits(seconds=0.5, nodes=77), 2, {"explore": 0.25})
    for text in ("mcts", "uct"):
        plain = make_bot(text)
        assert isinstance(plain, CompiledMctsBot)
        assert plain.limits == SearchLimits(nodes=400)


def test_a_level_can_be_limited_by_nodes_alone() -> None:
    bot = make_bot("level8:nodes=5")
    assert isinstance(bot, LevelBot)
    assert (bot.name, bot.level) == ("level8:nodes=5", 8)
    assert bot.strength == Strength(5, seconds=3600.0, threads=1)
    usual, limited = make_bot("level2"), make_bot("level2:nodes=5")
    assert isinstance(usual, LevelBot)
    assert isinstance(limited, LevelBot)
    assert limited.strength.random_turn_rate == usual.strength.random_turn_rate > 0


def test_games_with_their_own_bots_have_no_limit_of_nodes() -> None:
    make_bot_for(realmtable.game("realm"), "level8:nodes=5")
    with pytest.raises(BadInput, match="The bots of Fantasy Realms cannot be limited by nodes; write level8"):
        make_bot_for(realmtable.game("fantasy_realms"), "level8:nodes=5")


@pytest.mark.parametrize("name", ["mcts:nodes=3:threads=2", "uct:nodes=3", "mcts_plain:nodes=3"])
def test_searching_bots_take_legal_turns(name: str) -> None:
    classic = realmtable.game("classic_realm")
    state = classic.initial()
    for _ in range(3):
        seat = classic.to_move(state)[0]
        for move in plan_steps(make_bot(name), classic, state, seat, Random(1)):
            state = classic.play(state, seat, move)
    assert classic.turn(state).number > 1


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(
            game, name, marks=pytest.mark.slow if takes_seconds(game, name) else (), id=f"{game_id(game)}-{name}"
        )
        for game in GAMES
        for name in QUICK
        if game.info.id != "modern_realm"
    ],
)
def test_every_bot_plays_every_game_legally_and_again_the_same(
    game: AnyGame, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)  # only the nodes limit a search, however busy the machine is
    matches = [play_bots(game, start_of(game), [make_bot(name)] * 4, seed, steps=STEPS) for seed in (1, 1, 2)]
    first, same, other = ([(entry.seat, entry.move) for entry in match.log()] for match in matches)
    assert first == same
    assert first != other


@every_bot
def test_a_bot_knows_only_its_own_hand(name: str) -> None:
    state = play_randomly(CARDS, CARDS.initial(3), 4, 9).last
    for seat in range(3):
        others = [CARDS.resample(state, seat, Random(number)) for number in range(8)]
        assert len({make_bot(name).choose(CARDS, other, seat, Random(1)) for other in others}) == 1


@pytest.mark.long
def test_greedy_beats_random() -> None:
    assert count_wins("greedy", "random", realmtable.game("classic_realm"), 10) >= 9


# ---- levels


def test_a_level_says_what_it_is() -> None:
    assert [level.name for level in levels()] == [f"level{number}" for number in range(1, 9)]
    for number, level in enumerate(levels(), 1):
        assert level.label.startswith(f"Level {number} · ")
        assert level.help.endswith(".")
        assert bot_name(level.name) in level.label
    assert [bot_name(name) for name in BASELINES] == ["Wanderer", "Apprentice", "Steward"]
    assert bot_name("unknown") == "unknown"


def test_a_game_may_have_fewer_levels() -> None:
    few = replace(realmtable.game("classic_realm").info, bot_levels=5)
    assert [level.name for level in levels(few)] == [f"level{number}" for number in range(1, 6)]
    assert next_level("level4", 1, few) == "level5"
    assert next_level("level5", 1, few) is None
    assert next_level("level7", 0, few) is None


def test_a_game_may_have_words_and_bots_of_its_own_for_every_level() -> None:
    own = realmtable.game("fantasy_realms").info
    assert [level.name for level in levels(own)] == [level.name for level in levels()]
    assert levels(own)[1].label == f"Level 2 · Page ({own.level_words[1][0]})"
    assert [level.help for level in levels(own)] == [explanation for _, explanation in own.level_words]


def test_every_level_thinks_longer_than_the_one_below_and_never_past_two_seconds() -> None:
    bots = [made for level in levels()[1:] if isinstance(made := level.make(), LevelBot)]
    assert len(bots) == 7
    nodes = [made.strength.nodes or 10**9 for made in bots]
    strays = [made.strength.random_turn_rate for made in bots]
    assert nodes == sorted(set(nodes))
    assert strays == sorted(strays, reverse=True)
    seconds = [made.strength.seconds for made in bots]
    assert max(seconds) == seconds[-1] == 2.0


@pytest.mark.parametrize("game", [DUEL, CARDS], ids=game_id)
def test_levels_play_games_without_kernels_too(game: AnyGame) -> None:
    state = game.initial(game.info.seats[0])
    while game.to_move(state)[0] == CHANCE:
        state = game.play(state, CHANCE, game.chance(state)[0].move)
    seat = game.to_move(state)[0]
    made = LevelBot("some", Strength(100))
    assert made.choose(game, game.resample(state, seat, Random(1)), seat, Random(1)) in game.legal_moves(state, seat)


def count_wins(upper: str, lower: str, game: AnyGame, games: int) -> int:
    """Count how often one bot beats another when they alternate seats."""
    wins = 0
    for seed in range(games):
        better: Seat = seed % 2
        players = [make_bot(lower), make_bot(lower)]
        players[better] = make_bot(upper)
        outcome = play_bots(game, game.initial(), players, seed).outcome()
        wins += outcome is not None and outcome.winner == better
    return wins


def test_where_there_are_hundreds_of_steps_bots_are_legal_too() -> None:
    modern = realmtable.game("modern_realm")
    for name in ("random", "level2"):
        assert len(play_bots(modern, modern.initial(), [make_bot(name)] * 2, 1, steps=2).log()) == 2


@pytest.mark.parametrize(
    ("lower", "upper"),
    [
        pytest.param("level1", "level3", marks=pytest.mark.long),
        pytest.param("level1", "level4", marks=pytest.mark.slow),
    ],
)
def test_a_level_beats_lower_ones(lower: str, upper: str) -> None:
    """Only the quickest levels and game are tested; docs/study/strength.md has measurements of all levels."""
    classic = realmtable.game("classic_realm")
    assert count_wins(upper, lower, classic, 8) >= 7
