"""Break scores down card by card, for pages that list them and link to the scoring page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from realmtable.engine.protocol import ScoreBreakdown, ScoreLine, View
from realmtable.games.fantasy_realms.cards import WILD
from realmtable.games.fantasy_realms.picture.captions import seats_by_rank
from realmtable.games.fantasy_realms.scoring.card_arrays import ScoringRules

_SCORING_OPTIONS: Final = {field.name for field in fields(ScoringRules)}  # options that affect a score


def tallies(view: View) -> list[ScoreBreakdown]:
    """Return the breakdown of every realm, by rank; empty while the game is running."""
    if view["scores"] is None:
        return []
    return [_tally(view, seat) for seat in seats_by_rank(view)]


def _tally(view: View, seat: int) -> ScoreBreakdown:
    score = view["scores"][seat]
    lines = [ScoreLine(_title(entry), entry["points"], entry["sentence"], entry["blanked"]) for entry in score["cards"]]
    return ScoreBreakdown(seat, view["ranking"][seat], score["total"], tuple(lines), tuple(_scoring_query(view, score)))


def _title(entry: View) -> str:
    return entry["card"] if entry["card"] == entry["name"] else f"{entry['card']} as {entry['name']}"


def _scoring_query(view: View, score: View) -> Iterator[tuple[str, str]]:
    """Yield the query from which `score_sheet.read` restores this realm and its choices."""
    yield "hand", ",".join(score["hand"])
    if view["discard"]:
        yield "discard", ",".join(entry["card"] for entry in view["discard"])
    for chooser, chosen in score["choices"].items():
        card, *suit = [chosen] if isinstance(chosen, str) else chosen
        yield "choose", f"{chooser}={card}" + "".join(f":{each or WILD}" for each in suit)
    if score["eighth"]:
        yield "choose", f"Necromancer={score['eighth']}"
    for pair in view["options"]:
        if pair.partition("=")[0] in _SCORING_OPTIONS:
            yield "option", pair
