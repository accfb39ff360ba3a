"""The graph of a rating."""

from __future__ import annotations

from realmtable.server.accounts.ratings import RatingPoint
from realmtable.server.site.player_pages import draw_graph, grid_values

DAY_S = 86_400.0


def test_a_graph_needs_two_ratings() -> None:
    assert draw_graph([]) is None
    assert draw_graph([RatingPoint(0.0, 1500, 600)]) is None


def test_the_line_goes_through_the_ratings_in_time_and_the_band_around_it() -> None:
    graph = draw_graph([RatingPoint(0.0, 1400, 300), RatingPoint(DAY_S, 1600, 100), RatingPoint(4 * DAY_S, 1500, 100)])
    assert graph is not None
    assert graph.line == "M0.0 75.0L25.0 25.0L100.0 50.0"  # from 1700 at the top to 1300 at the bottom
    assert graph.band.startswith("M0.0 0.0L25.0 0.0L100.0 25.0L100.0 75.0")
    assert (graph.first, graph.last) == ("1 Jan 1970", "5 Jan 1970")
    assert [(tick.value, tick.y) for tick in graph.ticks] == [
        (1700, 0),
        (1600, 25),
        (1500, 50),
        (1400, 75),
        (1300, 100),
    ]


def test_games_of_one_moment_are_spread_evenly() -> None:
    graph = draw_graph([RatingPoint(5.0, 1500, 50)] * 3)
    assert graph is not None
    assert graph.line == "M0.0 50.0L50.0 50.0L100.0 50.0"


def test_wide_graphs_have_few_lines() -> None:
    assert all(len(grid_values(1500 - span, 1500 + span)) <= 6 for span in range(50, 3000, 50))
