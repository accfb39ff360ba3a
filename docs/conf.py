"""How Sphinx builds the documentation: `make docs`. The sources are Markdown files of the whole repository."""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

from realmtable.engine import registry
from realmtable.engine.pictures import draw_whole
from realmtable.server.site.rules_rendering import read_board

os.environ["REALMTABLE_COMPILE"] = "0"  # before kernels are imported: compiled functions have no signature

ROOT = Path(__file__).parents[1]
BOARDS = ROOT / "build" / "boards"  # Sphinx looks for pictures among the sources
BOARD = re.compile(r"^```board\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK_TO_SERVER = re.compile(r"\[([^\]]+)\]\(/rules/[^)]*\)")

project = "Realmtable"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "studies/**",
    "src/realmtable/games/*/RULES.md",
    "examples/README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
exclude_patterns = [".*", "build", "dist"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3

nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # signatures name types that are not part of the reference
default_role = "code"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}

html_theme = "furo"
html_title = "Realmtable"
html_favicon = "../src/realmtable/web/static/icon.svg"
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False

ENTRANCE = """<!doctype html>
<html lang="en"><title>Realmtable</title><meta http-equiv="refresh" content="0; url=docs/index.html">
<a href="docs/index.html">Realmtable</a></html>
"""


def prepare_rules(_app: Sphinx, page: str, source: list[str]) -> None:
    """Take all chapters of a game's rules, draw their boards, and keep only the words of links to the server."""
    path = ROOT / page
    if path.name != "RULES":
        return
    game = registry.game(path.parent.name)
    BOARDS.mkdir(parents=True, exist_ok=True)

    def draw(block: re.Match[str]) -> str:
        example = read_board(game, block[1])
        picture = BOARDS / f"{game.info.id}-{block.start()}.svg"
        picture.write_text(draw_whole(game, example.match.view(None)), encoding="utf-8")
        address = f"/{picture.relative_to(ROOT).as_posix()}"
        return f"```{{figure}} {address}\n:width: 508px\n:alt: {example.caption}\n\n{example.caption}\n```"

    source[0] = LINK_TO_SERVER.sub(r"\1", BOARD.sub(draw, registry.read_rules(game.info.id)))


def mark_code(_app: Sphinx, _kind: str, _name: str, _member: object, _options: object, lines: list[str]) -> None:
    """Mark indented lines after a colon as code, which docstrings leave to the eye."""
    for number, line in enumerate(lines[:-2]):
        if line.endswith(":") and not line.endswith("::") and not lines[number + 1] and lines[number + 2][:4] == "    ":
            lines[number] += ":"


def skip_fields(_app: Sphinx, _kind: str, _name: str, member: object, _skip: bool, _options: object) -> bool | None:
    """Leave out the fields of named tuples: the signature has them, and their docstring is Python's."""
    return True if (getattr(member, "__doc__", None) or "").startswith("Alias for field number") else None


def write_entrance(app: Sphinx, _failure: Exception | None) -> None:
    """Lead from the top of the site to its first page."""
    (Path(app.outdir) / "index.html").write_text(ENTRANCE, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("source-read", prepare_rules)
    app.connect("autodoc-process-docstring", mark_code)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("build-finished", write_entrance)
