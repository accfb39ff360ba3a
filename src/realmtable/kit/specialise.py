"""Runs a module once per game, with the game's rules inside it, so that Numba compiles it for that game alone."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from typing import Any

from realmtable.kit.rules import Rules


@cache
def specialise(source: Path, package: str, rules: Rules) -> Any:  # noqa: ANN401 - a module
    """Return a module made from `source` for one game; the source finds the game's `Rules` in its global `GAME`.

    The module gets its own name, so that its machine code is cached separately.
    """
    name = f"{package}.{source.stem}_of_{rules.game_id}"
    spec = importlib.util.spec_from_file_location(name, source)
    assert spec is not None  # noqa: S101 - the file is part of this package
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    module.__dict__["GAME"] = rules
    sys.modules[spec.name] = module  # where cached machine code looks for it
    spec.loader.exec_module(module)
    return module
