"""Where the twin of Magic Realm asks players and chance in a whole game.

A test subclasses `Table` and answers `ask` and `draw`: it sees who is asked, every legal answer, every outcome of
chance with its weight, and by `describe` the position in which the twin asks.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final

from tests.magic_realm.twin.twin_state import Script

SIDES: Final = range(1, 7)


class Table(Script):
    def __init__(self) -> None:
        super().__init__([], [], strict=True)
        self.seats: dict[str, int] = {}  # the seat of each living character
        self.describe: Callable[[], dict[str, Any]] = dict

    def ask(self, asked: dict[int, list[str]]) -> tuple[int, str]:
        """Ask seats that choose at once; return one of them and its answer."""
        raise NotImplementedError

    def ask_one(self, seat: int, options: list[str], *, always: bool = False) -> str:
        """Z3: a single answer is given by the table, unless the question is always put."""
        return options[0] if len(options) == 1 and not always else self.ask({seat: options})[1]

    def choose(self, hero: str, options: list[str], default: str | None, *, always: bool = False) -> str:  # noqa: ARG002 - no defaults here
        return self.ask_one(self.seats[hero], options, always=always)

    def roll(self, label: str, count: int) -> list[int]:  # noqa: ARG002 - the steps of Z7 have no labels
        verb = "die" if count == 1 else "d"
        texts = [" ".join([verb, *map(str, dice)]) for dice in product(SIDES, repeat=count)]
        return [int(word) for word in self.draw(dict.fromkeys(texts, 1)).split()[1:]]

    def draw_next(self, names: list[str]) -> str:
        return self.draw({f"next {name}": 1 for name in names}).removeprefix("next ")
