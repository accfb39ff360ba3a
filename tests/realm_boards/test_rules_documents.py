"""Each RULES.md names every option with its clause, bounds and default, and every preset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionInfo, OptionValue
from realmtable.games.oriental_realm.threats import MAX_TRIALS
from tests.realm_boards.boards import BOARDS, Board, each_board, list_cases, read_rules

WRITES_OFF = {"modern_realm"}  # whose RULES.md says `default off`
LEAVES_OUT_CHOICES = {"realm"}  # whose RULES.md does not say which choice is the default
LIMITS: Mapping[str, Mapping[str, OptionValue]] = {  # options that shorten a game of each preset
    "classic_realm": {"max_plies": 20},
    "oriental_realm": {"max_turns": 20},
    "modern_realm": {"max_turns": 20},
}


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


def facts_of(game_id: str, info: OptionInfo) -> str:
    """How RULES.md writes the bounds and default of an option."""
    if info.type == "choice":
        choices = ", ".join(f"`{choice}`" for choice in info.choices)
        return choices if game_id in LEAVES_OUT_CHOICES else f"{choices}; default `{info.default}`"
    if info.type == "switch":
        return "default on" if info.default else "default off" * (game_id in WRITES_OFF)
    assert info.low is not None
    assert info.high is not None
    joint = " or " if info.high - info.low == 1 else "–"
    return f"{info.low}{joint}{info.high}, default {info.default}"


@each_board
def test_every_option_is_in_the_rules_with_its_clause_bounds_and_default(tested: Board) -> None:
    text = read_rules(tested.game).replace("\n  ", " ")
    found = {}
    for clause, head in re.findall(r"^- \*\*(V\d+)\*\* ([^:]*):", text, re.MULTILINE):
        for name, facts in re.findall(r"`(\w+)`(?: \(([^)]*)\))?(?: and|$)", head):
            found[name] = (clause, facts)
    info = tested.game.info
    assert found == {each.name: (each.clause, facts_of(info.id, each)) for each in info.options()}


@each_board
def test_the_source_of_an_option_is_one_that_its_clause_names(tested: Board) -> None:
    text = read_rules(tested.game).replace("\n  ", " ")
    for info in tested.game.info.options():
        clause = re.search(rf"^- \*\*{info.clause}\*\* (.*)$", text, re.MULTILINE)
        assert clause is not None, info.name
        marks = " ".join(re.findall(r"\*([^*]+)\*", clause[1]))
        assert sources_missing_in(marks, info.source) == [], info.name


@each_board
def test_the_first_choice_is_the_default(tested: Board) -> None:
    assert all(info.default == info.choices[0] for info in tested.game.info.options() if info.choices)


@each_board
def test_every_preset_is_in_the_rules_and_the_first_is_the_default(tested: Board) -> None:
    text, presets = read_rules(tested.game), tested.game.info.presets
    choices = {choice for info in tested.game.info.options() for choice in info.choices}
    named = re.findall(r"`(\w+)`", text[text.index("Presets:") : text.index("- **V1**")])
    found = [name for name in named if name in presets or name not in choices]
    assert list(dict.fromkeys(found)) == list(presets)
    assert tested.game.options() == tested.game.options(found[0])
    assert tested.game.options() == tested.game.options(tested.game.info.default_preset)
    assert tested.game.options() == tested.game.options_of(tested.game.initial())


@pytest.mark.long
@each_board
def test_every_preset_can_be_played(tested: Board) -> None:
    for preset in tested.game.info.presets:
        options = tested.game.options(preset, **LIMITS.get(tested.game.info.id, {}))
        state = tested.game.initial(2, options)
        assert tested.game.options_of(state) == options
        assert tested.game.playouts(state, [1]).games == 1, preset


PRESETS: Mapping[str, list[tuple[str, dict[str, OptionValue]]]] = {  # what they change
    "realm": [
        ("magazine", {}),
        ("original", {"bases": 13, "tie_break": "enforcers+captures", "power_sacrifice": True,
                      "rearrange_limit": False, "agree_end": False}),
    ],
    "classic_realm": [("tournament", {"free_setup": True, "double_moves": True})],
    "medieval_realm": [
        (preset, {"duke_squares": preset}) for preset in ("back_corners", "front_middle", "front_corners")
    ],
    "modern_realm": [
        ("open_choice", {"counter_agent": "choose"}),
        ("light_headquarters", {"hq_counts": False}),
        ("closed_origin", {"origin_closed": True}),
        ("capture_on_entry", {"capture_on_entry": True}),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("tested", "preset", "changed"), list_cases(PRESETS))
def test_what_a_preset_changes(tested: Board, preset: str, changed: dict[str, OptionValue]) -> None:
    assert tested.game.options(preset) == replace(tested.game.options(), **changed)


REFUSED: Mapping[str, list[tuple[dict[str, OptionValue], str]]] = {
    "classic_realm": [
        ({"max_plies": 19}, "max_plies"),
        ({"max_plies": 501}, "max_plies"),
        ({"free_setup": 3}, "free_setup"),
        ({"double_moves": "maybe"}, "double_moves"),
        ({"frogs": 9}, "frogs"),
    ],
    "oriental_realm": [
        ({"max_turns": 19}, "max_turns must be 20 to 600"),
        ({"max_turns": 601}, "max_turns must be 20 to 600"),
        ({"emperor": "a1"}, "emperor must be e2"),
        ({"warning": 2}, "warning must be on or off"),
        ({"colour": "red"}, "no option colour"),
    ],
    "medieval_realm": [
        ({"duke_squares": "middle"}, "Option duke_squares must be back_middle | back_corners"),
        ({"duke_squares": True}, "Option duke_squares must be"),
        ({"duke_draw": 2}, "Option duke_draw must be on or off"),
        ({"duke_draw": "maybe"}, "Option duke_draw must be on or off"),
        ({"max_plies": 19}, "Option max_plies must be 20 to 500, not 19"),
        ({"max_plies": 501}, "Option max_plies must be 20 to 500, not 501"),
        ({"max_plies": True}, "Option max_plies must be"),
        ({"bases": 12}, "There is no option bases; the options are duke_squares, duke_draw, max_plies"),
    ],
    "modern_realm": [
        ({"counter_agent": "b8"}, "counter_agent"),
        ({"counter_agent": "a1"}, "counter_agent"),
        ({"counter_agent": 5}, "counter_agent"),
        ({"hq_counts": 3}, "hq_counts"),
        ({"max_turns": 19}, "max_turns"),
        ({"max_turns": 1001}, "max_turns"),
        ({"max_turns": "many"}, "max_turns"),
        ({"bases": 13}, "bases"),
    ],
}


@pytest.mark.parametrize(("tested", "values", "words"), list_cases(REFUSED))
def test_options_are_refused_by_name(tested: Board, values: dict[str, OptionValue], words: str) -> None:
    with pytest.raises(BadOptions) as caught:
        tested.options_of(**values)
    assert words in str(caught.value)


@each_board
def test_an_unknown_preset_is_refused(tested: Board) -> None:
    first = next(iter(tested.game.info.presets))
    with pytest.raises(BadOptions, match=f"no preset corners; choose one of {first}"):
        tested.game.options("corners")


@each_board
@pytest.mark.parametrize("seats", [0, 1, 3])
def test_the_game_is_for_two(tested: Board, seats: int) -> None:
    with pytest.raises(BadOptions, match=f"{tested.game.info.title} is for 2 players, not {seats}"):
        tested.game.initial(seats)


def test_the_bound_of_the_search_for_warnings_is_in_the_rules_and_the_help() -> None:
    game = BOARDS["oriental_realm"].game
    (warning,) = (info for info in game.info.options() if info.name == "warning")
    assert f"at most {MAX_TRIALS:,}" in read_rules(game)
    assert "may miss" in warning.help
