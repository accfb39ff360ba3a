"""`realmtable play` as a player sees it: scripted sessions through piped input."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path

import pytest

import realmtable
from realmtable.cli.play import parse_seats
from realmtable.cli.skeleton.my_game import GAME as SMALL_GAME
from realmtable.cli.terminal_game import Session, clause_text, free_path
from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.record import load_record
from tests.cli.command_line import (
    COMMAND,
    SETUP,
    CommandResult,
    expect_refusal,
    input_after_setup,
    input_lines,
    run_cli,
    run_process,
)

pytestmark = pytest.mark.usefixtures("toys")

TWO = ("play", "realm", "--seats", "human,human")
BOTS = ("play", "realm", "--seats", "bot:random,bot:random", "--option", "max_turns=20")


def play(text: str, *flags: str) -> CommandResult:
    """Run a game of two people at one terminal."""
    done = run_cli(*TWO, *flags, text=text)
    assert done.code == 0, done.err
    return done


def final_position(path: str) -> str:
    """Return the last position of a record."""
    done = run_cli("replay", path, "--json")
    assert done.code == 0, done.err
    found: str = json.loads(done.out)["position"]
    return found


# ---- whole games


@pytest.mark.long
@pytest.mark.parametrize("bots", ["bot:random,bot:random", "bot:greedy,bot:random"])
def test_bots_play_a_whole_game(bots: str) -> None:
    flags = ("--seed", "5", "--save", "g.record", "--option", "max_turns=20", "--option", "no_progress=10")
    done = run_cli("play", "realm", "--seats", bots, *flags)
    assert done.code == 0
    assert "is the bot random" in done.out
    record = load_record(Path("g.record").read_text(encoding="utf-8"), realmtable.game)
    outcome = record.outcome()
    assert outcome is not None
    assert outcome.text in " ".join(done.out.split())
    assert record.seed == "5"
    assert {"White", "Black", "Date"} <= set(record.headers)
    assert run_cli("check", "g.record").code == 0
    assert run_cli("verify", "g.record").code == 0


@pytest.mark.long
def test_only_the_same_seed_gives_the_same_game() -> None:
    for name, flags in (("a", ["--seed", "5"]), ("b", ["--seed", "5"]), ("c", ["--seed", "6"]), ("d", []), ("e", [])):
        run_cli(*BOTS, *flags, "--save", name)
    first, same, *others = (Path(name).read_text(encoding="utf-8") for name in "abcde")
    assert first == same
    assert len({first, *others}) == 4


def test_a_finished_game_leaves_no_file_where_input_is_piped(folder: Path) -> None:
    assert run_cli(*BOTS, "--seed", "1").code == 0
    assert list(folder.iterdir()) == []


def test_against_a_bot() -> None:
    done = run_cli("play", "realm", "--seed", "3", text=input_lines("Bh11", "quit"))
    assert "Black (greedy) plays B" in done.out
    assert "White is yours, Black is the bot greedy" in " ".join(done.out.split())


def test_steps_that_have_nothing_in_common_are_listed_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ADDED", {SMALL_GAME.info.id: SMALL_GAME})
    done = run_cli("play", SMALL_GAME.info.id, "--seats", "human,human", text="b2\nquit\n")
    assert "a1  a2  a3  b1  b3  c1  c2  c3\n" in done.out


# ---- words


def test_leaving_at_once_leaves_nothing(folder: Path) -> None:
    for text in ("", "quit\n", "\n\n"):
        play(text)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["help"], ["show this list", "save and quit", "rules [CLAUSE]"]),
        (["HELP"], ["show this list"]),
        (["moves"], ["Pi10i6"]),
        (["moves Pi10"], ["Pi10i6"]),
        (["moves zzz"], ["No legal step starts with that."]),
        (["why Pi10i11"], ["another Realm", "R7"]),
        (["why Pi10i6"], ["Pi10i6 is legal."]),
        (["why"], ["is not a step"]),
        (["why nonsense"], ["nonsense is not a step"]),
        (["hint"], ["The bot would play "]),
        (["board"], ["a", "12"]),
        (["turns"], ["1. Bh11 / Bh2", "6. Pc4 / Pc9"]),
        (["position"], ["move=W", "W:"]),
        (["rules R7"], ["R7", "A Power moves any distance"]),
        (["rules r7"], ["A Power moves any distance"]),
        (["rules R99"], ["The rules have no clause R99."]),
        (["rules"], ["Realm, the featured game", "The board"]),
        (["undo"], ["You have no step to undo."]),
        (["Pi10i6", "undo", "turns"], ["6. Pc4 / Pc9"]),
        (["Pi10i11"], ["another Realm"]),
        (["xyz"], ["xyz is not a step"]),
        (["[bold]"], ["[bold] is not a step"]),
        (["Pi10i6(Bh5),Pg3d3"], [""]),
        (["save"], ["Saved to realm.record."]),
        (["save my.record", "save"], ["Saved to my.record."]),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_words(words: list[str], expected: list[str]) -> None:
    out = play(input_after_setup(*words)).out
    after = out.split("> Pc9\n", 1)[1]
    assert all(text in after for text in expected), after


def test_a_hint_is_a_legal_step_and_plays_nothing() -> None:
    out = play(input_after_setup("hint", "save a")).out
    hint = out.split("The bot would play ")[1].splitlines()[0].rstrip(".")
    realm = realmtable.game("realm")
    state = realm.decode(final_position("a"))
    assert realm.parse_move(state, hint) in realm.legal_moves(state, 0)


# ---- steps and turns


TURN = ["Pi10i6(Bh5),Pc4g4(Ei4W)"]


@pytest.mark.parametrize(
    ("texts", "others"),
    [
        (["Pi10i6", "undo"], []),
        (["Pi10i6", "Pc4g4", "Ei4W", "end"], TURN),
        (["Pi10i6", "Pc4g4(Ei4W)", "end"], TURN),
        (["Rh11", "Pg10"], ["Rh11(Pg10)"]),
    ],
    ids=["undo", "steps", "choices", "rearrangement"],
)
def test_steps_and_whole_turns_lead_to_the_same_position(texts: list[str], others: list[str]) -> None:
    play(input_after_setup(*texts, "save a"))
    play(input_after_setup(*others, "save b"))
    assert final_position("a") == final_position("b")


def test_a_mistake_in_a_turn_is_reported_and_can_be_corrected() -> None:
    assert "which is missing" in " ".join(play(input_after_setup("Pi10i6,Pc4g4(Ei4W)")).out.split())


@pytest.mark.parametrize(
    "wrong",
    [
        "Pi10i11",
        "nonsense",
        "a,b",
        "Pi10i6(Bh5),Pi6i9",
        "Pi10i6(Bh5),Pc4g4(Ei4W),Pd6d1",
        "x" * 5000,
        "Bh11,",
        "(",
        "@1:",
    ],
    ids=lambda text: text[:12],
)
def test_wrong_input_changes_nothing(wrong: str) -> None:
    done = play(input_after_setup(wrong, "save a"))
    assert done.out.count("7. White> ") >= 2
    play(input_after_setup("save b"))
    assert final_position("a") == final_position("b")


# ---- saving and coming back


@pytest.mark.parametrize("ending", ["", "quit\n"], ids=["end of input", "quit"])
def test_leaving_saves_under_a_free_name(ending: str) -> None:
    Path("realm.record").write_text("mine", encoding="utf-8")
    done = play(input_lines("Bh11") + ending)
    assert "play realm --resume realm-2.record" in " ".join(done.out.split())
    assert Path("realm.record").read_text(encoding="utf-8") == "mine"
    assert "1. Bh11" in Path("realm-2.record").read_text(encoding="utf-8")


def test_a_resumed_game_continues() -> None:
    play(input_lines("Bh11", "Bh2"), "--save", "g.record")
    done = play(input_lines("Be8", "turns"), "--resume", "g.record")
    assert "1. Bh11 / Bh2" in done.out
    assert "2. Be8" in Path("g.record").read_text(encoding="utf-8")
    play(input_lines("Be5"), "--resume", "g.record", "--save", "h.record")
    assert "Be5" in Path("h.record").read_text(encoding="utf-8")
    assert "Be5" not in Path("g.record").read_text(encoding="utf-8")


@pytest.mark.parametrize("steps", [["Pi10i6"], ["Pi10i6", "Pc4g4"], ["Rh11"], ["offer"]], ids=" ".join)
def test_leaving_in_the_middle_of_a_turn_loses_nothing(steps: list[str]) -> None:
    out = play(input_after_setup(*steps, "position"), "--save", "g.record").out
    line = next(line for line in reversed(out.splitlines()) if "move=W" in line)
    assert run_cli("check", "g.record").code == 0
    again = play(input_lines("position"), "--resume", "g.record").out
    assert line in again.splitlines()


def test_a_resumed_record_keeps_what_is_written_in_it() -> None:
    text = f"Game: realm\nEvent: Open\nCommitment: abc\n\n{{before}}\n{SETUP} {{good}} [Pa9 {{too}}]\n"
    Path("g.record").write_text(text, encoding="utf-8")
    play(input_lines("Pi10i6", "end"), "--resume", "g.record")
    after = Path("g.record").read_text(encoding="utf-8")
    assert "Pi10i6(Bh5)" in after
    for kept in ("Event: Open", "Commitment: abc", "{before}", "{good}", "Pa9", "{too}"):
        assert kept in after


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--resume", "missing.record"], "missing.record cannot be read"),
        (["--resume", "bad.record"], "Line 3: 1. Black, Bh11"),
        (["--resume", "good.record", "--option", "bases=13"], "A resumed game keeps its options"),
        (["--resume", "good.record", "--preset", "long"], "A resumed game keeps its options"),
        (["--resume", "good.record", "--position", "x"], "A resumed game keeps its options"),
    ],
    ids=range(5),
)
def test_what_cannot_be_resumed(flags: list[str], expected: str) -> None:
    Path("good.record").write_text("Game: realm\n\nBh11\n", encoding="utf-8")
    Path("bad.record").write_text("Game: realm\n\nBh11 Bh11\n", encoding="utf-8")
    assert expected in expect_refusal(*TWO, *flags)


def test_a_bot_that_the_game_does_not_offer_is_refused() -> None:
    for bot, message in (
        ("level6", "The strongest bot of Magic Realm is level5."),
        ("mcts:nodes=5", "The bot mcts cannot play Magic Realm; its bots are level1, "),
    ):
        with pytest.raises(BadInput, match=message):
            parse_seats(registry.game("magic_realm"), f"human,bot:{bot}", 2)


def test_a_record_of_another_game_is_not_resumed() -> None:
    Path("duel.record").write_text("Game: dice_duel\n\nroll\n", encoding="utf-8")
    assert "dice_duel" in expect_refusal(*TWO, "--resume", "duel.record")


def test_a_finished_game_can_be_resumed_and_is_over() -> None:
    run_cli(*BOTS, "--seed", "5", "--save", "g.record")
    before = final_position("g.record")
    assert run_cli(*TWO, "--resume", "g.record").code == 0
    assert final_position("g.record") == before


def test_nothing_overwrites_a_foreign_file() -> None:
    Path("mine.txt").write_text("mine", encoding="utf-8")
    assert "mine.txt already exists" in expect_refusal(*TWO, "--save", "mine.txt", text=input_lines("Bh11"))
    done = play(input_lines("Bh11", "save mine.txt", "save other.txt", "Bh2", "save other.txt"))
    assert "mine.txt already exists" in " ".join(done.out.split())
    assert Path("mine.txt").read_text(encoding="utf-8") == "mine"
    assert "Bh2" in Path("other.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["no/such/folder/x", ".", "/", "n" * 300, "a\0b"], ids=range(5))
def test_a_record_that_cannot_be_written_is_reported_and_the_game_continues(name: str) -> None:
    done = play(input_lines("Bh11", f"save {name}", "Bh2", "save good.record"))
    assert "Saved to good.record." in done.out


@pytest.mark.long
def test_every_turn_is_saved_when_it_is_over(folder: Path) -> None:
    """A killed process leaves all finished turns in the file, and no other files."""
    arguments = [*COMMAND, *TWO, "--save", "g.record"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as running:  # noqa: S603 - our own command
        assert running.stdin is not None
        for text in ("Bh11", "Bh2", "Be8"):
            running.stdin.write(f"{text}\n")
            running.stdin.flush()
            limit = time.monotonic() + 30
            while not (Path("g.record").exists() and text in Path("g.record").read_text(encoding="utf-8")):
                assert time.monotonic() < limit
                time.sleep(0.02)
        running.kill()
    assert [path.name for path in folder.iterdir()] == ["g.record"]
    assert run_cli("check", "g.record").code == 0


# ---- seats


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--seats", "human"], "Realm is for 2 players, but --seats names 1."),
        (["--seats", "human,human,human"], "Realm is for 2 players, but --seats names 3."),
        (["--seats", "human,robot"], "A player must be human or bot:NAME, such as bot:greedy, not robot."),
        (["--seats", "human,"], "A player must be human or bot:NAME"),
        (["--seats", "human,bot:zero"], "There is no bot zero; the bots are "),
    ],
    ids=range(5),
)
def test_wrong_seats_are_refused(flags: list[str], expected: str) -> None:
    assert expected in expect_refusal("play", "realm", *flags)


def test_a_game_from_a_position() -> None:
    start = "W:Bh11,Pg10,Eg12S B:Bh2,Pg3 move=W"
    out = play(input_lines("Pg10d10", "end"), "--position", start, "--save", "g.record").out
    assert "Pg10d10" in out
    assert "Start: " in Path("g.record").read_text(encoding="utf-8")


# ---- dice, secrets and more seats, with the toys


def duel(*flags: str, text: str = "") -> CommandResult:
    return run_cli("play", "dice_duel", "--seed", "8", *flags, text=text)


def test_dice_are_thrown_by_themselves_and_can_be_verified() -> None:
    done = duel("--seats", "bot:random,bot:random", "--save", "g.record", "--option", "dice=2")
    assert done.code == 0
    assert "Commitment: " in Path("g.record").read_text(encoding="utf-8")
    assert run_cli("verify", "g.record").code == 0


def test_the_game_so_far_shows_the_dice() -> None:
    done = duel("--seats", "human,human", text=input_lines("roll", "turns"))
    assert "*" in done.out.rsplit("turns\n", maxsplit=1)[1]


def test_three_may_sit_down() -> None:
    done = duel("--seats", "human,bot:random,bot:random", "--save", "g.record", text=input_lines("roll", "position"))
    assert done.code == 0
    assert "0-0-0" in done.out


@pytest.mark.parametrize("seats", ["bot:random,bot:random", "human,bot:random", "bot:random,human"])
def test_simultaneous_choices(seats: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that acts at the same time as others chooses too, instead of waiting for ever."""
    acts: list[int] = []
    act = Session.act

    def count_acts(session: Session, seat: int) -> None:
        acts.append(seat)
        assert len(acts) < 200
        act(session, seat)

    monkeypatch.setattr(Session, "act", count_acts)
    text = input_lines(*"123456" * 4)
    done = run_cli("play", "secret_cards", "--seed", "8", "--seats", seats, "--save", "g.record", text=text)
    assert done.code == 0
    assert run_cli("check", "g.record").code == 0


