"""The error tree is the one in the docstring."""

from __future__ import annotations

import pickle
import re

import pytest

from realmtable.engine import errors
from realmtable.engine.errors import BadRecord, IllegalMove, RealmtableError


def tree_in_docstring() -> dict[str, str | None]:
    """Return each class of the drawing with its parent."""
    above: list[str] = []
    tree: dict[str, str | None] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = re.fullmatch(r"    ([│├└─ ]*)([A-Z]\w+)(?:  .*)?", line)
        if found is None:
            continue
        depth = len(found[1]) // 4
        above[depth:] = [found[2]]
        tree[found[2]] = above[depth - 1] if depth else None
    return tree


def class_tree(root: type[RealmtableError], parent: str | None = None) -> dict[str, str | None]:
    tree: dict[str, str | None] = {root.__name__: parent}
    for child in root.__subclasses__():
        if child.__module__ == errors.__name__:
            tree |= class_tree(child, root.__name__)
    return tree


def test_the_drawing_is_the_class_tree() -> None:
    assert tree_in_docstring() == class_tree(RealmtableError)
    assert len(tree_in_docstring()) == 12


@pytest.mark.parametrize("name", class_tree(RealmtableError))
def test_the_code_is_the_class_name_and_every_class_is_described(name: str) -> None:
    kind = getattr(errors, name)
    error = kind("R1", "No.") if kind is IllegalMove else kind("No.")
    assert error.code == name
    assert kind.__doc__


def test_a_record_fault_names_its_line() -> None:
    assert str(BadRecord("Wrong.", 7)) == "Line 7: Wrong."
    assert BadRecord("Wrong.", 7).line == 7
    assert str(BadRecord("Wrong.")) == "Wrong."


def test_an_illegal_move_names_its_clause() -> None:
    error = IllegalMove("R7", "A Power never jumps.")
    assert (error.clause, error.sentence, str(error)) == ("R7", "A Power never jumps.", "A Power never jumps. (R7)")


REFUSALS = [BadRecord("No such turn.", 7), IllegalMove("R10", "One event a piece."), errors.GameOver("It is over.")]


@pytest.mark.parametrize("error", REFUSALS, ids=repr)
def test_a_refusal_travels_between_processes_with_its_facts(error: RealmtableError) -> None:
    error.__dict__["version"] = 4
    there = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(there), str(there), there.args) == (type(error), str(error), error.args)
    assert there.__dict__ == error.__dict__
