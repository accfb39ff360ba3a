"""The figures of an opening study, with 95% intervals.

The 666 joint placements are the whole population, not a sample, so only the games make an average over them uncertain:
each placement is a stratum, weighted by the number of the 5,088 placements it represents. A single placement has few
games, so its score is shrunk towards the prediction from its two classes; fewer games shrink it more (empirical Bayes).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from realmtable.lab.match_statistics import Z, wilson
from realmtable.lab.openings.base_placements import (
    JointPlacement,
    PlacementClass,
    class_of,
    classes,
    format_placement,
    joints,
    parse_placement,
)
from realmtable.lab.openings.opening_study import (
    FREE,
    PLACEMENTS,
    STANDARD,
    OpeningGame,
    parse_joint_placement,
    studied_game,
)

Floats = NDArray[np.float64]
Figure = dict[str, Any]  # score, low, high and games
MIN_VARIANCE: Final = 0.01  # of a game, used if all games ended the same way


@dataclass(frozen=True)
class Stratum:
    """The games of one joint placement."""

    joint: JointPlacement
    scores: tuple[float, ...]  # White's

    @property
    def mean(self) -> float:
        """White's score."""
        return sum(self.scores) / len(self.scores)

    @property
    def classes(self) -> tuple[PlacementClass, PlacementClass]:
        return class_of(self.joint.white), class_of(self.joint.black)


def make_figure(score: float, error: float, games: int) -> Figure:
    """Return a score with the interval from its standard error."""
    low, high = max(0.0, score - Z * error), min(1.0, score + Z * error)
    return {"score": round(score, 4), "low": round(low, 4), "high": round(high, 4), "games": games}


def flip_figure(of_white: Figure) -> Figure:
    """Return the same figure from the other side's point of view."""
    ends = {"score": 1 - of_white["score"], "low": 1 - of_white["high"], "high": 1 - of_white["low"]}
    return {name: round(value, 4) for name, value in ends.items()} | {"games": of_white["games"]}


# ---- placements


class Strata:
    """The played placements, with the variance of a single game."""

    def __init__(self, games: Iterable[OpeningGame]) -> None:
        scores: dict[tuple[str, str], list[float]] = defaultdict(list)
        for game in games:
            scores[game.white, game.black].append(game.score)
        known = {(format_placement(joint.white), format_placement(joint.black)): joint for joint in joints()}
        self.all = [Stratum(known[key], tuple(found)) for key, found in sorted(scores.items()) if key in known]
        self.variance = self._variance()

    def _variance(self) -> float:
        """Return the pooled variance within placements or, if no placement has two games, of all games."""
        free = sum(len(stratum.scores) - 1 for stratum in self.all)
        if not free:
            scores = [score for stratum in self.all for score in stratum.scores]
            return max(MIN_VARIANCE, float(np.var(scores))) if scores else 0.25
        squares = sum((score - stratum.mean) ** 2 for stratum in self.all for score in stratum.scores)
        return max(MIN_VARIANCE, squares / free)

    def average(self, strata: Sequence[Stratum]) -> Figure | None:
        """Return White's score over some placements, each weighted by the number it represents; None without games."""
        if not strata:
            return None
        weights = np.array([stratum.joint.ways for stratum in strata], dtype=float)
        weights /= weights.sum()
        counts = np.array([len(stratum.scores) for stratum in strata])
        mean = float(weights @ [stratum.mean for stratum in strata])
        return make_figure(mean, sqrt(self.variance * float((weights**2 / counts).sum())), int(counts.sum()))

    def select(self, white: PlacementClass | None = None, black: PlacementClass | None = None) -> list[Stratum]:
        """Return the placements with these classes; None means any class."""
        return [
            stratum
            for stratum in self.all
            if white in (None, stratum.classes[0]) and black in (None, stratum.classes[1])
        ]


def class_figures(strata: Strata, each: PlacementClass) -> dict[str, Any]:
    """Return a class with its scores as White, as Black and on both sides."""
    white, black = strata.average(strata.select(white=each)), strata.average(strata.select(black=each))
    as_black = None if black is None else flip_figure(black)
    return {
        "name": each.name,
        "bases": format_placement(each.bases),
        "position": position_text(each.bases),
        "size": each.size,
        "central": each.central,
        "spread": round(each.spread, 2),
        "white": white,
        "black": as_black,
        "both": None if white is None or as_black is None else mean_figure(white, as_black),
    }


