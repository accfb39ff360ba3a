"""The arrays of a search for two seats, and what their entries mean: `compiled_mcts_kernels.py` fills them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.rules import Measures, Position, Rules, SearchParameters, Steps
from realmtable.search.tree_entries import FIRST_OWN_COUNTER, FIRST_OWN_SETTING, Floats, Ints, make_ints

MAX_EDGES: Final = 12_000_000  # a search that uses them all stops; memory is committed only as they fill
UNPROVEN: Final = 2.0  # marks a node without a proof
MAX_PATH_STEPS: Final = 600  # maximum length of a visit; longer ones are evaluated where they stop

# Counters, after those of `tree_entries.py`.
PLAYOUTS: Final = FIRST_OWN_COUNTER
COUNTERS: Final = FIRST_OWN_COUNTER + 1

# Settings, after those of `tree_entries.py`.
PLAIN: Final = FIRST_OWN_SETTING  # 1: textbook UCT with random playouts and no evaluation
BROAD: Final = FIRST_OWN_SETTING + 1  # 1: within the root's turn, a proven win does not end the search for others
DRAW_VALUE: Final = FIRST_OWN_SETTING + 2  # the value of a draw for seat 0; negative for contempt
SETTINGS: Final = FIRST_OWN_SETTING + 3


class Tree(NamedTuple):
    """The arrays of a search, allocated once."""

    root: Position
    position: Position  # the position of the current visit
    trial: Position  # the position one step further
    out: Steps
    measures: Measures
    weights: Measures
    settings: Floats  # [SETTINGS]
    counters: Ints  # [COUNTERS]
    stream: NDArray[np.uint64]  # [1] state of the random generator
    table: Ints  # [power of 2] hash table of nodes, or NOTHING
    node_key: Ints
    node_seat: Ints
    node_turn: Ints  # number of complete turns before it
    node_first: Ints  # its first edge; NOTHING before it is expanded
    node_count: Ints  # number of its edges
    node_visits: Ints
    node_total: Floats  # sum of the values of all visits
    node_best: Floats  # its minimax value
    node_proof: Floats  # its proven value (a win, a loss or a draw), or UNPROVEN
    edge_step: Ints
    edge_child: Ints  # NOTHING before it is first visited
    edge_visits: Ints
    edge_value: Floats  # the evaluation of the position it leads to
    edge_share: Floats  # its prior, derived from that evaluation
    path: Ints  # [MAX_PATH_STEPS] edges of the current visit


# ---- allocation


def new_tree(rules: Rules, position: Position, parameters: SearchParameters, seed: int, nodes: int) -> Tree:
    """Allocate the arrays of a search that stores at most `nodes` nodes."""
    edges = min(nodes * rules.step_capacity, MAX_EDGES) + rules.step_capacity
    weights = parameters.weights or tuple(feature.weight for feature in rules.features)
    return Tree(
        root=position.copy(),
        position=np.empty_like(position),
        trial=np.empty_like(position),
        out=make_ints(rules.step_capacity),
        measures=np.empty(len(rules.features)),
        weights=np.array(weights, dtype=np.float64),
        settings=np.array(parameters.settings(int(position[rules.seat_entry])), dtype=np.float64),
        counters=np.zeros(COUNTERS, dtype=np.int64),
        stream=np.array([seed % (2**64 - 1) + 1], dtype=np.uint64),
        table=make_ints(1 << (2 * nodes).bit_length()),
        node_key=make_ints(nodes),
        node_seat=make_ints(nodes),
        node_turn=make_ints(nodes),
        node_first=make_ints(nodes),
        node_count=make_ints(nodes),
        node_visits=make_ints(nodes),
        node_total=np.empty(nodes),
        node_best=np.empty(nodes),
        node_proof=np.empty(nodes),
        edge_step=make_ints(edges),
        edge_child=make_ints(edges),
        edge_visits=make_ints(edges),
        edge_value=np.empty(edges),
        edge_share=np.empty(edges),
        path=make_ints(MAX_PATH_STEPS),
    )
