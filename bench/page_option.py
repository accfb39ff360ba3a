"""The option of commands that write a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


def _require_folder(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
    """Fail at once if the folder of the page is missing, not after hours of measuring."""
    if path is not None and not path.parent.is_dir():
        raise click.BadParameter(f"There is no folder {path.parent} to write {path.name} to.")
    return path


def write_option(command: Any) -> Any:  # noqa: ANN401 - whatever Click decorates
    """Add the option --write."""
    page = click.Path(dir_okay=False, path_type=Path)
    return click.option("--write", type=page, callback=_require_folder, help="A page to write.")(command)
