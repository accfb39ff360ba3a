"""Every test of the command line runs in a new, empty folder and leaves the environment unchanged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from realmtable.engine import registry
from tests.toys import add_games
from tests.toys.dice_duel import DiceDuel
from tests.toys.gold_quest import GoldQuest
from tests.toys.secret_cards import SecretCards


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty folder. Commands that interpret the rules set a variable, which is unset afterwards; the
    rules are loaded before, so that no later test finds them interpreted.
    """
    for info in registry.infos():
        registry.game(info.id)
    monkeypatch.chdir(tmp_path)
    if "REALMTABLE_COMPILE" not in os.environ:
        monkeypatch.setenv("REALMTABLE_COMPILE", "1")
        monkeypatch.delenv("REALMTABLE_COMPILE")  # so it is unset now, and again afterwards
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toys, so that the commands meet dice and secrets."""
    add_games(monkeypatch, DiceDuel(), SecretCards(), GoldQuest())
