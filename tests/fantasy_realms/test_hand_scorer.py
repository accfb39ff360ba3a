"""Fantasy Realms scores hands for callers that know nothing about its cards."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from realmtable.engine import hand_scorer
from realmtable.engine.errors import BadInput
from realmtable.games.fantasy_realms.bots import advice
from realmtable.games.fantasy_realms.hand_scorer import score_sheet
from realmtable.games.fantasy_realms.hand_scorer.scorer import SCORER

REALM = "King, Queen, Knights, Rangers, Candle, Forest, Bell Tower"


def test_callers_find_it() -> None:
    assert hand_scorer.find_hand_scorer("fantasy_realms") is SCORER


def test_a_hand_is_read_and_scored() -> None:
    question = SCORER.read("king, qu", "Warlord")
    assert SCORER.list_known_cards("king, nobody, qu") == ["King", "Queen"]
    found = SCORER.best_score(question)
    assert [card["card"] for card in found["cards"]] == ["King", "Queen"]
    assert (found["total"], found["eighth"]) == (SCORER.sheet(question)["total"], None)
    assert SCORER.effort(question) == score_sheet.effort(question)


@pytest.mark.parametrize(("hand", "words"), [("King", "This hand has 1 card."), (REALM, "")])
def test_an_unusual_size_is_described(hand: str, words: str) -> None:
    assert SCORER.describe_unusual_size(SCORER.read(hand)).startswith(words)
    assert bool(SCORER.describe_unusual_size(SCORER.read(hand))) == bool(words)


@pytest.mark.parametrize(
    ("hand", "slow"),
    [(REALM, False), ("Mirage, King", False), ("Mirage, Book of Changes", True), ("Island, Necromancer", False)],
)
def test_advice_is_slow_where_cards_become_others(hand: str, *, slow: bool) -> None:
    assert SCORER.is_advice_slow(SCORER.read(hand)) is slow


def test_advice_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "advise_question", lambda *asked: {"asked": asked})
    question, rng = SCORER.read(REALM), Random(1)
    assert SCORER.advise(question, 3, "Smoke", rng) == {"asked": (question, 3, "Smoke", rng)}


def test_what_cannot_be_advised_is_known_before() -> None:
    SCORER.check_advice(SCORER.read(REALM), 3, "Smoke")
    with pytest.raises(BadInput, match="Name seven cards"):
        SCORER.check_advice(SCORER.read("King"), 3, "")


def test_a_page_finds_cards_labels_and_rulings() -> None:
    tiles = SCORER.card_tiles()
    assert sum(len(group["cards"]) for group in tiles["groups"]) == 53
    assert "Necromancer" in tiles["discard_label"]
    assert len(SCORER.list_known_cards(tiles["example"])) == 2
    assert SCORER.scoring_options() == score_sheet.scoring_options()


def test_reading_a_hand_loads_no_rules() -> None:
    """So that a caller can still decide whether they are compiled."""
    code = (
        "import sys\n"
        "from realmtable.engine.hand_scorer import find_hand_scorer\n"
        "scorer = find_hand_scorer('fantasy_realms')\n"
        "scorer.is_advice_slow(scorer.read('King, Queen'))\n"
        "print([name for name in sys.modules if name.endswith('kit.compile')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == "[]"
