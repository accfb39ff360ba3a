"""No viewer of combat in Magic Realm learns what a fighter owns, has discovered or plays in secret.

The mirrored games of `test_magic_realm_leaks` keep what fighters have. Here, positions inside every state of combat get
a mirror in which just that differs (see `mirrored_fighters`), and both are played on alike: views, news and steps as
texts must be the same for the viewer and for spectators, and on a server every byte that the viewer receives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

import pytest

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.combat_flow import actions
from realmtable.games.magic_realm.combat_flow.secrets import hide_plays, hide_secrets
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.view_parts import combat_part
from realmtable.games.magic_realm.world.world import World
from realmtable.server.services import Services
from tests.server.support.combat_positions import draw_sunset, play_boldly
from tests.server.support.mirrored_fighters import find_kind, mirror_fighters
from tests.server.support.mirrored_games import Mirror
from tests.server.support.watched_tables import ScriptedServer, compare_tables, open_scripted_server

pytestmark = pytest.mark.usefixtures("quiet_logs")

# The questions of combat, and the draws that come between them.
QUESTIONS: Final = ("quiet", "lure", "charge", "act", "aim", "play", "fatigue", "wounds", "look", "tidy")
DRAWS: Final = ("contest", "next", "reposition", "turn over", "dice")
LIKE_CARDS: Final = "one of several like cards is left"
MOST_STEPS: Final = 300  # of an evening
ASKED: Final = 0.15  # the share of all requests that are compared on a server


class Course(NamedTuple):
    """How evenings are mirrored: how often from each kind of question, and for how many steps."""

    share: float  # of the questions from which two evenings are played on
    most: int  # of each kind
    steps: int
    sure: int = 0  # how many of each kind are played on from whatever the share, because some are rarely asked


SHORT: Final = Course(0.25, 3, 8)
LONG: Final = Course(0.15, 1_000_000, 25, sure=6)


def list_states(seed: int) -> Iterator[tuple[World, Random]]:
    """Yield the questions of a random evening of two to eight players."""
    rng = Random(f"fighters {seed}")
    state = play_boldly(draw_sunset(2 + seed % 7, rng), rng)
    for _ in range(MOST_STEPS):
        if state.part != "evening" or not MACHINE.to_move(state):
            return
        yield state, rng
        state = play_boldly(state, rng)


class Tally:
    """Counts what was compared."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.begun: Counter[str] = Counter()  # mirrors, by the kind of question
        self.compared: Counter[str] = Counter()  # states, by their kind

    def compare_evening(self, seed: int) -> Iterator[tuple[Mirror, Seat | None, Random]]:
        """Compare mirrors of an evening; yield the mirrors and their viewers."""
        for state, rng in list_states(seed):
            kind = find_kind(state)
            share = 1.0 if self.begun[kind] < self.course.sure else self.course.share
            if self.begun[kind] >= self.course.most or rng.random() >= share:
                continue
            viewer = rng.choice([None, *range(len(state.heroes))])
            found = mirror_fighters(state, viewer, rng, self.course.steps)
            if found is not None:
                mirror, compared = found
                self.begun[kind] += 1
                self.compared += compared
                yield mirror, viewer, rng

    def check(self, questions: int, draws: int) -> None:
        """Check that so many mirrors were found for each kind of question, and so many states of each draw compared."""
        few = {kind: self.begun[kind] for kind in QUESTIONS if self.begun[kind] < questions}
        few |= {kind: self.compared[kind] for kind in DRAWS if self.compared[kind] < draws}
        assert not few, (few, self.begun, self.compared)
        assert self.compared[LIKE_CARDS] >= questions


def compare_evenings(seeds: range, course: Course) -> Tally:
    tally = Tally(course)
    for seed in seeds:
        for _ in tally.compare_evening(seed):
            pass
    return tally


@pytest.mark.long
def test_x1_no_viewer_of_combat_learns_the_secrets_of_fighters() -> None:
    compare_evenings(range(40), SHORT).check(questions=2, draws=0)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(5))
def test_x1_no_viewer_of_many_combats_learns_the_secrets_of_fighters(batch: int) -> None:
    compare_evenings(range(100 + 30 * batch, 130 + 30 * batch), LONG).check(questions=5, draws=1)


# ---- on a server


async def compare_on_server(server: ScriptedServer, seeds: range, course: Course) -> int:
    tally, count = Tally(course), 0
    for seed in seeds:
        for mirror, viewer, rng in tally.compare_evening(seed):
            await compare_tables(server, mirror, viewer, rng, ASKED)
            count += 1
    return count


@pytest.mark.long
@pytest.mark.anyio
async def test_x1_no_byte_of_combat_depends_on_the_secrets_of_fighters(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_scripted_server(services, monkeypatch) as server:
        assert await compare_on_server(server, range(20, 22), Course(0.08, 1, 5)) >= 4


@pytest.mark.anyio
@pytest.mark.slow
@pytest.mark.parametrize("batch", range(5))
async def test_x1_no_byte_of_many_combats_depends_on_the_secrets_of_fighters(
    services: Services, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    async with open_scripted_server(services, monkeypatch) as server:
        seeds = range(500 + 10 * batch, 510 + 10 * batch)
        assert await compare_on_server(server, seeds, Course(0.05, 1_000_000, 15)) >= 20


# ---- the tests above would notice


def test_x1_roadways_in_the_data_of_combat_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combat_part, "hide_secrets", hide_plays)
    with pytest.raises(AssertionError, match=r"\.combat\.warriors\.exits"):
        compare_evenings(range(40), SHORT)


def test_x1_the_number_of_a_belonging_in_the_data_of_combat_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def hide_without_agenda(fight: Fight, viewer: Seat | None) -> Fight:
        return replace(hide_secrets(fight, viewer), agenda=fight.agenda)

    monkeypatch.setattr(combat_part, "hide_secrets", hide_without_agenda)
    with pytest.raises(AssertionError, match=r"\.combat\.agenda"):
        compare_evenings(range(40), SHORT)


def test_x1_a_log_that_names_the_card_that_is_left_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "list_alike", lambda *_: [])
    with pytest.raises(AssertionError, match="names one of several like cards"):
        compare_evenings(range(40), SHORT)
