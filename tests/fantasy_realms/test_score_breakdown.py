"""After the game, every score is broken down by card, with a link to the scoring page."""

from __future__ import annotations

from typing import Any

from realmtable.engine.options import OptionValue
from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.hand_scorer.scorer import SCORER
from realmtable.games.fantasy_realms.scoring.score import best_score, score_to_json
from tests.fantasy_realms import example_views as views
from tests.fantasy_realms.helpers import GAME


def view_with_scores(hand: str, discard: str = "", **options: OptionValue) -> dict[str, Any]:
    """The view of a table that is over, at which two seats have scored the same cards."""
    chosen = GAME.options(None, **options)
    cards = [BY_NAME[name].id for name in hand.split(",")]
    open_cards = [BY_NAME[name].id for name in discard.split(",") if name]
    score = {**score_to_json(best_score(cards, open_cards, chosen)), "hand": hand.split(",")}
    pairs = [f"{name}={'on' if value is True else value}" for name, value in options.items()]
    dropped = [{"card": name, "seat": 0} for name in discard.split(",") if name]
    return {**views.final_view(2), "scores": [score] * 2, "ranking": [1, 1], "discard": dropped, "options": pairs}


def open_scoring_page(view: dict[str, Any]) -> dict[str, Any]:
    """What the scoring page says to the link of the first tally."""
    pairs = GAME.score_breakdowns(view)[0].score_query
    given = dict(pairs)
    choose = [value for name, value in pairs if name == "choose"]
    options = [value for name, value in pairs if name == "option"]
    return SCORER.sheet(SCORER.read(given["hand"], given.get("discard", ""), choose, options))


def test_there_is_no_breakdown_during_the_game() -> None:
    assert GAME.score_breakdowns(views.DRAWING) == []


def test_every_card_has_its_points_and_its_reason_the_best_realm_first() -> None:
    view = views.final_view(3)
    first, *others = GAME.score_breakdowns(view)
    assert [tally.rank for tally in (first, *others)] == [1, 2, 3]
    assert first.total == max(score["total"] for score in view["scores"])
    for tally in (first, *others):
        assert tally.total == sum(line.points for line in tally.lines)
        assert tally.lines[0].reason == view["scores"][tally.seat]["cards"][0]["sentence"]
    assert any(line.struck and not line.points for tally in (first, *others) for line in tally.lines)


def test_a_card_that_counts_as_another_says_so() -> None:
    lines = GAME.score_breakdowns(view_with_scores("Mirage,Bell Tower,Whirlwind,Smoke,Wildfire,Candle,Collector"))[
        0
    ].lines
    assert lines[0].title.startswith("Mirage as ")
    assert lines[1].title == "Bell Tower"


def test_the_link_asks_the_scoring_page_for_the_same_realm_and_its_choices() -> None:
    view = view_with_scores(
        "Mirage,Book of Changes,Island,Wildfire,Bell Tower,Necromancer,Knights", "Dragon,King,Swamp"
    )
    score = view["scores"][0]
    assert {"Book of Changes"} <= set(score["choices"])
    assert score["eighth"]
    found = open_scoring_page(view)
    assert (found["total"], found["eighth"], found["made"]) == (score["total"], score["eighth"], score["choices"])
    assert all(choice["fixed"] for choice in found["choices"] if choice["value"] != SCORER.card_tiles()["nothing"])


def test_the_link_carries_those_options_of_the_table_that_scores_depend_on() -> None:
    view = view_with_scores(
        "Book of Changes,Knights,Rangers,King,Warlord,Dragon,Swamp", book_to_wild=True, max_turns=80, ring="together"
    )
    query = GAME.score_breakdowns(view)[0].score_query
    assert [value for name, value in query if name == "option"] == ["book_to_wild=on", "ring=together"]
    assert "discard" not in dict(query)
    assert open_scoring_page(view)["total"] == view["scores"][0]["total"]


def test_a_card_made_wild_can_be_asked_for() -> None:
    view = view_with_scores("Book of Changes,Knights,Rangers,King,Warlord,Dragon,Swamp", book_to_wild=True)
    view["scores"][0]["choices"] = {"Book of Changes": ["Swamp", ""]}
    assert ("choose", "Book of Changes=Swamp:Wild") in GAME.score_breakdowns(view)[0].score_query
