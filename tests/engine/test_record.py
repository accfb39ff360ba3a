"""Records: hand-written ones are parsed, written ones round-trip, and errors name their line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import resources

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import realmtable
from realmtable.engine import chance
from realmtable.engine.dice_verification import verify
from realmtable.engine.errors import BadRecord, IllegalMove
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE
from realmtable.engine.record import MAX_DEPTH, MAX_TEXT, ParsedRecord, Record, load_record, parse_record, result_text
from tests.conformance.random_games import find_game, limit_examples, play_randomly, to_match
from tests.toys.dice_duel import DiceDuel
from tests.toys.secret_cards import SecretCards

DUEL, CARDS = DiceDuel(), SecretCards()
REALM = realmtable.game("realm")
SETUP = "1.Bh11/Bh2 2.Be8/Be5 3.Bb5/Bb8 4.Pi10/Pg3 5.Pf7/Pd6 6.Pc4/Pc9"
DEALT = "1::123//0+456//0:"


def read_realm(body: str = "", headers: str = "") -> ParsedRecord:
    return parse_record(f"Game: realm\n{headers}\n{body}", find_game)


def read_duel(body: str, headers: str = "") -> ParsedRecord:
    return parse_record(f"Game: dice_duel\n{headers}\n{body}", find_game)


def expect_record(reading: ParsedRecord) -> Record:
    assert (reading.fault, reading.warnings) == (None, [])
    assert reading.record is not None
    return reading.record


def warnings(reading: ParsedRecord) -> list[str]:
    assert reading.fault is None
    return [f"{warning.line}: {warning.text}" for warning in reading.warnings]


def fault(reading: ParsedRecord) -> str:
    assert reading.fault is not None
    return f"{reading.fault.line}: {reading.fault.label}: {reading.fault.error}"


def texts(record: Record) -> list[str]:
    return [turn.text for turn in record.turns]


# ---- headers


def test_a_record_without_turns() -> None:
    record = expect_record(read_realm())
    assert (record.start, record.turns, record.headers) == (REALM.initial(), [], {})
    assert (record.seed, record.commitment, record.comment, record.outcome()) == (None, None, "", None)


def test_headers_are_kept() -> None:
    record = expect_record(read_realm("", "Event: Open\nWhite: Ann\nDate: 2026-11-15\n"))
    assert record.headers == {"Event": "Open", "White": "Ann", "Date": "2026-11-15"}
    assert parse_record(record.text(), find_game).record == record


@pytest.mark.parametrize(
    ("headers", "options"),
    [
        ("Options: bases=13, powers=4\n", {"bases": 13, "powers": 4}),
        ("Options: bases=13 free_placement=on\n", {"bases": 13, "free_placement": True}),
        ("Options:\n", {}),
        ("Preset: long\n", {"bases": 13}),
        ("Preset: original\nOptions: bases=11\n", {"preset": "original", "bases": 11}),
    ],
)
def test_options(headers: str, options: dict[str, int | bool | str]) -> None:
    record = expect_record(read_realm("", headers))
    assert REALM.options_of(record.start) == REALM.options(**options)  # type: ignore[arg-type]
    assert expect_record(parse_record(record.text(), find_game)).start == record.start


def test_a_start_position() -> None:
    state = to_match(play_randomly(REALM, REALM.initial(2, REALM.options("long")), 3, 40)).state
    record = expect_record(read_realm("", f"Start: {REALM.encode(state)}\n"))
    assert record.start == state
    assert f"Start: {REALM.encode(state)}" in record.text()
    assert "Options:" not in record.text()


def test_a_start_position_and_the_same_options() -> None:
    start = REALM.encode(REALM.initial(2, REALM.options("long")))
    for line in ("Options: bases=13", "Preset: long"):
        assert expect_record(read_realm("", f"Start: {start}\n{line}\n")).start == REALM.initial(
            2, REALM.options("long")
        )


@pytest.mark.parametrize(
    ("headers", "seats"), [("", 2), ("Seats: 3\n", 3), ("Seats: 04\n", 4), ("Seats:\n", 2)], ids=range(4)
)
def test_the_number_of_seats(headers: str, seats: int) -> None:
    record = expect_record(read_duel("", headers))
    assert record.start == DUEL.initial(seats)
    assert expect_record(parse_record(record.text(), find_game)).start == record.start


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "A record must start with a Game line"),
        ("Event: x\n1.a", "A record must start with a Game line"),
        ("Game: chess", "There is no game chess"),
        ("Game:", "There is no game"),
        ("Game: realm\nOptions: bases", "Write an option as name=value, not bases."),
        ("Game: realm\nOptions: bases=99", "Option bases must be 11 to 14, not 99."),
        ("Game: realm\nOptions: honey=1", "There is no option honey"),
        ("Game: realm\nOptions: choose_seat=both, second_moves_first=on", "keep one of them"),
        ("Game: realm\nPreset: huge", "There is no preset huge"),
        ("Game: realm\nSeats: 3", "Realm is for 2 players, not 3."),
        ("Game: realm\nSeats: two", "Seats must be the number of players, not two."),
        ("Game: realm\nSeats: ²", "Seats must be the number of players, not ²."),
        ("Game: realm\nSeats: 100", "Seats must be the number of players, not 100."),
        ("Game: realm\nStart: nonsense", ""),
        ("Game: dice_duel\nStart: 1-0-0-0-0-0:0-0::\nOptions: dice=2", "disagree; keep only one"),
        ("Game: dice_duel\nStart: 1-0-0-0-0-0:0-0::\nPreset: quick", "disagree; keep only one"),
    ],
    ids=range(16),
)
def test_a_wrong_header_is_reported(text: str, message: str) -> None:
    reading = parse_record(text, find_game)
    assert reading.record is None
    assert reading.fault is not None
    line = max(1, text.count("\n") + 1) if text.startswith("Game") else 1
    assert (reading.fault.line, reading.fault.label, reading.fault.state) == (line, "", None)
    assert message in str(reading.fault.error)
    with pytest.raises(BadRecord, match=rf"^Line {line}: ") as caught:
        load_record(text, find_game)
    assert message in str(caught.value)


def test_a_text_that_is_too_long_is_reported() -> None:
    reading = parse_record("x" * (MAX_TEXT + 1), find_game)
    assert fault(reading) == "0: : A record may have at most 2,000,000 characters."
    with pytest.raises(BadRecord, match=r"^A record may have at most"):
        load_record("x" * (MAX_TEXT + 1), find_game)


# ---- turns


def test_turns() -> None:
    record = expect_record(read_realm(f"{SETUP}\n7.Pi10i6(Bh5),Pc4g4(Ei4W)/Pd6d1(Be2),Pg3d3(Ed2N)"))
    assert len(record.turns) == 14
    assert texts(record)[-2:] == ["Pi10i6(Bh5),Pc4g4(Ei4W)", "Pd6d1(Be2),Pg3d3(Ed2N)"]
    assert (record.turns[-1].turn.number, record.turns[-1].seat, record.turns[-1].line) == (7, 1, 4)
    assert len(record.replay(12).log()) == 12
    assert len(record.replay().log()) == 12 + 8
    assert load_record(record.text(), find_game).replay().state == record.replay().state


@pytest.mark.parametrize(
    "body",
    ["Bh11 Bh2 Be8", "1.Bh11\n/\nBh2\n2. Be8", "Set-up: 1.Bh11 Bh2 2.Be8", "1. Bh11 1... Bh2 2.Be8."],
)
def test_numbers_slashes_and_lines_are_free(body: str) -> None:
    assert texts(expect_record(read_realm(body))) == ["Bh11", "Bh2", "Be8"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("1.Bh11 2.Bh2", "3: Turn 2 is read as turn 1."),
        ("Bh11,Bh2", "3: The comma before Bh2 is read as the end of a turn."),
        ("Bh11, Bh2", "3: The comma before Bh2 is read as the end of a turn."),
        ("Bh11,\n/Bh2", "4: A comma at the end of a turn is ignored."),
        ("Bh11\nBh2 wins.", "4: wins. is read as a remark."),
        ("Bh11 (good) Bh2", "3: Text in round brackets is read as a comment; use braces for comments."),
        ("Bh11 Bh2 {open", "3: A comment is not closed; the rest of the record is read as a comment."),
        ("Bh11 } Bh2", "3: A closing brace without an opening one is ignored."),
        ("- Bh11 Bh2", "3: A single dash is ignored."),
        ("Setup: Bh11 Bh2", "3: Setup: is read as the heading Set-up:."),
    ],
)
def test_slips_are_forgiven_with_a_warning(body: str, found: str) -> None:
    reading = read_realm(body)
    assert warnings(reading) == [found]
    assert reading.record is not None
    assert texts(reading.record) == ["Bh11", "Bh2"]


def test_the_games_own_warnings_have_their_line() -> None:
    assert warnings(read_realm(f"{SETUP}\n\n7.Pi10i6")) == ["5: Pi10i6 leads to (Bh5), which is missing."]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("1.Bh11\nBh11", "4: 1. Black, Bh11: "),
        ("1.Bh11\n\nxyz", "5: 1. Black, xyz: "),
        (f"{SETUP}\n7.Pi10i11", "4: 7. White, Pi10i11: "),
        ("[Bh11]", "3: 1. White, [: A variation must follow the turn it replaces."),
        ("Bh11 ]", "3: 1. Black, ]: There is no variation to close here."),
        ("Bh11 [Bh2\n", "3: : A variation is not closed with ]."),
        ("@1:Bh11", "3: 1. White, @1:Bh11: It is White's turn."),
        ("@9:Bh11", "3: 1. White, @9:Bh11: It is White's turn."),
        ("@:Bh11", "as in @1: (the first seat is @0:)."),
        ("@1Bh11", "as in @1: (the first seat is @0:)."),
        ("@x:Bh11", "as in @1: (the first seat is @0:)."),
        ("@100:Bh11", "as in @1: (the first seat is @0:)."),
        ("@²:Bh11", "as in @1: (the first seat is @0:)."),
        ("@0:", "3: 1. White, @0:: "),
        ("*", "3: 1. White, *: "),
        ("*Bh11", "3: 1. White, *Bh11: It is White's turn."),
        ("x" * 99, f"3: 1. White, {'x' * 60}: "),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_turn(body: str, expected: str) -> None:
    reading = read_realm(body)
    assert expected in fault(reading)
    assert reading.fault is not None
    assert reading.fault.state is not None
    assert reading.record is not None
    with pytest.raises(BadRecord) as caught:
        load_record(f"Game: realm\n\n{body}", find_game)
    assert caught.value.line == reading.fault.line


def test_the_turns_before_a_mistake_are_read() -> None:
    reading = read_realm(f"{SETUP} 7.Pi10i11")
    assert reading.record is not None
    assert len(reading.record.turns) == 12
    assert reading.fault is not None
    assert isinstance(reading.fault.error, IllegalMove)
    assert reading.fault.state == reading.record.replay().state


def test_nothing_follows_the_end() -> None:
    over = "Start: 1-0-1-5-0-0:0-0::target=5\n"
    assert texts(expect_record(read_duel("hold", over))) == ["hold"]
    assert fault(read_duel("hold roll", over)) == "4: 1. game over, roll: The game ended before this turn."
    assert "The game is over" in fault(read_duel("hold @1:roll", over))
    assert "The game is over" in fault(read_duel("hold *3", over))


# ---- turns that still run


@pytest.mark.parametrize("steps", [["Pi10i6"], ["Pi10i6", "Pc4g4"], ["Pi10i6", "Pc4g4", "Ei4W"], ["Rh11"], ["offer"]])
def test_a_running_turn_ends_with_dots(steps: list[str]) -> None:
    match = expect_record(read_realm(SETUP)).replay()
    for text in steps:
        match = match.play(0, REALM.parse_move(match.state, text))
    assert match.is_turn_running()
    text = Record.from_match(match).text()
    assert text.endswith("...\n")
    record = expect_record(parse_record(text, find_game))
    assert record.replay().state == match.state
    assert record.text() == text


def test_a_turn_may_continue_after_the_dots() -> None:
    record = expect_record(read_realm(f"{SETUP} 7.Pi10i6(Bh5)... Pc4g4(Ei4W)"))
    assert record.replay().state == expect_record(read_realm(f"{SETUP} 7.Pi10i6(Bh5),Pc4g4(Ei4W)")).replay().state
    assert expect_record(parse_record(record.text(), find_game)).replay().state == record.replay().state


def test_complete_turns_do_not_run() -> None:
    assert not Match.start(REALM).is_turn_running()
    assert not expect_record(read_realm("Bh11")).replay().is_turn_running()
    assert not Match.start(CARDS, CARDS.decode(DEALT)).play(0, "1").is_turn_running()
    over = Match.start(DUEL, DUEL.decode("1-0-1-5-0-0:0-0::target=5")).play(0, "hold")
    assert not over.is_turn_running()


# ---- comments and variations


def test_comments() -> None:
    record = expect_record(read_realm("{To begin} # with\n1.Bh11 {good} {move} / Bh2 # bad\n"))
    assert record.comment == "To begin with"
    assert [turn.comment for turn in record.turns] == ["good move", "bad"]
    again = expect_record(parse_record(record.text(), find_game))
    assert (again.comment, [turn.comment for turn in again.turns]) == (record.comment, ["good move", "bad"])


def test_braces_in_a_comment_become_round() -> None:
    record = expect_record(read_realm("1.Bh11"))
    record.turns[0].comment = "a {b} c"
    assert "{a (b) c}" in record.text()
    expect_record(parse_record(record.text(), find_game))


def test_variations_may_nest_and_stand_side_by_side() -> None:
    body = "1.Bh11 / Bh2 {played} [Be2 {too} 2.Be8 [Bk8 / Bb8] / Bb5] [Bb2] 2.Be8"
    record = expect_record(read_realm(body))
    assert texts(record) == ["Bh11", "Bh2", "Be8"]
    first, second = record.turns[1].variations
    assert [turn.text for turn in first] == ["Be2", "Be8", "Bb5"]
    assert [turn.text for turn in first[1].variations[0]] == ["Bk8", "Bb8"]
    assert [turn.text for turn in second] == ["Bb2"]
    assert first[0].comment == "too"
    assert first[0].before == record.turns[1].before
    again = expect_record(parse_record(record.text(), find_game))
    assert again.text() == record.text()
    assert again.replay().state == record.replay().state


def test_a_comment_at_the_head_of_a_variation_stays_in_it() -> None:
    record = expect_record(read_realm("1.Bh11 / Bh2 [{instead} Be2]"))
    assert record.comment == ""
    assert "instead" in expect_record(parse_record(record.text(), find_game)).text()


def test_an_empty_variation() -> None:
    record = expect_record(read_realm("Bh11 []"))
    assert record.turns[0].variations == [[]]
    assert expect_record(parse_record(record.text(), find_game)).text() == record.text()


def nest_variations(depth: int) -> str:
    return "Bh11 " + "[Bh11 " * depth + "]" * depth


def test_the_depth_of_variations_is_limited() -> None:
    expect_record(read_realm(nest_variations(MAX_DEPTH)))
    assert f"Variations may be nested at most {MAX_DEPTH} deep." in fault(read_realm(nest_variations(MAX_DEPTH + 1)))
    assert fault(read_realm("Bh11 " + "[Bh11 " * 5000))


def test_notes_go_over_to_the_record_of_a_longer_match() -> None:
    promised = chance.commitment("7")
    text = "{first} 1.Bh11 {good} / Bh2 [Be2] 2.Be8 {other} / Be5 {later}"
    notes = expect_record(read_realm(text, f"Commitment: {promised}\n"))
    longer = expect_record(read_realm("1.Bh11 / Bh2 2.Bk8 / Be5"))
    record = Record.from_match(longer.replay()).add_notes_from(notes)
    assert (record.comment, record.commitment) == ("first", promised)
    assert [turn.comment for turn in record.turns] == ["good", "", "", ""]  # Be5 agrees, but too late
    assert [len(turn.variations) for turn in record.turns] == [0, 1, 0, 0]
    assert texts(expect_record(parse_record(record.text(), find_game))) == texts(longer)
    same = Record.from_match(notes.replay()).add_notes_from(notes)
    assert [turn.comment for turn in same.turns] == ["good", "", "other", "later"]


# ---- results


def test_the_result_is_written_and_compared() -> None:
    match = Match.start(DUEL, DUEL.decode("1-0-1-5-0-0:0-0::target=5")).play(0, "hold")
    text = Record.from_match(match).text()
    assert "Result: 5-0 target\n" in text
    expect_record(parse_record(text, find_game))
    wrong = text.replace("5-0 target", "0-5 target")
    assert warnings(parse_record(wrong, find_game)) == [
        "4: The Result line says 0-5 target, but the game ended 5-0 target."
    ]
    outcome = match.outcome()
    assert outcome is not None
    assert result_text(replace(outcome, scores=(2.5, 0.0))) == "2.5-0 target"


def test_a_result_before_the_end_is_reported() -> None:
    assert warnings(read_realm("1.Bh11", "Result: 1-0 resigned\n")) == [
        "2: The Result line says 1-0 resigned, but the game is not over."
    ]


# ---- chance and simultaneous choices


def test_chance_is_written_after_a_star() -> None:
    record = expect_record(read_duel("1.roll *4 roll *5 hold / roll *1"))
    assert texts(record) == ["roll", "*4", "roll", "*5", "hold", "roll", "*1"]
    assert [turn.seat for turn in record.turns] == [0, CHANCE, 0, CHANCE, 0, 1, CHANCE]
    assert record.replay().state.scores == (9, 0)
    assert expect_record(parse_record(record.text(), find_game)).replay().state == record.replay().state
    assert texts(expect_record(read_duel("roll 4 hold"))) == ["roll", "*4", "hold"]


def test_an_impossible_draw_is_refused() -> None:
    assert fault(read_duel("roll *4 *4")) == "3: 1. Ann, *4: It is Ann's turn."
    assert "The die has no such face. (D2)" in fault(read_duel("roll *6", "Options: die=coin\n"))
    assert fault(read_duel("roll roll")).startswith("3: 1. chance, roll: ")


def test_several_draws_in_a_row() -> None:
    record = expect_record(read_duel("roll *4 *5 hold", "Options: dice=2\n"))
    assert texts(record) == ["roll", "*4", "*5", "hold"]
    match = record.replay()
    assert match.state.scores == (9, 0)
    assert texts(Record.from_match(match)) == ["roll", "*4", "*5", "hold"]


@pytest.mark.parametrize("body", ["@0:1 @1:6", "@1:6 @0:1", "1. @1:6 / 1", "1 6"])
def test_simultaneous_choices_name_their_seat(body: str) -> None:
    record = expect_record(parse_record(f"Game: secret_cards\nStart: {DEALT}\n\n{body}", find_game))
    assert record.replay().state.scores == (0, 1)
    assert texts(record)[0].startswith("@")
    assert not texts(record)[1].startswith("@")
    assert expect_record(parse_record(record.text(), find_game)).replay().state == record.replay().state


def test_a_card_of_another_hand_is_refused() -> None:
    reading = parse_record(f"Game: secret_cards\nStart: {DEALT}\n\n@0:6", find_game)
    assert fault(reading) == "4: 1. Ann and Bob, @0:6: Commit a card of your hand. (C1)"


# ---- the record of a match


def test_the_record_of_nothing() -> None:
    record = Record.from_match(Match.start(REALM), {"Event": "None  yet\nreally"})
    assert record.text() == "Game: realm\nRules: 1\nEvent: None yet really\n\n"


def test_a_seed_is_committed_at_once_and_revealed_at_the_end() -> None:
    match = Match.start(DUEL, DUEL.initial(2, DUEL.options(None, rounds=1)), "my seed").play(0, "roll")
    promise = f"Commitment: {chance.commitment('my seed')}\n"
    assert promise in Record.from_match(match).text()
    assert "my seed" not in Record.from_match(match).text()
    while acting := DUEL.to_move(match.state):
        match = match.play(acting[0], DUEL.legal_moves(match.state, acting[0])[0])
    assert promise in Record.from_match(match).text()
    assert "Seed: my seed\n" in Record.from_match(match).text()
    record = expect_record(parse_record(Record.from_match(match).text(), find_game))
    assert (record.seed, record.commitment) == ("my seed", chance.commitment("my seed"))


def test_the_number_of_seats_is_kept() -> None:
    match = Match.start(DUEL, DUEL.initial(4)).play(0, "roll")
    assert expect_record(parse_record(Record.from_match(match).text(), find_game)).replay().state == match.state
    text = Record.from_match(match, {"Seats": "4"}).text()
    assert "Start:" not in text
    assert expect_record(parse_record(text, find_game)).replay().state == match.state


@pytest.mark.long
def test_the_shipped_records_are_readable() -> None:
    for folder in (info.id for info in realmtable.infos()):
        for file in resources.files(f"realmtable.games.{folder}").joinpath("records").iterdir():
            reading = parse_record(file.read_text(encoding="utf-8"), find_game)
            assert reading.fault is None
            assert reading.record is not None
            assert reading.record.turns


# ---- fair dice


def duel_record(seed: str = "s", **options: int) -> Record:
    """Play a duel with a seed, and return its record as it is read from a file."""
    match = Match.start(DUEL, DUEL.initial(2, DUEL.options(None, **options)), seed)
    while acting := DUEL.to_move(match.state):
        match = match.play(acting[0], DUEL.legal_moves(match.state, acting[0])[0])
    return load_record(Record.from_match(match).text(), find_game)


def test_a_kept_promise() -> None:
    record = duel_record(rounds=2)
    draws = len([turn for turn in record.turns if turn.seat == CHANCE])
    verdict = verify(record)
    assert verdict.is_fair
    assert verdict.text == f"The seed matches the commitment, and all {draws} draws follow from it."


def test_a_kept_promise_without_draws() -> None:
    record = replace(expect_record(read_realm("Bh11")), seed="s", commitment=chance.commitment("s").upper())
    assert verify(record) == (True, "The seed matches the commitment, and the game has no dice or shuffles.")


BROKEN: list[tuple[Callable[[Record], Record], str]] = [
    (lambda record: replace(record, commitment=None), "no Commitment line"),
    (lambda record: replace(record, seed=None), "no Seed line"),
    (lambda record: replace(record, seed="t"), "The seed does not match the commitment."),
    (lambda record: replace(record, commitment="é"), "The seed does not match the commitment."),
    (lambda record: replace(record, seed="t", commitment=chance.commitment("t")), "Draw "),
]


@pytest.mark.parametrize(("change", "expected"), BROKEN, ids=range(len(BROKEN)))
def test_a_wrong_commitment(change: Callable[[Record], Record], expected: str) -> None:
    verdict = verify(change(duel_record(rounds=2)))
    assert not verdict.is_fair
    assert expected in verdict.text


def test_a_changed_draw_is_named() -> None:
    faces = [1 + chance.draw("8", index, [1] * 6) for index in range(2)]
    start = f"Game: dice_duel\nSeed: 8\nCommitment: {chance.commitment('8')}\n\n1.roll *{faces[0]} "
    assert verify(load_record(f"{start} roll *{faces[1]}", find_game)).is_fair
    wrong = faces[1] % 6 + 1
    verdict = verify(load_record(f"{start} roll *{wrong}", find_game))
    assert verdict == (False, f"Draw 2 in turn 1 should be {faces[1]}, not {wrong}.")


def test_a_match_with_several_draws_in_a_row_keeps_its_promise() -> None:
    assert verify(duel_record(rounds=2, dice=2)).is_fair


# ---- any text

BODIES = [
    f"Game: realm\n\n{SETUP}\n7.Pi10i6(Bh5),Pc4g4(Ei4W)/Pd6d1(Be2),Pg3d3(Ed2N)\n",
    "Game: realm\nOptions: bases=13\n\n1.Bh11 {good} / Bh2 [Be2 2.Be8] # end\n",
    "Game: dice_duel\nSeats: 3\nSeed: 7\nCommitment: ab\n\n1.roll *4 hold / roll *1 / roll *3 roll *5 hold\n",
    f"Game: secret_cards\nStart: {DEALT}\n\n1. @0:1 / 6 2. @1:5 / 2\n",
]
SIGNS = "@*[]{}()#/,.:;-=0123456789²٣ \n\tabPBE"


def check_reading(text: str) -> None:
    """Reading never raises, and what was read can be written and read again."""
    reading = parse_record(text, find_game)
    assert (reading.record is not None) or (reading.fault is not None)
    if reading.fault is None and reading.record is not None:
        again = parse_record(reading.record.text(), find_game)
        assert again.fault is None
        assert again.record is not None
        assert again.record.replay().state == reading.record.replay().state
        verify(reading.record)


@limit_examples(150)
@given(st.sampled_from(["", "Game: realm\n\n", "Game: dice_duel\n\n", "Game: secret_cards\n"]), st.text(max_size=60))
def test_any_text_is_read(head: str, text: str) -> None:
    check_reading(head + text)


@pytest.mark.long
@limit_examples(150)
@given(
    st.sampled_from(["Game: realm\n\n", "Game: dice_duel\n\nroll ", f"Game: secret_cards\nStart: {DEALT}\n\n"]),
    st.lists(
        st.sampled_from(
            ["roll", "hold", "@0:", "@1:1", "*4", "@²:x", "...", "[", "]", "{", "}", "(", ")", "/", "#", ",", "1."]
        )
        | st.sampled_from(["Bh11", "Bh2", "6", "1", "Set-up:", "wins", "\n", " ", " ", "-"]),
        max_size=15,
    ),
)
def test_any_pieces_are_read(head: str, pieces: list[str]) -> None:
    check_reading(head + "".join(pieces))


@pytest.mark.long
@limit_examples(150)
@given(st.sampled_from(BODIES), st.integers(0, 400), st.integers(0, 3), st.text(st.sampled_from(SIGNS), max_size=3))
@example(BODIES[3], 45, 1, "²")
def test_a_damaged_record_is_read(text: str, at: int, cut: int, sign: str) -> None:
    at %= len(text)
    check_reading(text[:at] + sign + text[at + cut :])
