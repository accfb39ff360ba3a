"""How the scores came about, card by card, for pages that list them; and the way to each on the scoring page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from realmtable.engine.protocol import ScoreBreakdown, ScoreLine, View
from realmtable.games.fantasy_realms.cards import WILD
from realmtable.games.fantasy_realms.picture.captions import seats_by_rank
from realmtable.games.fantasy_realms.scoring.card_arrays import ScoringRules

_SCORING_OPTIONS: Final = {field.name for field in fields(ScoringRules)}  # the options that a score depends on


def tallies(view: View) -> list[ScoreBreakdown]:
    """Every realm by rank; none while the game goes on."""
    if view["scores"] is None:
        return []
    return [_tally(view, seat) for seat in seats_by_rank(view)]


def _tally(view: View, seat: int) -> ScoreBreakdown:
    told = view["scores"][seat]
    lines = [ScoreLine(_title(entry), entry["points"], entry["sentence"], entry["blanked"]) for entry in told["cards"]]
    return ScoreBreakdown(seat, view["ranking"][seat], told["total"], tuple(lines), tuple(_scoring_query(view, told)))


def _title(entry: View) -> str:
    return entry["card"] if entry["card"] == entry["name"] else f"{entry['card']} as {entry['name']}"


def _scoring_query(view: View, told: View) -> Iterator[tuple[str, str]]:
    """The question that `sheet.read` makes of this realm, its choices as they were made."""
    yield "hand", ",".join(told["hand"])
    if view["discard"]:
        yield "discard", ",".join(entry["card"] for entry in view["discard"])
    for chooser, chosen in told["choices"].items():
        card, *suit = [chosen] if isinstance(chosen, str) else chosen
        yield "choose", f"{chooser}={card}" + "".join(f":{each or WILD}" for each in suit)
    if told["eighth"]:
        yield "choose", f"Necromancer={told['eighth']}"
    for pair in view["options"]:
        if pair.partition("=")[0] in _SCORING_OPTIONS:
            yield "option", pair
