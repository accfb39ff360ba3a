"""What the viewer can choose in combat, with what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from realmtable.engine.language import translate
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import ChoiceCard
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS
from realmtable.games.magic_realm.picture.combat_handles import COUNTER, RUN, WARRIOR
from realmtable.games.magic_realm.picture.icons import hero_icon, monster_icon
from realmtable.games.magic_realm.text.combat_notes import note_in_combat
from realmtable.games.magic_realm.text.combat_queries import find_face, find_own, find_weapon
from realmtable.games.magic_realm.text.combat_reasons import why_not_in_combat
from realmtable.games.magic_realm.text.wording import format_counter, format_place, name_goods
from realmtable.games.magic_realm.world.steps import Step

Cards = Iterator[ChoiceCard]
Starts = Mapping[Step, str]


def list_combat_cards(view: View, starts: Starts) -> list[ChoiceCard]:
    """Return the cards of a question of combat; none where chits and boxes are clicked instead."""
    make = _CARDS.get(view["doing"]["kind"])
    return [] if make is None else [*make(view, starts)]


def _find_starts(starts: Starts, *verbs: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(handle for step, handle in starts.items() if step.verb in verbs))


def _quiet(_view: View, starts: Starts) -> Cards:
    note = translate("the evening ends here")
    yield ChoiceCard(translate("Rest easy"), _find_starts(starts, "rest easy"), note, "rest", is_main=True)
    note = translate("attack, run or change gear")
    yield ChoiceCard(translate("Begin a round"), _find_starts(starts, "stir"), note, "clash")


def _lure(view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Lure no one"), _find_starts(starts, "pass"), icon="go", is_main=True)
    for handle in _find_starts(starts, "lure"):
        name = handle.removeprefix(COUNTER)
        title = translate("Lure {monster}", monster=format_counter(name))
        yield ChoiceCard(title, (handle,), _describe_monster(view, name), monster_icon(name))
    if Step("unhide") in starts:
        note = translate("monsters and characters can attack you")
        yield ChoiceCard(translate("Become unhidden"), _find_starts(starts, "unhide"), note, "seen")


def _describe_monster(view: View, name: str) -> str:
    """Return the times of a monster; lower ones are faster."""
    found = [counter for counter in view["combat"]["counters"] if counter["name"] == name]
    if not found:
        return ""
    face = find_face(found[0])
    if not face.attack:
        return translate("moves at {move}", move=face.move)
    return translate("strikes at {attack}, moves at {move}", attack=face.attack, move=face.move)


def _charge(_view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Charge no one"), _find_starts(starts, "pass"), icon="go", is_main=True)
    for handle in _find_starts(starts, "charge"):
        name = handle.removeprefix(WARRIOR)
        title = translate("Charge {target}", target=name)
        yield ChoiceCard(title, (handle,), translate("takes the place of your action"), hero_icon(name))


def _act(view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Stay and fight"), _find_starts(starts, "done"), icon="clash", is_main=True)
    runs = _find_starts(starts, "run")
    if runs:
        for handle in runs:
            title = translate("Run towards {place}", place=format_place(handle.removeprefix(RUN)))
            yield ChoiceCard(title, (handle,), note_in_combat(view, handle), "run")
    elif exits := find_own(view)["exits"]:
        end = next(end for end in exits[0].split("-") if end != view["combat"]["at"])
        why = why_not_in_combat(view, (), f"{RUN}{end}").sentence
        yield ChoiceCard(translate("Run"), icon="run", off=why)
    yield from _turn_weapon(view, starts)
    if Step("berserk") in starts:
        note = translate("until midnight, only tremendous harm kills you")
        yield ChoiceCard(translate("Go berserk"), _find_starts(starts, "berserk"), note, "berserk")


def _turn_weapon(view: View, starts: Starts) -> Cards:
    """Yield the card for turning the weapon, with its reason if no chit is fast enough."""
    weapon = find_weapon(view)
    if weapon is None:
        return
    title = translate("Turn the {weapon}", weapon=name_goods(weapon[0].id))
    handles = _find_starts(starts, "alert")
    if handles:
        yield ChoiceCard(title, handles, translate("choose a Fight chit"), "alert")
        return
    chits = [chit for chit in find_own(view)["chits"] if chit["label"].startswith("Fight")]
    active = sorted(chit["label"] for chit in chits if chit["state"] == "active")
    label = min(active, key=lambda label: int(label.rstrip("*")[-1]), default="")
    off = why_not_in_combat(view, (), f"chit:active {label}").sentence if label else ""
    yield ChoiceCard(title, icon="alert", off=off or translate("no Fight chit is active"))


def _aim(view: View, starts: Starts) -> Cards:
    targets = _find_starts(starts, "aim")
    for handle in targets:
        name = handle.removeprefix(COUNTER).removeprefix(WARRIOR)
        icon = monster_icon(name) if handle.startswith(COUNTER) else hero_icon(name)
        title = translate("Attack {target}", target=format_counter(name))
        yield ChoiceCard(title, (handle,), _describe_monster(view, name), icon, is_main=len(targets) == 1)
    note = translate("you only turn your weapon")
    yield ChoiceCard(translate("Attack no one"), _find_starts(starts, "aim none"), note, "stop", is_main=not targets)


def _play(view: View, starts: Starts) -> Cards:
    target = find_own(view)["target"]
    strikes = _find_starts(starts, "strike")
    if strikes:
        title = translate("Blow at {target}", target=format_counter(target))
        yield ChoiceCard(title, strikes, translate("a chit, then a box"), "blows")
    turns = _find_starts(starts, "turn weapon")
    if turns:
        yield ChoiceCard(translate("Turn your weapon"), turns, translate("then a chit"), "alert")
    evades = _find_starts(starts, "evade")
    if evades:
        yield ChoiceCard(translate("Footwork"), evades, translate("a chit, then a box"), "move")
    shields = _find_starts(starts, "shield")
    if shields:
        yield ChoiceCard(translate("Hold your shield"), shields, ", ".join(DIRECTIONS), "shield")
    ready = _find_starts(starts, "ready")
    if ready:
        note = translate("all plays are shown when everyone is ready")
        yield ChoiceCard(translate("Fight this round"), ready, note, "clash", is_main=not strikes and not evades)


def _look(_view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Continue"), _find_starts(starts, "continue"), icon="go", is_main=True)


_CARDS: Final[Mapping[str, Callable[[View, Starts], Cards]]] = {
    "quiet": _quiet,
    "lure": _lure,
    "charge": _charge,
    "act": _act,
    "aim": _aim,
    "play": _play,
    "look": _look,
}
