"""The bytes of a move on the wire: a limit for every board game, whatever the length of the game."""

from __future__ import annotations

import statistics
import zlib

import pytest
from click.testing import CliRunner

from bench.move_bytes import (
    BOARD_GAMES,
    LIMIT,
    GameBytes,
    MoveBytes,
    compressed_sizes,
    describe_measurement,
    encode_stream,
    main,
    measure,
    play_game,
    table_of,
)


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_every_move_of_a_board_game_stays_below_the_limit(game: str) -> None:
    for result in measure(game, games=1):
        assert len(result.sizes) > 90  # 30 moves for three viewers
        assert statistics.median(result.sizes) < LIMIT / 2
        assert max(result.sizes) <= LIMIT, (game, result.pictures, max(result.moves, key=lambda each: each.size))
        assert sum(each.is_last for each in result.moves) == 3


def test_sizes_are_those_of_one_gzip_stream() -> None:
    events = list(encode_stream(play_game("realm", 1, 8), (0,), pictures=True))
    assert [b"event: patch" in event for event in events] == [False] + [True] * 8
    sizes = compressed_sizes(events)
    assert len(sizes) == len(events)
    compressor = zlib.compressobj(level=3, wbits=31)
    whole = b"".join(compressor.compress(event) + compressor.flush(zlib.Z_SYNC_FLUSH) for event in events)
    assert sum(sizes) == pytest.approx(len(whole), rel=0.2)


def test_programs_receive_changes() -> None:
    events = list(encode_stream(play_game("realm", 1, 8), (0,), pictures=False))
    assert [b"event: changes" in event for event in events] == [False] + [True] * 8


def test_the_table_gives_moments_median_and_worst() -> None:
    moves = [MoveBytes(10, 100, False), MoveBytes(100, 300, False), MoveBytes(101, 3000, True)]
    result = GameBytes("realm", False, moves)
    assert table_of([result]).endswith("| Realm | plain, changes | 100 | 300 | 3,000 | 300 | 3,000 | 3,000 | 1 of 3 |")
    assert "Realm can exceed it" in describe_measurement([result], 2)
    assert "can exceed it" not in describe_measurement([result._replace(moves=moves[:2])], 2)


def test_the_command_measures_a_game_and_names_an_unknown_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "0")
    done = CliRunner().invoke(main, ["medieval_realm", "--games", "1"])
    assert done.exit_code == 0, done.output
    assert done.output.count("| Medieval Realm |") == 2
    done = CliRunner().invoke(main, ["chess"])
    assert done.exit_code == 2
    assert "chess is not a board game; choose among classic_realm" in done.output
