"""The records and figures shipped with Realm: readable, and each shows what it claims."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import realmtable
from realmtable.engine.errors import IllegalMove
from realmtable.engine.match import LogEntry
from realmtable.engine.options import OptionInfo, OptionValue, as_pairs
from realmtable.engine.record import ParsedRecord, Record, RecordTurn, parse_record
from realmtable.games import realm
from realmtable.games.realm.first_state import State, first_state
from realmtable.games.realm.layout import SEAT
from realmtable.games.realm.rules import score_and_tie_break
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import CENTERS, cell_at, cell_name, find_cell, realm_of, spaces_of

GAME = realmtable.game("realm")
FOLDER = Path(realm.__file__).parent
NAMES = sorted(path.stem for path in (FOLDER / "records").glob("*.record"))
OPTION_NAMES = [name for name in NAMES if name.startswith("option-")]
FIGURES = tomllib.loads((FOLDER / "data" / "figures.toml").read_text(encoding="utf-8"))["figures"]
OPTIONS = {info.name: info for info in GAME.info.options()}

COMMA = "A comma at the end of a turn is ignored."
DASH = "A single dash is ignored."
ROUND = "Text in round brackets is read as a comment; use braces for comments."
SMALL = "file l is written with a small letter."
SLIPS = [
    (7, "Set?up: is read as the heading Set-up:."),
    *[(7, COMMA)] * 5,
    (7, "The comma before Pc9 is read as the end of a turn."),
    (8, COMMA),
    (10, f"Pd1L1 is read as Pd1l1: {SMALL}"),
    (11, "Ei7W is read as El7W: i and l look alike, and only this one is legal."),
    (12, ROUND),
    (14, DASH),
    (15, DASH),
    (15, f"EI7a7 is read as El7a7: {SMALL}"),
    (16, f"PL1L6 is read as Pl1l6: {SMALL}"),
    (17, DASH),
    (18, ROUND),
    (20, DASH),
    (21, DASH),
    (22, DASH),
    (22, f"EI6W is read as El6W: {SMALL}"),
    (22, COMMA),
    (22, "wins. is read as a remark."),
]

CLAUSES = {
    "last_base": "R12",
    "agreement": "T1",
    "dead_position": "T2",
    "no_progress": "T3",
    "repetition": "T3 repetition",
    "max_turns": "T4",
    "two_passes": "T5",
}
SHOWN = {
    "event-capture-three-to-two": {"E4 3:2", "E4 immobile"},
    "event-capture-two-to-one": {"E4 2:1", "E4 immobile"},
    "event-immobile-enforcer": {"E2"},
    "event-immobilise-both": {"E3", "E3 both"},
    "event-immobilise-choice": {"E3 choice"},
    "event-immobilise-lead": {"E3", "E3 mobile"},
    "event-offer-declined": {"offer"},
    "event-pass": {"pass", "rearrange"},
    "event-rearrangement": {"rearrange"},
    "event-vacant-center": {"Power crosses", "Enforcer crosses"},
    "end-agreement": {"T1", "White wins"},
    "end-dead-position": {"T2", "White wins"},
    "end-draw": {"draw"},
    "end-last-base": {"R12", "Black wins"},
    "end-max-turns": {"T4"},
    "end-no-progress": {"T3"},
    "end-repetition": {"T3 repetition"},
    "end-tie-break": {"tie-break", "White wins"},
    "end-two-passes": {"T5"},
    "option-capture-replaces": {"E4 1:0", "V7"},
    "option-optional-creation": {"decline"},
    "option-power-sacrifice": {"sacrifice"},
    "magazine-game": {"E1", "E2", "E4", "E4 immobile", "E4 mobile", "R12"},
}


@cache
def text_of(name: str) -> str:
    return (FOLDER / "records" / f"{name}.record").read_text(encoding="utf-8")


@cache
def record_of(name: str) -> Record:
    reading = parse_record(text_of(name), realmtable.game)
    assert reading.fault is None
    assert reading.record is not None
    return reading.record


@cache
def final_state(name: str) -> State:
    return play(record_of(name))


def play(record: Record, until: int | None = None) -> State:
    state = record.replay(until).state
    assert isinstance(state, ArrayState)
    return state


# ---- reading and writing
@pytest.mark.parametrize("name", NAMES)
def test_a_record_reads_without_fault_or_unexpected_warning(name: str) -> None:
    reading = parse_record(text_of(name), realmtable.game)
    assert reading.fault is None
    assert reading.warnings == (SLIPS if name == "magazine-as-printed" else [])


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_written_as_it_is_read(name: str) -> None:
    written = record_of(name).text()
    again = parse_record(written, realmtable.game)
    assert (again.fault, again.warnings) == (None, [])
    assert again.record is not None
    assert again.record.text() == written
    if name != "magazine-as-printed":
        assert written.split() == text_of(name).replace("Preset: original\n", "").split()


def test_some_record_has_a_variation_inside_a_variation_with_comments() -> None:
    turns = record_of("magazine-example").turns
    assert max(map(depth, turns)) == 2
    inner = turns[10].variations[0][1].variations[0][0]
    assert (turns[10].text, inner.text, inner.comment[:14]) == ("Pf7", "Pd6", "Out of the way")


def depth(turn: RecordTurn) -> int:
    return max((1 + depth(inner) for line in turn.variations for inner in line), default=0)


# ---- the magazine


def test_the_sample_game_as_printed_and_corrected_is_one_game() -> None:
    assert final_state("magazine-as-printed") == final_state("magazine-game")
    assert record_of("magazine-game").turns[-1].text == "Pe7e6(Be5)"
    assert record_of("magazine-game").turns[-1].turn == (16, 0)


def test_the_sample_game_ends_as_the_magazine_says() -> None:
    state = final_state("magazine-game")
    outcome = GAME.outcome(state)
    view = GAME.view(state, None)
    assert outcome is not None
    assert (outcome.scores, outcome.winner, outcome.reason) == ((8, 7), 0, "last_base")
    assert [12 - stock["bases"] for stock in view["stock"]] == [12, 9]
    assert [stock["captured"] for stock in view["stock"]] == [2, 4]
    assert [score_and_tie_break(state.position, seat)[1] for seat in range(2)] == [6, 6]
    pieces = [(piece["kind"], piece["seat"], piece["at"]) for piece in view["pieces"]]
    bases = [" ".join(at for kind, owner, at in pieces if (kind, owner) == ("base", seat)) for seat in range(2)]
    assert bases == ["e5 h5 b8 e8 h8 k8 e11 h11", "b2 e2 h2 k2 b5 k5 b11"]


def test_the_sample_game_with_other_numbers_of_bases() -> None:
    text = text_of("magazine-game")
    longer, shorter = (parse_record(f"Options: bases={bases}\n{text}", realmtable.game) for bases in (13, 11))
    assert longer.record is not None
    assert longer.fault is None
    assert longer.record.outcome() is None
    assert shorter.record is not None
    assert shorter.fault is not None
    assert [turn.text for turn in shorter.record.turns][-1] == "Pj10j9(Bk8)"
    assert shorter.record.turns[-1].turn.number == 14


def test_the_example_is_legal_whatever_the_third_powers() -> None:
    turns = [turn.text for turn in record_of("magazine-example").turns[12:]]
    assert len(turns) == 3
    for white in border("e8"):
        for black in border("e5"):
            start = f"W:Bb11,Be8,Bh5,Pc10,Pi4,P{white} B:Bh8,Be5,Bb2,Pg7,Pa3,P{black} move=W"
            reading = parse_record("\n".join(["Game: realm", f"Start: {start}", "", *turns]), realmtable.game)
            assert (reading.fault, reading.warnings) == (None, [])


def border(center: str) -> list[str]:
    cell = find_cell(center)
    assert cell is not None
    return [cell_name(space) for space in spaces_of(realm_of(cell)) if space != cell]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: f"figure-{figure['number']}")
def test_a_figure_is_the_position_of_its_record(figure: dict[str, Any]) -> None:
    record = record_of(figure["record"])
    reached = play(record, figure["turns"])
    assert GAME.decode(figure["position"]) == reached
    assert GAME.encode(reached) == figure["position"]
    assert f"Figure {figure['number']}" in record.turns[figure["turns"] - 1].comment
    assert figure["caption"].endswith(".")


def test_there_are_five_figures() -> None:
    assert [figure["number"] for figure in FIGURES] == [3, 4, 5, 6, 7]


# ---- what the records show


@cache
def facts_of(name: str) -> frozenset[str]:
    """Everything that happens in a record, in words."""
    entries = record_of(name).replay().log()
    afters = [entry.before for entry in entries[1:]] + [final_state(name)]
    facts = {fact for entry, after in zip(entries, afters, strict=True) for fact in step_facts(entry, after)}
    return frozenset(facts | set(end_facts(final_state(name))))


def step_facts(entry: LogEntry, after: State) -> Iterator[str]:
    yield entry.move.kind.name.lower()
    before, now = (GAME.view(state, None) for state in (entry.before, after))
    mine = entry.seat
    spent = immobile(now, mine) > immobile(before, mine)
    fewer = {kind: now["stock"][mine][kind] < before["stock"][mine][kind] for kind in ("bases", "enforcers")}
    captured = now["stock"][mine]["captured"] > before["stock"][mine]["captured"]
    if before["phase"] in ("turn", "found") and fewer["bases"]:
        yield "V7" if captured else "E1"
    if fewer["enforcers"]:
        yield "E2"
    if immobile(now, 1 - mine) > immobile(before, 1 - mine):
        yield from ("E3", "E3 both" if spent else "E3 mobile")
        if entry.move.kind == StepKind.IMMOBILISE:
            yield "E3 choice"
    if captured:
        lead = ":".join(str(powers_near(now, seat, entry.move.to)) for seat in (mine, 1 - mine))
        yield from ("E4", f"E4 {lead}", "E4 immobile" if spent else "E4 mobile")
    if entry.move.kind == StepKind.MOVE and crosses_center(entry.move.at, entry.move.to):
        kinds = {piece["at"]: piece["kind"] for piece in before["pieces"]}
        yield f"{kinds[cell_name(entry.move.at)].capitalize()} crosses"


def immobile(view: dict[str, Any], seat: int) -> int:
    return sum(piece["seat"] == seat and not piece["mobile"] for piece in view["pieces"])


def powers_near(view: dict[str, Any], seat: int, space: int) -> int:
    near = {cell_name(cell) for cell in spaces_of(realm_of(space))}
    return sum((piece["seat"], piece["kind"]) == (seat, "power") and piece["at"] in near for piece in view["pieces"])


def crosses_center(source: int, target: int) -> bool:
    (low_rank, low_file), (high_rank, high_file) = (divmod(cell, 12) for cell in sorted((source, target)))
    files = range(min(low_file, high_file), max(low_file, high_file) + 1)
    return any(cell_at(file, rank) in CENTERS for file in files for rank in range(low_rank, high_rank + 1))


def end_facts(state: State) -> Iterator[str]:
    outcome = GAME.outcome(state)
    if outcome is None:
        return
    yield CLAUSES[outcome.reason]
    yield "draw" if outcome.winner is None else f"{GAME.info.seat_names[outcome.winner]} wins"
    if len(set(outcome.scores)) == 1:
        yield "tie-break"


def test_the_table_names_every_event_and_end() -> None:
    assert {name for name in NAMES if name.startswith(("event-", "end-"))} <= SHOWN.keys()


@pytest.mark.parametrize("name", SHOWN)
def test_a_record_shows_what_its_name_says(name: str) -> None:
    assert SHOWN[name] <= facts_of(name)


def test_the_records_together_show_every_clause_and_every_kind_of_step() -> None:
    facts = frozenset[str]().union(*map(facts_of, NAMES))
    assert {"E1", "E2", "E3", "E4", *CLAUSES.values()} <= facts
    assert {kind.name.lower() for kind in StepKind} <= facts


def test_a_third_rearrangement_in_a_row_is_refused_where_the_record_says_so() -> None:
    state = play(record_of("event-rearrangement"), 4)
    with pytest.raises(IllegalMove, match="R11"):
        GAME.play(state, 0, GAME.parse_move(state, "Rh11"))


def test_an_immobile_enforcer_blocks_the_line_of_its_record() -> None:
    record = record_of("event-immobile-enforcer")
    for until, text in ((0, "Pa4f4"), (1, "Pl4c4")):
        state = play(record, until)
        with pytest.raises(IllegalMove, match="R7"):
            GAME.play(state, until, GAME.parse_move(state, text))


def test_a_declined_offer_is_gone() -> None:
    record = record_of("event-offer-declined")
    standing, gone = (kinds_of(steps_of(play(record, until))) for until in (1, None))
    assert StepKind.ACCEPT in standing
    assert StepKind.ACCEPT not in gone


def steps_of(state: State) -> list[Step]:
    return GAME.legal_moves(state, int(state.position[SEAT]))


def kinds_of(steps: list[Step]) -> set[StepKind]:
    return {step.kind for step in steps}


def test_the_last_base_cuts_a_turn_short() -> None:
    record = record_of("end-last-base")
    state = GAME.decode(f"{GAME.encode(record.start)} options=bases=13")
    for move in record.turns[0].moves:
        state = GAME.play(state, 0, move)
    assert StepKind.MOVE in kinds_of(steps_of(state))


# ---- options


# Under these every line is legal by default too: what they show is a step that they forbid.
FORBIDDING = {"agree_end", "first_turn_single_power", "rearrange", "stop_in_enemy_realm"}


def option_of(name: str) -> OptionInfo:
    """The option that a record is named after."""
    rest = name.removeprefix("option-").replace("-", "_")
    return OPTIONS[max((option for option in OPTIONS if rest.startswith(option)), key=len)]


def value_of(name: str) -> OptionValue:
    value: OptionValue = getattr(record_of(name).start.options, option_of(name).name)
    return value


def by_default(state: State, option: OptionInfo) -> State:
    """A state with one option at its default."""
    options = GAME.options(**{**asdict(state.options), option.name: option.default})
    if state == GAME.initial(2, state.options):
        return first_state(options)
    text = re.sub(r" options=\S+", "", GAME.encode(state))
    pairs = as_pairs(options)
    decoded = GAME.decode(f"{text} options={','.join(pairs)}" if pairs else text)
    assert isinstance(decoded, ArrayState)
    return decoded


def replay(name: str) -> ParsedRecord:
    """A record read again with its option at the default."""
    record = record_of(name)
    fresh = Record(GAME, by_default(record.start, option_of(name)))
    return parse_record(fresh.text() + "\n".join(turn.text for turn in record.turns), realmtable.game)


def ending(state: State) -> tuple[object, object]:
    return GAME.outcome(state), GAME.view(state, None)["pieces"]


@pytest.mark.parametrize("name", OPTION_NAMES)
def test_an_option_record_needs_its_option(name: str) -> None:
    option = option_of(name)
    assert value_of(name) != option.default
    reading = replay(name)
    if option.name in FORBIDDING:
        assert reading.fault is None
        assert option.clause in refusals(name)
    elif reading.fault is None:
        assert reading.record is not None
        assert ending(play(reading.record)) != ending(final_state(name))


def refusals(name: str) -> Iterator[str]:
    """The clauses that refuse, along a record, steps that its option's default allows."""
    option = option_of(name)
    for entry in record_of(name).replay().log():
        for step in sorted(set(steps_of(by_default(entry.before, option))) - set(steps_of(entry.before))):
            with pytest.raises(IllegalMove) as refused:
                GAME.play(entry.before, entry.seat, step)
            yield refused.value.clause


def test_every_option_value_has_its_record() -> None:
    shown = {(option_of(name).name, value_of(name)) for name in OPTION_NAMES}
    switches = {(info.name, not info.default) for info in OPTIONS.values() if info.type == "switch"}
    choices = {(info.name, value) for info in OPTIONS.values() for value in info.choices if value != info.default}
    numbers = {("bases", 11), ("bases", 13), ("bases", 14), ("enforcers", 4), ("enforcers", 9), ("powers", 4)}
    assert shown == switches | choices | numbers | {("no_progress", 10), ("max_turns", 20)}


def test_the_fourth_base_may_break_the_rule_only_where_it_must() -> None:
    record = record_of("option-powers-4")
    counts = [len(steps_of(play(record, until))) for until in (6, 7)]
    assert counts == [10, 1]
    assert record.turns[6].text == "Be8"


def test_the_old_rules_are_a_preset() -> None:
    assert record_of("option-agree-end").start.options == GAME.options("original")
