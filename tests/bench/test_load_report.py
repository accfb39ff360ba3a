import math

import pytest

from bench.load import ClusterRuns, page
from bench.load_report import (
    Figures,
    MoveTiming,
    Usage,
    cluster_table,
    compare_processes,
    delays_within,
    format_cluster_row,
    format_row,
    format_time,
    quantile,
    ratio_table,
    table,
    usage_between,
)


def make_figures(name: str = "a server", **changes: object) -> Figures:
    values: dict[str, object] = {
        "name": name,
        "tables": 1000,
        "streams": 2000,
        "offered_per_s": 4.0,
        "seconds": 1.0,
        "delays_s": (0.001, 0.002, 0.003, 0.4),
        "cpu": 0.5,
        "memory": 200 * 1024 * 1024,
    }
    return Figures(**{**values, **changes})  # type: ignore[arg-type]  # checked by the tests themselves


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1), (0.01, 1), (0.5, 50), (0.95, 95), (0.99, 99), (1.0, 100)])
def test_a_quantile_is_one_of_the_values(share: float, expected: float) -> None:
    assert quantile(list(range(100, 0, -1)), share) == expected


def test_nothing_has_no_quantile() -> None:
    assert math.isnan(quantile([], 0.5))
    assert format_time(quantile([], 0.5)) == "–"


def test_only_moves_that_arrive_within_the_time_count() -> None:
    played = [MoveTiming(0.0, 0.9), MoveTiming(0.5, 1.0), MoveTiming(1.5, 1.75), MoveTiming(1.9, 2.0)]
    assert delays_within(played, 1.0, 2.0) == (0.5, 0.25)


def test_usage_is_the_difference_of_two_readings() -> None:
    assert usage_between(Usage(10.0, 5), Usage(13.0, 7), 2.0) == (1.5, 7)
    assert usage_between(None, Usage(13.0, 7), 2.0) == (None, None)


def test_a_server_keeps_up_if_it_plays_what_is_offered_without_error() -> None:
    assert make_figures().keeps_up
    assert make_figures(offered_per_s=None).keeps_up
    assert not make_figures(offered_per_s=5.0).keeps_up
    assert not make_figures(errors={"refused with 500, ?": 1}).keeps_up
    assert not make_figures(offered_per_s=None, delays_s=()).keeps_up


def test_a_line_shows_everything() -> None:
    expected = "| a server | 1,000 | 2,000 | 4.00 | 4.00 | 2.0 ms | 400 ms | 400 ms | 400 ms | 2 | 0.50 | 200 MiB |"
    assert format_row(make_figures(errors={"one": 1, "another": 1})) == expected


def test_a_line_leaves_open_what_is_not_known() -> None:
    row = format_row(make_figures(offered_per_s=None, cpu=None, memory=None, delays_s=()))
    assert row == "| a server | 1,000 | 2,000 | maximum | 0.00 | – | – | – | – | 0 | – | – |"


def test_every_line_has_the_columns_of_the_head() -> None:
    assert len({row.count("|") for row in table([make_figures(), make_figures("b")]).splitlines()}) == 1


def test_ratios_compare_runs_of_the_same_kind() -> None:
    ours = [make_figures(), make_figures(offered_per_s=None, seconds=0.5)]
    peers = [make_figures(delays_s=(0.002, 0.004, 0.006, 0.04)), make_figures(offered_per_s=None, cpu=None)]
    found = ratio_table(ours, peers, "peer").splitlines()
    assert found[0] == "| measurement | Realmtable | peer | ratio |"
    assert found[2] == "| p50 from move to opponent, steady | 2.0 ms | 4.0 ms | 0.5 × |"
    assert found[4] == "| p99 from move to opponent, steady | 400 ms | 40 ms | 10 × |"
    assert found[-1] == "| maximum moves/s | 8.00 | 4.00 | 2 × |"
    assert not any("at the limit" in row for row in found)


def test_the_page_names_every_run_and_why_the_peer_is_missing() -> None:
    plain = [make_figures("ours, plain"), make_figures("ours, plain", offered_per_s=None)]
    text = page(plain, [make_figures("ours, pictures")], [], "The peer was skipped: no npm.", ClusterRuns())
    assert text.startswith("# Load\n\nMade by `python -m bench.load --tables 1000 --seconds 1 --rate 4`")
    assert text.count("| ours, ") == 3
    assert "The peer was skipped: no npm." in text
    assert "| measurement |" not in text
    assert "| measurement |" in page(plain, [], plain, "A peer.", ClusterRuns())


def make_cluster_runs() -> dict[int, list[Figures]]:
    services = {"PostgreSQL": 0.1, "Redis": None}
    return {
        1: [make_figures(other_cpu=services), make_figures(offered_per_s=None, client_cpu=0.2)],
        2: [make_figures(other_cpu=services), make_figures(offered_per_s=None, seconds=0.5, cpu=1.6)],
    }


def test_a_line_of_several_processes_shows_each_parts_time_per_move() -> None:
    [first, fastest], _ = make_cluster_runs().values()
    expected = "| 1 | 1,000 | 4.00 | 4.00 | 2.0 ms | 400 ms | 400 ms | 0 | 0.50 | 125 ms | 25 ms | – | – |"
    assert format_cluster_row(first, 1) == expected
    assert format_cluster_row(fastest, 1).endswith("| 0.50 | 125 ms | – | – | 50 ms |")


def test_a_run_without_moves_has_no_time_per_move() -> None:
    assert math.isnan(make_figures(delays_s=()).time_per_move(0.5))
    assert math.isnan(make_figures().time_per_move(None))


def test_the_page_compares_one_process_with_several() -> None:
    runs = make_cluster_runs()
    assert len({row.count("|") for row in cluster_table(runs).splitlines()}) == 1
    assert "the maximum rate changes by a factor of 2.00" in compare_processes(runs)
    assert compare_processes(runs).endswith("processor time per move at that rate by a factor of 1.60.")
    assert compare_processes({1: runs[1], 2: [make_figures(cpu=None)]}).endswith("by a factor of –.")
    text = page(make_cluster_runs()[1], [], [], "", ClusterRuns(runs, "On these services."))
    assert "## Several processes\n\nOn these services.\n\n| processes |" in text
    assert "was missing" in page(runs[1], [], [], "", ClusterRuns(note="PostgreSQL was missing."))
