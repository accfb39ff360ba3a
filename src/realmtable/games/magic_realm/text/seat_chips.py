"""What everyone should see of a seat at all times: hidden or seen, fame, notoriety, wounds, and one's own goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from realmtable.engine.language import translate
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import SeatChip, SeatFact, SeatTotal
from realmtable.games.magic_realm.picture.icons import hero_icon


def seat_chips(view: View) -> list[SeatChip]:
    """Return the chip of each seat."""
    return [_make_chip(view, player) for player in view["players"]]


def _make_chip(view: View, player: Mapping[str, Any]) -> SeatChip:
    if not player["character"]:
        return SeatChip()
    return SeatChip(hero_icon(player["character"]), tuple(_list_facts(player)), _find_total(view, player))


def _list_facts(player: Mapping[str, Any]) -> Iterator[SeatFact]:
    if player["dead"]:
        yield SeatFact("notoriety", translate("dead"), translate("Dead"))
        return
    if player["at"] and player["hidden"]:
        yield SeatFact("hidden", translate("hidden"), translate("Hidden: monsters do not see this character"))
    elif player["at"]:
        yield SeatFact("seen", translate("seen"), translate("Not hidden"))
    yield SeatFact("fame", _write_number(player["fame"]), translate("Recorded fame, without belongings"))
    yield SeatFact("notoriety", _write_number(player["notoriety"]), translate("Recorded notoriety, without belongings"))
    wounded = sum(chit["state"] == "wounded" for chit in player["chits"])
    if wounded:
        yield SeatFact("heart", str(len(player["chits"]) - wounded), translate("Action chits that are not wounded"))


def _find_total(view: View, player: Mapping[str, Any]) -> SeatTotal | None:
    """Return the final score, or how many of the viewer's own goals are reached; those of others are secret."""
    if view["scores"] is not None:
        return SeatTotal(_write_number(view["scores"][player["seat"]]["total"]), translate("points"))
    own = view["own"]
    if player["seat"] != view["viewer"] or own is None or player["dead"]:
        return None
    goals = [row for row in own["score"] if row["kind"] in own["points"]]
    if not goals:
        return None
    reached = sum(row["owned"] >= row["needed"] for row in goals)
    share = reached / len(goals)
    return SeatTotal(str(reached), translate("goals reached"), str(len(goals)), "goal", share)


def _write_number(number: float) -> str:
    """Return fame or a score as people write it: 3½ points are "3.5"."""
    return f"{number:.4g}".replace("-", "−")
