"""The files of an experiment: the result as JSON, and every game as a row of a Parquet table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from realmtable.engine.extras import require_extra
from realmtable.lab.balance.balance_result import BalanceResult

RESULT_FILE: Final = "result.json"
GAMES_FILE: Final = "games.parquet"
PAGE_FILE: Final = "index.html"


def format_json(result: BalanceResult, command: str) -> str:
    """Return the result as JSON, with the command that made it."""
    return json.dumps({"command": command, **result.as_dict()}, ensure_ascii=False, indent=1) + "\n"


def list_rows(result: BalanceResult) -> list[dict[str, Any]]:
    """Return a row of plain data for every game."""
    rows = []
    for index, setting in enumerate(result.settings):
        chosen = result.experiment.settings[index]
        for number, game in enumerate(setting.games):
            values = {measure.name: measure.value(game) for measure in result.measures}
            rows.append(
                {
                    "setting": setting.label,
                    "options": list(chosen.options),
                    "bot": chosen.bot,
                    "number": number,
                    "seed": str(result.experiment.make_task(index, number).seed),
                    "first": game.first,
                    "shares": list(game.shares),
                    "scores": list(game.scores),
                    "reason": game.reason,
                    "seconds": game.seconds,
                    **values,
                    "firsts": [{"gain": word, "seat": seat} for word, seat in game.firsts.items()],
                    "used": [
                        {"word": word, "seat": seat, "times": times}
                        for word, counts in game.used.items()
                        for seat, times in enumerate(counts)
                    ],
                }
            )
    return rows


def write_parquet(result: BalanceResult, path: Path) -> None:
    """Write every game as a row of a Parquet file; raises `MissingExtra` without the library for it."""
    require_extra("lab")
    import pyarrow as pa  # type: ignore[import-untyped] # noqa: PLC0415 - an extra, and it has no types
    from pyarrow import parquet  # noqa: PLC0415 - as above

    counted = pa.struct([("word", pa.string()), ("seat", pa.int32()), ("times", pa.int32())])
    gained = pa.struct([("gain", pa.string()), ("seat", pa.int32())])
    schema = pa.schema(
        [
            *((name, pa.string()) for name in ("setting", "bot", "seed", "reason")),
            ("options", pa.list_(pa.string())),
            *((name, pa.int32()) for name in ("number", "first")),
            *((name, pa.list_(pa.float64())) for name in ("shares", "scores")),
            ("seconds", pa.float64()),
            *((measure.name, pa.float64()) for measure in result.measures),
            ("firsts", pa.list_(gained)),
            ("used", pa.list_(counted)),
        ]
    )
    parquet.write_table(pa.Table.from_pylist(list_rows(result), schema=schema), path)
