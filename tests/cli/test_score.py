"""`realmtable score`: a hand for people, files of hands for programs, and one-sentence errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from realmtable.cli import score
from realmtable.games.fantasy_realms.cards import names_of
from tests.cli.command_line import expect_refusal, run_cli, run_process

KETH = "King, Queen, Knights, Rangers, Warlord, Sword of Keth, Shield of Keth"
STORM = "Whirlwind, Mirage, Blizzard"


@pytest.fixture(autouse=True)
def rules_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules are already loaded in this process, so a command can no longer choose whether they are compiled."""
    monkeypatch.setattr(score, "disable_compiling", lambda: None)


def write_hands(hands: object, name: str = "hands.json") -> str:
    Path(name).write_text(hands if isinstance(hands, str) else json.dumps(hands), encoding="utf-8")
    return name


def run_score(hands: list[dict[str, Any]], *flags: str) -> list[dict[str, Any]]:
    done = run_cli("score", "--file", write_hands(hands), "--json", *flags)
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out)
    return found


# ---- one hand


def test_a_hand_is_printed_card_by_card_with_its_total() -> None:
    done = run_cli("score", KETH)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].split() == ["card", "counts", "as", "points", "why"]
    row = next(line for line in lines if line.startswith("Sword of Keth"))
    assert "Weapon" in row
    assert "Strength 7; +40 with" in row
    assert "239 points" in lines


def test_the_game_can_be_named() -> None:
    assert run_cli("score", KETH, "--game", "fantasy_realms") == run_cli("score", KETH)
    assert expect_refusal("score", KETH, "--game", "realm") == "Realm has no hands to score."
    assert "There is no game 'chess'" in expect_refusal("score", KETH, "--game", "chess")


def test_choices_and_the_necromancers_card_are_printed() -> None:
    done = run_cli("score", "Necromancer, Forest, Mirage, King", "--discard", "Unicorn; hydra")
    assert "Necromancer takes Hydra." in done.out
    assert "Mirage counts as Swamp." in done.out
    assert "Swamp, Flood" in done.out
    assert "This hand has 4 cards" in done.err


def test_a_choice_by_hand_shows_what_it_costs() -> None:
    done = run_cli("score", STORM, "--choose", "Mirage=none")
    assert "Mirage counts as itself (fixed)." in done.out
    assert "40 points below the best, 83: Mirage counts as Rainstorm." in done.out
    assert "These choices are the best possible." in run_cli("score", STORM, "--choose", "mirage=rain").out


def test_json_has_what_files_have_and_the_score_of_the_choices() -> None:
    found = json.loads(run_cli("score", STORM, "--choose", "Mirage=Smoke", "--json").out)
    assert (found["score"], found["best_score"]) == (43, 83)
    assert found["choices"] == {"Mirage": "Smoke"}
    assert found["per_card"] == {"Whirlwind": 13, "Mirage": 0, "Blizzard": 30}
    assert "eighth" not in found
    taken = json.loads(run_cli("score", "Necromancer, King", "--discard", "Queen", "--json").out)
    assert (taken["eighth"], taken["per_card"]["Queen"]) == ("Queen", 6)


def test_rule_options_change_the_score() -> None:
    hand, choose = "Book of Changes, Bell Tower, Candle, Magic Wand", "Book of Changes=Bell Tower:Wizard"
    assert "154 points" in run_cli("score", hand, "--choose", choose).out
    assert "139 points" in run_cli("score", hand, "--choose", choose, "--option", "self_counts=off").out


def test_blanked_cards_are_printed_with_the_card_that_blanked_them() -> None:
    assert "Blanked by Great Flood." in run_cli("score", "Great Flood, Forest").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Name the cards of one hand"),
        (["King", "--file", "x.json"], "Name the cards of one hand"),
        (["--file", "x.json", "--discard", "King"], "do not work with --file"),
        (["King, King"], "King appears twice in the hand"),
        (["King", "--discard", "King"], "King is both in the hand and in the discard area"),
        (["King", "--choose", "King=Queen"], "King has no choice"),
        (["King", "--option", "rings=off"], "There is no option rings"),
    ],
)
def test_what_cannot_be_scored_is_refused(arguments: list[str], words: str) -> None:
    assert words in expect_refusal("score", *arguments)


def test_a_misspelt_card_is_asked_about() -> None:
    done = run_cli("score", "Kinng")
    assert (done.code, done.out, done.err) == (2, "", "There is no card Kinng; did you mean King?\n")


# ---- files


