"""The statistics of a profile: results, opponents, streaks and ratings, and nothing of private tables for others."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from realmtable.server.accounts.ratings import RatingPoint
from realmtable.server.services import Services
from realmtable.server.site.player_pages import draw_graph, grid_values
from realmtable.server.storage.player_history import FinishedGame, Solve
from realmtable.server.study.player_statistics import (
    MAX_OPPONENTS,
    Streak,
    Tally,
    score_of,
    tally_games,
    tally_opponents,
    win_streak,
)
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

DAY_S = 86_400


def make_game(
    *ranking: int, game: str = "realm", players: tuple[str, ...] = ("me", "other"), **facts: Any
) -> FinishedGame:
    return FinishedGame(game, 0, ranking, facts.get("reached", ()), players)


def test_a_shared_first_place_is_a_draw_and_a_solo_game_is_won_by_its_goal() -> None:
    assert [score_of(make_game(*ranking)) for ranking in ((1, 2), (1, 1), (2, 1), (1, 1, 3))] == [1, 0.5, 0, 0.5]
    solo = [make_game(1, players=("me",), reached=reached) for reached in ((True,), (False,), ())]
    assert [score_of(game) for game in solo] == [1, 0, 0]


def test_games_are_counted_by_kind_with_the_most_played_first() -> None:
    games = [make_game(1, 2, game="a"), make_game(2, 1, game="b"), make_game(1, 1, game="b")]
    assert [*tally_games(games).items()] == [("b", Tally(2, 0, 1)), ("a", Tally(1, 1, 0))]
    assert tally_games(games)["b"].losses == 1


def test_opponents_count_once_per_game_by_their_best_place() -> None:
    games = [
        make_game(2, 1, 3, 4, players=("me", "knight", "knight", "ann")),
        make_game(1, 2, players=("me", "knight")),
        make_game(1, 1, players=("me", "ann")),
    ]
    assert tally_opponents(games, "me") == {"knight": Tally(2, 1, 0), "ann": Tally(2, 1, 1)}
    many = [make_game(1, 2, players=("me", f"p{number}")) for number in range(20)]
    assert len(tally_opponents(many, "me")) == MAX_OPPONENTS


def test_a_streak_of_wins_ends_with_anything_else_and_ignores_solo_games() -> None:
    won, drawn, solo = make_game(1, 2), make_game(1, 1), make_game(1, players=("me",))
    assert win_streak([won, solo, won, drawn, won, won, won]) == Streak(2, 3)
    assert win_streak([drawn, won]) == Streak(0, 1)
    assert win_streak([]) == Streak(0, 0)


async def play_and_resign(ann: Person, bob: Person, *, listed: bool) -> str:
    """Open a table of two; the first player resigns."""
    table = await ann.open_table(bob, listed=listed)
    await ann.post(f"/api/tables/{table}/resign")
    return table


async def id_of(person: Person) -> str:
    found: str = (await person.get("/api/me"))["player"]["id"]
    return found


async def test_others_see_nothing_of_private_tables(ann: Person, bob: Person, eve: Person) -> None:
    private = await play_and_resign(ann, bob, listed=False)
    me = await id_of(bob)
    own = await bob.get(f"/api/players/{me}/statistics")
    assert own["games"] == {"realm": {"played": 1, "won": 1, "drawn": 0, "lost": 0}}
    assert own["win_streak"] == {"current": 1, "longest": 1}
    assert [row["player"]["id"] for row in own["opponents"]] == [await id_of(ann)]
    assert private in (await bob.client.get(f"/players/{me}")).text
    for viewer, path in ((eve, f"/players/{me}"), (ann, f"/players/{me}"), (bob, f"/players/{me}?as_others=true")):
        html = (await viewer.client.get(path)).text
        assert private not in html
        assert "No finished public games yet." in html
    theirs = await eve.get(f"/api/players/{me}/statistics")
    assert (theirs["games"], theirs["opponents"], theirs["win_streak"]["longest"]) == ({}, [], 0)


async def test_public_games_count_for_everyone(ann: Person, bob: Person, eve: Person) -> None:
    table = await play_and_resign(ann, bob, listed=True)
    await ann.post("/api/tables", {"game": "realm", "seats": ["me", "me"], "listed": True})
    await ann.join("Ann of Kent")
    found = await eve.get("/api/players/Ann%20of%20Kent/statistics")
    assert found["games"] == {"realm": {"played": 1, "won": 0, "drawn": 0, "lost": 1}}
    html = (await eve.client.get("/players/ann%20of%20kent")).text
    assert table in html
    assert "Account settings" not in html
    assert "Account settings" in (await ann.client.get(f"/players/{await id_of(ann)}")).text


async def test_games_that_do_not_count_can_displace_others_too(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realmtable.server.storage.player_history.MAX_GAMES", 1)
    alone = await ann.open_table(seats=["me", "me"])
    await ann.post(f"/api/tables/{alone}/resign")
    found = await ann.get(f"/api/players/{await id_of(ann)}/statistics")
    assert (found["games"], found["limited"]) == ({}, True)


async def test_solved_puzzles_and_their_days_are_counted(services: Services, ann: Person) -> None:
    await ann.post("/api/me")
    me, now = await id_of(ann), services.table_service.now()
    today = int(now // DAY_S)
    for number, day in enumerate((today, today - 1, today - 3, today - 4, today - 5, 0)):
        await services.puzzle_service.solves.add(Solve(me, f"p{number}", day, "realm", now))
    found = await ann.get(f"/api/players/{me}/statistics")
    assert found["puzzles_solved"] == 6
    assert found["puzzle_streak"] == {"current": 2, "longest": 3}


async def test_a_bot_has_a_profile_with_its_rating_alone(services: Services, ann: Person) -> None:
    bot = await services.accounts.bot_player("level1")
    html = (await ann.client.get(f"/players/{bot.id}")).text
    assert "Puzzles solved" not in html
    assert (await ann.get(f"/api/players/{bot.id}/statistics"))["games"] == {}


async def test_games_come_in_pages(ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realmtable.server.site.player_pages.GAMES_PER_PAGE", 1)
    first, second = [await play_and_resign(ann, bob, listed=True) for _ in range(2)]
    path = f"/players/{await id_of(ann)}"
    html = (await bob.client.get(path)).text
    assert second in html
    assert first not in html
    older = next(part.split('"')[0] for part in html.split('href="') if "before=" in part)
    html = (await bob.client.get(older.replace("&amp;", "&"))).text
    assert first in html
    assert second not in html


async def test_nobody_has_no_profile(client: httpx.AsyncClient) -> None:
    for name in ("nobody", "x" * 200, "%F0%9F%A6%89"):
        assert (await client.get(f"/players/{name}")).status_code == 404


def test_a_graph_needs_two_ratings() -> None:
    assert draw_graph([]) is None
    assert draw_graph([RatingPoint(0.0, 1500, 600)]) is None


def test_the_line_goes_through_the_ratings_in_time_and_the_band_around_it() -> None:
    graph = draw_graph([RatingPoint(0.0, 1400, 300), RatingPoint(DAY_S, 1600, 100), RatingPoint(4 * DAY_S, 1500, 100)])
    assert graph is not None
    assert graph.line == "M0.0 75.0L25.0 25.0L100.0 50.0"  # from 1700 at the top to 1300 at the bottom
    assert graph.band.startswith("M0.0 0.0L25.0 0.0L100.0 25.0L100.0 75.0")
    assert (graph.first, graph.last) == ("1 Jan 1970", "5 Jan 1970")
    ticks = [(1700, 0), (1600, 25), (1500, 50), (1400, 75), (1300, 100)]
    assert [(tick.value, tick.y) for tick in graph.ticks] == ticks


def test_games_of_one_moment_are_spread_evenly() -> None:
    graph = draw_graph([RatingPoint(5.0, 1500, 50)] * 3)
    assert graph is not None
    assert graph.line == "M0.0 50.0L50.0 50.0L100.0 50.0"


def test_wide_graphs_have_few_lines() -> None:
    assert all(len(grid_values(1500 - span, 1500 + span)) <= 6 for span in range(50, 3000, 50))
