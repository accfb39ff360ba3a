"""Options are data: described, made, parsed from texts and files, and refused in one sentence."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import (
    MAX_TEXT,
    MAX_TEXT_VALUE,
    OptionInfo,
    OptionValue,
    as_pairs,
    can_come_from_file,
    check_fields,
    convert_file,
    earlier_defaults,
    list_options,
    make_options,
    option,
    parse_options_file,
    parse_pairs,
)
from realmtable.engine.protocol import AnyGame
from tests.conformance.random_games import GAMES, game_id, limit_examples, options_for


@dataclass(frozen=True)
class Meal:
    """Options of a made-up game."""

    eggs: int = option(2, "How many eggs.", source="cook", clause="M1", low=0, high=12)
    any_number: int = option(0, "A number without bounds.", source="cook", clause="M2")
    tea: bool = option(True, "Whether there is tea.", source="cook", clause="M3")
    bread: str = option(
        "rye", "Which bread.", source="cook", clause="M4", choices=("rye", "oat"), title="loaf",
        choice_titles={"oat": "oats"},
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_fields(self)


PRESETS: dict[str, dict[str, OptionValue]] = {"plain": {}, "big": {"eggs": 4, "tea": False}}


def test_description() -> None:
    eggs, any_number, tea, bread = list_options(Meal)
    assert eggs == OptionInfo("eggs", "number", 2, 0, 12, (), "How many eggs.", "cook", "M1", "eggs")
    assert [info.type for info in (any_number, tea, bread)] == ["number", "switch", "choice"]
    assert list_options(Meal()) == list_options(Meal)


def test_titles_are_names_in_words_if_none_are_given() -> None:
    assert [info.title for info in list_options(Meal)] == ["eggs", "any number", "tea", "loaf"]
    assert [info.choice_titles for info in list_options(Meal)] == [(), (), (), ("rye", "oats")]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("eggs", 3, "3"), ("tea", True, "on"), ("tea", False, "off"), ("bread", "oat", "oats")],
)
def test_values_in_words(name: str, value: OptionValue, words: str) -> None:
    assert next(info for info in list_options(Meal) if info.name == name).describe_value(value) == words


def test_a_text_is_only_said_to_be_changed() -> None:
    info = OptionInfo("tiles", "text", "standard", None, None, (), "", "", "", "tiles")
    assert [info.describe_value(text) for text in ("standard", "a:1;b:2")] == ["standard", "changed"]


@pytest.mark.parametrize(
    ("name", "words"), [("eggs", "0 to 12"), ("tea", "on or off"), ("bread", "rye | oat")], ids=["eggs", "tea", "bread"]
)
def test_bounds_in_words(name: str, words: str) -> None:
    assert next(info for info in list_options(Meal) if info.name == name).describe_bounds() == words


def test_options_are_values() -> None:
    meal = Meal(eggs=3)
    assert meal == Meal(eggs=3)
    assert hash(meal) == hash(Meal(eggs=3))
    with pytest.raises(FrozenInstanceError):
        meal.eggs = 4  # type: ignore[misc]


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ({"eggs": 13}, "Option eggs must be 0 to 12, not 13."),
        ({"eggs": -1}, "not -1."),
        ({"eggs": True}, "not True."),
        ({"eggs": 2.0}, "not 2.0."),
        ({"eggs": "13"}, "not 13."),
        ({"tea": 2}, "Option tea must be on or off, not 2."),
        ({"tea": 1.0}, "not 1.0."),
        ({"tea": "maybe"}, "not maybe."),
        ({"tea": 10**5000}, "Option tea must be on or off"),
        ({"bread": "white"}, "Option bread must be rye | oat, not white."),
        ({"bread": 1}, "not 1."),
        ({"bread": None}, "not None."),
        ({"bread": "x" * 99}, f"not {'x' * 40}…."),
        ({"any_number": "many"}, ", not many."),
        ({"honey": 1}, "There is no option honey; the options are eggs, any_number, tea, bread."),
        ({"eggs": 10**5000}, "Option eggs must be 0 to 12"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_wrong_values_are_refused(values: dict[str, object], shown: str) -> None:
    with pytest.raises(BadOptions) as caught:
        make_options(Meal, PRESETS, None, values)
    assert shown in str(caught.value)
    assert "None to" not in str(caught.value)


SAME_VALUES: list[tuple[str, OptionValue, list[object]]] = [
    ("tea", True, [True, 1, "on", "ON", " true ", "Yes", "1"]),
    ("tea", False, [False, 0, "off", "false", "No", "0"]),
    ("eggs", 3, [3, "3", " 3 ", np.int64(3)]),
    ("any_number", -7, [-7, "-7"]),
]


@pytest.mark.parametrize(("name", "value", "spellings"), SAME_VALUES)
def test_a_value_may_be_given_as_its_type_or_as_text(name: str, value: OptionValue, spellings: list[object]) -> None:
    for spelling in spellings:
        assert make_options(Meal, PRESETS, None, {name: spelling}) == Meal(**{name: value})  # type: ignore[arg-type] # one of its fields
        toml = str(spelling).lower() if isinstance(spelling, int) else f"'{spelling}'"
        assert parse_options_file(Meal, f"{name} = {toml}") == (None, {name: value})
        assert parse_pairs(Meal, [f"{name}={spelling}"]) == {name: value}


def test_presets() -> None:
    assert make_options(Meal, PRESETS, "big", {"eggs": 5}) == Meal(eggs=5, tea=False)
    assert make_options(Meal, PRESETS, None, {"any_number": -(10**9)}).any_number == -(10**9)
    for preset, shown in (("huge", "huge"), (["big"], r"\['big'\]")):
        with pytest.raises(BadOptions, match=rf"^There is no preset {shown}; choose one of plain, big\.$"):
            make_options(Meal, PRESETS, preset, {})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pairs", "values"),
    [
        ([], {}),
        (["eggs=3"], {"eggs": 3}),
        ([" eggs = 3 ", "tea=off"], {"eggs": 3, "tea": False}),
        (["any_number=-7"], {"any_number": -7}),
        (["bread=white"], {"bread": "white"}),  # judged when the options are made
    ],
)
def test_pairs(pairs: list[str], values: dict[str, OptionValue]) -> None:
    assert parse_pairs(Meal, pairs) == values


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (["eggs"], "Write an option as name=value, not eggs."),
        ([""], "Write an option as name=value, not ''."),
        (["=3"], "There is no option ''; the options are eggs, any_number, tea, bread."),
        (["honey=1"], "There is no option honey; the options are eggs, any_number, tea, bread."),
        (["eggs=1", "eggs=1"], "Option eggs is given twice."),
        (["eggs=many"], "Option eggs must be 0 to 12, not many."),
        (["eggs="], "Option eggs must be 0 to 12, not ''."),
        (["eggs=--3"], "Option eggs must be 0 to 12, not --3."),
        (["eggs=²"], "Option eggs must be 0 to 12, not ²."),
        (["eggs=100000000000"], "Option eggs must be 0 to 12, not 100000000000."),
        (["tea=maybe"], "Option tea must be on or off, not maybe."),
    ],
)
def test_wrong_pairs_are_refused(pairs: list[str], message: str) -> None:
    with pytest.raises(BadOptions) as caught:
        parse_pairs(Meal, pairs)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "preset", "values"),
    [
        ("", None, {}),
        ("eggs = 3\ntea = false\nbread = 'oat'", None, {"eggs": 3, "tea": False, "bread": "oat"}),
        ("preset = 'big'\neggs = 3", "big", {"eggs": 3}),
    ],
)
def test_a_file(text: str, preset: str | None, values: dict[str, OptionValue]) -> None:
    assert parse_options_file(Meal, text) == (preset, values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("eggs", "The options file is not valid TOML"),
        ("a" * (MAX_TEXT + 1), "longer than 20,000 characters"),
        ("[" * 15_000, "The options file is not valid TOML"),
        ("eggs = " + "[" * 15_000, "The options file is not valid TOML"),
        ("eggs = " + "1" * 5000, "not valid TOML"),
        ("eggs = 0x" + "f" * 5000, "Option eggs must be 0 to 12"),
        ("preset = 3", "The preset in an options file must be a name in quotes."),
        ("honey = 1", "There is no option honey"),
        ("eggs = '13'", "Option eggs must be 0 to 12, not 13."),
        ("eggs = 13", "Option eggs must be 0 to 12, not 13."),
        ("eggs = 2024-01-01", "Option eggs must be 0 to 12"),
        ("tea = 2", "Option tea must be on or off, not 2."),
        ("[eggs]\nx = 1", "Option eggs must be 0 to 12"),
    ],
    ids=range(13),
)
def test_a_wrong_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadOptions) as caught:
        parse_options_file(Meal, text)
    assert message in str(caught.value)


@limit_examples(200)
@given(st.text(st.sampled_from("eggstabrd=' \n[]{}\"#0123.-") | st.characters(), max_size=60))
def test_any_file_is_read_or_refused(text: str) -> None:
    try:
        preset, values = parse_options_file(Meal, text)
        make_options(Meal, PRESETS, preset, values)
    except BadOptions:
        return


def test_pairs_name_what_differs_from_the_default() -> None:
    assert as_pairs(Meal()) == []
    assert as_pairs(Meal(eggs=0, tea=False, bread="oat")) == ["eggs=0", "tea=off", "bread=oat"]


@dataclass(frozen=True)
class Snack:
    """Options that have had other defaults: one two of them, another one."""

    nuts: int = option(9, "How many nuts.", source="cook", clause="N1", low=0, high=9, defaults_before={3: 5, 2: 1})
    salt: bool = option(True, "Whether there is salt.", source="cook", clause="N2", defaults_before={3: False})
    dip: bool = option(False, "Whether there is a dip.", source="cook", clause="N3")


def test_texts_of_older_rules_mean_their_defaults() -> None:
    assert earlier_defaults(Snack, 1) == earlier_defaults(Snack) == {"nuts": 1, "salt": False}
    assert earlier_defaults(Snack, 2) == {"nuts": 5, "salt": False}
    assert earlier_defaults(Snack, 3) == earlier_defaults(Meal) == {}


def test_an_option_whose_default_has_changed_is_always_written() -> None:
    assert as_pairs(Snack()) == ["nuts=9", "salt=on"]
    assert as_pairs(Snack(nuts=0, dip=True)) == ["nuts=0", "salt=on", "dip=on"]


@pytest.mark.hypothesis
@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_pairs_are_read_back(game: AnyGame) -> None:
    @limit_examples(30)
    @given(options_for(game))
    def reads(options: object) -> None:
        assert game.options(None, **parse_pairs(game.info.options_type, as_pairs(options))) == options

    reads()


# ---- texts


@dataclass(frozen=True)
class Soup:
    """Options whose values are texts."""

    recipe: str = option("leek", "What is in it.", source="cook", clause="S1", from_file=lambda text: text.strip())
    motto: str = option("eat", "What is said.", source="cook", clause="S2")

    def __post_init__(self) -> None:
        check_fields(self)


def test_a_text_is_an_option_without_choices() -> None:
    recipe = list_options(Soup)[0]
    assert (recipe.type, recipe.default, recipe.choices) == ("text", "leek", ())
    assert recipe.describe_bounds() == "a text of up to 1,000 characters without spaces and commas"
    assert parse_pairs(Soup, ["recipe=leek:2;salt=1/2"]) == {"recipe": "leek:2;salt=1/2"}
    assert as_pairs(Soup(recipe="kale:1")) == ["recipe=kale:1"]
    assert parse_options_file(Soup, 'recipe = "kale"') == (None, {"recipe": "kale"})


@pytest.mark.parametrize("value", ["", "two words", "salt,pepper", "a\nb", "x" * (MAX_TEXT_VALUE + 1), 3, True])
def test_a_text_must_fit_into_lists_of_options(value: OptionValue) -> None:
    with pytest.raises(BadOptions, match="Option recipe must be a text of up to"):
        make_options(Soup, {}, None, {"recipe": value})


def test_a_text_can_be_made_from_a_file() -> None:
    assert can_come_from_file(Soup, "recipe")
    assert not can_come_from_file(Soup, "motto")
    assert not can_come_from_file(Soup, "salt")
    assert convert_file(Soup, "recipe", " kale:1\n") == "kale:1"
