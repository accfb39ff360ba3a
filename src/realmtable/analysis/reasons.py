"""Explain in a sentence why a turn is good or bad, using only what was counted or proven."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from realmtable.analysis.variation import Variation, steps_of
from realmtable.engine.protocol import AnyGame, HasDescriptions, Seat, State
from realmtable.kit.evaluation import HasFeatures
from realmtable.kit.rules import Feature
from realmtable.kit.wording import END_TURN_LABEL

NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MAX_FEATURES: Final = 2  # features named in a sentence
MIN_FEATURE_SHARE: Final = 0.35  # of the weight of the most important feature
TOLERANCE: Final = 0.01


def explain_better(game: AnyGame, seat: Seat, better: Variation, played: Variation) -> str:
    """Explain why a line is better for a seat than the one played."""
    name = game.info.seat_names[seat]
    other = game.info.seat_names[1 - seat] if game.info.seats == (2,) else "an opponent"
    if better.proven and better.chance == 1:
        return _explain_win(game, seat, better, name)
    if played.proven and played.chance == 0:
        lost = "loses the game at once" if not game.to_move(played.states[0]) else f"lets {other} force a win"
        return f"This {lost}; {better.text} keeps {name}'s chances at {percent(better.chance)}."
    if better.proven and better.chance == 0.5:  # noqa: PLR2004 - a draw
        return f"{better.text} forces a draw; this turn gives {name} winning chances of {percent(played.chance)}."
    comparison = _compare_features(game, seat, better, played)
    chances = f"winning chances of {percent(better.chance)} instead of {percent(played.chance)}"
    return f"{better.text} gives {name} {chances}" + (f": {comparison}." if comparison else ".")


def _explain_win(game: AnyGame, seat: Seat, better: Variation, name: str) -> str:
    if not game.to_move(better.states[0]):
        return f"{better.text} wins the game at once."
    own = sum(turn.seat == seat for turn in better.turns)
    ends = not game.to_move(better.states[-1])
    return f"{better.text} forces a win for {name}" + (f" within {_turn_count(own)} in this line." if ends else ".")


def explain_good(game: AnyGame, state: State, seat: Seat, best: Variation, second: Variation | None) -> str:
    """Explain in a sentence or two why a line is good for the acting seat."""
    name = game.info.seat_names[seat]
    if best.proven and best.chance == 1:
        return _explain_win(game, seat, best, name)
    if best.proven and best.chance == 0:
        others = f"{game.info.seat_names[1 - seat]} plays" if game.info.seats == (2,) else "the others play"
        return f"{name} loses whatever they play, if {others} well."
    gains = _describe_gains(game, state, seat, best)
    text = f"{name}'s winning chances: {percent(best.chance)}." + (f" {gains}." if gains else _best_reply(game, best))
    if second is not None and best.chance - second.chance >= TOLERANCE:
        text += f" The next best turn, {second.text}, gives {percent(second.chance)}."
    return text


def _best_reply(game: AnyGame, best: Variation) -> str:
    """Name the other seat's best reply, in notation and in words, if the line continues with one."""
    first, then = best.turns[0], best.turns[1:2]
    if not then or then[0].seat == first.seat:
        return ""
    state = best.states[0]
    words = describe_turn(game, state, then[0].seat, [game.parse_move(state, text) for text in then[0].moves])
    return f" {game.info.seat_names[then[0].seat]}'s best reply is {then[0].text}{words and f': {words}'}."


def describe_turn(game: AnyGame, state: State, seat: Seat, moves: Iterable[Any]) -> str:
    """Return the steps of a seat from a state in words; empty if the game has none."""
    if not isinstance(game, HasDescriptions):
        return ""
    words = [game.describe_move(before, move) for before, move in steps_of(game, state, seat, moves)]
    return "; ".join(word for word in words if word != END_TURN_LABEL) or "; ".join(words)


def percent(chance: float) -> str:
    """Format a chance; only certain outcomes show as 0% or 100%.

    >>> [percent(chance) for chance in (0, 0.001, 0.42, 0.999, 1)]
    ['0%', '1%', '42%', '99%', '100%']
    """
    return f"{round(100 * chance) if chance in (0, 1) else min(99, max(1, round(100 * chance)))}%"


