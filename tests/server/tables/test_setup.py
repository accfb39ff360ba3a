"""The set-up of a table: from options, a position, or a record and some of its turns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadOptions, RealmtableError
from realmtable.engine.options import OptionInfo, OptionValue, as_pairs, make_options
from realmtable.engine.protocol import GameInfo
from realmtable.engine.record import load_record
from realmtable.games.magic_realm.world import position_reader
from realmtable.server.api.models import MAX_POSITION_LENGTH, NewTableRequest
from realmtable.server.errors import BadSetup
from realmtable.server.site.setup_choices import presets
from realmtable.server.tables.setup import RulesRequest, Setup, SetupCheck, SetupFault, check_setup, resolve_rules
from tests.conformance.random_games import play_randomly
from tests.server.support.live_server import Person

GAME = registry.game("classic_realm")


def record_of(turns: int) -> str:
    """A record with so many turns, the first legal ones."""
    state, texts = GAME.initial(2), []
    for _ in range(turns):
        turn, seat, moves = GAME.turn(state), GAME.to_move(state)[0], []
        before = state
        while GAME.to_move(state) == (seat,) and GAME.turn(state) == turn:
            moves.append(GAME.legal_moves(state, seat)[0])
            state = GAME.play(state, seat, moves[-1])
        texts.append(GAME.format_turn(before, moves))
    return "Game: classic_realm\n\n" + "\n".join(texts) + "\n"


def test_as_many_turns_of_a_record_are_taken_over_as_are_asked_for() -> None:
    text = record_of(4)
    record = load_record(text, registry.game)
    starts = [resolve_rules(RulesRequest("classic_realm", record=text, after=after), 2) for after in (0, 1, 4, None)]
    assert starts == [((), GAME.encode(record.replay(after).state)) for after in (0, 1, 4, 4)]
    assert len(set(starts)) == 3


@pytest.mark.parametrize("after", [-1, 5])
def test_turns_that_a_record_does_not_have_are_refused(after: int) -> None:
    with pytest.raises(BadSetup, match=r"The record has 4 turns; start after one of them\."):
        resolve_rules(RulesRequest("classic_realm", record=record_of(4), after=after), 2)


def test_a_record_of_another_game_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"This is a record of Classic Realm, not of Realm\."):
        resolve_rules(RulesRequest("realm", record=record_of(1)), 2)


def test_a_finished_game_is_refused() -> None:
    over = play_randomly(GAME, GAME.initial(2), 1, 10_000).last
    assert GAME.outcome(over) is not None
    with pytest.raises(BadSetup, match="The game is over in this position"):
        resolve_rules(RulesRequest("classic_realm", position=GAME.encode(over)), 2)


@pytest.mark.parametrize("more", [{"position": "x"}, {"options": {"double_moves": True}}, {"preset": "plain"}])
def test_a_record_brings_its_own_rules(more: dict[str, object]) -> None:
    with pytest.raises(BadSetup, match="give only one of options, position and record"):
        resolve_rules(replace(RulesRequest("classic_realm", record=record_of(1)), **more), 2)  # type: ignore[arg-type]


# ---- checks before a table is opened


def test_rules_and_players_that_fit_have_no_fault() -> None:
    assert check_setup(RulesRequest("realm", options={"bases": 13}), 2) == SetupCheck((2,), None)
    assert check_setup(RulesRequest("classic_realm", position=GAME.encode(GAME.initial(2))), 2).fault is None


def test_the_rules_say_how_many_can_play() -> None:
    chaos = RulesRequest("fantasy_realms", "standard", {"variant": "chaos"})
    fault = SetupFault("players", "This game is for 3 to 7 players.")
    assert check_setup(chaos, 2) == SetupCheck((3, 4, 5, 6, 7), fault)
    assert check_setup(chaos, 3).fault is None


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        (RulesRequest("realm", options={"bases": 99}), "bases"),
        (RulesRequest("realm", options={"choose_seat": "both", "extra_base_second": True}), "extra_base_second"),
        (RulesRequest("realm", "no such preset"), "preset"),
        (RulesRequest("realm", position="nonsense"), "position"),
        (RulesRequest("realm", record="nonsense"), "record"),
    ],
)
def test_a_fault_names_its_field(rules: RulesRequest, field: str) -> None:
    fault = check_setup(rules, 2).fault
    assert fault is not None
    assert fault.field == field
    with pytest.raises(RealmtableError) as refused:
        resolve_rules(rules, 2)
    assert fault.message == str(refused.value)


GAMES = [info.id for info in registry.infos()]
IDENTIFIER = re.compile(r"[=_+]\S|\w_|[a-z]{2,}\d|\b[a-z]+_[a-z]|\b(max|min|num|hq)\b")

SENTENCES = re.compile(r"([A-Z0-9][^.:()`=]{15,}\.\s?)+")  # no "Displace by: owner."
MAX_SUMMARY = 150  # characters on a card


def describe(info: GameInfo, preset: str | None, **values: OptionValue) -> str:
    options: Any = make_options(info.options_type, info.presets, preset, values)
    return Setup(info.id, info.seats[0], tuple(as_pairs(options)), preset).describe()


def list_values(option: OptionInfo) -> Iterator[OptionValue]:
    """Yield values of an option that are not its default."""
    match option.type:
        case "switch":
            yield not option.default
        case "choice":
            yield from (choice for choice in option.choices if choice != option.default)
        case "number" if option.low is not None:
            yield option.low + (option.low == option.default)
        case _:
            yield "generate.copies:3;accord.control:1/3"


@pytest.mark.parametrize("game", GAMES)
def test_a_table_names_its_preset_in_words(game: str) -> None:
    info = registry.info(game)
    for preset in info.presets:
        line = describe(info, preset)
        assert line == ("" if preset == info.default_preset else info.preset_title(preset))
        assert not IDENTIFIER.search(info.preset_title(preset)), preset
    assert {*info.presentation.preset_titles} <= {*info.presets}
    assert len({info.preset_title(preset) for preset in info.presets}) == len(info.presets)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_names_its_options_in_words(game: str) -> None:
    info, described = registry.info(game), 0
    for preset in info.presets:
        for option in info.options():
            for value in {*list_values(option)} - {info.presets[preset].get(option.name)}:
                try:
                    line = describe(info, preset, **{option.name: value})
                except BadOptions:  # it contradicts the preset
                    continue
                described += 1
                assert f"{option.title}: {option.describe_value(value)}" in line
                assert not IDENTIFIER.search(line), line
    assert described >= len(info.presets)


@pytest.mark.parametrize("game", GAMES)
def test_the_set_up_page_describes_presets_in_words(game: str) -> None:
    for preset in presets(game):
        changes = [change.rpartition(":")[2] for change in preset.changes]
        assert not any(IDENTIFIER.search(text) for text in changes), changes


@pytest.mark.parametrize("game", GAMES)
def test_the_set_up_page_says_in_sentences_what_is_special_about_a_preset(game: str) -> None:
    for preset in presets(game):
        assert SENTENCES.fullmatch(preset.summary), preset.summary
        assert len(preset.summary) <= MAX_SUMMARY


def test_a_note_on_a_preset_is_the_one_in_the_list_of_presets() -> None:
    found = next(preset for preset in presets("realms_of_etherium") if preset.name == "player_powers")
    assert found.summary.startswith("Each player chooses a colour and has its power; ")  # the rules mention it before


def test_magic_realm_says_what_its_presets_and_options_are() -> None:
    info = registry.info("magic_realm")
    assert describe(info, "encounter1") == "treasure hunt"
    line = describe(info, "first_game", map="stock3", days="14", restart=False)
    assert line == "first game, days: 14, map: ready-made map 3, a new life after death: off"
    assert describe(info, None, encounter="1") == "combat: no"


def test_a_table_whose_preset_has_changed_since_names_what_differs() -> None:
    powers = Setup("realms_of_etherium", 2, ("player_powers=on",), "player_powers")
    assert powers.describe() == "player powers, no Paralyze in Round 1: off, players choose their colours: off"
    earlier = Setup("realms_of_etherium", 2, ("one_gain_power=on", "lone_connected=off"), "literal")
    assert earlier.describe() == "one reaction to a gain: on, a single Realm counts as connected: off"


def test_a_long_text_is_not_repeated() -> None:
    info = registry.info("realms_of_etherium")
    assert describe(info, None, manifest="generate.copies:3") == "tiles: changed"


SENTENCE = "position: a position may have at most 20,000 characters; start from a record instead."


@pytest.mark.anyio
async def test_a_long_position_is_refused_with_the_way_to_continue(ann: Person) -> None:
    assert position_reader.MAX_TEXT > MAX_POSITION_LENGTH
    text = "x" * (MAX_POSITION_LENGTH + 1)
    for path, body in (
        ("/api/tables", {"game": "magic_realm", "seats": ["me"]}),
        ("/api/games/magic_realm/checks", {"seats": 1}),
    ):
        answer = await ann.send("POST", path, body | {"position": text})
        assert (answer.status_code, answer.json()["error"]["message"]) == (422, SENTENCE)
        answer = await ann.send("POST", path, body | {"position": text[1:]})
        assert "at most" not in answer.text


def test_the_schema_names_the_limit() -> None:
    position = NewTableRequest.model_json_schema()["properties"]["position"]
    assert position["anyOf"][0] == {"maxLength": MAX_POSITION_LENGTH, "minLength": 1, "type": "string"}


def test_a_position_is_for_its_own_number_of_players() -> None:
    game = registry.game("realms_of_etherium")
    rules = RulesRequest(game.info.id, position=game.encode(game.initial(3)))
    assert check_setup(rules, 3) == SetupCheck((3,), None)
    fault = check_setup(rules, 2)
    assert fault.seats == (3,)
    assert fault.fault == SetupFault("players", "This position is for 3 players, not for 2.")
    with pytest.raises(BadSetup, match="for 3 players"):
        resolve_rules(rules, 2)
