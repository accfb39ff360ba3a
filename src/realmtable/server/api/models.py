"""Request and response models of the API, with the descriptions and examples for OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictInt, StringConstraints
from pydantic_core import PydanticCustomError

from realmtable.engine import registry
from realmtable.server.invisible_characters import Visible
from realmtable.server.tables.actions import MAX_CHAT_LENGTH, MAX_MOVE_LENGTH
from realmtable.server.tables.clock import (
    DAY_S,
    MAX_INCREMENT_S,
    MAX_LIVE_S,
    MAX_NEW_DAYS,
    MIN_LIVE_S,
    ClockRule,
    new_clock,
)
from realmtable.server.tables.picture_layers import KEY_LENGTH
from realmtable.server.tables.replays.replay_views import MAX_LINE_STEPS

MAX_POSITION_LENGTH = 20_000
# The moves and pieces in the examples are those of this game.
EXAMPLE_GAME = next(info.id for info in registry.infos() if info.presentation.featured)


def check_position_length(text: str) -> str:
    """Return the text of a position, or refuse it with the way to continue a long game.

    Some games read longer positions, such as those of a long combat. Reading one means to play the steps of this
    combat again, and only records are charged for the number of their steps.
    """
    if len(text) > MAX_POSITION_LENGTH:
        sentence = f"a position may have at most {MAX_POSITION_LENGTH:,} characters; start from a record instead"
        raise PydanticCustomError("position_too_long", sentence)
    return text


GameId = Annotated[str, StringConstraints(min_length=1, max_length=40)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_MOVE_LENGTH), Visible]
Position = Annotated[
    str,
    StringConstraints(min_length=1),
    AfterValidator(check_position_length),
    Field(json_schema_extra={"maxLength": MAX_POSITION_LENGTH}),
    Visible,
]
RecordText = Annotated[str, StringConstraints(min_length=1, max_length=1_000_000)]  # workers make it visible
Key = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[\w.:-]+$")]
SeatAssignment = Annotated[str, StringConstraints(pattern=r"^(me|open|bot:[a-z0-9_-]{1,36})$")]
LayerKey = Annotated[str, StringConstraints(pattern=rf"^[0-9a-f]{{{KEY_LENGTH}}}$")]
PresetName = Annotated[str, StringConstraints(max_length=60)]
RequestedOptions = dict[Annotated[str, StringConstraints(max_length=60)], StrictBool | StrictInt | str]
Handle = Annotated[str, StringConstraints(min_length=1, max_length=100)]
PlannedStep = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Version = Annotated[StrictInt, Field(ge=0, le=2**31 - 1)]
MAX_PATH = 12  # handles that a request may name as already chosen

MAX_KNOWN_LAYERS = 16
KnownLayerKeys = Annotated[
    list[LayerKey],
    Field(max_length=MAX_KNOWN_LAYERS, default_factory=list, description="Keys of layers to name without their SVG."),
]


class RequestBody(BaseModel):
    """A request body; unknown fields are refused rather than ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class ClockRequest(RequestBody):
    """The clock of a game."""

    kind: Literal["none", "move", "game", "days"] = "none"
    seconds: float = Field(
        default=0,
        ge=0,
        description=f"Time per turn, or for the whole game: {MIN_LIVE_S:g} to {MAX_LIVE_S:g} whole seconds.",
        allow_inf_nan=False,
    )
    increment_s: float = Field(
        default=0,
        ge=0,
        description=f"Added to a player's game clock after each own turn: up to {MAX_INCREMENT_S:g} whole seconds.",
        allow_inf_nan=False,
    )
    days: float = Field(
        default=0,
        ge=0,
        description=f"Days per move, for correspondence: from 1 to {MAX_NEW_DAYS}.",
        allow_inf_nan=False,
    )

    def to_rule(self) -> ClockRule:
        """Return the clock rule of a new game."""
        return new_clock(self.kind, self.days * DAY_S if self.kind == "days" else self.seconds, self.increment_s)


class StartRequest(RequestBody):
    """The rules of a game, and where it starts."""

    preset: PresetName | None = None
    options: RequestedOptions = Field(
        default_factory=dict, max_length=100, description="Rule options that override those of the preset."
    )
    position: Position | None = Field(default=None, description="Start from this position.")
    record: RecordText | None = Field(default=None, description="Start from the end of this record.")
    after: int | None = Field(default=None, ge=0, le=100_000, description="Start after this many turns of the record.")


