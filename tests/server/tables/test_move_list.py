"""The move list and the news of a game with hidden information, and the list of its scores."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine.record import Record
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.replays.replay_views import record_replay
from realmtable.server.tables.scenes.moment import moment
from realmtable.server.tables.scenes.move_list import RECENT_LINES, list_moves, list_recent_moves
from realmtable.server.tables.table import Table, replace
from tests.fantasy_realms.helpers import patch_quick_scores
from tests.server.support.table_harness import TableHarness, show, start_table


@pytest.fixture
def played_table() -> TableHarness:
    """Three at a table, some turns played."""
    table = start_table("fantasy_realms", seats=3)
    rng = Random(2)
    for _ in range(8):
        table.play(rng)
    return table


def texts(table: Table, viewer: int | None) -> list[str]:
    return [line["text"] for line in list_moves(table, _seats(viewer), viewer)]


@pytest.mark.parametrize("game", ["classic_realm", "realm"])
def test_recent_turns_are_the_latest_of_all(game: str) -> None:
    table, rng = start_table(game), Random(4)
    for step in range(130):
        if table.table.result is not None:
            break
        if step % 7 == 3 and actions.can_undo(table.table, (0, 1)):
            table.act(actions.undo, (0, 1))
        elif step % 31 == 30:
            table.act(actions.offer, (0, 1), "takeback")
        else:
            table.play(rng)
        recent, has_earlier = list_recent_moves(table.table, (), None)
        every = list_moves(table.table, (), None)
        assert len(recent) >= min(len(every), RECENT_LINES)
        assert recent == every[-len(recent) :] if recent else every == []
        assert has_earlier == (len(recent) < len(every))
        if step % 11 == 0:  # as when a table was loaded
            table.table.viewer_caches.clear()
            assert list_recent_moves(table.table, (), None) == (recent, has_earlier)


def test_all_lines_of_the_current_turn_are_recent() -> None:
    table = start_table("classic_realm")
    table.play(Random(1))
    entry = table.table.move_list[-1]
    many = replace(table.table, move_list=(entry,) * (RECENT_LINES + 7), viewer_caches={})
    lines, has_earlier = list_recent_moves(many, (), None)
    assert (len(lines), has_earlier) == (RECENT_LINES + 7, False)


@pytest.mark.parametrize("game", ["classic_realm", "realm"])
def test_what_is_kept_from_version_to_version_is_as_if_it_were_made_anew(game: str) -> None:
    table, rng = start_table(game), Random(6)
    for step in range(60):
        if step % 9 == 5:
            table.act(lambda _: [EventDraft("hinted", 0)])
        elif step % 7 == 3 and actions.can_undo(table.table, (0, 1)):
            table.act(actions.undo, (0, 1))
        elif table.table.result is None:
            table.play(rng)
        for you in ((), (0,), (1,)):
            assert show(table.table, you) == show(replace(table.table, viewer_caches={}), you)


def test_the_deal_is_one_line_of_all_its_steps(played_table: TableHarness) -> None:
    first, deal, *rest = played_table.table.move_list
    assert first.text_for(0).endswith(" begins")
    assert deal.text_for(0) == deal.text_for(None) == "Each player is dealt seven cards"
    assert (deal.first, deal.last) == (2, 22)
    assert rest[0].first == 23
    assert "Each player is dealt seven cards" not in [line.text_for(0) for line in rest]


def test_a_turn_is_written_with_a_comma_and_a_space(played_table: TableHarness) -> None:
    turns = [text for text in texts(played_table.table, None) if text.startswith("take ")]
    assert turns
    assert all(", drop " in text for text in turns[:-1])


def test_what_happened_is_told_in_sentences_as_each_may_know_it(played_table: TableHarness) -> None:
    names = ("Scarlet ", "Azure ", "Amber ", "You ", "The game begins")
    for viewer in (None, 0, 1, 2):
        told = [news["words"] for news in show(played_table.table, _seats(viewer))["news"]]
        assert all(words.startswith(names) for words in told if words)
        assert any(words.startswith("You ") for words in told) == (viewer is not None)


@pytest.mark.long
def test_a_game_that_tells_its_moves_lists_them_in_the_words_of_the_news_as_each_may_know_them() -> None:
    table, rng = start_table("magic_realm", seats=2), Random(3)
    while len(table.table.move_list) < 120:
        table.play(rng)
    for viewer in (None, 0, 1):
        shown = show(table.table, _seats(viewer))
        told = " ".join(line["text"] for line in shown["lines"])
        heard = [item["words"] for item in shown["news"] if item["words"] and item["kind"] != "started"]
        assert heard
        assert all(words in told for words in heard[-5:])
        every = texts(table.table, viewer)
        assert all(every)
        assert any("Your choice: Assign a point" in text for text in every) == (viewer is not None)


def _seats(viewer: int | None) -> tuple[int, ...]:
    return () if viewer is None else (viewer,)


def test_nothing_is_tallied_while_the_game_goes_on(played_table: TableHarness) -> None:
    assert show(played_table.table, (0,))["tallies"] == []


def test_the_scores_are_listed_with_links_at_the_table_in_a_replay_and_in_a_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patch_quick_scores(monkeypatch)
    table = start_table("fantasy_realms", seats=3, options=("max_turns=20", "ring=together"))
    rng = Random(4)
    while table.table.result is None:
        table.play(rng)
    shown = show(table.table, (0,), pictures=True)
    first = shown["tallies"][0]
    assert first["rank"] == 1
    assert first["name"] == ("Scarlet", "Azure", "Amber")[first["seat"]]
    assert sum(line["points"] for line in first["lines"]) == first["total"]
    assert first["sheet"].startswith("/score/fantasy_realms?hand=")
    assert "option=ring=together" in first["sheet"]
    match = table.table.match
    replay = moment(match, None, step=table.table.step, steps=table.table.step, open_to_all=True)
    assert replay["tallies"] == shown["tallies"]
    page = record_replay("r1", Record.from_match(match))
    assert page["moment"]["tallies"] == shown["tallies"]
    assert [line["text"] for line in page["lines"][:2]] == [line["text"] for line in shown["lines"][:2]]
    assert page["lines"][1]["steps"] == [2, 22]