def test_dice_without_a_seed_cannot_be_thrown_on() -> None:
    Path("g.record").write_text("Game: dice_duel\n\nroll\n", encoding="utf-8")
    assert "has no seed" in expect_refusal("play", "dice_duel", "--resume", "g.record")


def test_a_saved_game_with_dice_continues_with_the_same_dice() -> None:
    """The file belongs to the player and holds the seed, so leaving and coming back changes no throw."""
    seats = ("--seed", "5", "--seats", "human,human")
    run_cli("play", "dice_duel", *seats, "--save", "whole.record", text=input_lines("roll", "roll", "hold", "quit"))
    run_cli("play", "dice_duel", *seats, "--save", "parts.record", text=input_lines("roll", "quit"))
    resumed = ("--seats", "human,human", "--resume", "parts.record")
    done = run_cli("play", "dice_duel", *resumed, text=input_lines("roll", "hold", "quit"))
    assert done.code == 0
    turns = [Path(name).read_text(encoding="utf-8").partition("\n\n")[2] for name in ("whole.record", "parts.record")]
    assert turns[0] == turns[1]


def test_a_saved_game_of_cards_continues_with_all_players() -> None:
    flags = ("--seed", "3", "--preset", "chaos", "--save", "c.record")
    run_cli("play", "fantasy_realms", *flags, text=input_lines("quit"))
    assert "Amber: greedy" in Path("c.record").read_text(encoding="utf-8")
    done = run_cli("play", "fantasy_realms", "--resume", "c.record", text=input_lines("ready", "quit"))
    assert done.code == 0
    assert "Saved" in done.out or "wins" in done.out


