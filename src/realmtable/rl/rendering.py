"""Pictures of a game for environments, from what a spectator may know."""

from __future__ import annotations

import io
from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.errors import BadInput
from realmtable.engine.extras import require_extra
from realmtable.engine.pictures import draw_whole
from realmtable.rl.episode import Episode

RENDER_MODES: Final = ("ansi", "human", "rgb_array", "svg")
IMAGE_WIDTH: Final = 600  # pixels

Picture = str | NDArray[np.uint8] | None


class Svg(str):
    """A picture as SVG, which notebooks display."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Return the picture, as notebooks ask for it."""
        return str(self)


def check_render_mode(mode: str | None) -> None:
    """Refuse an unknown mode, or one that needs packages which are not installed."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadInput(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {mode[:40]}.")
    if mode == "rgb_array":
        require_extra("server")


def render(episode: Episode, mode: str | None) -> Picture:
    """Return the picture in a mode: text, SVG or an array of pixels; `human` prints text and returns None."""
    if mode is None:
        return None
    game, view = episode.game, episode.game.view(episode.state, None)
    if mode == "svg":
        return Svg(draw_whole(game, view, "light"))
    if mode == "rgb_array":
        return _render_pixels(draw_whole(game, view, "light"))
    text = "\n".join("".join(span[0] for span in line) for line in game.sketch(view))
    if mode == "ansi":
        return text
    print(text)  # noqa: T201 - this is what the mode is for
    return None


def _render_pixels(svg: str) -> NDArray[np.uint8]:
    from PIL import Image  # noqa: PLC0415 - of the extra `server`

    from realmtable.server.images.render import render_picture  # noqa: PLC0415 - needs the extra `server`

    with Image.open(io.BytesIO(render_picture(svg, "light", IMAGE_WIDTH))) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)
