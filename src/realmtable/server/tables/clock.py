"""Clocks as values: remaining times follow from the times of the events alone, so that a restart loses nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from realmtable.engine.language import translate
from realmtable.engine.protocol import Seat
from realmtable.kit.wording import format_count
from realmtable.server.errors import BadSetup

MINUTE_S: Final = 60.0
DAY_S: Final = 86_400.0
CLOCK_KINDS: Final = ("none", "move", "game", "days")
MAX_SECONDS: Final = 7 * DAY_S  # for clocks given in seconds
MAX_DAYS: Final = 60
MIN_LIVE_S: Final = 10.0  # of a new game with a live clock: for the whole game, or for each turn
MAX_LIVE_S: Final = 3 * 3_600.0
MAX_INCREMENT_S: Final = 180.0
MAX_NEW_DAYS: Final = 30
SLOW_SHARE: Final = 0.1  # of a player's time: how long the others wait for them, at least


@dataclass(frozen=True, slots=True)
class ClockRule:
    """The time control: unlimited, per move, per game with an increment, or days per move."""

    kind: str = "none"
    seconds: float = 0.0
    increment_s: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in CLOCK_KINDS:
            raise BadSetup(f"The clock must be one of {', '.join(CLOCK_KINDS)}, not {self.kind[:20]!r}.")
        longest = MAX_DAYS * DAY_S if self.kind == "days" else MAX_SECONDS
        if self.kind != "none" and not 1 <= self.seconds <= longest:
            raise BadSetup("No clock can run for so long or so short a time.")
        if not 0 <= self.increment_s <= DAY_S or (self.increment_s and self.kind != "game"):
            raise BadSetup("Only a clock for the whole game can have an increment.")

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> ClockRule:
        """Return the rule from stored data."""
        return cls(str(data["kind"]), float(data["seconds"]), float(data["increment_s"]))

    @property
    def is_live(self) -> bool:
        """Whether players stay at the table while it runs: per move or per game, not for days."""
        return self.kind in ("move", "game")

    def first_step_s(self) -> float:
        """Return how long a player has for the first step before the game is aborted; 0 if it never is."""
        return min(self.seconds, self.absence_s(MINUTE_S)) if self.kind == "game" else self.seconds * self.is_live

    def absence_s(self, least_s: float) -> float:
        """Return how long others wait for a player who is away: the longer the slower the clock; 0 if for ever."""
        return max(least_s, SLOW_SHARE * self.seconds) if self.is_live and least_s else 0.0

    def describe(self) -> str:
        """Describe the rule in a few words.

        >>> ClockRule("game", 300, 3).describe(), ClockRule("days", 3 * DAY_S).describe()
        ('5 min + 3 s', '3 days per move')
        """
        if self.kind == "none":
            return "no clock"
        if self.kind == "game":
            return format_duration(self.seconds) + (
                f" + {format_duration(self.increment_s)}" if self.increment_s else ""
            )
        return f"{format_duration(self.seconds)} per move"


def new_clock(kind: str, seconds: float, increment_s: float) -> ClockRule:
    """Return the clock of a new game, or raise BadSetup with its bounds. Games that have begun may be outside them."""
    least, most = format_duration(MIN_LIVE_S), format_duration(MAX_LIVE_S)
    is_playable = MIN_LIVE_S <= seconds <= MAX_LIVE_S and seconds % 1 == 0
    if kind == "game" and not is_playable:
        raise BadSetup(
            translate("Choose a main time in whole seconds, from {least} to {most}.", least=least, most=most)
        )
    if kind == "move" and not is_playable:
        raise BadSetup(
            translate("Choose a time per turn in whole seconds, from {least} to {most}.", least=least, most=most)
        )
    if kind == "days" and not DAY_S <= seconds <= MAX_NEW_DAYS * DAY_S:
        raise BadSetup(translate("Choose from 1 to {most} days per move.", most=MAX_NEW_DAYS))
    if kind == "game" and (increment_s > MAX_INCREMENT_S or increment_s % 1):
        raise BadSetup(
            translate("Choose an increment in whole seconds, up to {most}.", most=format_duration(MAX_INCREMENT_S))
        )
    return ClockRule(kind, seconds, increment_s)


def format_duration(seconds: float) -> str:
    """Format a duration in its largest fitting unit, or in minutes and seconds.

    >>> format_duration(90), format_duration(300), format_duration(7200), format_duration(DAY_S), format_duration(150)
    ('90 s', '5 min', '2 h', '1 day', '2 min 30 s')
    """
    if seconds % DAY_S == 0:
        days = round(seconds / DAY_S)
        return format_count(days, "day")
    for unit, name in ((3600, "h"), (60, "min")):
        if seconds % unit == 0:
            return f"{seconds / unit:g} {name}"
    minutes, rest = divmod(seconds, 60)
    return f"{minutes:g} min {rest:g} s" if minutes > 1 else f"{seconds:g} s"


@dataclass(frozen=True, slots=True)
class Clock:
    """The time left for each seat at the time `since`; it runs for the seats in `running`."""

    rule: ClockRule
    left: tuple[float, ...]
    since: float
    running: tuple[Seat, ...] = ()
    acted: tuple[Seat, ...] = ()  # seats whose clock has run in the current turn
    stopped: tuple[Seat, ...] = ()  # seats that have run out of time while the others play on

    @classmethod
    def fresh(cls, rule: ClockRule, seats: int, now: float) -> Clock:
        """Return a clock before the first move."""
        return cls(rule, (rule.seconds,) * seats, now)

    def remaining_at(self, now: float) -> tuple[float, ...]:
        """Return the time left for each seat, never below zero."""
        if self.rule.kind == "none":
            return self.left
        spent = max(0.0, now - self.since)
        return tuple(max(0.0, left - spent) if seat in self.running else left for seat, left in enumerate(self.left))

    def stop(self, seat: Seat, now: float) -> Clock:
        """Return the clock once a seat has run out of time while the others play on; it never runs again for it."""
        clock = self.run([other for other in self.running if other != seat], now)
        left = tuple(0.0 if other == seat else left for other, left in enumerate(clock.left))
        return replace(clock, left=left, stopped=(*self.stopped, seat))

    def leave_out(self, seconds: float, until: float) -> Clock:
        """Return the clock once it has left out so many of the seconds before `until`, from when it goes on."""
        return replace(self, left=self.remaining_at(until - seconds), since=until)

    def run(self, acting: Collection[Seat], now: float) -> Clock:
        """Return the clock once it runs for the `acting` seats, in the same turn; no seat gains time."""
        return self._run(self.remaining_at(now), acting, self.acted, now)

    def after_step(self, owner: Seat, acting: Collection[Seat], now: float, *, turn_over: bool) -> Clock:
        """Return the clock after a step in the turn of `owner`; if that is no seat, the turn belongs to every seat.

        When the turn is over, a game clock adds its increment for every owner that has acted in the turn, and a clock
        per move restarts for all seats. Seats that react in another seat's turn gain no increment, but their clock per
        move restarts after the reaction.
        """
        acted = () if turn_over else self.acted
        if self.rule.kind == "none" and not self.stopped:  # as most tables; nothing changes but whose turn it is
            return Clock(self.rule, self.left, now, tuple(acting), tuple(sorted({*acted, *acting})))
        left = list(self.remaining_at(now))
        for seat in {*range(len(left))} - {*self.stopped}:
            is_owner = seat == owner or owner < 0
            if self.rule.kind == "game" and turn_over and is_owner and seat in self.acted:
                left[seat] += self.rule.increment_s
            has_reacted = not is_owner and seat in self.running and seat not in acting
            if self.rule.kind in ("move", "days") and (turn_over or has_reacted):
                left[seat] = self.rule.seconds
        return self._run(left, acting, acted, now)

    def after_takeback(self, acting: Collection[Seat], acted: Collection[Seat], now: float) -> Clock:
        """Return the clock after steps were taken back to a turn in which `acted` had acted.

        A clock per move restarts for the `acting` seats; a game clock neither gives nor takes any time.
        """
        restarting = {*acting} - {*self.stopped} if self.rule.kind in ("move", "days") else ()
        left = [self.rule.seconds if seat in restarting else left for seat, left in enumerate(self.remaining_at(now))]
        return self._run(left, acting, acted, now)

    def _run(self, left: Iterable[float], acting: Iterable[Seat], acted: Iterable[Seat], now: float) -> Clock:
        running = tuple(seat for seat in acting if seat not in self.stopped)
        return Clock(self.rule, tuple(left), now, running, tuple(sorted({*acted, *running})), self.stopped)

    def deadline(self) -> float | None:
        """Return when the first seat runs out of time, or None."""
        if self.rule.kind == "none" or not self.running:
            return None
        return self.since + min(self.left[seat] for seat in self.running)

    def expired_seat(self, now: float) -> Seat | None:
        """Return the seat that has run out of time, or None."""
        deadline = self.deadline()
        if deadline is None or now < deadline:
            return None
        return min(self.running, key=lambda seat: self.left[seat])

    def as_data(self) -> dict[str, Any]:
        """Return the clock as plain data, without its rule."""
        return {name: value for name, value in asdict(self).items() if name != "rule"}

    @classmethod
    def from_data(cls, rule: ClockRule, data: Mapping[str, Any]) -> Clock:
        """Return the clock from stored data."""
        running = tuple(data["running"])
        acted = tuple(data.get("acted", running))  # older data had counted the other seats already
        return cls(rule, tuple(data["left"]), float(data["since"]), running, acted, tuple(data.get("stopped", ())))
