"""`realmtable show`: draw a position."""

from __future__ import annotations

from pathlib import Path

import click

from realmtable.cli.command_helpers import disable_compiling, write_png, write_text
from realmtable.engine import registry
from realmtable.engine.pictures import draw_whole
from realmtable.games import DEFAULT_GAME


@click.command("show")
@click.argument("position")
@click.option("--game", "game_id", default=DEFAULT_GAME, show_default=True, help="The game of the position.")
@click.option("--svg", type=click.Path(path_type=Path), help="Write the picture to this file instead of the terminal.")
@click.option("--png", type=click.Path(path_type=Path), help="Write the picture as PNG to this file.")
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", show_default=True)
def command(position: str, game_id: str, svg: Path | None, png: Path | None, theme: str) -> None:
    """Draw a POSITION in the terminal, as SVG or as PNG; `realmtable replay` and `check` print positions.

    \b
    For example
      realmtable show "W:Bh11,Pg10,Eg12S B:Bh2,Pg3 move=W" --svg board.svg
    """  # noqa: D301 - Click needs the literal \b
    disable_compiling()
    game = registry.game(game_id)
    view = game.view(game.decode(position), None)
    if svg is not None:
        write_text(svg, draw_whole(game, view, theme))
        click.echo(f"Drawn to {svg}.")
    if png is not None:
        write_png(png, draw_whole(game, view, theme), theme)
        click.echo(f"Drawn to {png}.")
    if svg is not None or png is not None:
        return
    from realmtable.cli.rich_picture import print_sketch  # noqa: PLC0415 - Rich is only for the terminal

    print_sketch(game.sketch(view))
