"""Formats a match result for the terminal, and the texts that the HTML page shares with it."""

from __future__ import annotations

from math import isinf

from realmtable.engine import registry
from realmtable.lab.match_statistics import Interval, SprtVerdict
from realmtable.lab.matches.match_result import MatchResult, Tally, Versus


def format_result(result: MatchResult) -> str:
    """Format the result in a few lines."""
    if not result.games:
        return "No pair of games was finished."
    parts = [[headline(result)]]
    parts += (
        [[_format_ranking(result)]] if result.ratings else [_format_versus(result, versus) for versus in result.versus]
    )
    parts.append([describe_first_mover(result), describe_ends(result), describe_thinking(result)])
    if result.sprt_status is not None:
        parts.append([describe_test(result)])
    return "\n\n".join("\n".join(lines) for lines in parts)


def headline(result: MatchResult) -> str:
    """Summarise what was played."""
    info = registry.info(result.plan.game_id)
    until = "interrupted after" if result.interrupted else "stopped by its test after" if _is_short(result) else ""
    games = f"{until} {len(result.games):,} games".strip()
    return f"{info.title}: {games} in pairs from equal openings, seed {result.plan.seed}"


def _is_short(result: MatchResult) -> bool:
    return result.sprt is not None and len(result.games) < result.plan.total


def _format_versus(result: MatchResult, versus: Versus) -> list[str]:
    one, other = (result.plan.names[index] for index in (versus.one, versus.other))
    seats = registry.info(result.plan.game_id).seat_names
    sides = ", ".join(f"as {seat} {side.score:.1%}" for seat, side in zip(seats, versus.by_seat, strict=False))
    elo = format_elo_interval(versus.elo, versus.elo_interval)
    return [
        f"{one} against {other}: {format_share(versus.tally.score, versus.interval)}, Elo {elo}",
        f"  {format_tally(versus.tally)}; {sides}",
        f"  pairs that scored 0, ½, 1, 1½ and 2 points: {', '.join(map(str, versus.pairs))}",
    ]


def ranking(result: MatchResult) -> list[int]:
    """Return the bots of a round robin, strongest first."""
    return sorted(range(len(result.ratings)), key=lambda bot: -result.ratings[bot].elo)


def crosstable(result: MatchResult) -> dict[tuple[int, int], float]:
    """Return the score of each bot against each other bot."""
    found = {(versus.one, versus.other): versus.tally.score for versus in result.versus}
    return found | {(other, one): 1 - score for (one, other), score in found.items()}


def _format_ranking(result: MatchResult) -> str:
    order, scores, names = ranking(result), crosstable(result), result.plan.names
    wide = max(map(len, names))
    heads = "".join(f"{place:>7}" for place in range(1, len(order) + 1))
    lines = [f"   {'bot':<{wide}}  {'Elo vs average':<24}{'score':>7}{heads}"]
    for place, bot in enumerate(order, start=1):
        rating = result.ratings[bot]
        cells = "".join(f"{_format_cell(scores, bot, other):>7}" for other in order)
        elo = format_elo_interval(rating.elo, rating.interval)
        lines.append(f"{place:>2} {names[bot]:<{wide}}  {elo:<24}{result.tallies[bot].score:>7.1%}{cells}")
    return "\n".join(lines)


def _format_cell(scores: dict[tuple[int, int], float], bot: int, other: int) -> str:
    return f"{scores[bot, other]:.1%}" if (bot, other) in scores else "·"


def describe_first_mover(result: MatchResult) -> str:
    """Describe the score of the side that moved first."""
    return f"The first mover scored {format_share(result.first_mover.score, result.first_mover_interval)}."


def describe_ends(result: MatchResult) -> str:
    """Describe how games ended."""
    shares = ", ".join(
        f"{reason} {count / len(result.games):.1%}" for reason, count in result.end_reasons.most_common()
    )
    return f"Games ended by {shares}; {result.mean_turns:.1f} turns per game."


def describe_thinking(result: MatchResult) -> str:
    """Describe how long the bots thought."""
    each = zip(result.plan.names, result.thinking, strict=True)
    return f"Seconds per turn: {', '.join(f'{name} {time.per_turn:.4f}' for name, time in each)}."


def describe_test(result: MatchResult) -> str:
    """Describe the status of the sequential test."""
    assert result.sprt_status is not None  # noqa: S101 - callers check this
    sprt, ratio, verdict, pairs = result.sprt_status
    answers = {
        SprtVerdict.ACCEPTED: f"{format_elo(sprt.elo1)} Elo fits better than {format_elo(sprt.elo0)}",
        SprtVerdict.REJECTED: f"{format_elo(sprt.elo0)} Elo fits better than {format_elo(sprt.elo1)}",
        SprtVerdict.OPEN: "undecided",
    }
    status = f"LLR {ratio:+.2f} after {pairs:,} pairs, bounds ±{sprt.bound:.2f}".replace("-", "−")
    return f"SPRT {sprt.elo0:g}:{sprt.elo1:g}: {status}: {answers[verdict]}."


def format_tally(side: Tally) -> str:
    """Format a tally in words."""
    return f"{side.won:,} won, {side.drawn:,} drawn, {side.lost:,} lost"


def format_share(share: float, interval: Interval) -> str:
    """Format a share with its interval."""
    return f"{share:.1%} ({interval.low:.1%}–{interval.high:.1%})"


def format_elo_interval(elo: float, interval: Interval) -> str:
    """Format an Elo difference with its interval."""
    return f"{format_elo(elo)} ({format_elo(interval.low)} … {format_elo(interval.high)})"


def format_elo(elo: float) -> str:
    """Format an Elo difference with its sign.

    >>> format_elo(-12.3), format_elo(float("inf")), format_elo(-0.2)
    ('−12', '+∞', '0')
    """
    if isinf(elo):
        return "+∞" if elo > 0 else "−∞"
    return f"{round(elo):+}".replace("-", "−") if round(elo) else "0"
