"""Bots by name, and the eight levels offered at tables.

A bot is written ``NAME`` or ``NAME:key=value:key=value``, as in ``mcts:nodes=400``; the names are in `MAKERS`.
The parts are separated by colons so that lists of bots can use commas. A level may be limited by nodes instead of time,
as in ``level8:nodes=10000``: then it plays the same games on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import Any, Final

from realmtable.engine.bots import Bot, HasBots, plan_steps
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, GameInfo, Move, Seat, State
from realmtable.kit.rules import HasRules, SearchParameters
from realmtable.search.alphabeta_bot import AlphaBetaBot
from realmtable.search.baselines import IDLE_COST, CasualBot, GreedyBot, RandomBot
from realmtable.search.compiled_games import has_several_seats
from realmtable.search.ismcts import IsMctsBot
from realmtable.search.mcts.bot import CompiledMctsBot
from realmtable.search.mcts.search import UCT
from realmtable.search.plain_mcts import MctsBot
from realmtable.search.search_result import SearchLimits, limit_search

MAX_NODES: Final = 10_000_000
MAX_SECONDS: Final = 3600.0
MAX_THREADS: Final = 64
MAX_SETTING: Final = 1000.0
LEVEL_NOISE: Final = 0.02  # noise on the levels' evaluations, so that they do not repeat the same game
SEVERAL_SEATS_LEVELS: Final[Mapping[str, Any]] = MappingProxyType({"noise": LEVEL_NOISE, "idle_cost": IDLE_COST})
STEP_SHARE: Final = 0.4  # share of a turn's time for a step where chance can act after each
GENERIC_NODE_COST: Final = 10  # a node of the generic search takes as long as this many compiled ones

Options = Mapping[str, str]


@dataclass(frozen=True)
class Strength:
    """The limits of a level's search."""

    nodes: int | None  # None: as many as the time allows
    random_turn_rate: float = 0.0  # how often it plays a random turn
    seconds: float = 2.0
    threads: int = 1


