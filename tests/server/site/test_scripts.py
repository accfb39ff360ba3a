"""The scripts of the pages: their imports go in one direction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from realmtable.server.site import static_files

# Imports for types stand in comments, which are not sent.
IMPORT = re.compile(r'\b(?:from|import)\s*\(?\s*"\./([^"]+)"')


def find_circle(scripts: Mapping[str, str]) -> list[str]:
    """Return a circle of imports, at once or later, by the names of its scripts; empty if there is none."""
    imports = {name: set(IMPORT.findall(text)) for name, text in scripts.items()}
    assert set().union(*imports.values()) <= set(scripts)
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_script_imports_itself_through_others() -> None:
    scripts = {name: file.content.decode() for name, file in static_files.files().items() if name.endswith(".js")}
    assert find_circle(scripts) == []


def test_a_circle_of_scripts_is_named() -> None:
    scripts = {
        "one.js": 'import { two } from "./two.js";',
        "two.js": 'const load = () => import("./three.js");',
        "three.js": 'import "./one.js";\nimport { four } from "./four.js";',
        "four.js": "export const four = 4;",
    }
    assert set(find_circle(scripts)) == {"one.js", "two.js", "three.js"}
    assert find_circle({**scripts, "three.js": ""}) == []