# ---- small parts


def test_a_free_path() -> None:
    assert free_path(Path("a.record")) == Path("a.record")
    for name in ("a.record", "a-2.record"):
        Path(name).touch()
    assert free_path(Path("a.record")) == Path("a-3.record")


@pytest.mark.parametrize("clause", ["B1", "R9", "E3", "R11", "T5", "V19", "S9"])
def test_every_clause_is_found_alone(clause: str) -> None:
    text = clause_text(registry.read_rules("realm"), clause)
    assert text.startswith(f"- **{clause}**")
    assert text.count("\n- **") == 0


def test_a_clause_with_parts_is_whole() -> None:
    text = clause_text(registry.read_rules("realm"), "R9")
    assert "Rearrangement" in text
    assert "There is no voluntary pass." in text
    assert clause_text(registry.read_rules("realm"), "R99") == ""


@pytest.mark.long
def test_as_a_process() -> None:
    done = run_process(*TWO, text=input_lines("Bh11", "nonsense"))
    assert (done.code, done.err) == (0, "")
    assert "nonsense is not a step" in done.out


# ---- secrets

SECRET = ("play", "fantasy_realms", "--seats", "human,bot:random,bot:random", "--seed", "3")


def test_a_position_that_would_reveal_hidden_hands_is_refused() -> None:
    done = run_cli(*SECRET, text=input_lines("position", "quit"))
    assert "would reveal every hand" in " ".join(done.out.split())


