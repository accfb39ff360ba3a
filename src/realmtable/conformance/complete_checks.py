"""Checks of what makes a game complete, beyond being playable: words, numbers, bots, rules, a lesson and records."""

from __future__ import annotations

import re
import tomllib
from typing import NamedTuple
from xml.etree import ElementTree as ET

from realmtable.conformance.random_games import rules_of
from realmtable.engine import registry
from realmtable.engine.bots import HasBots
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, GuidesPlayers, HasDescriptions, HasObservations, NumbersSteps
from realmtable.engine.record import load_record
from realmtable.kit.rules import HasRules

BLOCK = re.compile(r"^```board\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
CLAUSE = re.compile(r"\b[A-Z]\d{1,2}\b")
FEWEST_EXAMPLES, MOST_EXAMPLES = 3, 6


def it_describes_steps_and_guides_players(game: AnyGame) -> None:
    assert isinstance(game, HasDescriptions)
    assert isinstance(game, GuidesPlayers)


def it_has_numbers_for_programs_that_learn(game: AnyGame) -> None:
    assert isinstance(game, NumbersSteps)
    assert isinstance(game, HasObservations)


def it_has_bots_of_its_own_or_rules_for_the_search(game: AnyGame) -> None:
    assert isinstance(game, HasBots | HasRules)


def its_options_name_clauses_and_sources(game: AnyGame) -> None:
    rules = require_rules(game)
    assert game.info.sources
    for option in game.info.options():
        assert option.source
        assert f"**{option.clause}**" in rules


def its_rules_have_examples_that_can_be_played_and_drawn(game: AnyGame) -> None:
    """The first example is the set-up, the last one an end; each caption is a sentence that names its clauses."""
    rules = require_rules(game)
    examples = examples_in(rules)
    assert FEWEST_EXAMPLES <= len(examples) <= MOST_EXAMPLES
    assert rules.count("```") == 2 * len(examples)
    assert any(example.steps for example in examples)
    matches = [play_example(game, example) for example in examples]
    for example, match in zip(examples, matches, strict=True):
        assert len(match.log()) == len(example.steps)
        assert ET.fromstring(game.draw(match.view(None))).tag.endswith("svg")  # noqa: S314 - our own picture
        assert re.search(r"\([A-Z]\d+(?:, [A-Z]\d+)*\)\.$", example.caption)
        assert ". " not in example.caption
        for clause in CLAUSE.findall(example.caption):
            assert f"**{clause}**" in rules
    assert matches[0].outcome() is None
    assert matches[-1].outcome() is not None


def it_has_a_summary_a_lesson_and_records(game: AnyGame) -> None:
    folder = registry.game_folder(game.info.id)
    assert (folder / "SUMMARY.md").read_text(encoding="utf-8").startswith("# ")
    for step in tomllib.loads((folder / "lesson.toml").read_text(encoding="utf-8"))["step"]:
        assert step["title"]
        assert step["text"]
        if "position" in step:
            game.decode(step["position"])
    records = sorted((folder / "records").glob("*.record"))
    assert records
    for path in records:
        assert load_record(path.read_text(encoding="utf-8"), registry.game).game is game, path.name


def require_rules(game: AnyGame) -> str:
    rules = rules_of(game)
    assert rules is not None, "It has no RULES.md."
    return rules


class Example(NamedTuple):
    """A fenced block of the kind ``board``: a position, optional steps after ``>``, then a caption."""

    position: str
    steps: list[str]
    caption: str


def examples_in(rules: str) -> list[Example]:
    found = []
    for block in BLOCK.findall(rules):
        first, _, caption = block.partition("\n")
        position, _, steps = first.partition(" > ")
        found.append(Example(position, steps.split(", ") if steps else [], " ".join(caption.split())))
    return found


def play_example(game: AnyGame, example: Example) -> Match:
    match = Match.start(game, game.decode(example.position))
    for text in example.steps:
        match = match.play(game.to_move(match.state)[0], game.parse_move(match.state, text))
    return match
