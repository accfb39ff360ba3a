"""`realmtable score --advise`: what to draw or discard, as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest

from realmtable.cli import score
from realmtable.games.fantasy_realms.bots import advice
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge
from realmtable.games.fantasy_realms.bots.turn_lookahead import Prospect
from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.state import Step
from tests.cli.command_line import expect_refusal, run_cli

REALM = "King, Queen, Knights, Rangers, Candle, Forest, Bell Tower"


@pytest.fixture(autouse=True)
def asked_hands(monkeypatch: pytest.MonkeyPatch) -> list[Knowledge]:
    """Replace the estimates by fast fakes, and record what they were given."""
    monkeypatch.setattr(score, "disable_compiling", lambda: None)  # the rules are loaded already
    known_so_far: list[Knowledge] = []

    def fake_prospects(known: Knowledge, steps: Sequence[Step], _: FantasyOptions, rng: Random) -> list[Prospect]:
        known_so_far.append(known)
        heading = tuple((card, 0.5) for card in known.hand[:7])
        values = [(step, 150.0 - 6 * place + rng.random() / 10) for place, step in enumerate(steps)]
        return [Prospect(step, value, value - 200, value - 30, value + 40, heading) for step, value in values]

    monkeypatch.setattr(advice, "evaluate_steps", fake_prospects)
    return known_so_far


def test_choices_are_a_table_with_a_reason_and_the_hand_to_come(asked_hands: list[Knowledge]) -> None:
    done = run_cli("score", REALM, "--discard", "Warlord, Smoke", "--advise")
    assert (done.code, done.err) == (0, "Thinking …\n")
    lines = [line.split() for line in done.out.splitlines()]
    assert ["What", "to", "draw?"] in lines
    assert ["choice", "points", "most", "games", "lead"] in lines
    assert ["Draw", "from", "the", "deck", "150", "120", "to", "190", "best"] in lines
    assert ["Take", "Smoke", "138", "108", "to", "178", "−12"] in lines
    words = " ".join(done.out.split())
    assert "Draw from the deck. In the discard area, Warlord helps most now" in words
    assert "Heading for about King 50% (held), Queen 50% (held)" in words
    assert ["156", "points"] in lines  # the score comes first, as ever
    assert asked_hands[0].seats == 4


def test_json_has_the_advice_without_pictures(asked_hands: list[Knowledge]) -> None:
    done = run_cli("score", f"{REALM}, Smoke", "--advise", "--players", "3", "--taken", "Dragon", "--json")
    found = json.loads(done.out)
    assert found["advice"]["charts"][0]["choices"][0]["move"] == "drop King"
    assert found["best_score"] == found["score"]
    assert "picture" not in found["advice"]["heading"]["cards"][0]
    assert asked_hands[0].seats == 3
    assert asked_hands[0].held[1] == 1 << BY_NAME["Dragon"].id
    assert "advice" not in json.loads(run_cli("score", REALM, "--json").out)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["King", "--advise"], "Name seven cards"),
        ([REALM, "--players", "3"], "--players and --taken are for --advise"),
        ([REALM, "--taken", "Smoke"], "--players and --taken are for --advise"),
        ([REALM, "--advise", "--taken", "King"], "King is in the hand and taken by another player"),
        (["--file", "hands.json", "--advise"], "Advice is for one hand"),
        ([REALM, "--advise", "--players", "7"], "2 to 6 players, not for 7"),
    ],
)
def test_what_cannot_be_advised_is_said(args: list[str], words: str) -> None:
    assert words in expect_refusal("score", *args)