# ---- comparing features


def _compare_features(game: AnyGame, seat: Seat, better: Variation, played: Variation) -> str:
    depth = _common_depth(game, better, played)
    if not depth or not isinstance(game, HasFeatures):
        return ""
    ends = [_seat_measures(game, line.states[depth - 1], seat) for line in (better, played)]
    changes = _describe_changes(game.features(), [one - other for one, other in zip(*ends, strict=True)])
    name = game.info.seat_names[seat]
    return f"on balance, {name} has {changes} {_depth_phrase(depth)}" if changes else ""


def _describe_gains(game: AnyGame, state: State, seat: Seat, best: Variation) -> str:
    """Describe the gains until the same seat is to act again: some features depend on the seat to move."""
    depths = range(len(best.states), 0, -1)
    depth = next((depth for depth in depths if game.to_move(best.states[depth - 1]) == (seat,)), 0)
    if not depth or not isinstance(game, HasFeatures):
        return ""
    now, then = _seat_measures(game, state, seat), _seat_measures(game, best.states[depth - 1], seat)
    changes = _describe_changes(game.features(), [later - before for later, before in zip(then, now, strict=True)])
    return f"On balance, this means {changes} {_depth_phrase(depth)}" if changes else ""


def _common_depth(game: AnyGame, better: Variation, played: Variation) -> int:
    """Return the number of turns after which to compare both lines: the most that both have before the game ends."""
    depth = min(len(better.states), len(played.states))
    while depth and not all(game.to_move(line.states[depth - 1]) for line in (better, played)):
        depth -= 1
    return depth


def _seat_measures(game: HasFeatures, state: State, seat: Seat) -> list[float]:
    """Return each feature's difference from a seat's point of view."""
    return [amount if seat == 0 else -amount for amount in game.measures(state)]


def _describe_changes(features: Sequence[Feature], changes: Sequence[float]) -> str:
    """Name a seat's most important changes, weightiest first, or return "" if they do not add up to a gain."""
    worth = [feature.weight * change for feature, change in zip(features, changes, strict=True)]
    counted = [index for index, feature in enumerate(features) if _is_countable(feature, changes[index])]
    if sum(worth) <= 0 or not counted:
        return ""
    order = sorted(counted, key=lambda index: -worth[index])
    kept = [index for index in order[:MAX_FEATURES] if worth[index] >= MIN_FEATURE_SHARE * worth[order[0]] > 0]
    return " and ".join(_amount(features[index].words, round(changes[index])) for index in kept)


def _is_countable(feature: Feature, change: float) -> bool:
    """Whether a change can be counted; "the move" and half a Realm cannot."""
    return abs(change - round(change)) < TOLERANCE and round(change) != 0 and not feature.words.startswith("the ")


def _amount(words: str, change: int) -> str:
    """Format a change in number.

    >>> _amount("threats to capture", 1), _amount("Realms", 2), _amount("open Borders", -12)
    ('one more threat to capture', 'two more Realms', '12 fewer open Borders')
    """
    size = abs(change)
    count = NUMBER_WORDS[size] if size < len(NUMBER_WORDS) else str(size)
    return f"{count} {'more' if change > 0 else 'fewer'} {singular(words) if size == 1 else words}"


def singular(words: str) -> str:
    """Return the singular of a plural noun phrase; the first word that ends in s is the noun.

    >>> singular("threats to capture"), singular("mobile Enforcers"), singular("enemies near"), singular("Bases left")
    ('threat to capture', 'mobile Enforcer', 'enemy near', 'Base left')
    """
    parts = words.split(" ")
    for index, part in enumerate(parts):
        if part.endswith("ies"):
            return " ".join([*parts[:index], f"{part[:-3]}y", *parts[index + 1 :]])
        if part.endswith("s") and not part.endswith("ss"):
            return " ".join([*parts[:index], part[:-1], *parts[index + 1 :]])
    return words


def _depth_phrase(depth: int) -> str:
    return "immediately" if depth == 1 else f"after {_turn_count(depth)} of best play"


def _turn_count(count: int) -> str:
    return "one turn" if count == 1 else f"{NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else count} turns"
