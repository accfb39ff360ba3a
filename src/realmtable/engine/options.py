"""Options are data: a frozen dataclass whose fields carry their bounds, a sentence and their source.

A game declares each field with `option`, calls `check_fields` first in ``__post_init__`` and then checks which values
contradict each other. The other functions read such a class: `list_options` lists its options, and `make_options`,
`parse_pairs` and `parse_options_file` build options from user input, where an unknown name is an error. All of them
accept a value as its type or as text: ``True``, ``1`` and ``"on"`` are the same, and so are ``13`` and ``"13"``.

An option with a text as its default and without choices is a text: the game itself checks what it says. With
`from_file`, the text can be made from a file; `convert_file` does so.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

from realmtable.engine.errors import BadOptions

OptionValue = bool | int | str
OptionsT = TypeVar("OptionsT")

MAX_TEXT = 20_000
MAX_TEXT_VALUE = 1_000  # characters of a text option; it is part of every record and position
LARGEST_PRINTED = 10**15  # no bound comes near it, and formatting a huge integer may fail


class OptionInfo(NamedTuple):
    """One option as `realmtable games` shows it."""

    name: str
    type: str  # "switch", "number", "choice" or "text"
    default: OptionValue
    low: int | None
    high: int | None
    choices: tuple[str, ...]
    help: str
    source: str
    clause: str
    title: str = ""  # its name in words, without a capital: "turn limit"
    choice_titles: tuple[str, ...] = ()  # the choices in words, in their order

    def describe_value(self, value: OptionValue) -> str:
        """Describe a value of the option; for a text option, say only whether it is the default.

        >>> OptionInfo("rearrange", "choice", "free", None, None, ("free", "all_move"), "", "", "", "rearranging",
        ...     ("free", "all move")).describe_value("all_move")
        'all move'
        """
        if self.type == "switch":
            return "on" if value else "off"
        if self.type == "choice":
            return self.choice_titles[self.choices.index(str(value))]
        return str(value) if self.type == "number" or value == self.default else "changed"

    def describe_bounds(self) -> str:
        """Describe the values that the option accepts.

        >>> OptionInfo("bases", "number", 12, 11, 14, (), "", "", "").describe_bounds()
        '11 to 14'
        """
        if self.type == "switch":
            return "on or off"
        if self.type == "number":
            return "a whole number" if self.low is None or self.high is None else f"{self.low} to {self.high}"
        if self.type == "choice":
            return " | ".join(self.choices)
        return f"a text of up to {MAX_TEXT_VALUE:,} characters without spaces and commas"


def spell_name(name: str) -> str:
    """Return the name of an option, a choice or a preset in words. Squares stay as they are.

    >>> spell_name("free_placement"), spell_name("encounter1"), spell_name("enforcers+captures"), spell_name("e2")
    ('free placement', 'encounter 1', 'enforcers + captures', 'e2')
    """
    return re.sub(r"(?<=[a-z]{2})(?=\d)", " ", name.replace("_", " ").replace("+", " + "))


def option(  # noqa: PLR0913 - one keyword for each fact an option has
    default: OptionValue,
    sentence: str,
    *,
    source: str,
    clause: str,
    low: int | None = None,
    high: int | None = None,
    choices: tuple[str, ...] = (),
    from_file: Callable[[str], str] | None = None,
    describe: Callable[[str], str] | None = None,
    title: str = "",
    choice_titles: Mapping[str, str] = MappingProxyType({}),
    defaults_before: Mapping[int, OptionValue] = MappingProxyType({}),
) -> Any:  # noqa: ANN401 - the field's own annotation is its type
    """Declare a dataclass field as a rule option.

    For a text option, `from_file` makes the value from a file's text, and `describe` says what a value changes.
    Give titles where the names of the option or of its choices, read as words, say too little. If a default changes,
    raise the game's rules version and keep the old default under it: `defaults_before={3: 12}` says that it was 12
    before version 3. From then on the option is always written, and older texts are read with `earlier_defaults`.
    """
    facts = {
        "default": default,
        "help": sentence,
        "source": source,
        "clause": clause,
        "low": low,
        "high": high,
        "choices": choices,
        "title": title,
        "choice_titles": tuple(choice_titles.get(choice) or spell_name(choice) for choice in choices),
    }
    metadata = {"option": facts, "from_file": from_file, "describe": describe, "defaults_before": defaults_before}
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """The options of a game that has none."""


def list_options(options: Any) -> list[OptionInfo]:  # noqa: ANN401 - any options class or instance
    """List the options of an options class or instance, in declaration order."""
    return [*_describe_class(options if isinstance(options, type) else type(options))]


@cache
def _describe_class(options_type: type[Any]) -> tuple[OptionInfo, ...]:
    infos = []
    for field in dataclasses.fields(options_type):
        facts = field.metadata["option"]
        facts = facts | {"title": facts["title"] or spell_name(field.name)}
        default: OptionValue = facts["default"]
        infos.append(OptionInfo(name=field.name, type=_kind_of(default, facts["choices"]), **facts))
    return tuple(infos)


def _kind_of(default: OptionValue, choices: tuple[str, ...]) -> str:
    if isinstance(default, bool):
        return "switch"
    if choices:
        return "choice"
    return "text" if isinstance(default, str) else "number"


def check_fields(options: object) -> None:
    """Raise `BadOptions` for values of the wrong type or out of bounds."""
    for info in list_options(options):
        _check_value(info, getattr(options, info.name))


def _check_value(info: OptionInfo, value: object) -> None:
    if info.type == "switch":
        fits = isinstance(value, bool)
    elif info.type == "number":
        fits = isinstance(value, int) and not isinstance(value, bool) and _is_within_bounds(info, value)
    elif info.type == "choice":
        fits = isinstance(value, str) and value in info.choices
    else:
        fits = isinstance(value, str) and _fits_in_a_list(value)
    if not fits:
        raise BadOptions(f"Option {info.name} must be {info.describe_bounds()}, not {_shorten_value(value)}.")


def _is_within_bounds(info: OptionInfo, value: int) -> bool:
    return (info.low is None or info.low <= value) and (info.high is None or value <= info.high)


def _fits_in_a_list(text: str) -> bool:
    """Whether records and positions can hold a text option."""
    return 0 < len(text) <= MAX_TEXT_VALUE and text.isprintable() and "," not in text and " " not in text


def _shorten_value(value: object) -> str:
    if isinstance(value, int) and abs(value) > LARGEST_PRINTED:
        return "a number that large"
    text = value if isinstance(value, str) and value else repr(value)
    return text if len(text) <= 40 else text[:40] + "…"  # noqa: PLR2004 - enough to recognise it


def make_options(
    options_type: type[OptionsT],
    presets: Mapping[str, Mapping[str, OptionValue]],
    preset: str | None,
    values: Mapping[str, object],
) -> OptionsT:
    """Build options from a preset, overridden by single values; unknown names raise `BadOptions`."""
    chosen: dict[str, object] = {}
    if preset is not None:
        if preset not in [*presets]:  # a list accepts a value that cannot be hashed
            raise BadOptions(f"There is no preset {_shorten_value(preset)}; choose one of {', '.join(presets)}.")
        chosen.update(presets[preset])
    chosen.update(values)
    return options_type(**_read_values(options_type, chosen))


def parse_pairs(options_type: type, pairs: list[str]) -> dict[str, OptionValue]:
    """Parse texts such as ``bases=13`` or ``free_placement=on``; each value gets the type of its option."""
    texts: dict[str, object] = {}
    for pair in pairs:
        name, equals, text = (part.strip() for part in pair.partition("="))
        if not equals:
            raise BadOptions(f"Write an option as name=value, not {_shorten_value(pair)}.")
        if name in texts:
            raise BadOptions(f"Option {name} is given twice.")
        texts[name] = text
    return _read_values(options_type, texts)


def _read_values(options_type: type, values: Mapping[str, object]) -> dict[str, OptionValue]:
    """Return each value as the type of its option; unknown names raise `BadOptions`."""
    infos = {info.name: info for info in list_options(options_type)}
    for name in values:
        if name not in infos:
            raise BadOptions(f"There is no option {_shorten_value(name)}; the options are {', '.join(infos)}.")
    return {name: _read_value(infos[name], value) for name, value in values.items()}


SWITCH_WORDS = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}


def _read_value(info: OptionInfo, value: Any) -> OptionValue:  # noqa: ANN401 - whatever a caller has given
    """Return a value as the type of its option. Bounds, choices and texts are checked when the options are made."""
    if getattr(value, "shape", None) == ():  # a NumPy number
        value = value.item()
    text = value.strip().lower() if isinstance(value, str) else ""
    if info.type == "switch" and isinstance(value, int) and value in (0, 1):
        return bool(value)
    if info.type == "switch" and text in SWITCH_WORDS:
        return SWITCH_WORDS[text]
    if info.type == "number" and text.isascii() and text.removeprefix("-").isdigit() and len(text) < 12:  # noqa: PLR2004
        return int(text)
    if info.type in {"choice", "text"} or (info.type == "number" and type(value) is int):
        return cast("OptionValue", value)
    raise BadOptions(f"Option {info.name} must be {info.describe_bounds()}, not {_shorten_value(value)}.")


def parse_options_file(options_type: type, text: str) -> tuple[str | None, dict[str, OptionValue]]:
    """Read preset and values from a TOML file with the option names as keys and, optionally, ``preset``."""
    if len(text) > MAX_TEXT:
        raise BadOptions(f"The options file is longer than {MAX_TEXT:,} characters.")
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an integer of thousands of digits raises a plain ValueError
        raise BadOptions(f"The options file is not valid TOML: {error}.") from None
    preset = table.pop("preset", None)
    if preset is not None and not isinstance(preset, str):
        raise BadOptions("The preset in an options file must be a name in quotes.")
    values = _read_values(options_type, table)
    for info in list_options(options_type):
        if info.name in values:
            _check_value(info, values[info.name])
    return preset, values


def can_come_from_file(options_type: type, name: str) -> bool:
    """Whether `convert_file` accepts files for an option."""
    return any(field.name == name and field.metadata["from_file"] for field in dataclasses.fields(options_type))


def convert_file(options_type: type, name: str, text: str) -> str:
    """Return the value of a text option from the text of a file; raise `BadOptions` if the game refuses it."""
    convert: Callable[[str], str] = next(
        field.metadata["from_file"] for field in dataclasses.fields(options_type) if field.name == name
    )
    return convert(text)


def earlier_defaults(options_type: type, rules_version: int = 1) -> dict[str, OptionValue]:
    """Return the defaults that texts of a rules version mean where they leave out an option whose default has changed.

    Positions and tables always have such options since the change, so without them they are read as version 1.
    """
    changes = {field.name: field.metadata["defaults_before"] for field in dataclasses.fields(options_type)}
    return {
        name: before[min(version for version in before if version > rules_version)]
        for name, before in changes.items()
        if any(version > rules_version for version in before)
    }


def describe_change(options_type: type, name: str, value: OptionValue) -> str:
    """Describe in words how a value of an option differs from the default."""
    info = next(info for info in list_options(options_type) if info.name == name)
    describe = next(field.metadata["describe"] for field in dataclasses.fields(options_type) if field.name == name)
    if describe is not None:
        return f"{info.title}: {describe(str(value))}"
    before, after = (text if info.type == "text" else info.describe_value(text) for text in (info.default, value))
    return f"{info.title}: {after} instead of {before}"


def as_pairs(options: object) -> list[str]:
    """Return options as ``name=value`` texts that `parse_pairs` can read.

    Those at their defaults are left out, unless the default has changed since the first version of the rules.
    """
    pairs, changed = [], earlier_defaults(type(options))
    for info in list_options(options):
        value = getattr(options, info.name)
        if value != info.default or info.name in changed:
            text = ("on" if value else "off") if isinstance(value, bool) else str(value)
            pairs.append(f"{info.name}={text}")
    return pairs
