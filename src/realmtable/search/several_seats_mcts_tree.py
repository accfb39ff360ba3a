"""The arrays of a search for several seats, and what their entries mean: `several_seats_mcts_kernels.py` fills them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.rules import Measures, Position, Rules, SearchParameters, Steps
from realmtable.search.tree_entries import FIRST_OWN_COUNTER, FIRST_OWN_SETTING, Floats, Ints, make_ints

MAX_EDGES: Final = 4_000_000  # a search that uses them all stops; memory is committed only as they fill
MAX_PATH_STEPS: Final = 400  # maximum length of a visit; longer ones are evaluated where they stop

# Counters, after those of `tree_entries.py`.
NODE_ROOM: Final = FIRST_OWN_COUNTER  # the most nodes, at most the size of the arrays; set before the search starts
IS_IDLE: Final = FIRST_OWN_COUNTER + 1  # 1 if the current visit passed a standstill of the root's seat
COUNTERS: Final = FIRST_OWN_COUNTER + 2

# Settings, after those of `tree_entries.py`.
SAMPLES: Final = FIRST_OWN_SETTING  # results that are drawn to evaluate a step after which chance acts
RESULTS: Final = FIRST_OWN_SETTING + 1  # results of chance that are visited, times the square root of the visits
PARANOID: Final = FIRST_OWN_SETTING + 2  # 1: the other seats minimise the share of the seat at the root
OWN_TURN: Final = FIRST_OWN_SETTING + 3  # 1: positions after the root's turn are evaluated, not searched
IDLE_COST: Final = FIRST_OWN_SETTING + 4  # what a standstill takes off the weighted features of the root's seat
SETTINGS: Final = FIRST_OWN_SETTING + 5


class Tree(NamedTuple):
    """The arrays of a search, allocated once."""

    root: Position
    position: Position  # the position of the current visit
    trial: Position  # one step further
    ahead: Position  # one step after `trial`
    sample: Position  # after a drawn result
    out: Steps  # steps of `position`
    more: Steps  # steps of `trial`
    results: Steps  # results of chance
    measures: Measures  # [seats × features]
    memory: Ints  # of the last evaluation, for the next one
    weights: Floats  # [features]
    settings: Floats  # [SETTINGS]
    counters: Ints  # [COUNTERS]
    stream: NDArray[np.uint64]  # [1] state of the random generator
    values: Floats  # [seats] of the current visit
    trial_values: Floats  # [seats]
    ahead_values: Floats  # [seats]
    sample_values: Floats  # [seats]
    node_seat: Ints  # the acting seat, or CHANCE
    node_turn: Ints  # its turn number
    node_first: Ints  # its first edge; NOTHING before it is expanded
    node_count: Ints  # number of its edges
    node_visits: Ints
    node_proven: Ints  # 1 if `node_best` is certain
    node_total: Floats  # [nodes, seats] sum of the values of all visits
    node_best: Floats  # [nodes, seats] its value if every seat chooses best
    edge_step: Ints
    edge_child: Ints  # NOTHING before it is first visited
    edge_visits: Ints
    edge_value: Floats  # [edges, seats] the evaluation of the position it leads to
    edge_share: Floats  # its prior, derived from that evaluation; for results of chance, the probability
    path: Ints  # [MAX_PATH_STEPS] edges of the current visit


# ---- allocation


def new_tree(rules: Rules, position: Position, parameters: SearchParameters, seed: int, nodes: int) -> Tree:
    """Allocate the arrays of a search that stores at most `nodes` nodes."""
    assert rules.seats_entry is not None  # noqa: S101 - the game is for several seats
    seats = int(position[rules.seats_entry])
    edges = min(nodes * rules.step_capacity, MAX_EDGES) + rules.step_capacity
    weights = parameters.weights or tuple(feature.weight for feature in rules.features)
    return Tree(
        root=position.copy(),
        position=np.empty_like(position),
        trial=np.empty_like(position),
        ahead=np.empty_like(position),
        sample=np.empty_like(position),
        out=make_ints(rules.step_capacity),
        more=make_ints(rules.step_capacity),
        results=make_ints(rules.step_capacity),
        measures=np.empty(seats * len(rules.features)),
        memory=np.zeros(rules.memory_size, dtype=np.int64),
        weights=np.array(weights, dtype=np.float64),
        settings=np.array(parameters.several_seats_settings(), dtype=np.float64),
        counters=np.array([0] * NODE_ROOM + [nodes, 0], dtype=np.int64),
        stream=np.array([seed % (2**64 - 1) + 1], dtype=np.uint64),
        values=np.empty(seats),
        trial_values=np.empty(seats),
        ahead_values=np.empty(seats),
        sample_values=np.empty(seats),
        node_seat=make_ints(nodes),
        node_turn=make_ints(nodes),
        node_first=make_ints(nodes),
        node_count=make_ints(nodes),
        node_visits=make_ints(nodes),
        node_proven=make_ints(nodes),
        node_total=np.empty((nodes, seats)),
        node_best=np.empty((nodes, seats)),
        edge_step=make_ints(edges),
        edge_child=make_ints(edges),
        edge_visits=make_ints(edges),
        edge_value=np.empty((edges, seats)),
        edge_share=np.empty(edges),
        path=make_ints(MAX_PATH_STEPS),
    )
