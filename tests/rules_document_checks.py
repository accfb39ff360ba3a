"""Whether a board game's RULES.md and options agree; a `test_rules_document.py` subclasses `RulesDocumentChecks`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import Any

from realmtable.engine.options import OptionInfo, OptionValue
from realmtable.kit.array_game import ArrayGame


def read_rules(game: ArrayGame[Any, Any]) -> str:
    return resources.files(f"realmtable.games.{game.info.id}").joinpath("RULES.md").read_text(encoding="utf-8")


def sources_missing_in(marks: str, source: str) -> list[str]:
    """The documents that an option's source names, with their numbers, and the marks of its clause do not.

    An option of this table may say what the rulebook lacks: only its first words are its source.

    >>> sources_missing_in("N 2, M 1; the rest is ours", "rulebook 2, magazine 1")
    []
    >>> sources_missing_in("N 2", "rulebook 3, magazine"), sources_missing_in("N", "this table")
    (['N 3', 'M'], ['ours'])
    """
    if source.startswith("this table"):
        return [] if re.search(r"\bours\b", marks, re.IGNORECASE) else ["ours"]
    named = re.findall(r"(rulebook|magazine)( \d+)?", source)
    wanted = [{"rulebook": "N", "magazine": "M"}[document] + number for document, number in named]
    return [mark for mark in wanted if not re.search(rf"\b{mark}\b", marks)] if wanted else [source]


class RulesDocumentChecks:
    """RULES.md names every option with its clause, bounds and default, and every preset."""

    game: ArrayGame[Any, Any]
    writes_off: bool = False  # whether RULES.md says `default off`
    writes_choice: bool = True  # whether it says which choice is the default
    limits: Mapping[str, OptionValue] = MappingProxyType({})  # options that shorten a game of each preset

    def facts_of(self, info: OptionInfo) -> str:
        """How RULES.md writes the bounds and default of an option."""
        if info.type == "choice":
            choices = ", ".join(f"`{choice}`" for choice in info.choices)
            return choices + f"; default `{info.default}`" * self.writes_choice
        if info.type == "switch":
            return "default on" if info.default else "default off" * self.writes_off
        assert info.low is not None
        assert info.high is not None
        joint = " or " if info.high - info.low == 1 else "–"
        return f"{info.low}{joint}{info.high}, default {info.default}"

    def test_every_option_is_in_the_rules_with_its_clause_bounds_and_default(self) -> None:
        text = read_rules(self.game).replace("\n  ", " ")
        found = {}
        for clause, head in re.findall(r"^- \*\*(V\d+)\*\* ([^:]*):", text, re.MULTILINE):
            for name, facts in re.findall(r"`(\w+)`(?: \(([^)]*)\))?(?: and|$)", head):
                found[name] = (clause, facts)
        assert found == {info.name: (info.clause, self.facts_of(info)) for info in self.game.info.options()}

    def test_the_source_of_an_option_is_one_that_its_clause_names(self) -> None:
        text = read_rules(self.game).replace("\n  ", " ")
        for info in self.game.info.options():
            clause = re.search(rf"^- \*\*{info.clause}\*\* (.*)$", text, re.MULTILINE)
            assert clause is not None, info.name
            marks = " ".join(re.findall(r"\*([^*]+)\*", clause[1]))
            assert sources_missing_in(marks, info.source) == [], info.name

    def test_the_first_choice_is_the_default(self) -> None:
        assert all(info.default == info.choices[0] for info in self.game.info.options() if info.choices)

    def test_every_preset_is_in_the_rules(self) -> None:
        text, presets = read_rules(self.game), self.game.info.presets
        choices = {choice for info in self.game.info.options() for choice in info.choices}
        named = re.findall(r"`(\w+)`", text[text.index("Presets:") : text.index("- **V1**")])
        found = [name for name in named if name in presets or name not in choices]
        assert list(dict.fromkeys(found)) == list(presets)
        assert self.game.options() == self.game.options(found[0])

    def test_every_preset_can_be_played(self) -> None:
        for preset in self.game.info.presets:
            options = self.game.options(preset, **self.limits)
            state = self.game.initial(2, options)
            assert self.game.options_of(state) == options
            assert self.game.playouts(state, [1]).games == 1, preset
