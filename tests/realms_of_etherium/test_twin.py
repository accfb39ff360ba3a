"""The rules compared with the twin: the same steps, weights and states in random games with random options."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.notation.position_reader import decode_position
from realmtable.games.realms_of_etherium.notation.position_writer import encode_position
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step, step_text
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.steps import code_of, step_of
from realmtable.kit.rules import Position
from tests.realms_of_etherium.helpers import list_codes, random_manifest, random_options
from tests.realms_of_etherium.twin import Twin
from tests.realms_of_etherium.twin_world import PORTAL, Mage, Question, Realm, hex_text

IDS = [tile.id for tile in EtheriumOptions().tiles().tiles]
QUIET = {"end", "skip", "next"}


def list_steps(position: Position) -> dict[str, int]:
    codes = list_codes(position)
    assert codes == sorted(set(codes))
    return {step_text(step_of(code)): chance_weight(position, code) for code in codes}


def realm_of(position: Position, tile: int) -> Realm:
    kind = int(position[layout.TILE_KIND + tile])
    return Realm(IDS[kind], int(tile - position[layout.FIRST_TILE + kind]))


def place_of(position: Position, place: int) -> Realm:
    return PORTAL if place == layout.PORTALS else realm_of(position, place)


def read_mages(position: Position) -> list[Mage]:
    return [
        Mage(
            index // layout.MAX_MAGES,
            index % layout.MAX_MAGES + 1,
            place_of(position, int(place)),
            exhausted=bool(position[layout.EXHAUSTED + index]),
        )
        for index, place in enumerate(position[layout.MAGE_PLACE : layout.EXHAUSTED])
        if place != layout.NONE
    ]


def check_same(position: Position, twin: Twin) -> None:
    """Whether the array and the twin hold the same state."""
    seats = int(position[layout.SEATS])
    tiles = [tile for tile in range(layout.PORTALS) if position[layout.TILE_HEX + tile]]
    hexes = {realm_of(position, tile): layout.coordinates(int(position[layout.TILE_HEX + tile])) for tile in tiles}
    assert hexes == twin.hexes
    owners = {realm_of(position, tile): int(position[layout.TILE_OWNER + tile]) - 1 for tile in tiles}
    assert {realm: seat for realm, seat in owners.items() if seat >= 0} == twin.owner
    assert position[layout.WHITE : layout.WHITE + seats].tolist() == twin.white
    assert position[layout.BLACK : layout.BLACK + seats].tolist() == twin.black
    assert sorted(read_mages(position), key=repr) == sorted(twin.mages, key=repr)
    for first, expected in ((layout.RESERVE, twin.reserve), (layout.SUPPLY, twin.supply)):
        assert Counter({name: int(position[first + kind]) for kind, name in enumerate(IDS)}) == +expected
    assert [int(points) for points in position[layout.POINTS : layout.POINTS + seats]] == [
        twin.points(seat) for seat in range(seats)
    ]
    assert (position[layout.TURN], position[layout.STEPS]) == (twin.turn, twin.steps)


def check_turn(text: str, twin: Twin) -> None:
    """Whether a position says the same about the turn as the twin (F4, F5)."""
    fields = {name: {*value.split(";")} for name, _, value in (word.partition("=") for word in text.split())}
    hexes = {realm: hex_text(at) for realm, at in twin.hexes.items()}
    assert fields.get("held", set()) == {hexes[realm] for realm in twin.held}
    assert fields.get("now", set()) == {hexes[realm] for realm in twin.moved_now}
    assert fields.get("before", set()) == {hexes[realm] for realm in twin.moved_before if realm in hexes}
    assert fields.get("used", set()) == {f"{seat + 1}@{hexes[realm]}" for seat, realm in twin.used if realm in hexes}
    assert ("received" in fields, "triggered" in fields) == (twin.received, twin.triggered)
    assert fields.get("round", {"1"}) == {str(twin.round)}


def check_text(position: Position, options: EtheriumOptions) -> str:
    """Return the text of a position; it must restore the position."""
    text = encode_position(position, options)
    again, same_options = decode_position(text)
    assert (again == position).all(), text
    assert same_options == options
    assert encode_position(again, options) == text
    return text


FEW_STEPS = 200  # of a game in an ordinary run


def play_both(seats: int, options: EtheriumOptions, rng: random.Random, most: int = 100_000) -> Counter[str]:
    """Play a random game on both, compare every state, and return how often each phase occurred."""
    twin, position = Twin(seats, options), first_position(seats, options)
    for first, amounts in ((layout.WHITE, twin.white), (layout.BLACK, twin.black)):
        amounts[:] = position[first : first + seats] = [rng.randint(0, 5) for _ in range(seats)]
    if not options.max_rounds:
        twin.steps = rng.randint(11_000, 11_900)  # E5 ends the game
        position[layout.STEPS] = twin.steps
    steps = twin.play()
    question: Question | None = next(steps)
    phases: Counter[str] = Counter()
    while question is not None:
        if phases.total() >= most:
            return phases
        phase = layout.PHASES[position[layout.PHASE]]
        assert (int(position[layout.SEAT]), phase) == (question.seat, question.phase)
        assert list_steps(position) == dict(question.steps)
        check_same(position, twin)
        if most > FEW_STEPS or phases.total() % 4 == 0:
            check_turn(check_text(position, options), twin)
        phases[phase] += 1
        texts = [*question.steps]
        busy = [text for text in texts if text not in QUIET] or texts
        verb = rng.choice([*dict.fromkeys(text.split()[0] for text in busy)])  # a power as often as a move
        chosen = rng.choice(texts if rng.random() < 0.2 else [text for text in busy if text.startswith(verb)])
        if question.seat == layout.CHANCE:
            chosen = rng.choices(texts, [*question.steps.values()])[0]
        apply_step(position, code_of(parse_step(chosen)))
        try:
            question = steps.send(chosen)
        except StopIteration:
            question = None
    assert layout.REASONS[position[layout.REASON]] == twin.reason
    check_same(position, twin)
    check_text(position, options)
    return phases


# Each makes some powers frequent, so that few games show all phases.
MANIFESTS = (
    "standard",
    (
        "game.mages:5;condense.copies:6;conjure.use:0/0;displace.use:0/0;protection.use:0/0;transfer.use:0/0;"
        "paralyze.use:0/0;shift.use:0/0;swap.use:0/0;tribute.copies:4"
    ),
    (
        "game.mages:5;game.etherium_cap:5;condense.copies:6;draw.copies:0;conjure.use:1/1;displace.use:0/1;"
        "protection.use:0/1;protection.copies:6;paralyze.use:0/0;paralyze.copies:5;tribute.copies:5;tribute.use:2/0;"
        "transmute.use:3/0;lessen.copies:6"
    ),
    (
        "game.mages:4;disruption.copies:12;condense.copies:1;channel.copies:0;transmute.copies:5;protection.copies:8;"
        "protection.use:0/0;gather.copies:0;draw.copies:0;harvest.copies:0"
    ),
    (
        "game.mages:5;displace.copies:4;quicken.copies:4;portal.copies:8;shift.copies:6;shift.use:0/0;swap.use:0/0;"
        "swap.copies:6;displace.use:0/0;transfer.copies:6;transfer.use:0/0;paralyze.use:0/0;paralyze.copies:6"
    ),
    (
        "generate.copies:10;propagate.copies:10;multiply.copies:6;condense.copies:10;channel.copies:4;transmute.copies:5;"
        "swap.copies:0;disruption.copies:0;paralyze.copies:0;shift.copies:0"
    ),
    (
        "game.control_markers:3;accord.control:0/0;bond.control:0/0;streamline.copies:6;streamline.control:0/0;"
        "channel.control:0/0;affinity.control:0/1;network.control:1/1;continuity.control:0/0;antagonism.control:0/0;"
        "diversity.control:0/0;polarity.control:0/0;generate.colour:blue;channel.colour:red;continuity.by:opponents"
    ),
    (
        "game.mages:4;disruption.copies:9;tribute.copies:6;tribute.colour:purple;transfer.copies:6;transfer.use:0/0;"
        "lessen.copies:6;protection.copies:5;protection.use:0/1;conjure.use:2/1;displace.copies:5;displace.use:0/0;"
        "transmute.copies:6;quicken.copies:4;displace.colour:green;swap.use:1/0;draw.copies:0;harvest.copies:0;gather.copies:0"
    ),
)


@pytest.mark.parametrize("seed", range(2 * len(MANIFESTS)))
def test_the_rules_agree_with_the_twin(seed: int) -> None:
    rng = random.Random(seed)
    play_both(2 + seed % 5, random_options(rng, MANIFESTS[seed % len(MANIFESTS)]), rng, FEW_STEPS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2 * len(MANIFESTS)))
def test_the_rules_agree_with_the_twin_in_whole_games(seed: int) -> None:
    rng = random.Random(seed)
    play_both(2 + seed % 5, random_options(rng, MANIFESTS[seed % len(MANIFESTS)]), rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 300))
def test_the_rules_agree_with_the_twin_in_many_games(seed: int) -> None:
    rng = random.Random(seed)
    manifest = random_manifest(rng) if seed % 2 else rng.choice(MANIFESTS)
    play_both(rng.randint(2, 6), random_options(rng, manifest), rng)
