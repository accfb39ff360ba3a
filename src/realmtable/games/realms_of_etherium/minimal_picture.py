"""A plain picture and plain words, until the game has better ones."""

from __future__ import annotations

from collections.abc import Iterable

from realmtable.engine.protocol import Span, View
from realmtable.games.realms_of_etherium.notation import step_text
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import Step

SIZE = 40
STYLE = "<style>text{font:9px sans-serif;text-anchor:middle}polygon{fill:#eee;stroke:#333}</style>"
PROMPTS = {
    "mage": "Choose a Mage to activate.",
    "act": "Move, summon, take Control or use a power, or end the activation.",
    "source": "Choose where the tile comes from.",
    "enter": "Choose whether to use the power of this Realm.",
    "put": "Choose where the Realm goes.",
    "with": "Choose the other Realm.",
    "tribute": "Choose what to collect.",
    "protect": "Choose whether to buy Protection.",
    "push": "Choose a Mage to push.",
    "target": "Choose where the pushed Mage goes.",
    "react": "Choose which Realm reacts.",
}


def draw(view: View, _theme: str) -> str:
    """Draw the hexes and the Mages."""
    names = {realm["at"]: realm["name"] for realm in view["realms"]}
    is_portal = {realm["at"]: realm["kind"] == "Portal" for realm in view["realms"]}
    groups_portals = view["phase"] not in ("enter", "put", "with")
    portals = [_hex(at, names[at], "") for at in names if is_portal[at] and groups_portals]
    realms = [_hex(at, names[at], f"hex:{at}") for at in names if not (is_portal[at] and groups_portals)]
    empty = [_hex(at, "", f"hex:{at}") for at in sorted(_empty_hexes(names))]
    group = f'<g data-handle="portal">{"".join(portals)}</g>' if portals else ""
    mages = "".join(
        f'<text data-handle="mage:{mage["mage"]}" x="0" y="{12 * index}">{mage["mage"]} {mage["at"]}</text>'
        for index, mage in enumerate(view["mages"])
    )
    kinds = "".join(
        f'<text data-handle="reserve:{name}" x="0" y="{12 * index}">{name}</text>'
        for index, name in enumerate(view["reserve"])
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-900 -900 1800 1800">{STYLE}'
        f'{"".join(empty)}{group}{"".join(realms)}<g transform="translate(-700)">{mages}</g>'
        f'<g transform="translate(700)">{kinds}</g></svg>'
    )  # fmt: skip


def _empty_hexes(names: Iterable[str]) -> set[str]:
    taken = {*names}
    found = set()
    for at in taken:
        q, r = map(int, at.split(","))
        found |= {f"{q + x},{r + y}" for x, y in ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))}
    return found - taken


def _hex(at: str, name: str, handle: str) -> str:
    q, r = map(int, at.split(","))
    x, y = SIZE * 1.73 * (q + r / 2), SIZE * 1.5 * r
    points = ((0, -1), (0.87, -0.5), (0.87, 0.5), (0, 1), (-0.87, 0.5), (-0.87, -0.5))
    corners = " ".join(f"{SIZE * a:g},{SIZE * b:g}" for a, b in points)
    data = f' data-handle="{handle}"' if handle else ""
    return f'<g{data} transform="translate({x:g} {y:g})"><polygon points="{corners}"/><text>{name}</text></g>'


def sketch(view: View) -> list[list[Span]]:
    """List the Realms and the players for a terminal."""
    lines: list[list[Span]] = [[(f"Round {view['round']}, {view['phase']}", "")]]
    for realm in view["realms"]:
        here = " ".join(mage["mage"] for mage in view["mages"] if mage["at"] == realm["at"])
        owner = "" if realm["seat"] is None else f" controlled by {realm['seat'] + 1}"
        lines.append([(f"{realm['at']:>6} {realm['name']}{owner} {here}".rstrip(), "")])
    for seat, player in enumerate(view["players"]):
        lines.append([(f"{seat + 1}: {player['white']} white, {player['black']} black, {player['points']} points", "")])
    return [*lines, [(f"Reserve: {', '.join(view['reserve'])}", "")]]


def describe_step(_state: State, step: Step) -> str:
    """Return a step as words."""
    return step_text(step).capitalize()


def label(handle: str) -> str:
    """Return what to write on a button."""
    return handle.replace(":", " ").capitalize()


def prompt_text(view: View) -> str:
    """Return what the acting seat is asked to do."""
    return PROMPTS[view["phase"]]
