"""The battle calculator of Magic Realm; see `realmtable.kit.calculators`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from realmtable.games.magic_realm.battle_calculator.battle_text import HOW_TO_WRITE, read_battle
from realmtable.games.magic_realm.battle_calculator.duel import Duel
from realmtable.games.magic_realm.battle_calculator.explain import describe_choice, explain_choice
from realmtable.games.magic_realm.battle_calculator.forecast import Forecast, forecast_fight
from realmtable.games.magic_realm.battle_calculator.play_choices import Choice, rank_choices
from realmtable.games.magic_realm.battle_calculator.run_advice import advise_running
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Goods
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.kit.calculators import BattleCalculator

MOST_PLAYS: Final = 5


class MagicBattles:
    """Calculates battles; see `realmtable.kit.calculators.BattleCalculator` for what each member promises."""

    how_to_write: str = HOW_TO_WRITE
    examples: tuple[str, ...] = (
        "Elf, Light Bow alerted : Giant",
        "Amazon, Spear, no armour : Wolf, Giant Bat dark",
        "White Knight, Warhorse-1, Suit of Armor damaged : T Troll",
        "Berserker, berserk, fatigued Move H4**, later round : Giant",
    )

    def read(self, text: str) -> Duel:
        """Return the fight that a line describes."""
        return read_battle(text)

    def calculate(self, question: Duel) -> dict[str, Any]:
        """Return the chances of a fight."""
        choices, forecast = rank_choices(question), forecast_fight(question)
        return {
            "title": _name_battle(question),
            "gear": _list_gear(question),
            "plays": [_describe_play(question, choice) for choice in _list_distinct(choices)],
            "reasons": explain_choice(question, choices[0]),
            "rounds": _list_rounds(forecast),
            "kills": [{"name": kind, "number": number} for kind, number in forecast.kills.items()],
            "wounds": forecast.wounds,
            "unknown": forecast.unknown,
            "running": advise_running(question, forecast),
        }


def _name_battle(duel: Duel) -> str:
    rows = load_catalog().monsters
    names = [f"{rows[monster].kind}{' (dark)' * (Counter(monster) in duel.dark)}" for monster in duel.monsters]
    counts = {name: names.count(name) for name in names}
    enemies = [f"{count} × {name}" if count > 1 else name for name, count in counts.items()]
    return f"{duel.character.name} against {', '.join(enemies)}"


def _list_gear(duel: Duel) -> list[str]:
    marks = dict.fromkeys(duel.damaged, " (damaged)")
    if duel.weapon is not None:
        marks[duel.weapon.id] = " (alerted)" if duel.is_alerted else " (unalerted)"
    return [_name_thing(thing) + marks.get(thing.id, "") for thing in duel.list_goods(Goods)]


def _name_thing(thing: Goods) -> str:
    """Return the kind of a counter of which there are several, or the name."""
    return thing.kind if thing.name.startswith(f"{thing.kind}-") else thing.name


def _list_distinct(choices: Iterable[Choice]) -> list[Choice]:
    """Return the best choices, of those with the same target and chances only the first."""
    firsts: dict[object, Choice] = {}
    for choice in choices:
        firsts.setdefault(
            (choice.target, *(round(chance, 6) for chance in (choice.kill, choice.death, choice.wound))), choice
        )
    return [*firsts.values()][:MOST_PLAYS]


def _describe_play(duel: Duel, choice: Choice) -> dict[str, Any]:
    return {
        "words": describe_choice(duel, choice),
        "kill": choice.kill,
        "die": choice.death,
        "wounded": choice.wound,
    }


def _list_rounds(forecast: Forecast) -> list[dict[str, Any]]:
    return [
        {"round": each.number, "win": each.victory, "die": each.death, "end": each.escape} for each in forecast.rounds
    ]


CALCULATOR: BattleCalculator[Duel] = MagicBattles()
