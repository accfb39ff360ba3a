"""Environments for reinforcement learning.

`vector` plays many games of one kind at once, in arrays; it is imported on first use.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

_EXPORTS: Final = {"vector": ("realmtable.rl.vector_env", "make_vector")}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the exports
    """Import an export on first use."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _EXPORTS[name]
    return getattr(importlib.import_module(module), attribute)
