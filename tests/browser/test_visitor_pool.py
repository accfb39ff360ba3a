"""Visitors that tests share one after the other forget everything in between."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.browser.visitor_pool import VisitorPool
from tests.server.support.live_server import ServerThread

FOLDER = Path(__file__).parent
# What a page keeps until its browser profile is closed.
LASTING = re.compile(r"\.(add_init_script|route|emulate_media|set_offline|expose_\w+)\(|\.clock\.install\(|page\.on\(")
UNSHARED = re.compile(r"fresh=True|\*\*ALLOWED|storage_state=")


@pytest.mark.slow
def test_a_visitor_who_left_is_unknown_when_they_return(visitor_pool: VisitorPool, served: ServerThread) -> None:
    device = {"viewport": {"width": 700, "height": 500}}
    first = visitor_pool.arrive(served.url, device, fresh=False)
    first.post("/api/me/name", {"name": "A short visit"})
    first.goto("/account")
    first.page.evaluate("localStorage.setItem('kept', 'yes'); sessionStorage.setItem('kept', 'yes')")
    first.page.set_viewport_size({"width": 300, "height": 300})
    first.context.new_page()
    first.complaints.append("provoked")
    first.forgives.append("provoked")
    assert visitor_pool.leave(first) == []

    second = visitor_pool.arrive(served.url, device, fresh=False)
    assert second is first
    assert second.get("/api/me")["player"] is None
    second.goto("/account")
    assert second.page.evaluate("[innerWidth, localStorage.getItem('kept'), sessionStorage.getItem('kept')]") == [
        700,
        None,
        None,
    ]
    assert second.context.pages == [second.page]
    second.complaints.append("a real one")
    assert visitor_pool.leave(second) == ["a real one"]
    assert visitor_pool.arrive(served.url, device, fresh=True) is not first


def test_tests_that_change_a_page_for_good_have_a_fresh_one() -> None:
    found = [
        f"{path.name}: {function.name}"
        for path in FOLDER.glob("test_*.py")
        if path != Path(__file__)
        for function in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef)
        and function.name.startswith("test_")
        and LASTING.search(text := ast.unparse(function))
        and not UNSHARED.search(text)
    ]
    assert found == []