def mean_figure(one: Figure, other: Figure) -> Figure:
    """Return the mean of two figures from different games."""
    errors = [(each["high"] - each["low"]) / (2 * Z) for each in (one, other)]
    mean = (one["score"] + other["score"]) / 2
    return make_figure(mean, sqrt(errors[0] ** 2 + errors[1] ** 2) / 2, one["games"] + other["games"])


def position_text(white: Sequence[int], black: Sequence[int] | None = None) -> str:
    """Return a Realm position with the Bases of one player, or of both before they place their Powers."""
    if black is None:
        return f"W:{_pieces(white)} B: move=W"
    return f"W:{_pieces(white)} B:{_pieces(black)} move=W phase=powers"


def _pieces(bases: Sequence[int]) -> str:
    return ",".join(f"B{name}" for name in format_placement(tuple(bases)).split("-"))


def joint_figures(strata: Strata) -> list[dict[str, Any]]:
    """Return every placement with White's raw score and the shrunk score, best first."""
    if not strata.all:
        return []
    expected = _predict_scores(strata)
    raw = np.array([stratum.mean for stratum in strata.all])
    noise = strata.variance / np.array([len(stratum.scores) for stratum in strata.all])
    own = max(0.0, float(np.mean((raw - expected) ** 2 - noise)))  # between placements of the same classes
    trust = own / (own + noise)
    scores = expected + trust * (raw - expected)
    errors = np.sqrt(trust * noise + (1 - trust) ** 2 * _prediction_variance(strata))
    rows = [
        _joint_figure(stratum, float(score), float(error))
        for stratum, score, error in zip(strata.all, scores, errors, strict=True)
    ]
    return sorted(rows, key=lambda row: (-row["score"], row["text"]))


def _joint_figure(stratum: Stratum, score: float, error: float) -> dict[str, Any]:
    joint, (white, black) = stratum.joint, stratum.classes
    return {
        "text": joint.text,
        "position": position_text(joint.white, joint.black),
        "classes": [white.name, black.name],
        "ways": joint.ways,
        "raw": round(stratum.mean, 4),
        **make_figure(score, error, len(stratum.scores)),
    }


def _design_matrix(strata: Strata) -> Floats:
    """Return a row per placement: 1, then indicators for White's and Black's class."""
    rows = np.zeros((len(strata.all), 1 + 2 * len(classes())))
    rows[:, 0] = 1
    index = {each.name: number for number, each in enumerate(classes())}
    for row, stratum in zip(rows, strata.all, strict=True):
        white, black = stratum.classes
        row[1 + index[white.name]] = 1
        row[1 + len(classes()) + index[black.name]] = 1
    return rows


def _root_game_counts(strata: Strata) -> Floats:
    roots: Floats = np.sqrt(np.array([len(stratum.scores) for stratum in strata.all], dtype=float))
    return roots


def _predict_scores(strata: Strata) -> Floats:
    """Predict White's score in each placement from the two classes alone."""
    design, roots = _design_matrix(strata), _root_game_counts(strata)
    raw = np.array([stratum.mean for stratum in strata.all])
    solved = np.linalg.lstsq(design * roots[:, None], raw * roots, rcond=None)[0]
    return np.asarray(np.clip(design @ solved, 0, 1), dtype=float)


def _prediction_variance(strata: Strata) -> Floats:
    """Return the variance of `_predict_scores`."""
    design, roots = _design_matrix(strata), _root_game_counts(strata)
    inverse = np.linalg.pinv((design * roots[:, None]).T @ (design * roots[:, None]))
    return np.asarray(strata.variance * np.einsum("ij,jk,ik->i", design, inverse, design), dtype=float)


def estimate_effects(strata: Strata) -> dict[str, Figure]:
    """Estimate by weighted regression what one more central Realm, or one more Realm of distance, is worth."""
    if len(strata.all) <= 3:  # noqa: PLR2004 - as many unknowns
        return {}
    pairs = [stratum.classes for stratum in strata.all]
    columns = [[1.0, white.central - black.central, white.spread - black.spread] for white, black in pairs]
    design, roots = np.array(columns), _root_game_counts(strata)
    weighted = design * roots[:, None]
    raw = np.array([stratum.mean for stratum in strata.all])
    solved = np.linalg.lstsq(weighted, raw * roots, rcond=None)[0]
    residuals = (raw - design @ solved) * roots
    inverse = np.linalg.pinv(weighted.T @ weighted)
    spread = inverse @ (weighted.T * residuals**2 @ weighted) @ inverse  # robust to unequal variances
    errors = np.sqrt(np.diag(spread) * len(raw) / (len(raw) - 3))
    return {
        name: {"value": round(float(value), 4), "plus_minus": round(float(Z * error), 4)}
        for name, value, error in zip(("even", "central", "spread"), solved, errors, strict=True)
    }


