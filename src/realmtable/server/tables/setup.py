"""The set-up of a table: its game, options, starting position, clock, and who may chat or watch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.errors import BadOptions, RealmtableError
from realmtable.engine.options import as_pairs, earlier_defaults, make_options, parse_pairs
from realmtable.engine.protocol import AnyGame, HasSeatCount, State, format_player_counts
from realmtable.engine.record import load_record
from realmtable.server.errors import BadSetup
from realmtable.server.invisible_characters import strip_invisible
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.events.timeout import THEN_WORDS, TIMEOUT_RULES

CHAT_AUDIENCES: Final = ("everyone", "players", "nobody")
TWO_PLAYERS: Final = 2


@dataclass(frozen=True)
class Setup:
    """Everything that is decided before the first move, as stored."""

    game: str
    seats: int
    options: tuple[str, ...] = ()  # as `as_pairs` writes them
    preset: str | None = None  # the chosen preset, for display
    start: str | None = None  # the encoded first state, if it is not the game's normal one
    clock: ClockRule = field(default_factory=ClockRule)
    rated: bool = False
    listed: bool = False
    chat: str = "everyone"  # who can use it: "everyone", "players" or "nobody"
    sides: str = ""  # "shared" if one person plays several seats
    timeout: str = TIMEOUT_RULES[0]  # what happens to a seat without time in a timed game of three or more
    first_step_s: float = 0.0  # how long the game waits for a player's first step; 0, as in older tables: for ever
    absence_s: float = 0.0  # how long it waits for a player who is away; 0: for ever

    def first_state(self, game: AnyGame) -> State:
        """Return the state in which the match begins."""
        if self.start is not None:
            return game.decode(self.start)
        info = game.info
        options: Any = make_options(
            info.options_type, info.presets, None, parse_pairs(info.options_type, list(self.options))
        )
        return game.initial(self.seats, options)

    def as_data(self) -> dict[str, Any]:
        """Return the set-up as plain data."""
        return {**asdict(self), "options": list(self.options)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Setup:
        """Return the set-up from stored data; options whose default has changed since are added to older ones."""
        values, pairs = dict(data), list(data["options"])
        if data.get("start") is None:
            given = {pair.partition("=")[0] for pair in pairs}
            earlier = earlier_defaults(registry.info(data["game"]).options_type)
            pairs += [f"{name}={value}" for name, value in earlier.items() if name not in given]
        return cls(**{**values, "options": tuple(pairs), "clock": ClockRule.from_data(values["clock"])})

    @property
    def timeout_rule(self) -> str | None:
        """What happens to a seat that runs out of time: "bot" or "last"; None if the game ends, or has no clock."""
        return self.timeout if self.clock.kind != "none" and self.seats > TWO_PLAYERS else None

    def describe_clock(self) -> str:
        """Describe the clock, and what happens to a seat that runs out of time, in a few words."""
        rule = self.timeout_rule
        return self.clock.describe() if rule is None else f"{self.clock.describe()}, {THEN_WORDS[rule]}"

    def describe(self) -> str:
        """Describe the preset and options in a few words."""
        return _describe_setup(self)


@lru_cache(maxsize=1_000)  # every scene shows it
def _describe_setup(setup: Setup) -> str:
    info = registry.info(setup.game)
    chosen = setup.preset if setup.preset != info.default_preset else None
    changed = _list_changes(setup, chosen)
    if chosen and len(changed) > 1 + len(by_default := _list_changes(setup, None)):
        chosen, changed = None, by_default  # an old table whose preset has other options today
    words = [info.preset_title(chosen)] if chosen else []
    words += ["custom position"] if setup.start is not None else []
    return ", ".join([*words, *changed])


def _list_changes(setup: Setup, preset: str | None) -> list[str]:
    """Describe the options that differ from those of a preset."""
    info = registry.info(setup.game)
    implied: Any = make_options(info.options_type, info.presets, preset, {})
    options: Any = make_options(info.options_type, {}, None, parse_pairs(info.options_type, list(setup.options)))
    values = ((option, getattr(options, option.name)) for option in info.options())
    changed = [(option, value) for option, value in values if value != getattr(implied, option.name)]
    return [f"{option.title}: {option.describe_value(value)}" for option, value in changed]


@dataclass(frozen=True)
class RulesRequest:
    """The rules that a client asks for: options, or a position or record to start from."""

    game: str
    preset: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    position: str | None = None
    record: str | None = None
    after: int | None = None  # number of turns of the record to start from; all by default


def resolve_rules(request: RulesRequest, seats: int) -> tuple[tuple[str, ...], str | None]:
    """Return the option pairs and the encoded starting position, or raise an error with the reason."""
    game = registry.game(request.game)
    has_options = bool(request.options or request.preset)
    if sum(given is not None for given in (request.position, request.record)) + has_options > 1:
        raise BadSetup("A position or record includes its options: give only one of options, position and record.")
    if request.record is not None or request.position is not None:
        start = _read_start(game, request)
        if seats not in (counts := _counts_of(game, start)):
            raise BadSetup(f"This position is for {format_player_counts(counts)} players, not for {seats}.")
        return (), game.encode(start)
    options: Any = make_options(game.info.options_type, game.info.presets, request.preset, request.options)
    game.initial(seats, options)  # raises if the game does not support this number of seats
    return tuple(as_pairs(options)), None


class SetupFault(NamedTuple):
    """Why a table cannot be opened: the field to change ("players" or the name of a field), and a sentence."""

    field: str
    message: str


class SetupCheck(NamedTuple):
    """The numbers of players that the chosen rules allow, and the first fault, if there is one."""

    seats: tuple[int, ...]
    fault: SetupFault | None


def check_setup(request: RulesRequest, seats: int) -> SetupCheck:
    """Check the rules and the number of seats of a table before it is opened."""
    game, own_rules = registry.game(request.game), request.position is not None or request.record is not None
    if own_rules:
        allowed, field = game.info.seats, "record" if request.record is not None else "position"
        try:
            allowed = _counts_of(game, _read_start(game, request))
            field = "players"
            resolve_rules(request, seats)
        except RealmtableError as error:
            return SetupCheck(allowed, SetupFault(field, str(error)))
        return SetupCheck(allowed, None)
    try:
        options: Any = make_options(game.info.options_type, game.info.presets, request.preset, request.options)
    except BadOptions as error:
        known = [option.name for option in game.info.options() if option.name in request.options]
        field = next((name for name in known if re.search(rf"\b{name}\b", str(error))), "preset")
        return SetupCheck(game.info.seats, SetupFault(field, str(error)))
    allowed = playable_counts(game, options)
    if seats in allowed:
        return SetupCheck(allowed, None)
    return SetupCheck(allowed, SetupFault("players", f"This game is for {format_player_counts(allowed)} players."))


def playable_counts(game: AnyGame, options: Any) -> tuple[int, ...]:  # noqa: ANN401 - each game has its own options
    """Return the numbers of players with which a game can be played under some options, in ascending order."""
    return tuple(seats for seats in sorted(game.info.seats) if _can_start(game, seats, options))


def _can_start(game: AnyGame, seats: int, options: Any) -> bool:  # noqa: ANN401 - a game's own options
    try:
        game.initial(seats, options)
    except BadOptions:
        return False
    return True


def _read_start(game: AnyGame, request: RulesRequest) -> State:
    """Return the state that a record or a position leads to; raise an error if it cannot be played on."""
    if request.record is not None:
        state = _replay_record(game, request.record, request.after)
    else:
        state = game.decode(request.position or "")
    if not game.to_move(state):
        raise BadSetup("The game is over in this position; choose one with a move to play.")
    return state


def _counts_of(game: AnyGame, state: State) -> tuple[int, ...]:
    """Return the numbers of players a state may be for."""
    return (game.count_seats(state),) if isinstance(game, HasSeatCount) else game.info.seats


def _replay_record(game: AnyGame, text: str, after: int | None) -> State:
    record = load_record(strip_invisible(text), registry.game)
    if record.game.info.id != game.info.id:
        raise BadSetup(f"This is a record of {record.game.info.title}, not of {game.info.title}.")
    if after is not None and not 0 <= after <= len(record.turns):
        raise BadSetup(f"The record has {len(record.turns)} turns; start after one of them.")
    return record.replay(after).state
