"""Bots and matches for the tests; the bots' factories can be sent to other processes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

from realmtable.engine.bots import Bot, non_proposal_moves
from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.lab.matches.match_game import PlayedGame
from realmtable.lab.matches.match_plan import Entrant, GameTask, Plan
from realmtable.search.baselines import RandomBot

RANDOMS = ("random", "random")


class PlanningBot(RandomBot):
    """A bot that plans whole turns, and remembers in which turns it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def plan(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:
        turn, moves = game.turn(state), []
        self.asked.append(turn)
        while game.turn(state) == turn and seat in game.to_move(state):
            moves.append(rng.choice(non_proposal_moves(game, state, seat)))
            state = game.play(state, seat, moves[-1])
        return [*moves, "a step too many, for the next turn"]


class CrashingBot(RandomBot):
    """A bot that ends its process unless a file exists; it creates the file first."""

    def __init__(self, mark: Path | None) -> None:
        self.mark = mark

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        if self.mark is None or not self.mark.exists():
            if self.mark is not None:
                self.mark.touch()
            os._exit(3)
        return super().choose(game, state, seat, rng)


class CheatingBot(RandomBot):
    """A bot that makes illegal moves."""

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:  # noqa: ARG002 - never asks
        return game.parse_move(game.initial(), "1 a1a9")


class FailingBot(RandomBot):
    """A bot that raises an error."""

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:  # noqa: ARG002 - it fails
        raise ZeroDivisionError("division by zero")


def make_crashing_bot(mark: Path | None) -> Bot:
    return CrashingBot(mark)


def crashing_entrant(mark: Path | None) -> Entrant:
    return Entrant("mortal", partial(make_crashing_bot, mark))


def make_plan(names: Iterable[str] = ("strong", "weak"), pairs: int = 50) -> Plan:
    """Plan a match whose games are made up."""
    return Plan("classic_realm", tuple(Entrant(name, RandomBot) for name in names), pairs * 2)


def fake_game(task: GameTask, points: float, reason: str = "all_in_water") -> PlayedGame:
    """Return a made-up game; `points` are those of seat 0."""
    return PlayedGame(
        pair=task.pair,
        bots=task.bots,
        seed=1,
        first=0,
        points=(points, 1 - points),
        reason=reason,
        turns=40,
        bot_turns=(18, 18),
        seconds=(1.8, 0.9),
        opening=4,
        steps=("a", "b"),
    )


def fake_win_of_first(task: GameTask) -> PlayedGame:
    """Make up a game that the entrant with the lower number wins."""
    return fake_game(task, float(task.bots[0] < task.bots[1]))


class _Tags(HTMLParser):
    """Checks that elements are closed in order, and collects the names of their attributes."""

    VOID = ("br", "circle", "line", "meta")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes.update(name for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - as called
        self.attributes.update(name for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def list_attributes(page: str) -> set[str]:
    """Return the names of the attributes in a page, and check that its elements are closed in order."""
    tags = _Tags()
    tags.feed(page)
    assert tags.open == []
    return tags.attributes