class NewTableRequest(StartRequest):
    """A table to open. `seats` assigns the seats in the order of the game's seat names."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"game": EXAMPLE_GAME, "seats": ["me", "bot:greedy"]},
                {"game": EXAMPLE_GAME, "seats": ["open", "me"], "clock": {"kind": "game", "seconds": 300}},
            ]
        }
    )

    game: GameId
    seats: list[SeatAssignment] = Field(min_length=1, max_length=16, description='Each is "me", "open" or "bot:NAME".')
    clock: ClockRequest = Field(default_factory=ClockRequest)
    timeout: Literal["bot", "last"] | None = Field(
        default=None,
        description="What happens to a player who runs out of time in a timed game of three or more: a bot plays on for"
        ' its own place ("bot", the default), or the player comes last while a bot plays on ("last").',
    )
    rated: bool = False
    listed: bool = Field(default=False, description="Whether the lobby lists the table.")
    chat: Literal["everyone", "players", "nobody"] = "everyone"


class SetupRequest(StartRequest):
    """Rules to check before a table is opened with them."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"seats": 2, "options": {"bases": 13}}]})

    seats: int = Field(ge=1, le=16, description="The number of players.")


class SetupFault(BaseModel):
    """What to change before a table can be opened."""

    field: str = Field(description='"players", "preset", "position", "record" or the name of an option.')
    message: str


class SetupCheckResponse(BaseModel):
    """Whether a table can be opened with some rules."""

    seats: list[int] = Field(description="The possible numbers of players.")
    fault: SetupFault | None


class ActionRequest(RequestBody):
    """Something that a player does at a table."""

    key: Key | None = Field(default=None, description="A repeated key changes nothing and returns the first response.")


class MoveRequest(ActionRequest):
    """A step or a whole turn in the game's notation, chosen at a version of the table."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 4, "move": "Bh11", "key": "a1b2c3"}]})

    version: Version
    move: MoveText


class UndoRequest(ActionRequest):
    """Undo the latest step of your current turn."""

    version: Version


class SeatRequest(RequestBody):
    """The seat to take; by default the first free one."""

    seat: Annotated[StrictInt, Field(ge=0, le=15)] | None = None


class OfferRequest(ActionRequest):
    """An offer to the other players."""

    what: Literal["draw", "takeback"]


class OfferAnswerRequest(ActionRequest):
    """Whether to accept the offer. The player who made it can withdraw it with false.

    With `what`, the answer counts only for an offer of this kind, and not for another one made meanwhile.
    """

    accept: StrictBool
    what: Literal["draw", "takeback"] | None = None


class ClaimRequest(ActionRequest):
    """What to claim against an opponent who keeps you waiting."""

    what: Literal["win", "draw"]


class ChatRequest(ActionRequest):
    """A chat message."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHAT_LENGTH), Visible]


class ReportRequest(RequestBody):
    """The chat message to report, by its `version` in the scene."""

    version: Version


class MuteRequest(RequestBody):
    """The player to mute."""

    player: Annotated[str, StringConstraints(min_length=1, max_length=32)]


class EmptyRequest(RequestBody):
    """An empty body."""


class RematchRequest(RequestBody):
    """The bots of a rematch."""

    bots: Annotated[str, StringConstraints(pattern=r"^(same|easier|stronger|level[1-9])$")] = Field(
        default="same",
        description="Easier or stronger by one level, or the name of a level; only if all your opponents are bots.",
    )


class PositionRequest(RequestBody):
    """A position of a game."""

    game: GameId
    position: Position | None = Field(default=None, description="The game's initial position by default.")


class ExploreRequest(PositionRequest):
    """A line to explore from a position. Nothing is stored."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": EXAMPLE_GAME, "moves": ["Bh11"]}]})

    moves: list[MoveText] = Field(default_factory=list, max_length=MAX_LINE_STEPS)
    known_layers: KnownLayerKeys


class WhyNotRequest(PositionRequest):
    """Something in the picture of a position that cannot be chosen."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": EXAMPLE_GAME, "handle": "a1"}]})

    path: list[Handle] = Field(default_factory=list, max_length=MAX_PATH, description="What was chosen before it.")
    handle: Handle


