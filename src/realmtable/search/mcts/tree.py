"""The arrays of a search, and what their entries mean: `search_kernels.py` fills them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.rules import Measures, Position, Rules, SearchParameters, Steps

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_EDGES: Final = 12_000_000  # a search that uses them all stops; memory is committed only as they fill
MAX_PATH_STEPS: Final = 600  # maximum length of a visit; longer ones are evaluated where they stop
NOTHING: Final = -1

# Counters.
NODES: Final = 0
EDGES: Final = 1
VISITS: Final = 2  # visits to the root
EVALUATIONS: Final = 3  # positions evaluated
PLAYOUTS: Final = 4
NODE_ROOM: Final = 5  # the most nodes, at most the size of the arrays; set before the search starts
IS_IDLE: Final = 6  # 1 if the current visit passed a standstill of the root's seat
COUNTERS: Final = 7

# Settings, in the order of `SearchParameters.settings`.
EXPLORE: Final = 0  # weight of exploration
TEMPERATURE: Final = 1  # how far below the best evaluation a step may be and still get early visits
WIDTH: Final = 2  # steps considered from the first visit on
WIDENING: Final = 3  # further steps, times the square root of the visits
MIX: Final = 4  # weight of the best step in a value; the rest is the mean of all visits
NOISE: Final = 5  # noise added to evaluations, so that threads explore differently
BROAD: Final = 6  # 1: within the root's turn, a proven win does not end the search for others
DRAW_VALUE: Final = 7  # in a game for two, the value of a draw for seat 0; negative for contempt
SAMPLES: Final = 8  # results that are drawn to evaluate a step after which chance acts
RESULTS: Final = 9  # results of chance that are visited, times the square root of the visits
PARANOID: Final = 10  # 1: the other seats minimise the share of the seat at the root
OWN_TURN: Final = 11  # 1: positions after the root's turn are evaluated, not searched
IDLE_COST: Final = 12  # what a standstill takes off the weighted features of the root's seat


class Tree(NamedTuple):
    """The arrays of a search, allocated once.

    A value has one entry in a game for two, and otherwise as many as there are seats; see `evaluation_kernels.py`.
    """

    root: Position
    position: Position  # the position of the current visit
    trial: Position  # one step further
    ahead: Position  # one step after `trial`
    sample: Position  # after a drawn result
    out: Steps  # steps of `position`
    more: Steps  # steps of `trial`
    results: Steps  # results of chance
    measures: Measures  # [value × features]
    memory: Ints  # of the last evaluation, for the next one
    weights: Floats  # [features]
    settings: Floats
    counters: Ints  # [COUNTERS]
    stream: NDArray[np.uint64]  # [1] state of the random generator
    values: Floats  # [value] of the current visit
    trial_values: Floats  # [value]
    ahead_values: Floats  # [value]
    sample_values: Floats  # [value]
    table: Ints  # [power of 2] hash table of nodes, or NOTHING, in a game for two
    node_key: Ints  # in a game for two
    node_seat: Ints  # the acting seat, or CHANCE
    node_turn: Ints  # number of complete turns before it
    node_first: Ints  # its first edge; NOTHING before it is expanded
    node_count: Ints  # number of its edges
    node_visits: Ints
    node_proven: Ints  # 1 if `node_best` is certain
    node_total: Floats  # [nodes × value] sum of the values of all visits
    node_best: Floats  # [nodes × value] its value if every seat chooses best
    edge_step: Ints
    edge_child: Ints  # NOTHING before it is first visited
    edge_visits: Ints
    edge_value: Floats  # [edges × value] the evaluation of the position it leads to
    edge_share: Floats  # its prior, derived from that evaluation; for results of chance, the probability
    path: Ints  # [MAX_PATH_STEPS] edges of the current visit


# ---- allocation


def count_nodes(rules: Rules, visits: int) -> int:
    """Return how many nodes a search of so many visits needs: more with chance, as a visit often adds results too."""
    return (1 if rules.chance_weight is None else 3) * visits + 2


def new_tree(rules: Rules, position: Position, parameters: SearchParameters, seed: int, nodes: int) -> Tree:
    """Allocate the arrays of a search that stores at most `nodes` nodes."""
    size = 1 if rules.seats_entry is None else int(position[rules.seats_entry])
    edges = min(nodes * rules.step_capacity, MAX_EDGES) + rules.step_capacity
    return Tree(
        root=position.copy(),
        position=np.empty_like(position),
        trial=np.empty_like(position),
        ahead=np.empty_like(position),
        sample=np.empty_like(position),
        out=_make_ints(rules.step_capacity),
        more=_make_ints(rules.step_capacity),
        results=_make_ints(rules.step_capacity),
        measures=np.empty(size * len(rules.features)),
        memory=np.zeros(rules.memory_size, dtype=np.int64),
        weights=np.array(feature_weights(rules, parameters), dtype=np.float64),
        settings=np.array(parameters.settings(int(position[rules.seat_entry])), dtype=np.float64),
        counters=np.array([0] * NODE_ROOM + [nodes, 0], dtype=np.int64),
        stream=np.array([seed % (2**64 - 1) + 1], dtype=np.uint64),
        values=np.empty(size),
        trial_values=np.empty(size),
        ahead_values=np.empty(size),
        sample_values=np.empty(size),
        table=_make_ints(1 << (2 * nodes).bit_length() if rules.seats_entry is None else 1),
        node_key=_make_ints(nodes),
        node_seat=_make_ints(nodes),
        node_turn=_make_ints(nodes),
        node_first=_make_ints(nodes),
        node_count=_make_ints(nodes),
        node_visits=_make_ints(nodes),
        node_proven=_make_ints(nodes),
        node_total=np.empty(nodes * size),
        node_best=np.empty(nodes * size),
        edge_step=_make_ints(edges),
        edge_child=_make_ints(edges),
        edge_visits=_make_ints(edges),
        edge_value=np.empty(edges * size),
        edge_share=np.empty(edges),
        path=_make_ints(MAX_PATH_STEPS),
    )


def feature_weights(rules: Rules, parameters: SearchParameters) -> tuple[float, ...]:
    """Return what each feature is worth in a search."""
    return parameters.weights or tuple(feature.weight for feature in rules.features)


def _make_ints(size: int) -> Ints:
    return np.empty(size, dtype=np.int64)
