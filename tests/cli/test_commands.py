"""Every command except `play`: its output, its exit code, and its one-sentence errors."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import realmtable
from realmtable.cli.command_helpers import MAX_FILE
from realmtable.cli.main import COMMANDS
from realmtable.engine import chance
from realmtable.engine.protocol import GameInfo
from tests.cli.command_line import COMMAND, SETUP, expect_refusal, run_cli, run_process

POSITION = "W:Bh11,Pg10,Eg12S B:Bh2,Pg3 move=W"
GOOD = f"Game: realm\nWhite: Ann\n\n{SETUP}\n7.Pi10i6(Bh5),Pc4g4(Ei4W) {{bold}} / Pd6d1(Be2),Pg3d3(Ed2N)\n"
SLIP = GOOD.replace("7.", "8.")
ILLEGAL = GOOD.replace("Pd6d1(Be2)", "Pd6d5")
MAGAZINE = Path(realmtable.__file__).parent / "games/realm/records/magazine-as-printed.record"


def write_file(name: str, text: str | bytes) -> str:
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


# ---- the group


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []], ids=str)
def test_the_help_lists_every_command(arguments: list[str]) -> None:
    done = run_cli(*arguments)
    assert done.code == (0 if arguments else 2)
    assert all(name in done.out + done.err for name in COMMANDS)


@pytest.mark.parametrize("name", [*COMMANDS, "bench playouts"])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_its_help(name: str, flag: str) -> None:
    done = run_cli(*name.split(), flag)
    assert done.code == 0
    assert done.out.startswith(f"Usage: realmtable {name}")
    assert "\\b" not in done.out, "an example that Click has not recognised"


def test_the_version() -> None:
    assert run_cli("--version").out == f"realmtable, version {realmtable.__version__}\n"


def test_an_unknown_command() -> None:
    done = run_cli("dance")
    assert done.code == 2
    assert "No such command 'dance'" in done.err


def test_a_closed_pipe_prints_no_error() -> None:
    with subprocess.Popen(  # noqa: S603 - our own command
        [*COMMAND, "games", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(30) == 1  # Click's exit code for a closed pipe


# ---- games


@pytest.mark.parametrize("info", realmtable.infos(), ids=lambda info: info.id)
def test_games_lists_every_option_and_preset(info: GameInfo) -> None:
    for done in (run_cli("games"), run_cli("games", info.id)):
        assert done.code == 0
        for option in info.options():
            assert f"{option.name}   {option.describe_bounds()}; default" in done.out
            assert f"{option.help} [{option.clause}; {option.source}]" in done.out
        assert all(f"    {name}" in done.out for name in info.presets)


@pytest.mark.parametrize("arguments", [["games", "--json"], ["games", "realm", "--json"]], ids=" ".join)
def test_games_as_data(arguments: list[str]) -> None:
    (realm,) = (game for game in json.loads(run_cli(*arguments).out) if game["id"] == "realm")
    info = realmtable.info("realm")
    assert [option["name"] for option in realm["options"]] == [option.name for option in info.options()]
    for option in realm["options"]:
        assert set(option) >= {"name", "type", "default", "help", "source", "clause"}
        bounds = {"number": {"low", "high"}, "choice": {"choices"}, "switch": set()}[option["type"]]
        assert bounds <= set(option)
    assert (realm["seats"], realm["presets"]["long"]) == ([2], {"bases": 13})
    assert {"title", "summary", "seat_names", "hidden", "chance", "rules_version", "default_preset"} <= set(realm)


def test_an_unknown_game() -> None:
    for command in (["games"], ["play"], ["bench", "playouts"]):
        assert "There is no game" in expect_refusal(*command, "chess")
    assert "There is no game" in expect_refusal("perft", "chess", "--depth", "1")
    assert "There is no game" in expect_refusal("show", POSITION, "--game", "chess")


# ---- replay


def test_replay_walks_through_a_record() -> None:
    done = run_cli("replay", write_file("g.record", GOOD))
    assert (done.code, done.err) == (0, "")
    assert "7. White  Pi10i6(Bh5),Pc4g4(Ei4W)" in done.out
    assert "bold" in done.out


def test_replay_stops_at_the_given_turn() -> None:
    write_file("g.record", GOOD)
    data = json.loads(run_cli("replay", "g.record", "--until", "3", "--json").out)
    assert [turn["text"] for turn in data["turns"]] == ["Bh11", "Bh2", "Be8"]
    assert [turn["seat"] for turn in data["turns"]] == [0, 1, 0]
    assert json.loads(run_cli("replay", "g.record", "--until", "0", "--json").out)["turns"] == []
    assert expect_refusal("replay", "g.record", "--until", "99") == "The record has 14 turns, not 99."
    assert run_cli("replay", "g.record", "--until", "-1").code == 2


def test_replay_as_data() -> None:
    data = json.loads(run_cli("replay", write_file("g.record", GOOD), "--json").out)
    realm = realmtable.game("realm")
    assert data["headers"] == {"White": "Ann"}
    assert data["turns"][12]["comment"] == "bold"
    assert all(realm.encode(realm.decode(turn["before"])) == turn["before"] for turn in data["turns"])
    assert data["view"]["last"]
    assert data["outcome"] is None
    ended = json.loads(run_cli("replay", str(MAGAZINE), "--json").out)
    assert set(ended["outcome"]) == {"scores", "ranking", "reason", "text"}


def test_replay_draws_the_position_reached() -> None:
    done = run_cli("replay", write_file("g.record", GOOD), "--svg", "b.svg", "--theme", "dark")
    assert done.out == "Drawn to b.svg.\n"
    ET.parse("b.svg")  # noqa: S314 - our own picture
    both = run_cli("replay", "g.record", "--svg", "b.svg", "--json")
    assert json.loads(both.out)["game"] == "realm"
    assert both.err == "Drawn to b.svg.\n"


def test_replay_prints_every_board() -> None:
    write_file("g.record", GOOD)
    one, all_of_them = run_cli("replay", "g.record").out, run_cli("replay", "g.record", "--boards").out
    assert all_of_them.count("a  b") == 14 * one.count("a  b") > 0


def test_replay_reads_standard_input_and_reports_mistakes() -> None:
    done = run_cli("replay", "-", text=SLIP)
    assert done.code == 0
    assert "Turn 8 is read as turn 7." in done.err


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_an_illegal_record_is_refused(command: str) -> None:
    assert "7. Black, Pd6d5" in expect_refusal(command, write_file("bad.record", ILLEGAL))


def test_replay_knows_dice(toys: None) -> None:  # noqa: ARG001 - a fixture
    done = run_cli("replay", "-", text="Game: dice_duel\n\nroll *4 hold\n")
    assert "1. chance *4" in done.out


# ---- check


@pytest.mark.parametrize("flags", [[], ["--quiet"], ["-q"]], ids=str)
def test_check_praises_a_good_record(flags: list[str]) -> None:
    done = run_cli("check", write_file("g.record", GOOD), *flags)
    assert (done.code, done.err) == (0, "")
    assert done.out == ("" if flags else "g.record: 14 turns, 20 steps, all legal. The game is not over.\n")


def test_check_names_slips() -> None:
    done = run_cli("check", write_file("g.record", SLIP))
    assert done.code == 0
    assert done.err == "g.record:5: warning: Turn 8 is read as turn 7.\n"
    assert run_cli("check", str(MAGAZINE)).code == 0


def test_check_names_an_illegal_move_its_clause_and_position() -> None:
    done = run_cli("check", write_file("g.record", ILLEGAL))
    assert (done.code, done.out) == (1, "")
    head, sentence, clause, position = done.err.splitlines()
    assert head == "g.record:5: 7. Black, Pd6d5,Pg3d3(Ed2N)"
    assert sentence.endswith(")")
    assert clause.split()[0] == "clause"
    realmtable.game("realm").decode(position.removeprefix("  position "))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "A record must start with a Game line"),
        ("Game: chess\n", "There is no game"),
        ("Game: realm\n\nnonsense", "nonsense"),
        ("Game: realm\n\nBh11 [Bh2", "not closed"),
        ("Game: realm\n\n@²:Bh11", "@1:"),
        ("Game: realm\nOptions: bases=99\n", "Option bases must be 11 to 14"),
    ],
)
def test_check_fails_what_cannot_be_read(text: str, expected: str) -> None:
    done = run_cli("check", write_file("x.record", text))
    assert done.code == 1
    assert expected in done.err


@pytest.mark.long
def test_check_reads_standard_input() -> None:
    assert run_cli("check", "-", text=GOOD).code == 0
    assert run_cli("check", "-", text=ILLEGAL).code == 1
    assert run_process("check", "-", text=GOOD).code == 0


@pytest.mark.parametrize("command", ["check", "replay", "verify"])
@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("missing.record", None, "missing.record cannot be read: no such file or directory."),
        (".", None, ". cannot be read: is a directory."),
        ("binary", b"\xff\xfe\x00\x01", "binary is not a UTF-8 text file."),
        ("huge", b"x" * (MAX_FILE + 1), "huge is larger than 2,000,000 bytes."),
        ("n" * 300, None, "file name too long."),
    ],
    ids=["missing", "folder", "binary", "huge", "long-name"],
)
def test_files_that_cannot_be_read(command: str, name: str, data: bytes | None, expected: str) -> None:
    if data is not None:
        write_file(name, data)
    assert expected in expect_refusal(command, name)


@pytest.mark.parametrize("data", [b"\xff", b"x" * (MAX_FILE + 1)], ids=["binary", "huge"])
def test_standard_input_that_cannot_be_read(data: bytes) -> None:
    assert expect_refusal("check", "-", text=data).startswith("- is ")


# ---- show


def test_show_in_the_terminal_and_as_a_picture() -> None:
    done = run_cli("show", POSITION)
    assert (done.code, done.err) == (0, "")
    assert len(done.out.splitlines()) > 12
    done = run_cli("show", POSITION, "--svg", "b.svg", "--theme", "light")
    assert done.out == "Drawn to b.svg.\n"
    ET.parse("b.svg")  # noqa: S314 - our own picture


@pytest.mark.long
@pytest.mark.parametrize("theme", ["auto", "dark"])
def test_show_as_png(theme: str) -> None:
    done = run_cli("show", POSITION, "--png", "b.png", "--svg", "b.svg", "--theme", theme)
    assert done.out == "Drawn to b.svg.\nDrawn to b.png.\n"
    assert Path("b.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("position", ["nonsense", "W:Bh99 B: move=W", f"{POSITION} options=bases=99", "²" * 9])
def test_show_refuses_a_wrong_position(position: str) -> None:
    expect_refusal("show", position)


@pytest.mark.parametrize("path", ["no/such/folder/b.svg", ".", "..", "/", "n" * 300, ""], ids=lambda path: path[:9])
def test_pictures_that_cannot_be_written(path: str, folder: Path) -> None:
    expect_refusal("show", POSITION, "--svg", path)
    assert list(folder.iterdir()) == []


# ---- perft


def test_perft_counts() -> None:
    assert run_cli("perft", "realm", "--depth", "3").out.startswith("2,016 sequences of 3 steps")
    assert json.loads(run_cli("perft", "realm", "--depth", "3", "--json").out)["count"] == 2016
    assert json.loads(run_cli("perft", "realm", "--depth", "0", "--json", "--divide").out)["count"] == 1


@pytest.mark.parametrize(
    "flags", [[], ["--option", "powers=4"], ["--position", POSITION]], ids=["plain", "four", "position"]
)
def test_perft_parts_add_up(flags: list[str]) -> None:
    data = json.loads(run_cli("perft", "realm", "--depth", "2", "--divide", "--json", *flags).out)
    assert sum(data["divide"].values()) == data["count"]
    assert data["count"] == json.loads(run_cli("perft", "realm", "--depth", "2", "--json", *flags).out)["count"]
    expected = run_cli("perft", "realm", "--depth", "2", "--divide", *flags).out.splitlines()
    assert len(expected) == len(data["divide"]) + 1


def test_perft_knows_options() -> None:
    Path("o.toml").write_text("preset = 'free_placement'\n", encoding="utf-8")
    by_file = run_cli("perft", "realm", "--depth", "3", "--options-file", "o.toml", "--json").out
    by_name = run_cli("perft", "realm", "--depth", "3", "--preset", "free_placement", "--json").out
    by_pair = run_cli("perft", "realm", "--depth", "3", "--option", "free_placement=on", "--json").out
    assert by_file == by_name == by_pair
    flags = ("--options-file", "o.toml", "--option", "free_placement=off", "--json")
    assert json.loads(run_cli("perft", "realm", "--depth", "3", *flags).out)["count"] == 2016


@pytest.mark.parametrize("depth", ["-1", "13", "x", ""])
def test_perft_refuses_a_wrong_depth(depth: str) -> None:
    done = run_cli("perft", "realm", "--depth", depth)
    assert done.code == 2
    assert "depth" in done.err


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--option", "bases=99"], "Option bases must be 11 to 14, not 99."),
        (["--option", "bases"], "Write an option as name=value, not bases."),
        (["--option", "honey=1"], "There is no option honey"),
        (["--option", "bases=13", "--option", "bases=13"], "Option bases is given twice."),
        (["--option", "choose_seat=both", "--option", "second_moves_first=on"], "keep one of them."),
        (["--preset", "huge"], "There is no preset huge"),
        (["--options-file", "missing.toml"], "missing.toml cannot be read"),
        (["--options-file", "wrong.toml"], "not valid TOML"),
        (["--options-file", "number.toml"], "Option bases must be 11 to 14"),
        (["--position", "nonsense"], ""),
    ],
    ids=range(10),
)
@pytest.mark.parametrize("command", [["perft", "realm", "--depth", "1"], ["play", "realm"]], ids=["perft", "play"])
def test_wrong_options_are_refused(command: list[str], flags: list[str], expected: str) -> None:
    write_file("wrong.toml", "bases =")
    write_file("number.toml", "bases = 0x" + "f" * 5000)
    assert expected in expect_refusal(*command, *flags)


# ---- bench


@pytest.mark.long
def test_bench_gives_the_figures_people_compare() -> None:
    data = json.loads(run_cli("bench", "playouts", "realm", "--seconds", "0.1", "--json").out)
    assert {"playouts_per_s", "steps_per_s", "steps_per_game", "branching", "outcomes"} <= set(data)
    assert data["game"] == "realm"
    assert sum(data["outcomes"]["winners"].values()) == data["games"] == sum(data["outcomes"]["reasons"].values())
    assert data["playouts_per_s"] > 0


@pytest.mark.long
def test_bench_in_words() -> None:
    done = run_cli("bench", "playouts", "realm", "--seconds", "0.1", "--threads", "2", "--option", "bases=11")
    assert done.code == 0
    assert "games/s" in done.out
    assert "2 threads" in done.out


@pytest.mark.parametrize("flags", [["--seconds", "0"], ["--threads", "0"], ["--seed", "x"]], ids=" ".join)
def test_bench_refuses_wrong_numbers(flags: list[str]) -> None:
    assert run_cli("bench", "playouts", "realm", *flags).code == 2


# ---- verify


@pytest.mark.parametrize(
    ("headers", "code", "expected"),
    [
        (f"Seed: 7\nCommitment: {chance.commitment('7')}\n", 0, "The seed matches the commitment"),
        (f"Seed: 8\nCommitment: {chance.commitment('7')}\n", 1, "The seed does not match the commitment."),
        ("Seed: 8\nCommitment: é\n", 1, "The seed does not match the commitment."),
        (f"Commitment: {chance.commitment('7')}\n", 1, "no Seed line"),
        ("", 1, "no Commitment line"),
    ],
    ids=range(5),
)
def test_verify(headers: str, code: int, expected: str) -> None:
    done = run_cli("verify", write_file("g.record", GOOD.replace("White: Ann\n", headers)))
    assert done.code == code
    assert expected in (done.err if code else done.out)


# ---- never a traceback


@pytest.mark.parametrize("command", [*COMMANDS, "bench playouts"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["realm", "--depth", "999999999999999999999"],
        ["--option"],
        ["realm", "--option", "=", "--preset", ""],
        ["", ""],
        ["²", "--seed", "²"],
        ["--svg", "/", "--json", "--until", "1", "g.record"],
        ["g.record", "--svg", "."],
        ["g.record", "--until", "99999999999999999999"],
        ["realm", "--resume", "g.record", "--option", "bases=13"],
        ["realm", "--resume", "/dev/null"],
        ["realm", "--save", "no/such/folder/x", "--seats", "bot:random,bot:random"],
        ["realm", "--position", "W: B: move=W", "--seats", ","],
        ["-", "-"],
        ["\x1b[31m", "--theme", "pink"],
    ],
    ids=range(14),
)
def test_nothing_ends_in_a_traceback(command: str, arguments: list[str]) -> None:
    write_file("g.record", GOOD)
    done = run_cli(*command.split(), *arguments, text="quit\n")
    assert done.code in (0, 1, 2)
    assert "Traceback" not in done.out + done.err
    assert done.code == 0 or done.err


def test_python_dash_m_runs_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["__main__.py", "--help"])
    monkeypatch.delitem(sys.modules, "realmtable.__main__", raising=False)  # another test may have imported it
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("realmtable", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("Usage: realmtable ")
