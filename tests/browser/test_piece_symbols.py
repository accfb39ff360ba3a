"""Symbols of pieces in the list of moves, in place of letters."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import realmtable
from realmtable.engine.protocol import HasPieceSymbols
from tests.browser.sample_pages import open_running_table
from tests.browser.visitor import Visitor, expect_latest_moves

GAMES = [info.id for info in realmtable.infos() if not info.hidden and not info.chance]


def test_a_list_of_moves_shows_symbols_and_keeps_the_letters_as_text(visitor: Visitor) -> None:
    game = next(game for game in map(realmtable.game, GAMES) if isinstance(game, HasPieceSymbols))
    table = open_running_table(visitor, game.info.id)
    visitor.goto(f"/tables/{table}")
    texts = [line["text"] for line in visitor.scene(table)["lines"]]
    expect_latest_moves(visitor, texts)
    letters = [letter for text in texts for letter in re.findall(r"[A-Z](?=[a-z]\d)", text)]
    shown = visitor.part("moves").locator("svg.piece")
    expect(shown).to_have_count(len([letter for letter in letters if letter in game.piece_symbols()]))
    assert shown.first.evaluate("(drawn) => drawn.querySelector('use').getBBox().width") > 0
