"""A game for three seats with chance that is one small tree, so that its values under best play are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from realmtable.engine.options import NoOptions
from realmtable.engine.protocol import CHANCE, ChanceOutcome, GameInfo, Outcome, Seat, Turn
from realmtable.kit.rules import NO_WINNER, Feature, Measures, Position, Rules, SearchParameters, Steps
from tests.toys.common import NAMES

SEATS: Final = 3
REASON, SEAT, NODE, SEAT_COUNT, TURN = range(5)
RESULT0: Final = 10  # results of chance are numbered from here on
MAX_STEPS: Final = 8

Shares = tuple[float, ...]


@dataclass(frozen=True)
class Node:
    """A decision of a seat, a draw of CHANCE, or an end with its shares of the win."""

    seat: Seat = 0
    turn: int = 2
    children: tuple[int, ...] = ()
    weights: tuple[int, ...] = ()  # if chance acts
    shares: Shares = ()  # if the game is over
    looks: Shares = (0.0, 0.0, 0.0)  # the static evaluation of each seat
    quiet: bool = True


# Ann can draw (2 in 5), trust Bob, who then shares the win with her, or Cid, who takes a draw that is better for him.
TREE: Final = (
    Node(0, 1, children=(1, 2, 3, 4)),
    Node(CHANCE, 1, children=(5, 6), weights=(2, 3)),
    Node(1, children=(7, 6)),
    Node(2, children=(8, 9), looks=(4.0, 0.0, 0.0)),  # it looks best
    Node(0, 1, children=(10, 6), looks=(9.0, 0.0, 0.0), quiet=False),  # both steps lose
    Node(shares=(1.0, 0.0, 0.0)),
    Node(shares=(0.0, 0.0, 1.0)),
    Node(shares=(0.5, 0.5, 0.0)),
    Node(CHANCE, children=(5, 6), weights=(1, 2)),
    Node(shares=(1 / 3, 1 / 3, 1 / 3)),
    Node(shares=(0.0, 1.0, 0.0)),
)


def make_position(tree: Sequence[Node], number: int) -> Position:
    """Return the array of a node."""
    node = tree[number]
    return np.array([bool(node.shares), node.seat, number, SEATS, node.turn], dtype=np.int64)


def make_rules(tree: Sequence[Node], name: str = "share_tree") -> Rules:
    """Return the rules of a tree; they run interpreted only."""

    def legal_steps(position: Position, out: Steps) -> int:
        node = tree[position[NODE]]
        for index in range(len(node.children)):
            out[index] = index + (RESULT0 if node.seat == CHANCE else 0)
        return len(node.children)

    def apply_step(position: Position, code: int) -> None:
        position[:] = make_position(tree, tree[position[NODE]].children[code % RESULT0])

    def share_of(position: Position, seat: int) -> float:
        return tree[int(position[NODE])].shares[seat]

    def rank_of(position: Position, seat: int) -> int:
        shares = tree[int(position[NODE])].shares
        return 1 + sum(other > shares[seat] for other in shares)

    def winner_of(position: Position) -> int:
        shares = tree[position[NODE]].shares
        return shares.index(1.0) if 1.0 in shares else NO_WINNER

    def measure(position: Position, measures: Measures) -> None:
        measures[:] = tree[position[NODE]].looks

    return Rules(
        game_id=name,
        module=__name__,
        legal_steps=legal_steps,
        apply_step=apply_step,
        key=lambda position: int(position[NODE]),
        winner_of=winner_of,
        is_path_independent=lambda _: True,
        measure=measure,
        features=(Feature("looks", "good looks", 1.0),),
        seat_entry=SEAT,
        turns_entry=TURN,
        reason_entry=REASON,
        reasons=("", "leaf"),
        step_codes=RESULT0 + MAX_STEPS,
        step_capacity=MAX_STEPS,
        chance_weight=lambda position, code: tree[position[NODE]].weights[code - RESULT0],
        seats_entry=SEAT_COUNT,
        share_of=share_of,
        rank_of=rank_of,
        is_quiet=lambda position: tree[position[NODE]].quiet,
        search_parameters=SearchParameters(explore=0.5),
    )


def best_shares(tree: Sequence[Node], number: int = 0, root: Seat | None = None) -> Shares:
    """Return the shares under best play; with `root`, the other seats minimise the share of that seat."""
    node = tree[number]
    if node.shares:
        return node.shares
    values = [best_shares(tree, child, root) for child in node.children]
    if node.seat == CHANCE:
        total = sum(node.weights)
        return tuple(
            sum(weight * value[seat] for weight, value in zip(node.weights, values, strict=True)) / total
            for seat in range(SEATS)
        )
    prefers: Callable[[Shares], float] = lambda value: (  # noqa: E731 - one of two keys
        value[node.seat] if root is None or node.seat == root else -value[root]
    )
    return max(values, key=prefers)


def random_tree(rng: Random, depth: int) -> list[Node]:
    """Return a random tree whose ends have different shares."""
    nodes: list[Node] = []

    def grow(left: int) -> int:
        number = len(nodes)
        nodes.append(Node())
        seat = rng.choice((CHANCE, 0, 1, 2)) if number else 0
        if left == 0:
            parts = [rng.random() for _ in range(SEATS)]
            nodes[number] = Node(shares=tuple(part / sum(parts) for part in parts))
        else:
            children = tuple(grow(left - 1) for _ in range(rng.randint(2, 3)))
            weights = tuple(rng.randint(1, 4) for _ in children)
            looks = tuple(rng.random() for _ in range(SEATS))
            nodes[number] = Node(seat, depth - left, children, weights, looks=looks)
        return number

    grow(depth)
    return nodes


class ShareTree:
    """The game of a tree; a state is the number of its node."""

    info = GameInfo(
        "share_tree", "Share Tree", "A toy.", (SEATS,), NAMES, NoOptions, {"plain": {}}, "plain", 1, chance=True
    )

    def __init__(self, tree: Sequence[Node] = TREE) -> None:
        self.tree = tree
        self.rules = make_rules(tree)

    def position_of(self, state: int) -> Position:
        return make_position(self.tree, state)

    def step_of(self, code: int) -> int:
        return code

    def options(self, preset: str | None = None, **values: Any) -> NoOptions:  # noqa: ANN401, ARG002 - as the protocol
        return NoOptions()

    def initial(self, seats: int = SEATS, options: NoOptions | None = None) -> int:  # noqa: ARG002 - as the protocol
        return 0

    def to_move(self, state: int) -> tuple[Seat, ...]:
        return () if self.tree[state].shares else (self.tree[state].seat,)

    def turn(self, state: int) -> Turn:
        return Turn(self.tree[state].turn, self.tree[state].seat)

    def legal_moves(self, state: int, seat: Seat) -> list[int]:
        return list(range(len(self.tree[state].children))) if self.to_move(state) == (seat,) and seat >= 0 else []

    def chance(self, state: int) -> list[ChanceOutcome]:
        return [ChanceOutcome(RESULT0 + index, weight) for index, weight in enumerate(self.tree[state].weights)]

    def play(self, state: int, seat: Seat, move: int) -> int:
        assert (seat,) == self.to_move(state)
        return self.tree[state].children[move % RESULT0]

    def outcome(self, state: int) -> Outcome | None:
        shares = self.tree[state].shares
        ranking = tuple(1 + sum(other > share for other in shares) for share in shares)
        return Outcome(shares, ranking, "drawn", "The end.") if shares else None

    def resample(self, state: int, seat: Seat, rng: Random) -> int:  # noqa: ARG002 - nothing is hidden
        return state
