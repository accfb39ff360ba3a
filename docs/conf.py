"""How Sphinx builds the documentation: `make docs`. The sources are Markdown files of the whole repository."""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

os.environ["REALMTABLE_COMPILE"] = "0"  # before the package is imported: functions that are compiled have no signature

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
add_module_names = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}

html_theme = "furo"
html_title = "Realmtable"
html_favicon = "../src/realmtable/web/static/icon.svg"
html_copy_source = False
html_use_index = False
html_domain_indices = False

ENTRANCE = """<!doctype html>
<html lang="en"><title>Realmtable</title><meta http-equiv="refresh" content="0; url=docs/index.html">
<a href="docs/index.html">Realmtable</a></html>
"""


def leave_out_links_of_the_server(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Keep only the words of links that lead to a page of the server, as some rules have."""
    source[0] = re.sub(r"\[([^\]]+)\]\(/rules/[^)]*\)", r"\1", source[0])


def skip_fields(_app: Sphinx, _kind: str, _name: str, member: object, _skip: bool, _options: object) -> bool | None:
    """Leave out the fields of named tuples: the signature has them, and their docstring is Python's."""
    return True if (getattr(member, "__doc__", None) or "").startswith("Alias for field number") else None


def write_entrance(app: Sphinx, _failure: Exception | None) -> None:
    """Lead from the top of the site to its first page."""
    (Path(app.outdir) / "index.html").write_text(ENTRANCE, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("source-read", leave_out_links_of_the_server)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("build-finished", write_entrance)
