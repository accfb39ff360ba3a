"""Whole random games, step by step with the twin: who is asked, every answer, every chance, and every position.

The twin is an independent implementation of the rules; see twin_game.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import gcd
from random import Random
from typing import Any

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import HANDLERS, first_state
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.flow.score import list_totals
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.step_text import format_step, parse_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.twin.test_day_against_twin import make_setup, write_setup
from tests.magic_realm.twin.twin_data import GHOSTS, GOODS, SITES, TILES, load
from tests.magic_realm.twin.twin_game import GOALS, Game, list_gear, list_slots, load_game, play_game
from tests.magic_realm.twin.twin_search import CAMPFIRES
from tests.magic_realm.twin.twin_table import Table
from tests.seeds import mark_long

MACHINE = Machine(HANDLERS)
SEAT_FLAGS = ("unhidden", "blocked", "dead", "anywhere", "ready", "berserk")
SEAT_NUMBERS = {"gold": 10, "fame": 0, "notoriety": 0, "backs": 0, "ordered": 0, "kills": 0}
LIKES = {  # how often words are chosen, so that much happens in few steps; 1 for all others
    "loot": 20, "take": 5, "locate": 4, "peer": 0.3, "M": 2, "S": 8, "H": 3, "-": 0.3, "A": 0.3, "P": 0.1, "F": 0.5,
    "stir": 0.5, "set": 0.3, "aim": 2, "strike": 2,
    "leave": 0.1, "pack": 0.3, "order": 0.1, "back": 0.2, "block": 0.3, "run": 2, "exchange": 2,
}  # fmt: skip


def insert_spaces(name: str) -> str:
    return name.replace("_", " ")


# ---- reading positions (F1 to F7)


class Position:
    """The fields of a position, with what is left out because it has not changed."""

    def __init__(self, text: str, twin: dict[str, Any]) -> None:
        self.fields = dict(field.partition("=")[::2] for field in text.split())
        self.twin = twin

    def split(self, name: str) -> list[str]:
        return [insert_spaces(word) for word in self.fields.get(name, "").split(";") if word not in {"", "-"}]

    def read(self) -> dict[str, Any]:
        """Return the position in the form of the twin."""
        names = [insert_spaces(name) for name in self.fields["heroes"].split(";")]
        chits = self.read_chits()
        campfires = {name for name, (_, is_up, _) in chits.items() if is_up and is_campfire(name)}
        found: dict[str, Any] = {
            "heroes": ["-" if f"{number}.dead" in self.fields else name for number, name in enumerate(names, 1)],
            "day": int(self.fields.get("day", 1)),
            "part": self.fields.get("part", "birdsong"),
            "rows": [int(digit) for digit in self.fields.get("rows", "")],
            "first": int(self.fields["first"]) - 1 if "first" in self.fields else None,
            "campfires": {name.split()[0] for name in chits if name in campfires},
            "chits": {name: facts for name, facts in chits.items() if name not in campfires},
            "boxes": self.read_boxes(),
            "piles": {place: cards for place, cards in self.read_lists("piles").items() if cards},
            "gone": {*self.split("gone")},
            "damaged": {insert_spaces(name) for name in re.findall(r"([\w-]+)[+!^]*~", " ".join(self.fields.values()))},
            "open": "open" in self.fields,
            **self.read_denizens(),
        }
        if "map" in self.fields:
            found["map"] = {*self.split("map")}
        for number, name in enumerate(names, 1):
            if name != "-":
                found |= {f"{number}.{key}": value for key, value in self.read_seat(str(number), name).items()}
        return found

    def read_chits(self) -> dict[str, tuple[set[int], bool, bool]]:
        found = {}
        for text in self.split("chits"):
            name, is_up, has_summoned = text.replace("*", "").replace("^", ""), "^" in text, "*" in text
            name, _, seats = name.partition("/")
            tile, _, chit = name.partition(":")
            if tile in TILES and TILES[tile]["group"] != "V":
                everyone = range(self.fields["heroes"].count(";") + 1)
                seers = {*everyone} if is_up else {int(seat) - 1 for seat in seats}
                found[f"{tile} {chit}"] = (seers, is_up, has_summoned)
        return found

    def read_lists(self, field: str) -> dict[str, list[str]]:
        rows = [text.partition(":")[::2] for text in self.split(field)]
        return {
            name: [entry.partition("/")[0].rstrip("^~!") for entry in cards.split(",") if entry not in {"", "-"}]
            for name, cards in rows
        }

    def read_boxes(self) -> dict[str, list[str]]:
        """Return the boxes of sites and special cards. A counter that lies elsewhere has left its box."""
        rows = {row["name"]: list_slots(row) for row in load("setup")["box"] if row["kind"] in {"site", "within"}}
        written = self.read_lists("boxes")
        elsewhere = {name for row in [*written.values(), *self.read_lists("piles").values()] for name in row}
        elsewhere |= {name.partition("/")[0].rstrip("+!~") for field in self.fields for name in self.find_goods(field)}
        return {
            name: written.get(name, [entry for entry in row if entry not in GOODS or entry not in elsewhere])
            for name, row in rows.items()
        }

    def find_goods(self, field: str) -> list[str]:
        return self.split(field) if field == "gone" or field.endswith(".goods") else []

    def read_denizens(self) -> dict[str, Any]:
        rows = [text.partition(":")[::2] for text in self.split("denizens")]
        start = self.twin.get("ghosts")
        return {
            "monsters": (dict.fromkeys(GHOSTS, start) if start else {})
            | {name: place.rstrip("*") for name, place in rows},
            "held": {name for name, place in rows if place.endswith("*")},
        }

    def read_seat(self, number: str, hero: str) -> dict[str, Any]:
        found: dict[str, Any] = {flag: f"{number}.{flag}" in self.fields for flag in SEAT_FLAGS}
        for name, default in SEAT_NUMBERS.items():
            found[name] = Fraction(self.fields.get(f"{number}.{name}", default))
        for name in ("tired", "wounded"):
            found[name] = [int(chit) for chit in self.split(f"{number}.{name}")]
        for name in ("knows", "found", "curses"):
            found[name] = {*self.split(f"{number}.{name}")}
        for name in ("came", "climbs"):
            found[name] = self.fields.get(f"{number}.{name}")
        guide = self.fields.get(f"{number}.guide")
        found["guide"] = guide and int(guide) - 1
        found["points"] = sorted(self.fields.get(f"{number}.points", "").replace(",", " ").split())
        found["used"] = [name for name in insert_spaces(self.fields.get(f"{number}.used", "")).split(",") if name]
        found["orders"] = dict(order.split(":") for order in self.split(f"{number}.orders"))
        found["plan"] = [insert_spaces(entry) for entry in self.fields.get(f"{number}.plan", "").split(";") if entry]
        found["at"] = self.fields.get(f"{number}.at", self.twin.get(f"{number}.home"))
        found["goods"] = [read_marks(entry.partition("/")[0]) for entry in self.split(f"{number}.goods")]
        if f"{number}.goods" not in self.fields:
            kinds = [f"{name}+" for name in list_gear(hero)]
            goods = self.twin.get(f"{number}.goods", [])
            found["goods"] = goods if [re.sub(r"-\d", "", name) for name in goods] == kinds else kinds
        return found


def compare(text: str, twin: dict[str, Any]) -> None:
    found = Position(text, twin).read()
    for key, value in found.items():
        assert key not in twin or value == twin[key], (key, value, twin[key])


def read_marks(entry: str) -> str:
    """Return a belonging with its marks in one order; an inactive weapon shows no side that matters (D14)."""
    name = entry.rstrip("+!~")
    marks = {*entry[len(name) :]} - (set() if "+" in entry else {"!"})
    return name + "".join(mark for mark in "+!~" if mark in marks)


def is_campfire(name: str) -> bool:
    """Whether a chit, `PW Smoke`, becomes a campfire when it is turned up (M6)."""
    tile, _, chit = name.partition(" ")
    return TILES[tile]["group"] == "W" and chit in CAMPFIRES


# ---- playing


class RandomTable(Table):
    """Answers with chance, and lets the rules play the same."""

    def __init__(self, world: World, rng: Random) -> None:
        super().__init__()
        self.world = world
        self.rng = rng
        self.steps: list[str] = []

    def ask(self, asked: dict[int, list[str]]) -> tuple[int, str]:
        self.check()
        assert {*MACHINE.to_move(self.world)} == {*asked}, asked
        for seat, options in asked.items():
            texts = [format_step(step) for step in MACHINE.legal_moves(self.world, seat)]
            assert sorted(texts) == sorted(options), (seat, {*texts} ^ {*options})
        seat = self.rng.choice([*asked])
        answer = self.rng.choices(asked[seat], [LIKES.get(text.split()[0], 1) for text in asked[seat]])[0]
        self.play(seat, answer)
        return seat, answer

    def draw(self, outcomes: dict[str, int]) -> str:
        self.check()
        assert MACHINE.to_move(self.world) == (CHANCE,), outcomes
        found = {format_step(outcome.move): outcome.weight for outcome in MACHINE.chance(self.world)}
        assert reduce_weights(found) == reduce_weights(outcomes)
        likes = [weight * like_outcome(text) for text, weight in outcomes.items()]
        answer = self.rng.choices([*outcomes], likes)[0]
        self.play(CHANCE, answer)
        return answer

    def play(self, seat: int, answer: str) -> None:
        self.steps.append(f"{seat}: {answer}")
        self.world = MACHINE.play(self.world, seat, parse_step(answer))

    def check(self) -> None:
        while self.is_looking():
            self.world = MACHINE.play(self.world, MACHINE.to_move(self.world)[0], Step("continue"))
        compare(encode(self.world), self.describe())

    def is_looking(self) -> bool:
        """Whether players look at a melee (E2); the twin shows nothing."""
        seats = MACHINE.to_move(self.world)
        return seats not in {(), (CHANCE,)} and [*MACHINE.legal_moves(self.world, seats[0])] == [Step("continue")]

    def check_end(self, game: Game) -> None:
        """Compare the last position and the score."""
        self.check()
        assert MACHINE.to_move(self.world) == ()
        assert list_totals(self.world) == game.score_seats()

    @contextmanager
    def explain(self) -> Iterator[None]:
        try:
            yield
        except AssertionError as error:
            error.add_note(f"after {self.steps[-10:]} in {encode(self.world)}")
            raise


def like_outcome(text: str) -> int:
    """How much more often an outcome is drawn than by its weight: low dice find things, and sites are worth finding."""
    verb, *words = text.split()
    return 3 if (verb == "d" and max(words) <= "4") or (verb == "chit" and words[1] in SITES) else 1


def reduce_weights(weights: dict[str, int]) -> dict[str, int]:
    most = gcd(*weights.values())
    return {text: weight // most for text, weight in weights.items()}


def pick_options(rng: Random, days: str) -> dict[str, Any]:
    return {
        "days": days,
        "map": rng.choice(("stock1", "stock2", "stock3", "dealt", "players")),
        "recording": rng.choice(("written", "as_you_go")),
        "two_rows": rng.choice(("solo", "always", "never")),
        "encounter": rng.choice(("1", "2")),
        "missile_through_armour": rng.random() < 0.5,
        "follow": rng.choice(("all_day", "may_stop")),
        "restart": rng.random() < 0.8,
    }


def play_alike(seed: int, days: str = "7", most_seats: int = 8) -> None:
    """Play a game by the twin and by the rules; every step and the score must agree."""
    rng = Random(seed)
    options = pick_options(rng, days)
    seats = rng.randint(1, most_seats)
    table = RandomTable(first_state(seats, MagicOptions(**options)), rng)
    with table.explain():
        table.check_end(play_game(table, seats, options))


def play_last_days(seed: int) -> None:
    """Play the last days of a game that begins with many things in few places."""
    rng = Random(seed)
    setup = make_setup(rng)
    setup["day"] = rng.randint(5, 7)
    setup["options"] |= {"days": "7", "restart": rng.random() < 0.8, "missile_through_armour": rng.random() < 0.5}
    points = []
    for seat, hero in enumerate(setup["heroes"].values(), 1):
        hero["points"] = [rng.choice(GOALS), rng.choice(GOALS)]
        points.append(f"{seat}.points={','.join(hero['points'])}")
    text = write_setup(setup, {name: [] for name in setup["heroes"]})
    text = text.replace("=True", "=on").replace("=False", "=off")
    table = RandomTable(decode(MACHINE, " ".join([text, *points])), rng)
    with table.explain():
        game = load_game(table, setup)
        for day in range(setup["day"], 8):
            game.play_day(day, begins_with_writing=day == setup["day"])
        game.part = "over"
        table.check_end(game)


@pytest.mark.parametrize("seed", mark_long(range(15), 3, 4, 5, 6, 8, 9, 10))
def test_random_last_days_of_the_twin_are_played_alike(seed: int) -> None:
    play_last_days(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 700))
def test_many_random_last_days_of_the_twin_are_played_alike(seed: int) -> None:
    play_last_days(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_random_weeks_of_the_twin_are_played_alike(seed: int) -> None:
    play_alike(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_random_weeks_of_the_twin_are_played_alike(seed: int) -> None:
    play_alike(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_random_months_of_the_twin_are_played_alike(seed: int) -> None:
    play_alike(seed, days="28", most_seats=4)
