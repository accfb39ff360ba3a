"""Two toys that ask seats out of turn and know what to do without an answer: an open duel, and one with secret guards.

- **Q1** The rules are those of Parry Duel. A player who does not answer a strike parries it.
- **Q2** In the secret duel, players with an odd number yield instead, which nobody else may know beforehand.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from realmtable.engine.protocol import GameInfo, Seat
from tests.toys.parry_duel import INFO, Bout, ParryDuel

OPEN_INFO: Final = replace(INFO, id="asking_duel", title="Asking Duel", summary="Strike, and wait for an answer.")
SECRET_INFO: Final = replace(OPEN_INFO, id="secret_duel", title="Secret Duel", hidden=True)


class AskingDuel(ParryDuel):
    """The open duel."""

    info: GameInfo = OPEN_INFO

    def default_step(self, state: Bout, seat: Seat) -> str:  # noqa: ARG002 - the same for all
        return "parry"


class SecretDuel(ParryDuel):
    """The secret duel."""

    info: GameInfo = SECRET_INFO

    def view(self, state: Bout, seat: Seat | None) -> dict[str, Any]:
        return ParryDuel().view(state, seat)  # only the answers that are given in time are secret

    def resample(self, state: Bout, seat: Seat, rng: Random) -> Bout:  # noqa: ARG002 - the same
        return state

    def default_step(self, state: Bout, seat: Seat) -> str:  # noqa: ARG002 - the same in every state
        return "yield" if seat % 2 else "parry"
