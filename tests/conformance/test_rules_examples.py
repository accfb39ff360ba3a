"""The board examples of every RULES.md can be set up, played and drawn, and have captions.

An example is a fenced block of the kind ``board``: a position, optional steps after ``>``, then a caption.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from realmtable.cli.terminal_game import clause_text
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame
from tests.conformance.random_games import GAMES, TOYS, game_id, rules_of

BLOCK = re.compile(r"^```board\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
CLAUSE = re.compile(r"\b[A-Z]\d{1,2}\b")

with_rules = pytest.mark.parametrize("game", [game for game in GAMES if game not in TOYS], ids=game_id)


class Example(NamedTuple):
    """A board block."""

    position: str
    steps: list[str]
    caption: str


def text_of(game: AnyGame) -> str:
    rules = rules_of(game)
    assert rules is not None
    return rules


def examples_of(game: AnyGame) -> list[Example]:
    found = []
    for block in BLOCK.findall(text_of(game)):
        first, _, caption = block.partition("\n")
        position, _, steps = first.partition(" > ")
        found.append(Example(position, steps.split(", ") if steps else [], " ".join(caption.split())))
    return found


def play_example(game: AnyGame, example: Example) -> Match:
    match = Match.start(game, game.decode(example.position))
    for text in example.steps:
        match = match.play(game.to_move(match.state)[0], game.parse_move(match.state, text))
    return match


@with_rules
def test_the_rules_have_a_few_examples_and_every_block_is_one(game: AnyGame) -> None:
    examples = examples_of(game)
    assert 3 <= len(examples) <= 6
    assert text_of(game).count("```") == 2 * len(examples)
    assert any(example.steps for example in examples)


@with_rules
def test_every_example_is_set_up_played_and_drawn(game: AnyGame) -> None:
    for example in examples_of(game):
        match = play_example(game, example)
        root = ET.fromstring(game.draw(match.view(None)))  # noqa: S314 - our own picture
        assert root.tag.endswith("svg")
        steps = [entry.move for entry in match.log()]
        assert len(steps) == len(example.steps)


@with_rules
def test_the_first_example_is_the_set_up_and_the_last_is_the_end(game: AnyGame) -> None:
    first, *_, last = [play_example(game, example) for example in examples_of(game)]
    assert first.outcome() is None
    assert last.outcome() is not None


@with_rules
def test_a_caption_is_one_sentence_that_names_its_clauses(game: AnyGame) -> None:
    for example in examples_of(game):
        assert re.search(r"\([A-Z]\d+(?:, [A-Z]\d+)*\)\.$", example.caption)
        assert ". " not in example.caption
        for clause in CLAUSE.findall(example.caption):
            assert f"**{clause}**" in text_of(game)


@with_rules
def test_a_clause_ends_where_an_example_begins(game: AnyGame) -> None:
    rules = text_of(game)
    for clause in re.findall(r"- \*\*([A-Z]\d+)\*\*", rules):
        text = clause_text(rules, clause)
        assert text.startswith(f"- **{clause}**")
        assert "```" not in text
