"""The scripts of the pages: their imports go in one direction, and their types are checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from realmtable.server.site import static_files

TEMPLATES = static_files.FOLDER.parent / "templates"
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


def test_every_role_that_scripts_look_up_is_in_the_pages() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in static_files.FOLDER.glob("*.js"))
    pages = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.html"))
    made = set(re.findall(r'data-role="([\w-]+)"', scripts))
    looked_up = set(re.findall(r'\bbyRole\("([\w-]+)"\)', scripts))
    assert [role for role in sorted(looked_up - made) if f'"{role}"' not in pages] == []


def test_no_code_is_left_out_of_scripts_with_their_comments() -> None:
    for path in static_files.FOLDER.glob("*.js"):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        code = [line for line in lines if line and not re.match(r"//|/\*\*|\*", line)]
        assert len(static_files.files()[path.name].content.splitlines()) >= len(code), path.name


def test_types_are_checked_in_every_script() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in static_files.FOLDER.glob("*.js")}
    assert [name for name, text in texts.items() if not text.startswith("// @ts-check\n")] == []
