"""What a player is asked to do in combat, in one sentence, with the clause that explains it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.text.combat_queries import find_face, find_limit, find_own, is_held, list_attackers
from realmtable.games.magic_realm.text.wording import format_counter, format_place
from realmtable.games.magic_realm.view_parts.combat_schema import CounterData
from realmtable.kit.wording import join_words

PromptText = tuple[str, str]  # a sentence and its clause

ACTIONS: Final = {"run": "run", "alert": "turn your weapon", "berserk": "go berserk"}
MAX_LENGTH: Final = 90
FIGHTING: Final = "fighting"
BELONGINGS: Final = ("activate", "pack", "leave")


def title_combat(view: View) -> str:
    """Return where combat takes place, its round, and who has turned over on the viewer's sheet."""
    combat = view["combat"]
    if view["doing"]["kind"] == "look":
        return f"Combat in {format_place(combat['at'])} is over"
    turned = [counter for counter in list_attackers(view) if counter["side"] != "light"]
    title = f"Combat in {format_place(combat['at'])}, round {combat['round']}"
    if not turned:
        return title
    if len(turned) > 1:
        return f"{title}: {len(turned)} counters have turned over"
    name = f"the {format_counter(turned[0]['name'])}"
    return f"{title}: {name} {'holds you' if turned[0]['side'] == 'red' else 'has turned over'}{_say_time(turned[0])}"


def _say_time(counter: CounterData) -> str:
    return f" (time {find_face(counter).attack})"


def ask_in_combat(view: View) -> PromptText:
    """Return what the viewer is asked in combat."""
    return QUESTIONS[view["doing"]["kind"]](view)


def _list_verbs(view: View) -> set[str]:
    return {text.split()[0] for text in view["question"]["moves"]}


def _lure(view: View) -> PromptText:
    mine = [counter for counter in list_attackers(view) if counter["name"] == counter["monster"]]
    if find_own(view)["hidden"]:
        lure = "a monster to lure onto your sheet, " * ("lure" in _list_verbs(view))
        return f"Choose {lure}to become unhidden, or to pass and stay hidden.", "E7"
    if _is_alone(view):
        return f"Choose Pass, or {'another' if mine else 'a'} monster to lure: all come to you either way.", "E8"
    if not mine:
        return "Choose a monster to lure onto your sheet, or pass and let chance decide.", "E7"
    return "Choose another monster to lure onto your sheet, or pass.", "E7"


def _is_alone(view: View) -> bool:
    fates = [warrior["fate"] for warrior in view["combat"]["warriors"]]
    return fates.count(FIGHTING) == 1


def _act(view: View) -> PromptText:
    verbs = _list_verbs(view)
    names = [name for verb, name in ACTIONS.items() if verb in verbs]
    belongings = ["rearrange your belongings"] * any(verb in verbs for verb in BELONGINGS)
    if names:
        options = ", ".join([*names, *belongings])
        texts = [f"Choose an action ({options}), or Done{more}." for more in (" to stay", "")]
        return next(text for text in texts if len(text) <= MAX_LENGTH), "E12"
    if view["combat"]["agenda"][-1][2]:  # what has been done with belongings
        return f"Choose Done{', or another belonging' * bool(belongings)}.", "E19"
    rest = f"Choose Done to stay{', or rearrange your belongings' * bool(belongings)}"
    limit = find_limit(view)
    if is_held(view):
        return f"{rest}: a monster holds you.", "E15"
    if limit is None:
        return f"{rest}.", "E12"
    return f"{rest}: {'other ' * bool(belongings)}actions need a time below {limit}.", "E12"


def _aim(view: View) -> PromptText:
    charged = find_own(view)["charges"]
    if charged:
        return f"Choose whether to attack the {charged}, whom you charged.", "C4"
    return "Choose whom to attack, or no one.", "C3"


def _play(view: View) -> PromptText:
    """Ask for what is missing in a play: the attack, the manoeuvre, the shield."""
    verbs = _list_verbs(view)
    names = {"strike": "an attack", "turn": "a piece to turn your weapon with", "evade": "a manoeuvre"}
    parts = [name for verb, name in names.items() if verb in verbs]
    how = ": click a chit, then a box" * bool(parts)
    if "ready" not in verbs:
        parts.append("a direction for your shield" if parts else "a box: your shield is held against its direction")
    if not parts:
        if "set" in verbs:
            return "Choose Ready, or lay the monsters on your sheet in boxes first.", "C11"
        return "Choose Ready: plays are shown when everyone is ready.", "C7"
    target = f"an attack on the {format_counter(find_own(view)['target'])}"
    aimed = [target if part == "an attack" else part for part in parts]
    texts = [f"Choose {join_words(words)}{more}." for more in (how, "") for words in (aimed, parts)]
    return next(text for text in texts if len(text) <= MAX_LENGTH), "C7"


def _wounds(view: View) -> PromptText:
    number = find_own(view)["wounds"]
    left = "" if number == 1 else f" ({number} wounds to take)"
    return f"Choose a chit to wound: you cannot play it until you have rested{left}.", "W5"


def _ask(text: str, clause: str) -> Callable[[View], PromptText]:
    """Return a question that is always the same."""
    return lambda _: (text, clause)


QUESTIONS: Final[Mapping[str, Callable[[View], PromptText]]] = {
    "quiet": _ask("Choose Rest easy to end the evening here, or begin a round to attack, run or change gear.", "E6"),
    "lure": _lure,
    "charge": _ask("Choose a character to charge and a piece to charge with, or pass.", "E11"),
    "act": _act,
    "aim": _aim,
    "play": _play,
    "fatigue": _ask("Choose a chit with a star to fatigue: you played two stars in this round.", "W4"),
    "wounds": _wounds,
    "look": _ask("Choose Continue when you have read how combat ended.", "E2"),
}
