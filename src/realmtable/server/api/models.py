"""The shapes of requests and answers: checked once, here, and documented by OpenAPI with examples."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StringConstraints

from realmtable.server.tables.actions import MAX_CHAT_LENGTH, MAX_MOVE_LENGTH
from realmtable.server.tables.clock import DAY_S, ClockRule
from realmtable.server.tables.moments import MAX_LINE_STEPS
from realmtable.server.visible_text import Visible

GameId = Annotated[str, StringConstraints(min_length=1, max_length=40)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_MOVE_LENGTH), Visible]
Position = Annotated[str, StringConstraints(min_length=1, max_length=20_000), Visible]
RecordText = Annotated[str, StringConstraints(min_length=1, max_length=1_000_000), Visible]
Key = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[\w.:-]+$")]
SeatAssignment = Annotated[str, StringConstraints(pattern=r"^(me|open|bot:[a-z0-9_-]{1,36})$")]
Version = Annotated[StrictInt, Field(ge=0, le=2**31 - 1)]


class RequestBody(BaseModel):
    """A body: an unknown field is refused rather than ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ClockWish(RequestBody):
    """How much time there is."""

    kind: Literal["none", "move", "game", "days"] = "none"
    seconds: float = Field(
        default=0, ge=0, le=7 * DAY_S, description="per move, or for the whole game", allow_inf_nan=False
    )
    increment_s: float = Field(default=0, ge=0, le=3600, description="added after every turn of a game clock")
    days: float = Field(default=0, ge=0, le=60, description="per move, for correspondence", allow_inf_nan=False)

    def to_rule(self) -> ClockRule:
        """The clock rule that is wished for."""
        return ClockRule(self.kind, self.days * DAY_S if self.kind == "days" else self.seconds, self.increment_s)


class NewTable(RequestBody):
    """A table to open. `seats` says who sits where, in the order of the game's seat names."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"game": "realm", "seats": ["me", "bot:greedy"]},
                {"game": "classic_realm", "seats": ["open", "me"], "clock": {"kind": "game", "seconds": 300}},
            ]
        }
    )

    game: GameId
    seats: list[SeatAssignment] = Field(min_length=1, max_length=16, description='each "me", "open" or "bot:NAME"')
    preset: Annotated[str, StringConstraints(max_length=60)] | None = None
    options: dict[Annotated[str, StringConstraints(max_length=60)], StrictBool | StrictInt | str] = Field(
        default_factory=dict, max_length=100, description="rule options over those of the preset"
    )
    position: Position | None = Field(default=None, description="start from this position instead of the game's own")
    record: RecordText | None = Field(default=None, description="start from the end of this record")
    after: int | None = Field(default=None, ge=0, le=100_000, description="how many turns of the record are taken over")
    clock: ClockWish = Field(default_factory=ClockWish)
    rated: bool = False
    listed: bool = Field(default=False, description="whether the lobby shows it")
    chat: Literal["everyone", "players", "nobody"] = "everyone"


class Move(RequestBody):
    """A step, or a whole turn, in the game's notation, decided at a version of the table."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 4, "move": "Bh11", "key": "a1b2c3"}]})

    version: Version
    move: MoveText
    key: Key | None = Field(default=None, description="yours: the same key twice gets the first answer")


class Undo(RequestBody):
    """Take back the latest step of your running turn."""

    version: Version
    key: Key | None = None


class SeatWish(RequestBody):
    """Where to sit down: by default on the first free seat."""

    seat: Annotated[StrictInt, Field(ge=0, le=15)] | None = None


class OfferWish(RequestBody):
    """What to offer the others."""

    what: Literal["draw", "takeback"]


class Answer(RequestBody):
    """Whether the offer is accepted; who made it may withdraw it with false."""

    accept: StrictBool


class Chat(RequestBody):
    """Something to say at the table."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHAT_LENGTH), Visible]


class Empty(RequestBody):
    """Nothing has to be said."""


class Explore(RequestBody):
    """A line to try out from a position; nothing of it is stored."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": "realm", "moves": ["Bh11"]}]})

    game: GameId
    position: Position | None = Field(default=None, description="the game's first position by default")
    moves: list[MoveText] = Field(default_factory=list, max_length=MAX_LINE_STEPS)


class Think(RequestBody):
    """A position that the engine should think about."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": "realm"}]})

    game: GameId
    position: Position | None = Field(default=None, description="the game's first position by default")


class Edit(RequestBody):
    """A change of a position that is being set up; one piece at a time."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": "realm", "handle": "h11", "piece": "WB@"}]})

    game: GameId
    position: Position | None = Field(default=None, description="the game's first position by default")
    clear: bool = Field(default=False, description="take all pieces away first")
    seat: Annotated[StrictInt, Field(ge=0, le=1)] | None = Field(default=None, description="who is to move")
    handle: Annotated[str, StringConstraints(max_length=40)] | None = Field(default=None, description="where")
    piece: Annotated[str, StringConstraints(max_length=40)] | None = Field(
        default=None, description="the token of a piece of the palette; none empties the place"
    )


class NewRecord(RequestBody):
    """A record to keep and look at."""

    text: RecordText


class Opened(BaseModel):
    """Where something new is to be found."""

    table: str
    url: str
    invite: str


class Kept(BaseModel):
    """A record that was imported, with a sentence for each slip that was forgiven."""

    record: str
    url: str
    warnings: list[str]


class DocumentedBody(BaseModel):
    """The base of answers that are documented but not checked again: they come from our own code."""

    model_config = ConfigDict(extra="allow")


class SceneBody(DocumentedBody):
    """A table as one viewer sees it; docs/wire-format.md describes every field."""

    table: str
    version: int
    game: str
    status: Literal["open", "running", "over", "halted"]
    you: list[int]
    acting: list[int]
    your_turn: bool
    headline: str
    choices: list[dict[str, Any]]
    lines: list[dict[str, Any]]
    result: dict[str, Any] | None


class MomentBody(DocumentedBody):
    """A position that somebody looks at; docs/wire-format.md describes every field."""

    step: int
    steps: int
    text: str
    words: str
    picture: str
    position: str | None
    choices: list[dict[str, Any]]


class AnalysisBody(DocumentedBody):
    """How far the analysis of a game is and, once it is done, what it says; docs/analysis.md describes every field."""

    status: Literal["none", "waiting", "running", "done", "failed"]
    can_ask: bool
    done: int
    total: int
    ahead: int
    message: str
    analysis: dict[str, Any] | None
    turning_points: list[list[int]]


class ThoughtBody(DocumentedBody):
    """What the engine thinks of a position; chances are the first seat's."""

    seat_names: list[str]
    chance: float
    proven: bool
    nodes: int
    seconds: float
    lines: list[dict[str, Any]]
    warming: bool


class EditedBody(DocumentedBody):
    """A position that is being set up; `fault` says why it cannot be played yet."""

    position: str
    picture: str
    fault: str | None


class HintBody(DocumentedBody):
    """A good turn and why it is one; docs/wire-format.md describes `advice`, which card games give."""

    version: int
    text: str
    moves: list[str]
    words: list[str]
    paths: list[list[str]]
    chance: str = Field(description="to win with it; empty where advice tells points")
    reason: str
    advice: dict[str, Any] | None = Field(description="what every choice may come to, where the game tells it")
    warming: bool