def test_the_turns_so_far_reveal_no_cards_of_others() -> None:
    done = run_cli(*SECRET, text=input_lines("turns", "deck", "turns", "quit"))
    output = " ".join(done.out.split())
    assert "0. Azure begins / Each player is dealt seven cards 1. deck / a card / drop " in output
    own = re.findall(r"3\. deck / ([A-Z][A-Za-z ]+?) (?:drop|deck)", output)
    assert own, "the player's own card is shown"


# ---- one player, with a character and a goal


def test_one_person_plays_alone_for_a_goal() -> None:
    flags = ("--option", "rounds=1", "--save", "quest.record")
    done = run_cli("play", "gold_quest", *flags, text=input_lines("Elf", "rest"))
    assert done.code == 0, done.err
    assert "Ann is yours." in done.out
    assert "1. Ann, the Elf>" in done.out
    assert "Ann, the Elf reached their goal." in done.out
    again = run_cli("play", "gold_quest", *flags[:2], text=input_lines("Witch", "rest"))
    assert "Ann, the Witch fell short of their goal." in again.out


def test_a_solo_game_resumes_with_one_player() -> None:
    run_cli("play", "gold_quest", "--save", "quest.record", text=input_lines("Elf", "rest", "quit"))
    done = run_cli("play", "gold_quest", "--resume", "quest.record", text=input_lines("rest", "rest"))
    assert done.code == 0, done.err
    assert "The points are 3." in done.out