# ---- runs


def first_mover_score(game: OpeningGame) -> float:
    """Return the score of the side that moved first."""
    return game.score if game.first == 0 else 1 - game.score


def run_figures(
    run: str, games: Sequence[OpeningGame], standard: Mapping[tuple[str, str, int], OpeningGame]
) -> dict[str, Any]:
    """Return the first mover's score in a run, and its difference from the standard rules on the same placements."""
    scores = [first_mover_score(game) for game in games]
    differences = [
        first_mover_score(game) - first_mover_score(standard[game.white, game.black, game.number])
        for game in games
        if (game.white, game.black, game.number) in standard and run not in (STANDARD, FREE)
    ]
    return {
        "run": run,
        **_mean_figure(scores),
        "draws": round(scores.count(0.5) / len(scores), 4),
        "turns": round(sum(game.turns for game in games) / len(games), 1),
        "difference": _difference_figure(differences),
    }


def _mean_figure(scores: Sequence[float]) -> Figure:
    """Return the mean of independent games with Wilson's interval, which draws make slightly too wide."""
    mean = sum(scores) / len(scores)
    low, high = wilson(mean, len(scores))
    return {"score": round(mean, 4), "low": round(low, 4), "high": round(high, 4), "games": len(scores)}


def _difference_figure(found: Sequence[float]) -> dict[str, Any] | None:
    if len(found) < 2:  # noqa: PLR2004 - one value has no spread
        return None
    error = float(np.std(found, ddof=1)) / sqrt(len(found))
    return {"value": round(float(np.mean(found)), 4), "plus_minus": round(Z * error, 4), "pairs": len(found)}


def nine_figures(games: Sequence[OpeningGame]) -> dict[str, Any] | None:
    """Return the score of the first side to control nine Realms, and the share of games in which a side does."""
    reached = [game for game in games if game.nine is not None]
    if not reached:
        return None
    scores = [game.score if game.nine == 0 else 1 - game.score for game in reached]
    return {**_mean_figure(scores), "share": round(len(reached) / len(games), 4)}


# ---- summary


def summarise(head: Mapping[str, Any], games: Sequence[OpeningGame]) -> dict[str, Any]:
    """Return the whole study as plain data."""
    by_run: dict[str, list[OpeningGame]] = defaultdict(list)
    for game in games:
        by_run[game.run].append(game)
    strata = Strata(by_run[PLACEMENTS])
    standard = {(game.white, game.black, game.number): game for game in by_run[STANDARD]}
    usual = by_run[PLACEMENTS] + by_run[STANDARD] + by_run[FREE]
    return {
        "game": studied_game(),
        "bot": head["bot"],
        "seed": head["seed"],
        "games": len(games),
        "overall": strata.average(strata.all),
        "classes": [class_figures(strata, each) for each in classes()],
        "table": [[_class_pair_figure(strata, white, black) for black in classes()] for white in classes()],
        "joints": joint_figures(strata),
        "effects": estimate_effects(strata),
        "runs": [run_figures(run, found, standard) for run, found in by_run.items() if run != PLACEMENTS and found],
        "nine": nine_figures(usual),
    }


def _class_pair_figure(strata: Strata, white: PlacementClass, black: PlacementClass) -> Figure | None:
    return strata.average(strata.select(white, black))


def find_joint_row(data: Mapping[str, Any], white: str, black: str) -> dict[str, Any] | None:
    """Return the row of a joint placement in a summary, in any orientation."""
    wanted = parse_joint_placement(f"{white}/{black}")
    text = f"{format_placement(wanted[0])} v {format_placement(wanted[1])}"
    return next((row for row in data["joints"] if row["text"] == text), None)


def find_class_row(data: Mapping[str, Any], bases: str) -> dict[str, Any]:
    """Return the row of a placement's class in a summary."""
    row: dict[str, Any] = next(row for row in data["classes"] if row["name"] == class_of(parse_placement(bases)).name)
    return row
