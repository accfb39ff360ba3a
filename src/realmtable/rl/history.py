"""The steps that led to a state, and what a seat has seen and done on the way: its information state."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from realmtable.engine.protocol import CHANCE, Seat, State
from realmtable.rl.episode import GameSetup


class Node:
    """A state and the step that led to it. Nodes are values: a copy of a node is the node itself."""

    def __init__(
        self, setting: GameSetup, state: State, parent: Node | None = None, seat: Seat = CHANCE, action: int = 0
    ) -> None:
        self.setting = setting
        self.game: Any = setting.game
        self.state = state
        self.parent = parent
        self.seat = seat  # that took the step
        self.action = action  # the number of the step
        self.steps: int = 0 if parent is None else parent.steps + 1
        self._texts: dict[Seat, str] = {}
        self.keys: dict[Seat, str] = {}  # of information states

    def __deepcopy__(self, memo: object) -> Node:
        return self

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[Any, ...]]:
        """Pickle as the first state and the steps, which are replayed."""
        steps, node = [], self
        while node.parent is not None:
            steps.append((node.seat, node.action))
            node = node.parent
        return replay, (self.setting, self.game.encode(node.state), steps[::-1])

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that act, or chance; none at the end or when the game was cut off."""
        acting: tuple[Seat, ...] = () if self.steps >= self.setting.max_steps else self.game.to_move(self.state)
        return acting

    def after(self, seat: Seat, action: int) -> Node:
        """Return the node after a seat's action, or after the outcome of chance with a number."""
        game, state = self.game, self.state
        move = game.chance(state)[action].move if seat == CHANCE else game.move_of(state, seat, action)
        return Node(self.setting, game.play(state, seat, move), self, seat, action)

    def text_for(self, viewer: Seat) -> str:
        """Return what a seat sees now: its view as JSON."""
        if viewer not in self._texts:
            view = self.game.view(self.state, viewer)
            self._texts[viewer] = json.dumps(view, sort_keys=True, separators=(",", ":"))
        return self._texts[viewer]


def replay(setting: GameSetup, first: str, steps: Sequence[tuple[Seat, int]]) -> Node:
    """Return the node after some steps from a state that is given as text."""
    node = Node(setting, setting.game.decode(first))
    for seat, action in steps:
        node = node.after(seat, action)
    return node


def information_text(node: Node, viewer: Seat) -> str:
    """Return what stands for all that a seat has seen and done so far: a hash of it, then its view as JSON."""
    return f"{_information_key(node, viewer)} {node.text_for(viewer)}"


def _information_key(node: Node, viewer: Seat) -> str:
    """Return the hash of a seat's views and actions up to a node. Steps that it cannot notice do not change it."""
    path: list[Node] = []
    current: Node | None = node
    while current is not None and viewer not in current.keys:
        path.append(current)
        current = current.parent
    for step in reversed(path):
        parent = step.parent
        key = "" if parent is None else parent.keys[viewer]
        own = step.seat == viewer
        if parent is None or own or step.text_for(viewer) != parent.text_for(viewer):
            seen = f"{key} {step.action if own else ''} {step.text_for(viewer)}"
            key = hashlib.sha256(seen.encode()).hexdigest()[:32]
        step.keys[viewer] = key
    return node.keys[viewer]
