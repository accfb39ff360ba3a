"""Whole random games of Magic Realm on a server: no viewer receives a byte that depends on what they may not know.

At points of each game, two tables are opened that differ in nothing but what is hidden from one viewer, and played on
alike (see `mirrored_games`): all that this viewer receives must be the same to the byte. At every step of the game
itself, only those who may know of it notice it, and no stream names a treasure or a sound that its viewer has not seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle, islice
from random import Random
from typing import Final

import pytest

from realmtable.engine.errors import NothingToUndo
from realmtable.engine.options import as_pairs
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.day_rules.search import (
    PILE,
    discovery_bit,
    find_slot,
    is_site_card,
    site_cards,
    site_chit,
    site_count,
    site_of,
)
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.knowledge import SeatView, everyone, let_seats_know_goods, let_seats_know_slot
from realmtable.games.magic_realm.world.world import World
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.decision_deadlines import describe_decision_deadline
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.viewer_knowledge import Numbering
from tests.magic_realm.test_whole_games import draw_options
from tests.magic_realm.twin.test_day_against_twin import make_setup, write_setup
from tests.server.support.mirrored_games import GAME, Act, choose_step, make_mirror
from tests.server.support.table_harness import TableHarness
from tests.server.support.watched_tables import (
    PLAIN,
    WITH_PICTURES,
    ScriptedServer,
    compare_tables,
    open_scripted_server,
    watch_table,
)

pytestmark = pytest.mark.usefixtures("quiet_logs")

ALL_GAMES: Final = 300
BATCHES: Final = 60
ACTS: Final = 30  # of a mirror
MIRRORS: Final = 1.5  # of each game
ASKED: Final = 0.3  # the share of all requests that are compared in each mirror
SOUND: Final = "sound"
LOOTED: Final = [number for number in load_catalog().names.by_number("looted") if number != PILE]
SPECIAL: Final = "within"  # cards with a box of their own, which everyone sees


# ---- names that a viewer must not read


class Secrets:
    """The names of treasures and sounds that a viewer has not seen so far."""

    def __init__(self, viewer: Seat | None) -> None:
        catalog = load_catalog()
        self.viewer = viewer
        self.cards = {card.id: card.name for card in catalog.treasures if card.size != SPECIAL}
        self.sounds = {chit.id: chit.name for chit in catalog.map_chits if chit.kind == SOUND}

    def update(self, state: World) -> None:
        """Take out what the viewer has seen."""
        seen = SeatView(state, self.viewer)
        for card in [card for card in self.cards if seen.knows_goods(card)]:
            del self.cards[card]
        known = {seen.chit(slot) for slot in range(len(state.slots))}
        if self.viewer is None and len(state.heroes) == 1:  # who reads of chits that lie face down again by midnight
            known |= self.sounds.keys()
        for chit in known & self.sounds.keys():
            del self.sounds[chit]

    def find_in(self, data: bytes) -> list[str]:
        """Return the names that occur in data all the same."""
        return [name for name in (*self.cards.values(), *self.sounds.values()) if name.encode() in data]


# ---- whole games


async def play_whole(server: ScriptedServer, seats: int, options: MagicOptions, rng: Random) -> None:
    """Play a random game to its end; some viewers watch it, and mirrors of some positions are compared."""
    setup = Setup("magic_realm", seats, tuple(as_pairs(options)))
    viewers = [None, rng.randrange(seats)]
    secrets, read = {viewer: Secrets(viewer) for viewer in viewers}, dict.fromkeys(viewers, 0)
    async with watch_table(server, setup, viewers, rng.choice((PLAIN, WITH_PICTURES))) as watched:
        while not watched.is_over():
            state = watched.live.table.match.state
            seat = rng.choice(GAME.to_move(state))
            await watched.act(Act(seat, GAME.format_move(state, choose_step(state, seat, rng)), ()))
            state = watched.live.table.match.state
            for viewer in viewers:
                secrets[viewer].update(state)
                sent = watched.taps[viewer].received
                found, read[viewer] = secrets[viewer].find_in(sent[read[viewer] :]), len(sent)
                assert not found, f"{viewer} has not seen {found}"
            if not watched.is_over() and rng.random() < MIRRORS / (40 + 50 * seats):
                await compare_mirror(server, state, rng)
        assert watched.live.table.status == "over"


async def compare_mirror(server: ScriptedServer, state: World, rng: Random) -> None:
    """Play on from a state and from another one that a viewer cannot tell from it; all they receive must be equal."""
    viewer = rng.choice([None, *range(len(state.heroes))])
    mirror = make_mirror(state, viewer, rng, ACTS, keep_plans=rng.random() < 0.7)
    await compare_tables(server, mirror, viewer, rng, ASKED)


def draw_game(seed: int) -> tuple[int, MagicOptions, Random]:
    """Return the number of seats, the options and the source of random choices of a game; most games are short."""
    rng = Random(f"leaks {seed}")
    seats = next(islice(cycle(range(1, 9)), seed, None))
    options = vars(draw_options(rng)) | {"recording": rng.choice(("written", "as_you_go"))}
    days = rng.choices(("7", "14", "21", "28"), (45, 3, 1, 1))[0]
    return seats, MagicOptions(**options | {"days": days}), rng


@pytest.mark.long
@pytest.mark.anyio
@pytest.mark.parametrize("seats", [1, 3])
async def test_x1_no_byte_to_any_viewer_depends_on_what_they_may_not_know(
    services: Services, monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    _, options, rng = draw_game(seats)
    async with open_scripted_server(services, monkeypatch) as server:
        await play_whole(server, seats, MagicOptions(**vars(options) | {"days": "7"}), rng)


@pytest.mark.anyio
@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
async def test_x1_no_byte_of_three_hundred_games_depends_on_what_a_viewer_may_not_know(
    services: Services, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    async with open_scripted_server(services, monkeypatch) as server:
        for seed in range(batch, ALL_GAMES, BATCHES):
            await play_whole(server, *draw_game(seed))


# ---- positions with many treasures in few places


def draw_crowded(rng: Random) -> World:
    """Return a morning on which several characters with many cards are near each other and near sites."""
    setup = make_setup(rng)
    setup["day"] = rng.randint(1, 7)
    setup["options"] |= {"days": "7", "restart": True}
    text = write_setup(setup, {name: [] for name in setup["heroes"]}).replace("restart=True", "restart=on")
    points = [f"{seat}.points=fame,gold" for seat in range(1, len(setup["heroes"]) + 1)]
    state = decode(MACHINE, " ".join([text, *points])).fork()
    for seat, hero in enumerate(state.heroes):
        for goods in hero.pack:
            let_seats_know_goods(state, goods, 1 << seat)  # everyone knows what they have (X1)
        for looted in (number for number in LOOTED if hero.discoveries & discovery_bit(number)):
            slot = find_slot(state, site_chit(site_of(state, looted)))
            assert slot is not None
            if is_site_card(looted):  # it lies face up since someone has drawn it (T5)
                card = site_cards()[looted - site_count() - 1]
                let_seats_know_goods(state, card, everyone(state))
                state.writable_goods(card).active = True
            let_seats_know_slot(state, slot, 1 << seat)  # whoever has discovered a site has seen its chit (D18, X2)
    return state.seal()


async def compare_crowded(server: ScriptedServer, seed: int) -> None:
    rng = Random(f"crowded {seed}")
    state = draw_crowded(rng)
    for _ in range(rng.randrange(60)):
        if not (asked := GAME.to_move(state)):
            return
        seat = rng.choice(asked)
        if seat == CHANCE:
            state = GAME.play(state, CHANCE, rng.choice(GAME.chance(state)).move)
        else:
            state = GAME.play(state, seat, choose_step(state, seat, rng))
    while GAME.to_move(state) == (CHANCE,):
        state = GAME.play(state, CHANCE, rng.choice(GAME.chance(state)).move)
    if GAME.to_move(state):
        await compare_mirror(server, state, rng)


async def compare_all_crowded(server: ScriptedServer, seeds: Iterable[int]) -> None:
    for seed in seeds:
        await compare_crowded(server, seed)


@pytest.mark.long
@pytest.mark.anyio
async def test_x1_no_byte_depends_on_cards_that_a_viewer_has_not_seen(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_scripted_server(services, monkeypatch) as server:
        await compare_all_crowded(server, range(6))


@pytest.mark.anyio
@pytest.mark.slow
@pytest.mark.parametrize("batch", range(20))
async def test_x1_no_byte_depends_on_cards_that_a_viewer_has_not_seen_in_many_positions(
    services: Services, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    async with open_scripted_server(services, monkeypatch) as server:
        await compare_all_crowded(server, range(100 + 25 * batch, 125 + 25 * batch))


# ---- the tests above would notice


def knows_everything(*_: object) -> bool:
    return True


def count_all(_: Numbering, version: int) -> int:
    return version


@pytest.mark.anyio
async def test_x1_cards_that_everyone_sees_would_be_noticed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SeatView, "knows_goods", knows_everything)
    async with open_scripted_server(services, monkeypatch) as server:
        with pytest.raises(AssertionError, match="another state for the same view"):
            await compare_all_crowded(server, range(6))


@pytest.mark.anyio
async def test_z6_versions_that_count_secret_steps_would_be_noticed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Numbering, "visible_version", count_all)
    async with open_scripted_server(services, monkeypatch) as server:
        with pytest.raises(AssertionError, match="version counts the steps"):
            await play_whole(server, 2, MagicOptions(days="7", map="stock1"), Random(1))


# ---- what tells by not being said


POSITION: Final = (
    "options=days=7,map=stock1 heroes=Elf;Witch;Dwarf chits=AV:Bones;BV:Stink;CV:Smoke;DV:Dank;EV:Ruins part=daylight "
    "rows=2 first=1 waiting=23 1.at=B2 1.unhidden 1.plan=-;- 2.at=B2 2.unhidden 3.at=CG2 "
)


@pytest.mark.parametrize(
    ("agenda", "step"),
    [("agenda=daylight;turn:1:0:0:1;phase:1:5;block:2:0", "pass"), (None, "go")],
)
def test_l3_d25_everyone_reads_that_the_table_has_answered_for_a_silent_player(agenda: str | None, step: str) -> None:
    """`pass` and `go` are no news, but that someone did not answer is; what they could have done stays secret."""
    fields = [agenda or "waiting=3 2.guide=1 2.plan=F_Elf agenda=daylight;turn:1:0:1:1;phase:1:2;arrange:2"]
    text = " ".join([POSITION.replace("waiting=23 ", "") if agenda is None else POSITION, *fields])
    table = TableHarness("magic_realm", seats=3, start=GAME.encode(GAME.decode(text))).seat_players()
    assert table.table.acting == (1,)
    contexts = [describe_decision_deadline(table.table, viewer) for viewer in (None, 0, 2)]
    assert all(limit is not None and limit["default"] is None for limit in contexts)
    table.now += 61
    (draft,) = [draft for draft in actions.check_clocks(table.table, table.now) if draft.data.get("default")]
    assert draft.data["move"] == step
    words = table.add([draft]).news[-1].words
    assert {said.partition(" ")[2] for said in words} == {"did not answer in time"}


def test_z4_a_refused_undo_does_not_tell_whether_others_write() -> None:
    """The last answer of a day leads to the next morning; whoever gave it is refused in the same words all the time."""
    chits = "EV:Ruins;B:Dank^*;B:Howl-4^*"
    text = POSITION.replace("EV:Ruins", chits).replace("waiting=23 ", "").replace("plan=-;-", "plan=- 1.phase=1")
    start = f"{text} 2.done 3.done agenda=daylight;turn:1:0:0:1;phase:1:5;block:2:0"
    table = TableHarness("magic_realm", seats=3, start=GAME.encode(GAME.decode(start))).seat_players()
    table.act(actions.play, 1, "pass")
    assert table.table.acting == (0, 1, 2)
    refusals = []
    for seat, step in ((0, "H"), (2, "S"), (0, "back")):
        with pytest.raises(NothingToUndo) as refused:
            actions.undo(table.table, (1,))
        refusals.append(str(refused.value))
        table.act(actions.play, seat, step)
    assert len({*refusals}) == 1
