"""A Realm state as a value: it compares, hashes, pickles and shows itself; nobody changes it."""

from __future__ import annotations

import numpy as np

from realmtable.games.realm.arrange import class_of, puts_left
from realmtable.games.realm.legal import legal_steps
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.position import (
    AT,
    BASES_LEFT,
    CHOOSE_PLACE,
    EMPTY,
    ENFORCERS_LEFT,
    KEYS,
    LIFTED,
    MAX_STEPS,
    ORIGIN,
    PHASE,
    POSITION_SIZE,
    REARRANGE,
    ROW_REALM,
    RULES,
    SEAT,
    SEEN,
    TARGET,
    Position,
    rule_numbers,
)
from realmtable.games.realm.rules import apply_step, start_setup, state_key


class State:
    """One moment of a game of Realm. Make the first with `Realm.initial`, each next with `Realm.play`."""

    __slots__ = ("_codes", "options", "position")

    def __init__(self, position: Position, options: RealmOptions) -> None:
        """Take over a position; the caller keeps no hand on it."""
        self.position = position
        self.options = options
        self._codes: list[int] | None = None

    @classmethod
    def first(cls, options: RealmOptions) -> State:
        """The empty board."""
        return cls(empty_position(options), options)

    def codes(self) -> list[int]:
        """The numbers of the legal steps, listed once and kept."""
        if self._codes is None:
            out = np.empty(MAX_STEPS, dtype=np.int64)
            count = legal_steps(self.position, out)
            self._codes = out[:count].tolist()
        return self._codes

    def after(self, code: int) -> State:
        """The state after a legal step."""
        position = self.position.copy()
        apply_step(position, code)
        return State(position, self.options)

    def in_hand(self) -> list[int]:
        """The pieces that a Rearrangement has lifted and not yet put, next to put first (S8)."""
        position = self.position
        if position[PHASE] != REARRANGE:
            return []
        seat = int(position[SEAT])
        lifted = [int(piece) for piece in position[LIFTED : LIFTED + 9] if piece != EMPTY]
        lifted.sort(key=lambda piece: class_of(piece, seat))
        return lifted[len(lifted) - puts_left(position) :]

    def __eq__(self, other: object) -> bool:
        """Whether all that can matter for the rest of the game is the same."""
        if not isinstance(other, State):
            return NotImplemented
        return self._content() == other._content()

    def _content(self) -> bytes:
        return self.position[: KEYS + int(self.position[SEEN])].tobytes()  # keys beyond the count mean nothing

    def __hash__(self) -> int:
        """The key of RULES.md S9: turns that reach the same state by different orders share it."""
        return int(state_key(self.position))

    def __getstate__(self) -> tuple[Position, RealmOptions]:
        """What a pickle holds."""
        return self.position, self.options

    def __setstate__(self, content: tuple[Position, RealmOptions]) -> None:
        """Come back from a pickle."""
        self.__init__(*content)  # type: ignore[misc]

    def __repr__(self) -> str:
        """The position in one line."""
        from realmtable.games.realm.codec import encode  # noqa: PLC0415 - the codec makes states, so it imports this

        return f"<Realm {encode(self)}>"

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        from realmtable.games.realm.draw import draw  # noqa: PLC0415 - drawing is only for those who look
        from realmtable.games.realm.view import view  # noqa: PLC0415

        return draw(view(self, None))


def empty_position(options: RealmOptions) -> Position:
    """An empty board with full stocks, before the first step."""
    position = np.zeros(POSITION_SIZE, dtype=np.int64)
    position[RULES:KEYS] = rule_numbers(options)
    position[BASES_LEFT : BASES_LEFT + 2] = options.bases
    position[ENFORCERS_LEFT : ENFORCERS_LEFT + 2] = options.enforcers
    for entry in (ORIGIN, TARGET, AT, ROW_REALM, ROW_REALM + 1):
        position[entry] = -1
    if options.choose_seat in {"place", "both"}:
        position[PHASE] = CHOOSE_PLACE
        position[SEAT] = 1
    else:
        start_setup(position, 0)
    return position
