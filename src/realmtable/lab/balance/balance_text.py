"""The result of an experiment as text for a terminal, and the sentences that its page shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from realmtable.engine import registry
from realmtable.engine.options import describe_change, parse_pairs
from realmtable.lab.balance.balance_result import BalanceResult, SettingResult
from realmtable.lab.balance.estimates import Estimate
from realmtable.lab.balance.measures import Measure

ORDINALS: Final = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
SURE: Final = 0.05  # below this probability, seats do not win equally often
MOST_USES: Final = 12
SMALLEST_SHOWN: Final = 0.0001


def format_result(result: BalanceResult) -> str:
    """Format a result for a terminal."""
    parts = [headline(result), describe_changes(result)]
    if not result.games_per_setting:
        return "\n".join([*parts, "No game was finished in all settings."])
    for index, setting in enumerate(result.settings):
        parts.append(f"\n{setting.label}\n{_indent(_setting_lines(result, index, setting))}")
    parts += _effect_lines(result)
    return "\n".join(parts)


def headline(result: BalanceResult) -> str:
    """Describe the experiment in one line."""
    experiment, count = result.experiment, len(result.games)
    settings = "1 setting" if count == 1 else f"{count} settings with equal seeds"
    players = f"{experiment.seats} player{'' if experiment.seats == 1 else 's'}"
    stopped = ", interrupted" if result.interrupted else ""
    games = f"{result.games_per_setting:,} game{'' if result.games_per_setting == 1 else 's'}"
    return f"{experiment.title}, {players}: {games} in each of {settings}, seed {experiment.seed}{stopped}"


def describe_changes(result: BalanceResult) -> str:
    """Say which rules differ from the game's defaults, and in how many settings."""
    experiment = result.experiment
    options_type = registry.info(experiment.game_id).options_type
    counts = Counter(pair for setting in experiment.settings for pair in setting.options)
    changes = []
    for pair, count in counts.items():
        ((name, value),) = parse_pairs(options_type, [pair]).items()
        where = "" if count == len(experiment.settings) else f" (in {count} of {len(experiment.settings)} settings)"
        changes.append(f"{describe_change(options_type, name, value)}{where}")
    return f"You changed {'; '.join(changes)}." if changes else "You changed no rule: every option has its default."


def describe_stop(result: BalanceResult) -> str:
    """Say how the number of games was chosen, and what that means for the intervals."""
    rule = result.rule
    if rule.half_width is None:
        return "The number of games was fixed in advance. Intervals are 95%."
    reached = "reached" if result.games_per_setting and rule.is_met(result.games) else "not reached"
    return (
        f"The experiment was to end when the interval of {rule.measure} was at most ±{rule.half_width:g} in every "
        f"setting, which was {reached}. It checked after 100, 200, 400, … games, and only the widths of the intervals, "
        "which therefore still cover 95%."
    )


def describe_evenness(setting: SettingResult) -> str:
    """Say whether the seats win equally often."""
    probability = setting.evenness_p_value
    if probability is None:
        return "A game for one player has no seats to compare."
    chance = f"p {format_probability(probability)}"
    if probability < SURE:
        best = max(range(len(setting.by_order)), key=lambda place: setting.by_order[place].mean)
        return f"The seats do not win equally often ({chance}): the {name_place(best).lower()} to play wins most."
    return f"No difference between the seats was found ({chance})."


def format_probability(probability: float) -> str:
    """Format a probability of a test.

    >>> format_probability(0.0321), format_probability(1e-9)
    ('= 0.032', '< 0.0001')
    """
    return f"= {probability:.2g}" if probability >= SMALLEST_SHOWN else f"< {SMALLEST_SHOWN}"


def name_place(place: int) -> str:
    """Name a place in the order of play.

    >>> name_place(0), name_place(11)
    ('First', 'Number 12')
    """
    return ORDINALS[place] if place < len(ORDINALS) else f"Number {place + 1}"


def format_estimate(measure: Measure, estimate: Estimate | None) -> str:
    """Format an estimate with its interval."""
    if estimate is None:
        return "too few games"
    mean, low, high = (measure.format(number) for number in estimate[:3])
    if estimate.all_agree:
        return f"{mean} in all {estimate.games:,} games (at most {estimate.most_others:.1%} differ)"
    return f"{mean} ({low} to {high})"


def format_share(estimate: Estimate) -> str:
    """Format a share with its interval."""
    return f"{estimate.mean:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"


def format_difference(measure: Measure, estimate: Estimate | None) -> str:
    """Format a difference with its interval; differences of shares are percentage points."""
    if estimate is None:
        return "too few games"
    scale, unit = (100, " points") if measure.is_share else (1, "")
    mean, low, high = (
        f"{number * scale:+z.{1 if measure.is_share else 2}f}".replace("-", "−") for number in estimate[:3]
    )
    if estimate.all_agree:
        same = f"{mean}{unit}" if estimate.mean else "no difference"
        return f"{same} in all {estimate.games:,} pairs (at most {estimate.most_others:.1%} differ)"
    return f"{mean}{unit} ({low} to {high})"


def is_clear(estimate: Estimate | None) -> bool:
    """Whether a difference excludes zero: by its interval or, if all pairs agree, by the sign test."""
    if estimate is None:
        return False
    if estimate.all_agree and 2 * 0.5**estimate.games > SURE:
        return False
    return estimate.low > 0 or estimate.high < 0


def _setting_lines(result: BalanceResult, index: int, setting: SettingResult) -> list[str]:
    places = [f"{name_place(place)} to play wins {format_share(share)}" for place, share in enumerate(setting.by_order)]
    lines = [*places, describe_evenness(setting)]
    for measure in result.measures:
        text = f"{measure.title}: {format_estimate(measure, measure.estimate(setting.games))}"
        change = result.compare(measure, index) if index else None
        lines.append(f"{text}; {format_difference(measure, change)} against the first setting" if change else text)
    ends = ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in setting.reasons.most_common())
    uses = ", ".join(f"{use.word} {use.per_game:.1f}" for use in setting.uses[:MOST_USES])
    return [*lines, f"Games ended by {ends}", f"Used per game: {uses}"]


def _effect_lines(result: BalanceResult) -> list[str]:
    if len(result.experiment.factors) < 2:  # noqa: PLR2004 - with one factor, the differences above say it all
        return []
    clear = [effect for effect in result.effects if is_clear(effect.difference)]
    lines = [
        f"{effect.factor} from {effect.low} to {effect.high}: {effect.measure.title} "
        f"{format_difference(effect.measure, effect.difference)}"
        for effect in clear
    ]
    return [f"\nEffects, averaged over the other factors\n{_indent(lines or ['None is clear.'])}"]


def _indent(lines: Sequence[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)
