"""`realmtable new-game`: write a small game as a package of its own, to be changed into another."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from realmtable.cli.command_helpers import make_folder, path_exists, write_text
from realmtable.engine import registry
from realmtable.engine.errors import BadInput

FILES: Final = ("pyproject.toml", "README.md", "my_game.py", "test_my_game.py")
MAX_NAME: Final = 40


@click.command("new-game")
@click.argument("name")
@click.option("--folder", type=click.Path(path_type=Path), help="Folder to make. [default: NAME]")
def command(name: str, folder: Path | None) -> None:
    """Write a small game as a package: its rules, tests, a README and the entry point by which it is found.

    NAME is the id of the game, such as three_in_a_row. The game can be played as it is; change it into your own.
    """
    check_name(name)
    target = folder or Path(name)
    if path_exists(target):
        raise BadInput(f"{target} already exists; choose another --folder.")
    make_folder(target)
    for file, text in write_skeleton(name).items():
        write_text(target / file, text)
    click.echo(f"{target} holds a game that can be played as it is; its README.md says how.")


def check_name(name: str) -> None:
    """Raise `BadInput` if a game, and its module, cannot have a name."""
    if not re.fullmatch(r"[a-z]([a-z0-9_]*[a-z0-9])?", name) or len(name) > MAX_NAME:
        raise BadInput(
            f"The name of a game is a word of up to {MAX_NAME} small letters, digits and underlines between them, "
            f"such as three_in_a_row, not {name[:MAX_NAME]!r}."
        )
    if keyword.iskeyword(name):
        raise BadInput(f"Python cannot import a module called {name!r}; choose another name.")
    if name in [info.id for info in registry.infos()]:
        raise BadInput(f"There is already a game {name!r}; choose another name.")
    if find_spec(name) is not None:
        raise BadInput(f"There is already a module {name!r} in this Python; choose another name.")


def write_skeleton(name: str) -> dict[str, str]:
    """Return the files of the package of a new game, by name."""
    title = name.replace("_", " ").title()
    words = {
        "my_game": name,
        "my-game": name.replace("_", "-"),
        "My Game": title,
        "MyGame": title.replace(" ", ""),
    }
    folder = resources.files("realmtable.cli") / "skeleton"
    found = {}
    for file in FILES:
        stored = file if file == "my_game.py" else f"{file}.template"
        text = (folder / stored).read_text(encoding="utf-8")
        found[file.replace("my_game", name)] = re.sub("|".join(words), lambda word: words[word[0]], text)
    return found
