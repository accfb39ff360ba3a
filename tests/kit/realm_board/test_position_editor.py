"""Positions set up piece by piece: every piece of every board game, drawn even if unplayable."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import realmtable
from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import HasPalette
from realmtable.kit.realm_board.geometry import find_cell, realm_of

GAMES = [game for info in realmtable.infos() if isinstance(game := realmtable.game(info.id), HasPalette)]
LATE = "W:Bh11,Bh5,Pg10 B:Bh2,Pg3 move=W"
REALM, POND = realmtable.game("realm"), realmtable.game("classic_realm")

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)


def piece_seats(game: HasPalette, text: str) -> dict[str, int]:
    """Return the seat of each piece in the picture by its space."""
    view = game.view(game.draft(text), None)  # type: ignore[attr-defined]  # every game has it
    return {piece["at"]: piece["seat"] for piece in view["pieces"]}


def realm_number(space: str) -> int:
    """Return the Realm of a space."""
    cell = find_cell(space)
    assert cell is not None
    return realm_of(cell)


def sides(text: str) -> list[set[str]]:
    """Return the pieces of each seat in the text of a position."""
    return [set(part[2:].split(",")) for part in text.split()[:2]]


def test_all_five_board_games_have_one() -> None:
    assert len(GAMES) == 5


@every_game
def test_a_piece_is_put_where_it_may_stand_and_taken_away_again(game: HasPalette) -> None:
    empty = game.without_pieces(game.encode(game.initial()))  # type: ignore[attr-defined]  # every game has it
    for piece in game.palette():
        put = dict(legal_placements(game, empty, piece.token))
        assert put, piece
        for space, text in put.items():
            ((where, seat),) = piece_seats(game, text).items()
            assert (seat, realm_number(where)) == (
                piece.seat,
                realm_number(space),
            )  # some games count pieces in a Realm only
            assert game.with_piece(text, where, None) == empty


def legal_placements(game: HasPalette, empty: str, token: str) -> Iterator[tuple[str, str]]:
    """Yield some spaces on which a piece may stand, each with the resulting position."""
    for space in ("a1", "b2", "c3", "e5", "k11", "l12"):
        text = game.with_piece(empty, space, token)
        try:
            game.draft(text)
        except BadPosition:
            continue
        yield space, text


@every_game
def test_drafts_that_cannot_be_played_are_drawn_and_refused(game: HasPalette) -> None:
    empty = game.without_pieces(game.encode(game.initial()))  # type: ignore[attr-defined]  # every game has it
    for piece in game.palette():
        space = next(space for space, _ in legal_placements(game, empty, piece.token))
        draft = game.with_piece(empty, space, piece.token)
        picture = game.draw(game.view(game.draft(draft), None))  # type: ignore[attr-defined]  # as above
        assert "data-handle" in picture
    assert "data-handle" in game.draw(game.view(game.draft(empty), None))  # type: ignore[attr-defined]  # as above


def test_a_new_piece_replaces_the_old_one() -> None:
    assert isinstance(REALM, HasPalette)
    assert sides(REALM.with_piece(LATE, "g10", "BE@S")) == [{"Bh11", "Bh5"}, {"Bh2", "Pg3", "Eg10S"}]
    assert sides(REALM.with_piece(LATE, "h2", "WB@")) == [{"Bh11", "Bh5", "Pg10", "Bh2"}, {"Pg3"}]


def test_what_happened_before_is_forgotten_and_options_stay() -> None:
    assert isinstance(REALM, HasPalette)
    text = f"{LATE} options=bases=13 turns=20 quiet=3 left=4/5 passed"
    assert REALM.with_piece(text, "g10", None) == "W:Bh5,Bh11 B:Bh2,Pg3 move=W options=bases=13"
    assert REALM.with_turn(text, 1) == "W:Bh11,Bh5,Pg10 B:Bh2,Pg3 move=B options=bases=13"
    assert REALM.without_pieces(text) == "W: B: move=W options=bases=13"
    assert REALM.to_move(REALM.decode(REALM.with_turn(text, 1))) == (1,)


def test_frogs_swim_in_any_number() -> None:
    assert isinstance(POND, HasPalette)
    text = "W:Fb2 B:~e5 move=W"
    for space in ("e6", "d4", "f5"):
        text = POND.with_piece(text, space, "W~@")
    assert text == "W:Fb2,~e5*3 B:~e5 move=W"
    whites = next(space for space, seat in piece_seats(POND, text).items() if seat == 0 and space != "b2")
    text = POND.with_piece(text, whites, None)
    assert text == "W:Fb2,~e5*2 B:~e5 move=W"
    blacks = next(space for space, seat in piece_seats(POND, text).items() if seat == 1)
    assert POND.with_piece(text, blacks, None) == "W:Fb2,~e5*2 B: move=W"


@pytest.mark.parametrize(("space", "token"), [("z9", "WB@"), ("g10", "WQ@"), ("", None), ("g10", "")])
def test_other_places_and_pieces_are_refused(space: str, token: str | None) -> None:
    assert isinstance(REALM, HasPalette)
    with pytest.raises(BadPosition):
        REALM.with_piece(LATE, space, token)


def test_a_line_that_says_nothing_of_the_pieces_is_an_empty_board() -> None:
    assert isinstance(REALM, HasPalette)
    assert REALM.with_turn("", 0) == "W: B: move=W"