class ThinkRequest(PositionRequest):
    """A position for the engine to evaluate."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": EXAMPLE_GAME}]})


class EditRequest(PositionRequest):
    """A change to a position that is being set up, one piece at a time."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": EXAMPLE_GAME, "handle": "h11", "piece": "WB@"}]})

    clear: bool = Field(default=False, description="Remove all pieces first.")
    seat: Annotated[StrictInt, Field(ge=0, le=1)] | None = Field(default=None, description="The seat to move.")
    handle: Annotated[str, StringConstraints(max_length=40)] | None = Field(
        default=None, description="The place to change."
    )
    piece: Annotated[str, StringConstraints(max_length=40)] | None = Field(
        default=None, description="The token of a piece in the palette; null empties the place."
    )


class NewRecordRequest(RequestBody):
    """A record to store and view."""

    text: RecordText


class OpenedTable(BaseModel):
    """The addresses of a new table."""

    table: str
    url: str
    invite: str


class StoredRecord(BaseModel):
    """A stored record, with a warning for each mistake that was corrected."""

    record: str
    url: str
    warnings: list[str]


class DocumentedResponse(BaseModel):
    """The base of responses that are documented but not validated, because our own code builds them."""

    model_config = ConfigDict(extra="allow")


class SceneResponse(DocumentedResponse):
    """A table as one viewer sees it. See docs/host/wire-format.md for every field."""

    table: str
    version: int
    game: str
    status: Literal["open", "running", "over", "halted"]
    you: list[int]
    acting: list[int]
    your_turn: bool
    headline: str
    choices: dict[str, dict[str, Any]]
    lines: dict[str, dict[str, Any]]
    result: dict[str, Any] | None


class VersionResponse(DocumentedResponse):
    """The version of a table after a move, as the player counts; the stream shows the scene."""

    version: int


class LinesResponse(DocumentedResponse):
    """A page of the move list. See `lines` in docs/host/wire-format.md."""

    lines: list[dict[str, Any]]
    earlier: bool


class MomentResponse(DocumentedResponse):
    """A position in a game. See docs/host/wire-format.md for every field."""

    step: int
    steps: int
    text: str
    words: str
    picture: str
    layers: list[dict[str, Any]]
    position: str | None
    choices: list[dict[str, Any]]


class NoteResponse(BaseModel):
    """What choosing a handle would do."""

    text: str = Field(description="A sentence; empty if the game has none to say.")
    words: dict[str, str] = Field(description="What each step that starts with the handle does, by its notation.")


class ReasonResponse(BaseModel):
    """Why something cannot be chosen."""

    sentence: str
    clause: str | None = Field(description="The clause of the game's rules that forbids it, if one does.")
    rules: str | None = Field(description="The address of that clause.")


class PremovesResponse(BaseModel):
    """What a waiting player can choose in advance."""

    choices: list[dict[str, Any]] = Field(description="Moves as in a scene; empty once the planned turn is over.")
    turn: int = Field(description="How many of your turns end before this choice: more than 0 only in a set-up.")
    labels: dict[str, str] = Field(description="Button labels for handles that the picture does not show.")


class AnalysisResponse(DocumentedResponse):
    """The progress of a game's analysis and, once done, its result. See docs/study/analysis.md for every field."""

    status: Literal["none", "waiting", "running", "done", "failed"]
    can_ask: bool
    done: int
    total: int
    ahead: int
    message: str
    analysis: dict[str, Any] | None
    turning_points: list[list[int]]
    mistakes: list[str]


class EvaluationResponse(DocumentedResponse):
    """The engine's evaluation of a position. Chances are those of the first seat."""

    seat_names: list[str]
    chance: float
    proven: bool
    nodes: int
    seconds: float
    lines: list[dict[str, Any]]
    warming: bool


class EditedPositionResponse(DocumentedResponse):
    """A position that is being set up; `fault` says why it is not playable yet."""

    position: str
    picture: str
    fault: str | None


class HintResponse(DocumentedResponse):
    """A good turn and the reason for it. See docs/host/wire-format.md for `advice`, which card games return."""

    version: int
    text: str
    moves: list[str]
    words: list[str]
    paths: list[list[str]]
    chance: str = Field(description="The winning chances with this turn; empty if `advice` counts points.")
    reason: str
    advice: dict[str, Any] | None = Field(description="The expected result of every choice, if the game provides it.")
    warming: bool
