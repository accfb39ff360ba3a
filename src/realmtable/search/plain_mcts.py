"""Monte-Carlo tree search in plain Python, through the game protocol, for any game of perfect information.

Dice are allowed. Equal states share a node, so that turns that lead to the same state are searched once; a state that
repeats on the way down is played out instead of followed. With two seats, wins, losses and draws are proven where dice
and simultaneous choices allow it. Simultaneous seats act in seat order, each knowing the choices before it. Proposals,
such as ending by agreement, are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import CHANCE, AnyGame, Move, Seat, State
from realmtable.search.baselines import GreedyBot
from realmtable.search.ismcts import IsMctsBot
from realmtable.search.mcts_policies import (
    DEFAULT_CONFIG,
    SearchConfig,
    SearchUsage,
    StepStats,
    Values,
    count_seats,
    final_values,
    sample_chance,
)
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult, limit_search

MAX_LINE_STEPS = 40
MIN_LINE_VISITS = 3  # a step with fewer visits does not continue a line
VALUE_DOUBT = 1.0  # margin of error after one visit: two standard deviations of a win or a loss


class Edge:
    """A step from a node."""

    __slots__ = ("child", "move", "visits")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.visits = 0
        self.child: Node | None = None  # created at the first visit


class Node:
    """A state in the tree."""

    __slots__ = ("done", "edges", "own", "proven", "seat", "sole", "state", "totals", "visits")

    def __init__(self, state: State, seats: int, acting: tuple[Seat, ...]) -> None:
        self.state = state
        self.seat = acting[0] if acting else CHANCE
        self.sole = len(acting) == 1 and acting != (CHANCE,)  # exactly one seat decides here
        self.own = False  # whether it belongs to the turn being searched
        self.edges: list[Edge] | None = None  # listed at the second visit; chance steps as they occur
        self.visits = 0
        self.totals = [0.0] * seats
        self.proven: Values | None = None
        self.done = False  # proven, and nothing below it is needed

    def value(self, seat: Seat) -> float:
        """Return a seat's expected score; the node must be visited or proven."""
        return self.totals[seat] / self.visits if self.proven is None else self.proven[seat]


class TreePath(NamedTuple):
    """Steps from the root to a node."""

    moves: tuple[Any, ...]
    node: Node


@dataclass(frozen=True)
class MctsResult:
    """The result of a search."""

    game: AnyGame
    root: Node
    spent: SearchUsage

    @property
    def value(self) -> float:
        """The acting seat's expected score with the best turn."""
        return self.best_turns()[0].node.value(self.root.seat)

    def steps(self) -> list[tuple[Any, StepStats]]:
        """Return the visited steps of the root with their statistics, most visited first."""
        seen = [edge for edge in self.root.edges or [] if edge.visits]
        seen.sort(key=lambda edge: -edge.visits)
        return [(edge.move, _edge_stats(self.root, edge)) for edge in seen]

    def best_turns(self) -> list[TreePath]:
        """Return the visited turns, which may be incomplete, best first; each leads to a different state.

        They are ranked by a lower confidence bound, so that few visits cannot make a turn look best by luck.
        """
        ends: dict[int, TreePath] = {}
        waiting = [TreePath((), self.root)]
        met = {id(self.root)}
        while waiting:
            path = waiting.pop(0)
            onward = [edge for edge in _edges_by_visits(path.node) if path.node.own]
            if not onward:
                ends[id(path.node)] = path
            for edge in onward:
                if edge.child is not None and id(edge.child) not in met:
                    met.add(id(edge.child))
                    waiting.append(TreePath((*path.moves, edge.move), edge.child))
        return sorted(ends.values(), key=lambda path: _rank(path.node, self.root.seat), reverse=True)

    def lines(self, most: int) -> tuple[SearchLine, ...]:
        """Return the best turns, each with its continuation."""
        seat = self.root.seat
        return tuple(
            SearchLine(
                moves=(*path.moves, *_continuation(path.node, MAX_LINE_STEPS - len(path.moves))),
                value=path.node.value(seat),
                visits=path.node.visits,
                proven=path.node.proven is not None,
            )
            for path in self.best_turns()[:most]
        )


def _edges_by_visits(node: Node) -> list[Edge]:
    """Return the visited steps of a node, most visited first."""
    return sorted((edge for edge in node.edges or [] if edge.visits), key=lambda edge: -edge.visits)