class LevelBot:
    """A level: the search that suits the game, within the limits of the level."""

    def __init__(self, name: str, strength: Strength, level: int = 8) -> None:
        self.name = name
        self.strength = strength
        self.level = level

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        return self._bot_for(game, rng).choose(game, state, seat, rng)

    def plan(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:
        return plan_steps(self._bot_for(game, rng), game, state, seat, rng)

    def _bot_for(self, game: AnyGame, rng: Random) -> Bot:
        strength = self.strength
        if not game.info.level_words and rng.random() < strength.random_turn_rate:
            return RandomBot()
        if isinstance(game, HasBots):
            own: Bot = game.bot(self.level)
            return own
        if has_several_seats(game):
            limits = SearchLimits(seconds=strength.seconds * STEP_SHARE, nodes=strength.nodes)
            return CompiledMctsBot(limits, threads=strength.threads, changes=SEVERAL_SEATS_LEVELS)
        if isinstance(game, HasRules):
            limits = SearchLimits(seconds=strength.seconds, nodes=strength.nodes)
            changes = {"noise": LEVEL_NOISE, "weights": game.rules.bold_weights}
            return CompiledMctsBot(limits, threads=strength.threads, changes=changes)
        nodes = None if strength.nodes is None else max(1, strength.nodes // GENERIC_NODE_COST)
        return (IsMctsBot if game.info.hidden else MctsBot)(nodes=nodes, seconds=strength.seconds)


class FirstLevelBot(RandomBot):
    """The first level: plays random steps, except where a game's own bots play every level."""

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        if game.info.level_words and isinstance(game, HasBots):
            return game.bot(1).choose(game, state, seat, rng)
        return super().choose(game, state, seat, rng)


@dataclass(frozen=True)
class Level:
    """A bot offered at tables: its name, as in the seat ``bot:NAME``, what people read, and how it is made."""

    name: str
    display_name: str
    label: str
    help: str
    make: Callable[[], Bot] = field(repr=False)


def _level(number: int, display_name: str, difficulty: str, explanation: str, strength: Strength | None) -> Level:
    name = f"level{number}"
    return Level(
        name,
        display_name,
        _level_label(number, display_name, difficulty),
        explanation,
        FirstLevelBot if strength is None else lambda: LevelBot(name, strength, number),
    )


def _level_label(number: int, display_name: str, difficulty: str) -> str:
    return f"Level {number} · {display_name} ({difficulty})"


LEVELS: Final = (
    _level(1, "Wanderer", "random moves", "Plays any legal step: good company while you learn the rules.", None),
    _level(2, "Page", "very easy", "Sees what is right in front of it, but often forgets to look.", Strength(6, 0.45)),
    _level(3, "Apprentice", "easy", "Sees what is right in front of it, but is easily led astray.", Strength(10, 0.2)),
    _level(4, "Steward", "medium", "Plays soundly and looks one reply ahead.", Strength(20, 0.04)),
    _level(5, "Knight", "hard", "Looks a few replies ahead: a good match for an evening.", Strength(60)),
    _level(6, "Marshal", "very hard", "Plans ahead and punishes what is left undefended.", Strength(300)),
    _level(7, "Chancellor", "expert", "Sees deeper than most people will.", Strength(4000, seconds=1.0)),
    _level(
        8,
        "Sovereign",
        "strongest",
        "The strongest play we can offer in two seconds.",
        Strength(None, threads=2),
    ),
)


def levels(info: GameInfo | None = None) -> list[Level]:
    """Return the bots offered at tables, weakest first: those of a game, or all."""
    if info is None or not info.level_words:
        return list(LEVELS if info is None else LEVELS[: info.bot_levels])
    offered = enumerate(zip(LEVELS[: info.bot_levels], info.level_words, strict=True), 1)
    return [
        replace(level, label=_level_label(number, level.display_name, difficulty), help=explanation)
        for number, (level, (difficulty, explanation)) in offered
    ]


FIRST_LEVEL: Final = LEVELS[1].name  # for newcomers: they can win, but not with random moves


def next_level(name: str, change: int, info: GameInfo | None = None) -> str | None:
    """Return the level that is stronger by `change`, or None if there is none or the bot is not a level.

    With a game, its levels count; a table may still have a stronger bot from when the game had more.

    >>> next_level("level2", 1), next_level("level1", -1), next_level("random", 1)
    ('level3', None, None)
    """
    names = [level.name for level in levels(info)]
    place = names.index(name) + change if name in names else -1
    return names[place] if 0 <= place < len(names) else None


# Bots from before there were levels; old tables may still use them.
_OLD_BOT_NAMES: Final = {"random": "Wanderer", "casual": "Apprentice", "greedy": "Steward"}


def bot_name(name: str) -> str:
    """Return the name to show for a bot.

    >>> bot_name("level5")
    'Knight'
    """
    return next((level.display_name for level in LEVELS if level.name == name), _OLD_BOT_NAMES.get(name, name))


def needs_compiling(name: str) -> bool:
    """Whether a bot is much weaker if the rules are not compiled."""
    return name.split(":", maxsplit=1)[0] in {"level5", "level6", "level7", "level8", "mcts", "uct", "alphabeta"}


# ---- bots by name


def _parse_number(key: str, text: str, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number <= most:
        raise BadInput(f"{key} must be a number above 0 and at most {most:g}, not {text[:20]}.")
    return number


def _parse_limits(options: Options) -> SearchLimits:
    seconds = _parse_number("seconds", options["seconds"], MAX_SECONDS) if "seconds" in options else None
    nodes = int(_parse_number("nodes", options["nodes"], MAX_NODES)) if "nodes" in options else None
    return limit_search(nodes, seconds)


def _plain_bot(make: Callable[[], Bot]) -> Callable[[Options], Bot]:
    return lambda _: make()


def _limited_level(level: Level) -> Callable[[Options], Bot]:
    """Return the maker of a level whose search may be limited by nodes alone, so that it plays the same everywhere."""

    def build(options: Options) -> Bot:
        bot = level.make()
        if "nodes" not in options or not isinstance(bot, LevelBot):
            return bot
        strength = replace(bot.strength, nodes=_parse_limits(options).nodes, seconds=MAX_SECONDS, threads=1)
        return LevelBot(f"{level.name}:nodes={strength.nodes}", strength, bot.level)

    return build


def _tree_bot(name: str, base: SearchParameters | None) -> Callable[[Options], Bot]:
    def build(options: Options) -> Bot:
        changes = {key: _parse_number(key, text, MAX_SETTING) for key, text in options.items() if key in STYLE_KEYS}
        threads = int(_parse_number("threads", options.get("threads", "1"), MAX_THREADS))
        return CompiledMctsBot(_parse_limits(options), base, threads=threads, changes=changes, name=name)

    return build


def _generic_bot(make: type[MctsBot | IsMctsBot | AlphaBetaBot]) -> Callable[[Options], Bot]:
    def build(options: Options) -> Bot:
        limits = _parse_limits(options)
        return make(nodes=limits.nodes, seconds=limits.seconds)

    return build


@dataclass(frozen=True)
class Maker:
    """How to make a bot from its options, and the option names it accepts."""

    make: Callable[[Options], Bot]
    keys: frozenset[str] = frozenset()


_LIMITS: Final = frozenset({"nodes", "seconds"})
LEVEL_KEYS: Final = frozenset({"nodes"})
STYLE_KEYS: Final = frozenset({"explore", "temperature", "width", "widening", "mix", "noise", "contempt", "paranoid"})
MAKERS: Final[Mapping[str, Maker]] = {
    LEVELS[0].name: Maker(_plain_bot(LEVELS[0].make)),
    **{level.name: Maker(_limited_level(level), LEVEL_KEYS) for level in LEVELS[1:]},
    "random": Maker(_plain_bot(RandomBot)),
    "casual": Maker(_plain_bot(CasualBot)),
    "greedy": Maker(_plain_bot(GreedyBot)),
    "mcts": Maker(_tree_bot("mcts", None), _LIMITS | STYLE_KEYS | {"threads"}),
    "uct": Maker(_tree_bot("uct", UCT), _LIMITS | {"explore", "threads"}),
    "alphabeta": Maker(_generic_bot(AlphaBetaBot), _LIMITS),
    "mcts_plain": Maker(_generic_bot(MctsBot), _LIMITS),
    "ismcts": Maker(_generic_bot(IsMctsBot), _LIMITS),
}
NEEDS_COMPILED_RULES: Final = ("mcts", "uct", "alphabeta")


def make_bot(text: str) -> Bot:
    """Make the bot specified by ``NAME[:key=value]…``; raise `BadInput` if the text is wrong."""
    name, *pairs = text.split(":")
    if name not in MAKERS:
        raise BadInput(f"There is no bot {name[:40]}; the bots are {', '.join(MAKERS)}.")
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        known = MAKERS[name].keys
        if not equals or key not in known or key in options:
            offer = (
                f"it takes {', '.join(sorted(known))}, each once and as key=value" if known else "it takes no options"
            )
            raise BadInput(f"The bot {name} does not accept {pair[:40]}: {offer}.")
        options[key] = value
    return MAKERS[name].make(options)


def make_bot_for(game: AnyGame, text: str) -> Bot:
    """Make a bot as `make_bot` does; raise `BadInput` if it cannot play the game.

    Games with their own bots have no compiled rules, which some searches need.
    """
    bot, name = make_bot(text), text.split(":", maxsplit=1)[0]
    title, offered = game.info.title, [level.name for level in levels(game.info)]
    if name not in offered and any(name == level.name for level in LEVELS):
        raise BadInput(f"The strongest bot of {title} is {offered[-1]}.")
    if isinstance(game, HasBots) and name in NEEDS_COMPILED_RULES:
        raise BadInput(f"The bot {name} cannot play {title}; its bots are {', '.join([*offered, *_OLD_BOT_NAMES])}.")
    if isinstance(game, HasBots) and name in offered and ":" in text:
        raise BadInput(f"The bots of {title} cannot be limited by nodes; write {name}.")
    return bot
