"""The result of an experiment: every measure of every setting, and the paired differences between settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any, Final, NamedTuple

from realmtable.engine import registry
from realmtable.lab.balance.estimates import Estimate, estimate_mean, estimate_share, evenness_p_value
from realmtable.lab.balance.experiment import Experiment
from realmtable.lab.balance.game_facts import GameFacts
from realmtable.lab.balance.measures import Measure, list_measures, shares_in_order
from realmtable.lab.balance.stop_rule import StopRule
from realmtable.lab.jobs.code_version import fingerprint_rules

FORMAT: Final = 1


class Use(NamedTuple):
    """How a piece, a card or an action was used in a setting."""

    word: str
    per_game: float
    games: float  # the share of games in which it was used
    winner_share: float  # of all uses in decided games, those by the winner


class Effect(NamedTuple):
    """How a measure changes from one value of a factor to another, all else being equal."""

    factor: str
    low: str  # the first value
    high: str
    measure: Measure
    difference: Estimate


@dataclass(frozen=True)
class SettingResult:
    """The games of one setting."""

    label: str
    games: tuple[GameFacts, ...]

    @cached_property
    def by_order(self) -> list[Estimate]:
        """The share of the win of each place in the order of play."""
        return _estimate_columns([shares_in_order(game) for game in self.games])

    @cached_property
    def by_seat(self) -> list[Estimate]:
        return _estimate_columns([game.shares for game in self.games])

    @cached_property
    def evenness_p_value(self) -> float | None:
        """The probability of wins at least this uneven if every place in the order of play won equally often."""
        return evenness_p_value([shares_in_order(game) for game in self.games])

    @cached_property
    def reasons(self) -> Counter[str]:
        """How the games ended."""
        return Counter(game.reason for game in self.games)

    @cached_property
    def uses(self) -> list[Use]:
        """What was used, the most used first."""
        words = {word for game in self.games for word in game.used}
        return sorted((self._use_of(word) for word in words), key=lambda use: (-use.per_game, use.word))

    def _use_of(self, word: str) -> Use:
        counts = [game.used.get(word, ()) for game in self.games]
        decided = [(game, used) for game, used in zip(self.games, counts, strict=True) if game.is_decided and used]
        total = sum(sum(used) for _, used in decided)
        by_winner = sum(used[game.shares.index(1)] for game, used in decided)
        return Use(
            word,
            fmean(sum(used) for used in counts),
            fmean(bool(sum(used)) for used in counts),
            by_winner / total if total else 0.0,
        )


def _estimate_columns(rows: Sequence[Sequence[float]]) -> list[Estimate]:
    estimates = [estimate_share(column) for column in zip(*rows, strict=True)]
    return [estimate for estimate in estimates if estimate is not None]


@dataclass(frozen=True)
class BalanceResult:
    """The result of an experiment, complete or not. Game number n of every setting has the same seed."""

    experiment: Experiment
    rule: StopRule
    games: tuple[tuple[GameFacts, ...], ...]  # per setting, equally many
    interrupted: bool = False

    @cached_property
    def settings(self) -> list[SettingResult]:
        return [SettingResult(self.experiment.describe_setting(index), games) for index, games in enumerate(self.games)]

    @property
    def games_per_setting(self) -> int:
        return len(self.games[0])

    @cached_property
    def measures(self) -> list[Measure]:
        """The measures that some games have."""
        return list_measures([game for games in self.games for game in games])

    def compare(self, measure: Measure, setting: int, base: int = 0) -> Estimate | None:
        """Return how much a measure is higher in a setting than in another, paired by seed."""
        return _paired_difference(measure, [(self.games[setting], self.games[base])])

    @cached_property
    def effects(self) -> list[Effect]:
        """The effect of each value of each factor against its first value, averaged over the other factors."""
        found = []
        for place, factor in enumerate(self.experiment.factors):
            for label in factor.labels[1:]:
                pairs = self._matched_games(place, factor.labels[0], label)
                for measure in self.measures:
                    difference = _paired_difference(measure, pairs)
                    if difference is not None:
                        found.append(Effect(factor.name, factor.labels[0], label, measure, difference))
        return found

    def _matched_games(
        self, place: int, low: str, high: str
    ) -> list[tuple[tuple[GameFacts, ...], tuple[GameFacts, ...]]]:
        """Return the games of all settings with the value `high`, each with those of its twin with `low`."""
        by_labels = {setting.labels: games for setting, games in zip(self.experiment.settings, self.games, strict=True)}
        return [
            (games, by_labels[*labels[:place], low, *labels[place + 1 :]])
            for labels, games in by_labels.items()
            if labels[place] == high
        ]

    def as_dict(self) -> dict[str, Any]:
        experiment = self.experiment
        return {
            "format": FORMAT,
            "game": experiment.game_id,
            "rules_version": registry.info(experiment.game_id).rules_version,
            "code": fingerprint_rules(experiment.game_id),
            "players": experiment.seats,
            "seed": experiment.seed,
            "opening_turns": "default" if experiment.opening_turns is None else experiment.opening_turns,
            "stop": self.rule.as_dict(),
            "interrupted": self.interrupted,
            "games_per_setting": self.games_per_setting,
            "factors": [{"name": factor.name, "values": list(factor.labels)} for factor in experiment.factors],
            "measures": {
                measure.name: {"title": measure.title, "explanation": measure.explanation} for measure in self.measures
            },
            "settings": [self._setting_as_dict(index) for index in range(len(self.games))],
            "effects": [
                {
                    "factor": effect.factor,
                    "from": effect.low,
                    "to": effect.high,
                    "measure": effect.measure.name,
                    **effect.difference.as_dict(),
                }
                for effect in self.effects
            ],
        }

    def _setting_as_dict(self, index: int) -> dict[str, Any]:
        setting, result = self.experiment.settings[index], self.settings[index]
        estimates = {measure.name: measure.estimate(result.games) for measure in self.measures}
        differences = {measure.name: self.compare(measure, index) for measure in self.measures if index}
        return {
            "label": result.label,
            "options": list(setting.options),
            "bot": setting.bot,
            "by_order": [estimate.as_dict() for estimate in result.by_order],
            "by_seat": [estimate.as_dict() for estimate in result.by_seat],
            "evenness_probability": result.evenness_p_value,
            "measures": _as_dicts(estimates),
            "difference_from_first": _as_dicts(differences),
            "reasons": dict(result.reasons.most_common()),
            "uses": [use._asdict() for use in result.uses],
        }


def _as_dicts(estimates: dict[str, Estimate | None]) -> dict[str, Any]:
    return {name: None if estimate is None else estimate.as_dict() for name, estimate in estimates.items()}


def _paired_difference(
    measure: Measure, pairs: Sequence[tuple[tuple[GameFacts, ...], tuple[GameFacts, ...]]]
) -> Estimate | None:
    """Return the mean difference between twins; games with the same seed are averaged, so that seeds are independent.

    A seed counts only if all its games have the measure.
    """
    differences = []
    for row in zip(*(zip(high, low, strict=True) for high, low in pairs), strict=True):
        values = [(measure.value(high), measure.value(low)) for high, low in row]
        known = [(high, low) for high, low in values if high is not None and low is not None]
        if len(known) == len(values):
            differences.append(fmean(high - low for high, low in known))
    return estimate_mean(differences)
