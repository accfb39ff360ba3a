"""Whole games between bots inside compiled code, for any game for several seats.

`specialise` in `compiled_matches.py` runs this file once per game, with that game's kernels as `GAME`. It is not
imported by name. A seat plays random steps or searches, as `mcts/bot.py` does with the same seeds.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import next_random, random_below
from realmtable.kit.rules import Position, Rules, Steps
from realmtable.kit.specialise import specialise
from realmtable.search.mcts.bot import NEXT_SHARE, RELIABLE_VISITS
from realmtable.search.mcts.search import SEARCH_SOURCE
from realmtable.search.mcts.tree import NODE_ROOM, NOTHING, Floats, Ints, Tree

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

Stream = NDArray[np.uint64]

mcts = specialise(SEARCH_SOURCE, "realmtable.search.mcts", GAME)
is_chance_acting = mcts.is_chance_acting
is_proven_edge = mcts.is_proven_edge
worth_of_edge = mcts.worth_of_edge
pick_result = mcts.evaluation.pick_result
legal_steps = mcts.evaluation.legal_steps
apply_step = GAME.apply_step
init_root = mcts.init_root
run_visits = mcts.run_visits
SEAT: Final = GAME.seat_entry
TURNS: Final = GAME.turns_entry
REASON: Final = GAME.reason_entry
ROOM: Final = GAME.step_capacity

# What is left of the search of a turn.
PLAN_SEAT: Final = 0  # the seat that searched; NOTHING if there is no search to continue
PLAN_TURN: Final = 1
PLAN_NODE: Final = 2  # the node of the current position, or NOTHING
PLAN_SIZE: Final = 3


class SeatPolicies(NamedTuple):
    """How each seat plays."""

    nodes: Ints  # [seats] visits per search; 0 for random steps
    rooms: Ints  # [seats] nodes that a search may store
    plans: Ints  # [seats] 1 if further steps of a turn use its first search
    random_rates: Floats  # [seats] how often a random step is played instead
    settings: Floats  # [seats, settings]
    weights: Floats  # [seats, features]


@kernel
def tally_nothing(before: Position, after: Position, tally: Ints) -> None:
    """Count nothing, for games that keep no tally."""


tally_step = GAME.tally_step or tally_nothing


@kernel
def random_share(stream: Stream) -> float:
    """Return a random number from 0 to 1."""
    return float(next_random(stream) >> np.uint64(11)) / 2.0**53


# ---- the best step of a search


@kernel
def best_edge(tree: Tree, node: int) -> int:
    """Return the step that `sort_branches` puts first, or NOTHING if the node was not expanded."""
    first = tree.node_first[node]
    if first == NOTHING or tree.node_seat[node] < 0:
        return NOTHING
    last = first + tree.node_count[node]
    all_proven = True
    for edge in range(first, last):
        all_proven = all_proven and is_proven_edge(tree, edge)
    best = first
    for edge in range(first + 1, last):
        if ranks_higher(tree, edge, best, tree.node_seat[node], all_proven):
            best = edge
    return int(best)


@kernel
def ranks_higher(tree: Tree, edge: int, best: int, seat: int, all_proven: bool) -> bool:
    """Whether a step comes before another one in the order of `sort_branches`."""
    value = 2.0 * worth_of_edge(tree, seat, edge) - 1.0
    other = 2.0 * worth_of_edge(tree, seat, best) - 1.0
    if all_proven:
        return bool(value > other or (value == other and tree.edge_visits[edge] > tree.edge_visits[best]))
    certainty = value if is_proven_edge(tree, edge) and abs(value) == 1.0 else 0.0
    other_certainty = other if is_proven_edge(tree, best) and abs(other) == 1.0 else 0.0
    if certainty != other_certainty:
        return bool(certainty > other_certainty)
    if tree.edge_visits[edge] != tree.edge_visits[best]:
        return bool(tree.edge_visits[edge] > tree.edge_visits[best])
    return bool(value > other)


@kernel
def is_reliable(tree: Tree, edge: int) -> bool:
    """Whether a step was searched enough to play it."""
    return bool(is_proven_edge(tree, edge) or tree.edge_visits[edge] >= RELIABLE_VISITS)


# ---- choosing a step


@kernel
def search_position(policies: SeatPolicies, tree: Tree, position: Position, stream: Stream, nodes: int) -> None:
    """Search a position with the settings of its acting seat."""
    seat = position[SEAT]
    copy_array(tree.root, position)
    for index in range(tree.settings.size):
        tree.settings[index] = policies.settings[seat, index]
    for index in range(tree.weights.size):
        tree.weights[index] = policies.weights[seat, index]
    tree.stream[0] = (next_random(stream) >> np.uint64(2)) + np.uint64(1)
    tree.counters[NODE_ROOM] = policies.rooms[seat]
    init_root(tree)
    run_visits(tree, nodes)


@kernel
def choose_step(policies: SeatPolicies, tree: Tree, position: Position, plan: Ints, stream: Stream, out: Steps) -> int:
    """Return the acting seat's next step."""
    seat = position[SEAT]
    goes_on = plan[PLAN_SEAT] == seat and plan[PLAN_TURN] == position[TURNS]
    rate = policies.random_rates[seat]
    if policies.nodes[seat] == 0 or (not goes_on and rate > 0.0 and random_share(stream) < rate):
        plan[PLAN_SEAT] = NOTHING
        return int(out[random_below(stream, legal_steps(position, out))])
    edge = NOTHING
    if goes_on and plan[PLAN_NODE] != NOTHING:
        edge = best_edge(tree, plan[PLAN_NODE])
    if edge == NOTHING or not is_reliable(tree, edge):
        nodes = policies.nodes[seat]
        search_position(policies, tree, position, stream, max(1, int(nodes * NEXT_SHARE)) if goes_on else nodes)
        edge = best_edge(tree, 0)
    plan[PLAN_SEAT] = seat if policies.plans[seat] else NOTHING
    plan[PLAN_TURN] = position[TURNS]
    plan[PLAN_NODE] = tree.edge_child[edge]
    return int(tree.edge_step[edge])


# ---- games


@kernel
def play_game(policies: SeatPolicies, tree: Tree, position: Position, stream: Stream, tally: Ints) -> int:
    """Play from a position to the end and return the number of steps."""
    out = np.empty(ROOM, dtype=np.int64)
    plan = np.empty(PLAN_SIZE, dtype=np.int64)
    before = np.empty_like(position)
    plan[PLAN_SEAT] = NOTHING
    for entry in range(tree.memory.size):
        tree.memory[entry] = 0
    steps = 0
    while position[REASON] == 0:
        if is_chance_acting(position):
            plan[PLAN_SEAT] = NOTHING
            step = pick_result(position, stream, out, legal_steps(position, out))
        else:
            step = choose_step(policies, tree, position, plan, stream, out)
        copy_array(before, position)
        apply_step(position, step)
        tally_step(before, position, tally)
        steps += 1
    return steps


@kernel
def play_games(policies: SeatPolicies, tree: Tree, seeds: Stream, positions: Ints, tallies: Ints) -> int:
    """Play a game from each position with its seed, which is not 0; return the number of steps."""
    stream = np.empty(1, dtype=np.uint64)
    steps = 0
    for game in range(seeds.size):
        stream[0] = seeds[game]
        steps += play_game(policies, tree, positions[game], stream, tallies[game])
    return steps
