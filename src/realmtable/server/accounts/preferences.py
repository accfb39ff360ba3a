"""What players choose for themselves on the settings page: themes, sound, motion, and how moves are made.

They are stored with the player as JSON text, so that every device of a player looks alike, and every page is rendered
with them from the start.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError

BoardTheme = Literal["classic", "walnut", "slate", "contrast"]
PieceTheme = Literal["classic", "ivory", "berry", "contrast"]
Motion = Literal["system", "reduced"]
Confirmation = Literal["off", "correspondence", "always"]

MAX_CACHED: Final = 1024  # different texts


class Preferences(BaseModel):
    """A player's preferences; the defaults are those of a new visitor."""

    model_config = ConfigDict(frozen=True)

    board: BoardTheme = Field(default="classic", description="The colours of the boards.")
    pieces: PieceTheme = Field(default="classic", description="The colours of the pieces.")
    coordinates: bool = Field(default=True, description="Whether boards show their coordinates.")
    sound: bool = Field(default=True, description="Whether moves and the end of a game are heard.")
    motion: Motion = Field(default="system", description='"reduced" turns animations off on every device.')
    confirm: Confirmation = Field(default="off", description="In which games a move must be confirmed.")
    premoves: bool = Field(default=True, description="Whether moves can be planned during other players' turns.")
    forced: bool = Field(default=True, description="Whether the only legal move is played automatically.")
    keys: bool = Field(default=True, description="Whether single keys, such as h for a hint, do something at a table.")


class PreferenceChanges(BaseModel):
    """The preferences to change; those left out stay as they are."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{"board": "walnut", "sound": False}]}
    )

    board: BoardTheme | None = None
    pieces: PieceTheme | None = None
    coordinates: StrictBool | None = None
    sound: StrictBool | None = None
    motion: Motion | None = None
    confirm: Confirmation | None = None
    premoves: StrictBool | None = None
    forced: StrictBool | None = None
    keys: StrictBool | None = None

    def apply(self, preferences: Preferences) -> Preferences:
        """Return the preferences with these changes."""
        return preferences.model_copy(update=self.model_dump(exclude_none=True))


def write_preferences(preferences: Preferences) -> str:
    """Return the text to store: the preferences that differ from the defaults."""
    return orjson.dumps(preferences.model_dump(exclude_defaults=True)).decode()


@lru_cache(maxsize=MAX_CACHED)
def read_preferences(text: str) -> Preferences:
    """Return the preferences of a stored text; values that this version does not know become the defaults.

    >>> read_preferences('{"board": "walnut", "motion": "wild"}').model_dump(exclude_defaults=True)
    {'board': 'walnut'}
    """
    values: dict[str, Any] = orjson.loads(text or "{}")
    try:
        return Preferences.model_validate(values)
    except ValidationError as error:
        unknown = {problem["loc"][0] for problem in error.errors()}
        return Preferences.model_validate({name: values[name] for name in values.keys() - unknown})
