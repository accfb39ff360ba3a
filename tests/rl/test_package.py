"""The package imports nothing before it is used, and says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

from realmtable import rl
from realmtable.engine import extras
from realmtable.engine.extras import MissingExtra

HEAVY = ("gymnasium", "pettingzoo", "pyspiel", "numpy")


def test_the_package_imports_nothing_heavy() -> None:
    code = f"import sys, realmtable.rl; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == "[]"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'gold'"):
        _ = rl.gold


@pytest.mark.parametrize(
    ("module", "extra"),
    [("pettingzoo_env", "rl"), ("gym_env", "rl"), ("vector_env", "rl"), ("open_spiel", "openspiel")],
)
def test_missing_packages_are_named(module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, f"realmtable.rl.{module}", raising=False)
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=rf"pip install 'realmtable\[{extra}\]'"):
        __import__(f"realmtable.rl.{module}")
