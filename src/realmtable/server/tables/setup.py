"""How a table is set up: which game under which options, from which position, with which clock and manners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.options import as_pairs, make_options, parse_pairs
from realmtable.engine.protocol import AnyGame
from realmtable.engine.record import load_record
from realmtable.server.errors import BadSetup
from realmtable.server.tables.clock import ClockRule

CHAT_AUDIENCES: Final = ("everyone", "players", "nobody")


@dataclass(frozen=True)
class Setup:
    """Everything that is settled before the first move, as it is kept."""

    game: str
    seats: int
    options: tuple[str, ...] = ()  # name=value of those that differ from their defaults
    preset: str | None = None  # as it was chosen, for people
    start: str | None = None  # the encoded first state, where it is not the game's own
    clock: ClockRule = field(default_factory=ClockRule)
    rated: bool = False
    listed: bool = False
    chat: str = "everyone"  # who reads and writes: "everyone", "players" or "nobody"
    sides: str = ""  # "shared" where one person plays several seats

    def first_state(self, game: AnyGame) -> Any:  # noqa: ANN401 - the game's own
        """The state the match begins with."""
        if self.start is not None:
            return game.decode(self.start)
        info = game.info
        options: Any = make_options(
            info.options_type, info.presets, None, parse_pairs(info.options_type, list(self.options))
        )
        return game.initial(self.seats, options)

    def as_data(self) -> dict[str, Any]:
        """The set-up as plain data."""
        return {
            "game": self.game,
            "seats": self.seats,
            "options": list(self.options),
            "preset": self.preset,
            "start": self.start,
            "clock": self.clock.as_data(),
            "rated": self.rated,
            "listed": self.listed,
            "chat": self.chat,
            "sides": self.sides,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Setup:
        """The set-up of stored data."""
        values = dict(data)
        return cls(**{**values, "options": tuple(values["options"]), "clock": ClockRule.from_data(values["clock"])})

    def describe(self) -> str:
        """The rules played under, in a few words."""
        info = registry.info(self.game)
        chosen = self.preset if self.preset != info.default_preset else None
        words = [chosen.replace("_", " ")] if chosen else []
        words += ["from a set position"] if self.start is not None else []
        implied: Any = make_options(info.options_type, info.presets, chosen, {})
        return ", ".join([*words, *(pair for pair in self.options if pair not in as_pairs(implied))])


@dataclass(frozen=True)
class RulesRequest:
    """The rules that somebody wishes for: options, or a position or record to start from."""

    game: str
    preset: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    position: str | None = None
    record: str | None = None
    after: int | None = None  # how many turns of the record are taken over; all by default


def resolve_rules(wish: RulesRequest, seats: int) -> tuple[tuple[str, ...], str | None]:
    """The option pairs and the start position that a wish asks for; refused with the reason if it cannot be."""
    game = registry.game(wish.game)
    if sum(given is not None for given in (wish.position, wish.record)) + bool(wish.options or wish.preset) > 1:
        raise BadSetup("A position or record brings its own options: give only one of options, position and record.")
    if wish.record is not None:
        return (), _start_from_record(game, wish.record, wish.after)
    if wish.position is not None:
        return (), _encode_start(game, game.decode(wish.position))
    options: Any = make_options(game.info.options_type, game.info.presets, wish.preset, wish.options)
    game.initial(seats, options)  # refuses a number of seats the game is not for
    return tuple(as_pairs(options)), None


def _start_from_record(game: AnyGame, text: str, after: int | None) -> str:
    record = load_record(text, registry.game)
    if record.game.info.id != game.info.id:
        raise BadSetup(f"The record is of {record.game.info.title}, not of {game.info.title}.")
    if after is not None and not 0 <= after <= len(record.turns):
        raise BadSetup(f"The record has {len(record.turns)} turns; take over some or all of them.")
    return _encode_start(game, record.replay(after).state)


def _encode_start(game: AnyGame, state: Any) -> str:  # noqa: ANN401 - the game's own
    if not game.to_move(state):
        raise BadSetup("The game is over in this position; choose one in which somebody is to move.")
    return game.encode(state)
