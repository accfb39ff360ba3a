"""Play random games of Magic Realm, and check the texts of each of their states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from realmtable.conformance.picture_checks import MAX_PROMPT_LENGTH, PROMPT_VERBS
from realmtable.engine.protocol import CHANCE, Seat, View
from realmtable.games.magic_realm.flow.handlers import first_state
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.picture.handles import handles
from realmtable.games.magic_realm.text import describe, news, panels, prompts, reasons, scores, secrecy
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers import random_states
from tests.magic_realm.helpers.day_helpers import CATALOG, MACHINE
from tests.magic_realm.helpers.flow_helpers import random_step
from tests.magic_realm.helpers.rules_text import COMBAT_RULES, RULES

RARE = (*random_states.RARE, "-", "A")


class PlayedStep(NamedTuple):
    """A step of a random game."""

    before: World
    seat: Seat
    step: Step
    after: World


def walk(world: World, rng: Random, limit: int) -> Iterator[PlayedStep]:
    """Play random steps from a state; days are usually written out, and belongings are usually left alone."""
    for _ in range(limit):
        if not MACHINE.to_move(world):
            return
        seat, step = random_step(world, rng, MACHINE, RARE)
        after = MACHINE.play(world, seat, step)
        yield PlayedStep(world, seat, step, after)
        world = after


def random_steps(seats: int, options: MagicOptions, seed: int, limit: int) -> Iterator[PlayedStep]:
    """Play a random game from its beginning."""
    return walk(first_state(seats, options), Random(seed), limit)


def names_clause(clause: str) -> bool:
    return f"**{clause}**" in RULES + COMBAT_RULES


def check_prompt(world: World, seat: Seat | None, seen: View) -> None:
    """A viewer who is asked reads one imperative sentence, others none."""
    prompt = prompts.prompt(seen)
    assert (prompt is not None) == (seat is not None and bool(MACHINE.legal_moves(world, seat)))
    if prompt is not None:
        assert re.fullmatch(rf"({'|'.join(PROMPT_VERBS)})\b[^.!?]*\.", prompt.text), prompt
        assert len(prompt.text) <= MAX_PROMPT_LENGTH, prompt
        assert prompt.title
        assert not prompt.title.endswith(".")
        assert prompt.progress is None or 1 <= prompt.progress[0] <= prompt.progress[1]
        assert names_clause(prompt.clause), prompt


def check_steps(world: World, seat: Seat, seen: View) -> None:
    """Every legal step has a description, and every handle of it a label; no two steps read alike."""
    chance = seat == CHANCE
    steps = [one.move for one in MACHINE.chance(world)] if chance else MACHINE.legal_moves(world, seat)
    texts = [describe.describe_step(step) for step in steps]
    assert len({*texts}) == len(texts), texts
    for step, text in zip(steps, texts, strict=True):
        assert text == text.strip()
        assert text[0].isupper()
        assert not text.endswith(".")
        for handle in handles(seen, step):
            assert describe.label(handle) not in ("", handle), handle


def check_reasons(world: World, seat: Seat, seen: View, rng: Random) -> None:
    """What cannot be clicked has a reason with a clause, and what can be clicked has none."""
    legal = [handles(seen, step) for step in MACHINE.legal_moves(world, seat)]
    begun = {path[:length] for path in legal for length in range(1, len(path) + 1)}
    clearings = [*CATALOG.names.by_name("clearing")]
    clicked = [*rng.sample(clearings, 4), "CG", "Elf", "chit:active X", "go", "no such handle", *rng.choice(legal)[:1]]
    for path in ((), rng.choice(legal)[:-1]):
        for handle in clicked:
            found = reasons.reason(seen, path, handle)
            assert (found is None) == ((*path, handle) in begun or handle == "no such handle"), (path, handle)
            if found is not None:
                assert names_clause(found.clause)
                assert found.sentence.endswith(".")


def check_news(taken: PlayedStep, views: Mapping[Seat | None, View]) -> None:
    """A step is secret exactly to those for whom nothing changes; the others can read of it."""
    before, seat, step, after = taken
    same_acting = MACHINE.to_move(before) == MACHINE.to_move(after) and before.day == after.day
    for viewer, seen in views.items():
        unchanged = same_acting and seen == view(after, MACHINE, viewer)
        text = secrecy.text_for_viewer(MACHINE, before, seat, step, viewer)
        assert (text == "") == (unchanged and viewer != seat), (viewer, step, text)
        words = news.news(MACHINE, before, seat, step, viewer)
        assert words == words.strip()
        assert not words.endswith(".")
        if not text:
            assert words == ""


def check_panels(seen: View) -> None:
    shown = panels.panels(seen)
    assert [panel.id for panel in shown] == ["character", "belongings", "places", "plan"]
    assert all(panel.rows and panel.title for panel in shown)
    assert all(row.label for panel in shown for row in panel.rows)
    assert [scores.seat_name(seen, one) for one in range(seen["seats"])] == [
        player["character"] for player in seen["players"]
    ]
