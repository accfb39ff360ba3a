"""What the viewer can choose, with what it means: the activities of a phase, and the questions of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import ChoiceCard
from realmtable.games.magic_realm.bots.danger import Danger
from realmtable.games.magic_realm.bots.known_world import KnownWorld, read_place
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Goods, Horse, Treasure, Weapon
from realmtable.games.magic_realm.picture.handles import PHASE, PONY, TELESCOPE, list_handles
from realmtable.games.magic_realm.picture.icons import hero_icon, monster_icon, treasure_icon
from realmtable.games.magic_realm.text.combat_cards import list_combat_cards
from realmtable.games.magic_realm.text.describe import describe_choice, name_looted
from realmtable.games.magic_realm.text.prompts import list_sites_to_loot
from realmtable.games.magic_realm.text.reasons import reason
from realmtable.games.magic_realm.text.turn_steps import VERB_ICONS, name_activity, name_step
from realmtable.games.magic_realm.text.wording import WEIGHTS, capitalise, format_counter, format_place, name_goods
from realmtable.games.magic_realm.view_parts.schema import MagicView
from realmtable.games.magic_realm.world.step_text import PHASE_VERBS, parse_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.kit.wording import format_signed

Cards = Iterator[ChoiceCard]


def choice_cards(view: View) -> list[ChoiceCard]:
    """Return the cards of what the viewer is asked; none where buttons, chits or the map say enough."""
    question = view["question"]
    if question is None:
        return []
    if view["combat"] is not None:
        return list_combat_cards(view, _starts(view))
    make = _CARDS.get(question["kind"])
    return [] if make is None else [*make(view, _starts(view))]


Starts = Mapping[Step, str]  # the first thing to click for each legal step


def _starts(view: View) -> Starts:
    steps = [parse_step(text) for text in view["question"]["moves"]]
    return {step: path[0] for step, path in zip(steps, list_handles(view, steps), strict=True)}


def _find_starts(starts: Starts, verb: str) -> tuple[str, ...]:
    """Return where the steps with a verb begin, each once."""
    return tuple(dict.fromkeys(handle for step, handle in starts.items() if step.verb == verb))


# ---- the activities of a phase


def _write_day(view: View, starts: Starts) -> Cards:
    plan = view["own"]["plan"]
    is_full = not any(step.verb in PHASE_VERBS for step in starts)
    if view["recording"] == "as_you_go" or (plan and plan[0].startswith("F ")):
        yield from _list_guides(starts)
    else:
        yield from _list_activities(view, starts)
        yield from _list_guides(starts)
    if view["recording"] == "as_you_go":
        yield ChoiceCard(translate("Begin the day"), ("done",), icon="done", is_main=True)
    else:
        note = translate_count("{count} phase written", "{count} phases written", len(plan))
        yield ChoiceCard(translate("My day is ready"), ("done",), note, "done", is_main=is_full)
    if Step("back") in starts and plan:
        title = translate("Take back {phase}", phase=name_step(parse_step(plan[-1])))
        yield ChoiceCard(title, (starts[Step("back")],), icon="back")


def _choose_phase(view: View, starts: Starts) -> Cards:
    yield from _list_activities(view, starts)
    yield ChoiceCard(translate("End your turn"), ("done",), icon="done")


def _list_activities(view: View, starts: Starts) -> Cards:
    """Yield a card for each activity, those without a phase with the reason."""
    yield _move(view, starts)
    notes = {"H": _note_hide(view), "S": _note_search(view), "A": _note_alert(view), "R": _note_rest(view)}
    for verb, note in notes.items():
        handles, title, icon = _find_starts(starts, verb), name_activity(verb), VERB_ICONS[verb]
        off = "" if handles else _refuse(view, f"{PHASE}{verb}")
        yield ChoiceCard(title, handles, note if handles else "", icon, off=off)
    blank = _find_starts(starts, "-")
    if blank or view["question"]["kind"] == "write":  # it keeps its place while a day is written
        off = "" if blank else translate("The day is full")
        yield ChoiceCard(translate("Leave a phase blank"), blank, "", VERB_ICONS["-"], off=off)
    if TELESCOPE in starts.values():
        yield ChoiceCard(translate("Peer afar"), (TELESCOPE,), translate("with the telescope"), "peer")


def _move(view: View, starts: Starts) -> ChoiceCard:
    places = tuple(handle for handle in _find_starts(starts, "M") if handle != PONY)
    if not places:
        return ChoiceCard(name_activity("M"), icon="move", off=_refuse(view, f"{PHASE}M"))
    handles = (*places, *([PONY] if PONY in starts.values() else []))
    note = translate_count("{count} glows", "{count} glow", len(places))
    return ChoiceCard(name_activity("M"), handles, note, "move")


def _refuse(view: View, handle: str) -> str:
    """Return why an activity is impossible, in the words of the rules."""
    found = reason(view, (), handle)
    return found.sentence if found else translate("not possible now")


def _find_place(view: View) -> str:
    """Return where the character will be if everything that is written succeeds."""
    moves = [text.split()[1] for text in view["own"]["plan"] if text.startswith("M ")]
    return moves[-1] if moves else str(_own_player(view)["at"])


def _own_player(view: View) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", view["players"][view["viewer"]])


def _note_hide(view: View) -> str:
    place = _find_place(view)
    if "Squeak" in _own_player(view)["curses"]:
        return translate("cursed: Squeak")
    if not place or "-" in place:
        return translate("not on a roadway")
    chance = Danger(KnownWorld(cast("MagicView", view)), 0).hide_chance(read_place(place), 1)
    return f"{round(100 * chance)}%"


def _note_search(view: View) -> str:
    place = _find_place(view)
    site = next((site for site, where in list_sites_to_loot(view) if where == place), "")
    return site or format_place(place)


def _note_alert(view: View) -> str:
    if not view["combat_rules"]:
        return translate("no effect without combat")
    weapons = [_find_goods(thing["name"]) for thing in _own_player(view)["goods"] if thing["active"]]
    names = [name_goods(thing.id) for thing in weapons if isinstance(thing, Weapon)]
    return names[0] if names else translate("no weapon")


def _note_rest(view: View) -> str:
    tired = sum(chit["state"] != "active" for chit in _own_player(view)["chits"])
    return translate_count("{count} chit to rest", "{count} chits to rest", tired) if tired else translate("not tired")


def _list_guides(starts: Starts) -> Cards:
    for step, handle in starts.items():
        if step.verb == "F":
            name = load_catalog().characters[step.args[0]].name
            title = translate("Follow {character}", character=name)
            yield ChoiceCard(title, (handle,), translate("all day"), hero_icon(name))


# ---- the questions of a turn


def _arrange(view: View, starts: Starts) -> Cards:
    """Let the player go on; what can be done with belongings is under Bag."""
    step = Step("run on") if Step("run on") in starts else Step("go")
    activity = view["question"]["activity"]
    note = name_activity(parse_step(activity).verb) if activity else ""
    yield ChoiceCard(translate("Continue"), (starts[step],), note, "go", is_main=True)


def _moment(_view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Take your turn now"), (starts[Step("now")],), icon="go")
    note = translate("You are asked again.")
    yield ChoiceCard(translate("Wait"), (starts[Step("later")],), note, "midnight")


def _block(view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Block no one"), (starts[Step("pass")],), icon="go", is_main=True)
    heroes = {player["character"] for player in view["players"]}
    for step, handle in starts.items():
        if step.verb == "block":
            name = handle.removeprefix("block ")
            icon = hero_icon(name) if name in heroes else monster_icon(name)
            title = translate("Block {target}", target=format_counter(name))
            yield ChoiceCard(title, (handle,), translate("you both stop for today"), icon)


def _search(view: View, starts: Starts) -> Cards:
    contents = {box["name"]: len(box["goods"]) for box in view["boxes"]}
    for step, handle in starts.items():
        if step.verb == "loot":
            name = name_looted(step.args[0])
            left = contents.get(handle.removeprefix("loot "))
            note = "" if left is None else translate_count("{count} thing left", "{count} things left", left)
            yield ChoiceCard(translate("Loot {site}", site=name), (handle,), note, "treasure", is_main=True)
    if Step("peer") in starts:
        yield ChoiceCard(translate("Peer"), (starts[Step("peer")],), translate("paths, clues"), "peer")
    far = tuple(handle for step, handle in starts.items() if step.verb == "peer" and step.args)
    if far:
        note = translate_count("{count} glows", "{count} glow", len(far))
        yield ChoiceCard(translate("Peer afar"), far, note, "peer")
    if Step("locate") in starts:
        note = translate("sites, passages")
        yield ChoiceCard(translate("Locate"), (starts[Step("locate")],), note, "search")
    if Step("sight") in starts:
        note = translate("counters, cards, map chits")
        yield ChoiceCard(translate("Magic Sight"), (starts[Step("sight")],), note, "seen")


def _pick(_view: View, starts: Starts) -> Cards:
    for step, handle in starts.items():
        yield ChoiceCard(capitalise(describe_choice(step.args[0])), (handle,), icon="search")


def _exchange(_view: View, starts: Starts) -> Cards:
    can_exchange = Step("exchange") in starts
    note = translate("only you know what you saw")
    title = translate("Put the chits back")
    yield ChoiceCard(title, (starts[Step("put back")],), note, "go", is_main=not can_exchange)
    if can_exchange:
        note = translate("everyone sees it")
        yield ChoiceCard(translate("Exchange the chit"), (starts[Step("exchange")],), note, "site")


def _decide_find(view: View, starts: Starts) -> Cards:
    """Show what wearing, carrying or leaving a find means, with its worth."""
    goods = _find_goods(view["doing"]["about"])
    verbs = {"armor": translate("Wear it"), "weapon": translate("Wield it"), "horse": translate("Ride it")}
    gain, cost = list_values(goods), _say_weight(goods)
    if Step("activate") in starts:
        kind = find_kind_of_goods(goods)
        note = goods.text if isinstance(goods, Treasure) else ""
        title = verbs.get(kind, translate("Use it"))
        yield ChoiceCard(title, (starts[Step("activate")],), note, goods_icon(goods), cost, gain, is_main=True)
    keep = translate("Carry it"), (starts[Step("keep")],), translate("unused, but it counts"), "bag", cost, gain
    yield ChoiceCard(*keep, is_main=Step("activate") not in starts)
    yield ChoiceCard(translate("Leave it here"), (starts[Step("leave")],), translate("for others"), "leave")


def _say_weight(goods: Goods) -> str:
    return translate("{weight} weight", weight=WEIGHTS[goods.weight]) if goods.weight else ""


def list_values(goods: Goods) -> str:
    """Return what a belonging adds to a score."""
    parts = [translate("great treasure")] if isinstance(goods, Treasure) and goods.is_great else []
    if goods.fame:
        parts.append(translate("fame {points}", points=format_signed(goods.fame)))
    if goods.notoriety:
        parts.append(translate("notoriety {points}", points=format_signed(goods.notoriety)))
    return " · ".join(parts)


def find_kind_of_goods(goods: Goods) -> str:
    """Return what kind of thing a belonging is used as: weapon, armour, horse, or the kind of a treasure."""
    match goods:
        case Weapon():
            return "weapon"
        case Armor():
            return "armor"
        case Horse():
            return "horse"
    return goods.kind


def goods_icon(goods: Goods) -> str:
    """Return the name of the icon of a belonging."""
    icons = {"weapon": "blows", "armor": "shield", "horse": "pony"}
    kind = find_kind_of_goods(goods)
    return treasure_icon(kind) if isinstance(goods, Treasure) else icons[kind]


def _find_goods(name: str) -> Goods:
    catalog = load_catalog()
    return catalog.goods[catalog.names.by_name("goods")[name]]


def _along(_view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Go along"), (starts[Step("along")],), icon="follow", is_main=True)
    yield ChoiceCard(translate("Stop following"), (starts[Step("stop")],), icon="stop")


def _shed(_view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Move on together"), (starts[Step("go")],), icon="go", is_main=True)
    for step, handle in starts.items():
        if step.verb == "shed":
            name = load_catalog().characters[step.args[0]].name
            yield ChoiceCard(translate("Leave {character} behind", character=name), (handle,), icon=hero_icon(name))


def _alert(_view: View, starts: Starts) -> Cards:
    titles = {
        "alert": (translate("Alert your weapon"), "alert"),
        "unalert": (translate("Unalert your weapon"), "alert"),
        "berserk": (translate("Go berserk"), "berserk"),
        "pass": (translate("Do nothing"), "go"),
    }
    for step, handle in starts.items():
        title, icon = titles[step.verb]
        yield ChoiceCard(title, (handle,), icon=icon, is_main=step.verb == "alert")


def _rearrange(_view: View, starts: Starts) -> Cards:
    yield ChoiceCard(translate("Continue"), (starts[Step("go")],), icon="go", is_main=True)


_CARDS: Final[Mapping[str, Callable[[View, Starts], Cards]]] = {
    "write": _write_day,
    "choose": _choose_phase,
    "arrange": _arrange,
    "tidy": _rearrange,
    "moment": _moment,
    "block": _block,
    "meet": _block,
    "search": _search,
    "pick": _pick,
    "exchange": _exchange,
    "found": _decide_find,
    "along": _along,
    "shed": _shed,
    "alerting": _alert,
}
