import re
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench import fantasy_hands
from bench.fantasy_hand_search import EIGHT, SEVEN, HandSearch, HandSet
from bench.fantasy_hands import PAGE
from bench.fantasy_hands_page import choices_text, draw_histogram, page, random_table
from bench.fantasy_random_hands import BATCH, HIGHEST, LOWEST, SIZE, SUMS, Sample, random_cards, score_batches
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS
from realmtable.games.fantasy_realms.scoring.score import best_score, eighth_candidates

TEXT = PAGE.read_text(encoding="utf-8")


def draw_sample(hands: int, seed: int = 1) -> Sample:
    return list(score_batches(hands, seed))[-1]


def sample_of_totals(totals: dict[int, int]) -> Sample:
    """Build a sample from counts of totals, without cards."""
    counts = np.zeros(HIGHEST - LOWEST + 1, dtype=np.int64)
    for total, count in totals.items():
        counts[total - LOWEST] = count
    return Sample(1, counts, np.zeros((len(CARDS), SUMS), dtype=np.int64))


# ---- random hands


def test_a_sample_counts_what_the_scorer_says() -> None:
    found = draw_sample(40)
    cards = random_cards(np.random.default_rng(1), 40)
    scores = [best_score(cards[start : start + SIZE]) for start in range(0, len(cards), SIZE)]
    assert found.mean().value == pytest.approx(sum(score.total for score in scores) / 40)
    assert found.extremes() == (min(score.total for score in scores), max(score.total for score in scores))
    for card in CARDS:
        held = [(score, entry) for score in scores for entry in score.cards if entry.card == card.id]
        points, totals = sum(entry.points for _, entry in held), sum(score.total for score, _ in held)
        blanked = sum(entry.blanked for _, entry in held)
        row = [int(number) for number in found.sums[card.id]]
        assert (row[0], row[1], row[3], row[4]) == (len(held), points, blanked, totals), card.name


def test_a_sample_grows_batch_by_batch() -> None:
    assert BATCH > 1000
    assert [found.hands for found in islice(score_batches(30, 1), 1)] == [30]


def test_quantiles_mean_and_deviation_are_those_of_the_totals() -> None:
    found = sample_of_totals({100: 25, 200: 50, 300: 25})
    assert found.mean().value == 200
    assert found.deviation() == pytest.approx((50 * 100**2 / 99) ** 0.5)
    assert found.quantile(0.5)[0] == 200
    assert found.quantile(0.25) == (100, 100, 200)
    assert found.quantile(0.99)[0] == 300
    assert found.share_of_at_least(200) == 0.75


def test_a_lift_is_the_mean_with_the_card_less_the_mean_of_all() -> None:
    found = sample_of_totals({100: 60, 160: 40})
    found.sums[:] = (20, 0, 0, 5, 20 * 160, 20 * 160**2)
    figures = found.cards()[0]
    assert figures.lift.value == pytest.approx(160 - 124)
    assert figures.blanked.value == 0.25
    assert 0 < figures.lift.half_width < 36


def test_the_picture_shows_the_common_totals() -> None:
    drawn = draw_histogram(sample_of_totals({100: 500, 105: 500, 120: 1000, 250: 10, 590: 0}))
    assert drawn.count("<rect") == 16  # from 100 to 250, ten points per bar
    assert ">100</text>" in drawn
    assert ">250</text>" in drawn


# ---- the command


SMALL = HandSet(
    "seven", 4, deck=tuple(BY_NAME[name].id for name in ("King", "Queen", "Knights", "Warlord", "Swamp", "Candle"))
)


def test_the_search_prints_hands_worths_and_choices(tmp_path: Path) -> None:
    (walk,) = fantasy_hands.search_best_hands(tmp_path / "state.json", (SMALL._replace(least=60),))
    assert walk.is_over
    assert fantasy_hands.search_best_hands(tmp_path / "state.json", (SMALL._replace(least=60),))[0].best == walk.best
    total, cards = walk.ranking()[0]
    assert total == best_score(cards).total


def test_the_command_says_what_it_needs() -> None:
    result = CliRunner().invoke(fantasy_hands.main, [])
    assert result.exit_code == 2
    assert "--best, --random N or --docs" in result.output


def test_random_hands_are_shown_as_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fantasy_hands, "score_batches", lambda _hands, seed: score_batches(150, seed))
    result = CliRunner().invoke(fantasy_hands.main, ["--random", "1000"])
    assert result.exit_code == 0, result.output
    assert "| 150 random hands |" in result.output
    assert all(f"| {card.name} | {card.suit} |" in result.output for card in CARDS)


def test_the_page_is_written_with_its_picture(tmp_path: Path) -> None:
    walks, found = [HandSearch(SEVEN), HandSearch(EIGHT)], draw_sample(150)
    fantasy_hands.write_page(walks, found, tmp_path / "hands.md")
    assert (tmp_path / "hands.md").read_text(encoding="utf-8") == page(walks, found, "hands.svg")
    assert (tmp_path / "hands.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert random_table(found) in page(walks, found, "hands.svg")


# ---- the page is true


def best_lines() -> list[tuple[int, list[str], str]]:
    """Parse the rows of both tables of best hands: the worth, the cards, the choices."""
    rows = re.findall(r"^\| \d+ \| (\d+) \| ([^|]+) \| ([^|]+) \|$", TEXT, flags=re.MULTILINE)
    return [(int(total), cards.split(", "), choices) for total, cards, choices in rows]


def test_the_page_has_the_best_of_both_kinds() -> None:
    sizes = [len(cards) for _, cards, _ in best_lines()]
    assert sizes == [7] * 20 + [8] * 20
    for start in (0, 20):
        totals = [total for total, _, _ in best_lines()[start : start + 20]]
        assert totals == sorted(totals, reverse=True)
    assert f"All {SEVEN.count_hands():,} hands of 7 were searched" in TEXT
    assert f"All {EIGHT.count_hands():,} sets of 8 cards with the Necromancer were searched" in TEXT


@pytest.mark.parametrize("line", best_lines(), ids=lambda line: f"{line[0]} {line[1][0]}")
def test_every_best_hand_is_worth_what_the_page_says(line: tuple[int, list[str], str]) -> None:
    total, names, choices = line
    cards = [BY_NAME[name.strip("*")].id for name in names]
    assert best_score(cards).total == total
    assert choices_text(cards) == choices
    marked = [BY_NAME[name.strip("*")].id for name in names if name.startswith("*")]
    if len(names) == EIGHT.size:
        others = [card for card in cards if card not in EIGHT.fixed]
        assert marked == list(eighth_candidates(EIGHT.fixed, others))
        assert marked
        rest = [card for card in cards if card != marked[0]]
        assert best_score(rest, marked[:1]).total == total


def test_a_few_random_hands_fit_the_mean_of_the_page() -> None:
    (mean,) = re.findall(r"^\| mean \| ([\d.]+) \|", TEXT, flags=re.MULTILINE)
    found = draw_sample(150, 99)
    assert abs(found.mean().value - float(mean)) < 3 * found.mean().half_width
    assert len(re.findall(r"^\| [^|]+ \| \w+ \| -?[\d.]+ \| [+-][\d.]+ \| [\d.]+% \|$", TEXT, flags=re.MULTILINE)) == 53