def _rank(node: Node, seat: Seat) -> tuple[float, int]:
    doubt = 0.0 if node.proven else VALUE_DOUBT / math.sqrt(node.visits)
    return node.value(seat) - doubt, node.visits


def _continuation(node: Node, most: int) -> Iterator[Any]:
    """Yield the best steps from a node until chance acts or visits run out."""
    passed = {id(node)}
    while node.sole and len(passed) <= most:
        seat = node.seat
        known = [
            edge.child
            for edge in _edges_by_visits(node)
            if edge.child and (edge.visits >= MIN_LINE_VISITS or edge.child.proven)
        ]
        if not known:
            return
        best = max(known, key=lambda child: _rank(child, seat))
        yield next(edge.move for edge in _edges_by_visits(node) if edge.child is best)
        if id(best) in passed:
            return
        passed.add(id(best))
        node = best


def _edge_stats(node: Node, edge: Edge) -> StepStats:
    source = edge.child if edge.visits and edge.child else node
    value = source.value(node.seat) if source.visits else 0.5
    return StepStats(value, edge.visits, node.visits)


class _Tree:
    """A running search."""

    def __init__(self, game: AnyGame, state: State, seat: Seat | None, config: SearchConfig, rng: Random) -> None:
        self.game = game
        self.config = config
        self.rng = rng
        self.broad = False  # whether to search more than the best turn
        self.seats = count_seats(game, state, rng)
        self.nodes: dict[Any, Node] = {}
        self.turn = game.turn(state)
        self.seat = game.to_move(state)[0] if seat is None else seat
        self.root = self._find_or_add_node(state)
        self.root.seat = self.seat
        self.root.own = True
        self._expand(self.root)

    def _find_or_add_node(self, state: State) -> Node:
        node = self.nodes.get(state)
        if node is None:
            node = self.nodes[state] = Node(state, self.seats, self.game.to_move(state))
            node.proven = final_values(self.game, state)
            node.done = node.proven is not None
            node.own = node.sole and node.seat == self.seat and self.game.turn(state) == self.turn
        return node

    def _expand(self, node: Node) -> None:
        if node.seat == CHANCE:
            node.edges = []
        else:
            node.edges = [*map(Edge, self.config.expand(self.game, node.state, node.seat, self.rng))]

    def visit(self) -> None:
        """Search one more node: go down the tree, evaluate the node and propagate the value back up."""
        node, edges, path = self.root, [], [self.root]
        while not node.done:
            edge = self._select_edge(node)
            edges.append(edge)
            if edge.child is None:
                edge.child = self._find_or_add_node(self.game.play(node.state, node.seat, edge.move))
            node = edge.child
            if node in path:  # the game is cycling
                break
            path.append(node)
            if not node.visits:
                break
        self._back_up(path, edges, node.proven or self._evaluate(node))

    def _evaluate(self, node: Node) -> Values:
        return self.config.evaluate(self.game, node.state, self.seats, self.config.policy, self.rng)

    def _select_edge(self, node: Node) -> Edge:
        if node.edges is None:
            self._expand(node)
        assert node.edges is not None  # noqa: S101 - just listed
        if node.seat == CHANCE:
            return self._chance_edge(node.edges, sample_chance(self.game, node.state, self.rng))
        wide = node.edges[: self.config.widen(node.visits)]
        open_edges = [edge for edge in wide if self._is_open(node, edge)]
        open_edges = open_edges or [edge for edge in node.edges if self._is_open(node, edge)] or wide
        return max(open_edges, key=lambda edge: self.config.select(_edge_stats(node, edge)))

    @staticmethod
    def _chance_edge(edges: list[Edge], move: Move) -> Edge:
        for edge in edges:
            if edge.move == move:
                return edge
        edges.append(Edge(move))
        return edges[-1]

    def _is_open(self, node: Node, edge: Edge) -> bool:
        """Whether another visit to a step makes sense."""
        child = edge.child
        if child is None or child.proven is None:
            return True
        return not child.done if self.broad and node.own else child.proven[node.seat] > 0

    def _back_up(self, path: list[Node], edges: list[Edge], values: Values) -> None:
        below: Node | None = None
        for node in reversed(path):
            if below is not None and below.proven:
                self._prove(node)
            values = node.proven or values
            node.visits += 1
            for seat, value in enumerate(values):
                node.totals[seat] += value
            below = node
        for edge in edges:
            edge.visits += 1

    def _prove(self, node: Node) -> None:
        """Prove a node from its children: one winning child is enough, otherwise all must be proven."""
        if self.seats != 2 or not node.sole or node.edges is None:  # noqa: PLR2004 - one's loss is the other's win
            return
        children = [edge.child for edge in node.edges]
        proven = [child.proven for child in children if child and child.proven]
        best = max(proven, key=lambda values: values[node.seat])
        if best[node.seat] == 1 or len(proven) == len(children):
            node.proven = best
            all_done = all(child is not None and child.done for child in children)
            node.done = not (self.broad and node.own) or all_done