def test_a_file_comes_back_with_scores_and_keeps_what_else_it_said() -> None:
    hands: list[dict[str, Any]] = [
        {"hand": KETH.split(", "), "table": 7},
        {"hand": "necro, King", "discard": ["Queen", "Candle"]},
    ]
    first, second = run_score(hands)
    assert (first["table"], first["hand"], first["best_score"]) == (7, KETH.split(", "), 239)
    assert list(first) == ["hand", "table", "best_score", "per_card", "choices", "explanation"]
    assert first["explanation"]["King"].startswith("Strength 8")
    assert sum(first["per_card"].values()) == 239
    assert (second["eighth"], second["best_score"]) == ("Queen", 3 + 8 + 6)
    assert second["discard"] == ["Queen", "Candle"]


def test_choices_in_files_have_the_form_of_the_published_hands() -> None:
    assert run_score([]) == []
    (found,) = run_score([{"hand": ["Book of Changes", "Bell Tower", "Candle", "Magic Wand"]}])
    assert found["choices"]["Book of Changes"] == ["Bell Tower", "Wizard"]


def test_hands_of_an_unusual_size_are_warned_of_and_scored() -> None:
    done = run_cli("score", "--file", write_hands([{"hand": ["King"]}] * 8), "--json")
    assert len(json.loads(done.out)) == 8
    assert done.err.splitlines()[0].startswith("Hand 1: This hand has 1 card. At the end of a game")
    assert done.err.splitlines()[-1] == "And 3 more hands have an unusual size."


@pytest.mark.parametrize("size", [9, 12])
def test_impossible_hands_are_refused_alone_and_in_a_file(size: int) -> None:
    """Both are refused with the same sentence, which says how many cards are usual."""
    cards = names_of(range(size))
    for arguments in ((", ".join(cards),), ("--file", write_hands([{"hand": cards}]))):
        done = run_cli("score", *arguments)
        assert done.code != 0
        assert f"This hand has {size} cards. At the end of a game, a hand has seven cards" in done.err


def test_a_file_for_people_has_a_line_a_hand() -> None:
    done = run_cli("score", "--file", write_hands([{"hand": KETH}, {"hand": KETH}]))
    assert [line.split()[:2] for line in done.out.splitlines()] == [["1", "239"], ["2", "239"]]


def test_standard_input_is_a_file_too() -> None:
    done = run_cli("score", "--file", "-", "--json", text=json.dumps([{"hand": KETH}]))
    assert json.loads(done.out)[0]["best_score"] == 239


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "hands.json is not JSON"),
        ('{"hand": []}', "must hold a list of hands"),
        ("[1]", "Hand 1: write"),
        ('[{"hand": "King"}, {"hands": []}]', "Hand 2: write"),
        ('[{"hand": [1]}]', "Hand 1: write"),
        ('[{"hand": "King", "discard": 3}]', "Hand 1: write"),
        ('[{"hand": "King"}, {"hand": "King, nobody at all"}]', "Hand 2: There is no card nobody at all."),
        ('[{"hand": ["King", "king"]}]', "Hand 1: King appears twice in the hand"),
        ('[{"hand": []}]', "Hand 1: Name the cards"),
    ],
)
def test_a_mistake_in_a_file_is_reported_with_the_number_of_the_hand(text: str, words: str) -> None:
    assert words in expect_refusal("score", "--file", write_hands(text), "--json")


def test_too_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_hands([{"hand": KETH}] * 3)
    monkeypatch.setattr(score, "MAX_HANDS", 2)
    assert "holds 3 hands; at most 2" in expect_refusal("score", "--file", path)
    monkeypatch.setattr(score, "MAX_BYTES", 20)
    assert "larger than 20 bytes" in expect_refusal("score", "--file", path)
    assert "cannot be read" in expect_refusal("score", "--file", "nothing.json")


@pytest.mark.parametrize(("hands", "compiled"), [(3, False), (4, True)])
def test_many_hands_are_scored_by_compiled_rules(hands: int, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(score, "MIN_HANDS_TO_COMPILE", 3)
    monkeypatch.setattr(score, "disable_compiling", lambda: asked.append("interpreted"))
    run_score([{"hand": KETH}] * hands)
    assert bool(asked) != compiled


def test_a_long_file_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "MIN_HANDS_FOR_BAR", 2)
    assert "Scoring" in run_cli("score", "--file", write_hands([{"hand": KETH}] * 2), "--json").err
    assert "Scoring" not in run_cli("score", "--file", write_hands([{"hand": KETH}]), "--json").err


@pytest.mark.long
def test_the_command_starts_without_the_compiler() -> None:
    done = run_process("score", KETH, "--json")
    assert (done.code, json.loads(done.out)["best_score"]) == (0, 239)