def search(  # noqa: PLR0913 - one keyword for each part of a search
    game: AnyGame,
    state: State,
    *,
    limits: SearchLimits,
    rng: Random,
    config: SearchConfig = DEFAULT_CONFIG,
    seat: Seat | None = None,
    broad: bool = False,
) -> MctsResult:
    """Search a state for `seat`, by default the first acting seat; at least one node is searched.

    A node is one visit to a state: a playout, or a finished or proven state reached again. The search stops early when
    the state is proven; a `broad` search stops only when all its turns are.
    """
    _check_searchable(game, state)
    start = config.clock()
    tree = _Tree(game, state, seat, config, rng)
    tree.broad = broad
    spent = SearchUsage(0, 0.0)
    while not tree.root.done and (spent.nodes == 0 or config.should_continue(limits, spent)):
        tree.visit()
        spent = SearchUsage(spent.nodes + 1, config.clock() - start)
    return MctsResult(game, tree.root, spent)


def _check_searchable(game: AnyGame, state: State) -> None:
    if game.info.hidden:
        raise BadInput(f"{game.info.title} has hidden information; this search needs a game without it.")
    acting = game.to_move(state)
    if not acting:
        raise BadInput("The game is over; there is nothing to search.")
    if CHANCE in acting:
        raise BadInput("Chance is to act; there is nothing to decide.")


def think_generic(game: AnyGame, state: State, limits: SearchLimits, lines: int, seed: int) -> SearchResult:
    """Return the value of a state and its best turns, in a game of perfect information without dice."""
    if game.info.chance:
        raise BadInput(f"{game.info.title} cannot be analysed: it has dice or draws.")
    found = search(game, state, limits=limits, rng=Random(seed), broad=lines > 1)
    return SearchResult(
        value=found.value,
        proven=found.root.proven is not None,
        nodes=found.spent.nodes,
        seconds=found.spent.seconds,
        lines=found.lines(lines),
    )


class MctsBot:
    """Searches a whole turn; `GreedyBot` completes it if the search did not reach its end.

    Games with hidden information are searched by `IsMctsBot`.
    """

    name = "mcts_plain"

    def __init__(
        self, nodes: int | None = None, seconds: float | None = None, config: SearchConfig = DEFAULT_CONFIG
    ) -> None:
        self.limits = limit_search(nodes, seconds)
        self.config = config

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        """Return the first step of the best turn found."""
        moves = non_proposal_moves(game, state, seat)
        return moves[0] if len(moves) == 1 else self._search_turn(game, state, seat, rng)[0]

    def plan(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:
        """Return the steps of the best turn of one search, up to the point where chance or another seat acts."""
        if game.info.hidden:  # a step may reveal something that changes the rest of the turn
            return [self.choose(game, state, seat, rng)]
        turn, steps, searched = game.turn(state), list[Any](), False
        while not steps or (game.to_move(state) == (seat,) and game.turn(state) == turn):
            moves = non_proposal_moves(game, state, seat)
            if len(moves) > 1:
                known = [GreedyBot().choose(game, state, seat, rng)] if searched else None
                moves = known or self._search_turn(game, state, seat, rng)
                searched = True
            for move in moves:
                state = game.play(state, seat, move)
            steps += moves
        return steps

    def _search_turn(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:
        """Return the best turn as far as the search went."""
        if game.info.hidden:
            bot = IsMctsBot(self.limits.nodes, self.limits.seconds, self.config)
            return [bot.choose(game, state, seat, rng)]
        found = search(game, state, limits=self.limits, rng=rng, config=self.config, seat=seat)
        return list(found.best_turns()[0].moves)
