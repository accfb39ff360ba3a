"""Images of games for sharing: made once in a worker process, then kept in memory by their content.

A picture is made while its requester waits. An animation takes longer: the server makes a few of them at a time in the
background, and a request is answered with the progress until the file is ready.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from realmtable.engine.errors import RealmtableError
from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.errors import RateLimited, Unavailable
from realmtable.server.fair_queue import Requester
from realmtable.server.images.render import Caption, Shape, Theme, join_frames, render_captioned
from realmtable.server.settings import MIB
from realmtable.server.shared_tasks import SharedTasks
from realmtable.server.sized_cache import SizedCache
from realmtable.server.tables.replays import image_tasks
from realmtable.server.tables.replays.replay_tasks import EncodedGame
from realmtable.server.workers.replay_pool import ReplayPool

FORMAT: Final = 1  # to be raised when images of the same content change
MAX_STORED_BYTES: Final = 48 * MIB
MAX_ANIMATIONS: Final = 8  # in progress or waiting
MAX_ANIMATIONS_PER_ADDRESS: Final = 3
RETRY_AFTER_S: Final = 10
FRAMES_PER_TASK: Final = 4  # so that other tasks get their turn between
PATIENCE_S: Final = 5.0  # how long a request waits for an animation before it is answered with the progress
FAILURES_KEPT_S: Final = 30.0


class ImageKey(NamedTuple):
    """What an image shows; images with equal keys are equal.

    It must follow from what a spectator may see: its digest leaves the server, and so does the time that a new image
    takes.
    """

    content: Any  # a picture as SVG, or the id of a finished game
    caption: Caption
    shape: Shape
    theme: Theme

    @property
    def digest(self) -> str:
        """The key as a short text, which is also the ETag."""
        return hashlib.sha256(f"{FORMAT}\0{self!r}".encode()).hexdigest()[:32]


@dataclass
class Animation:
    """An animation that is being made, and the address that asked for it first."""

    address: str
    task: asyncio.Task[bytes] | None = None
    made: int = 0
    frames: int = 0  # 0 until the game is loaded

    def progress(self) -> dict[str, int]:
        """Return the progress as plain data."""
        return {"made": self.made, "frames": self.frames}


class SharedImages:
    """Makes and stores the images that people share."""

    def __init__(self, pool: ReplayPool, limits: Limits) -> None:
        self.store: SizedCache[str, bytes] = SizedCache(MAX_STORED_BYTES, len)  # by digest
        self._pool = pool
        self._limits = limits
        self._making: SharedTasks[bytes] = SharedTasks()
        self._animations: dict[str, Animation] = {}
        self._animating = asyncio.Semaphore(1)

    async def picture(self, requester: Requester, key: ImageKey) -> bytes:
        """Return a picture with a caption as PNG."""
        digest = key.digest
        image = self.store.get(digest)
        if image is not None:
            return image
        await self._limits.check("picture", requester.key)
        await self._limits.check("address_picture", requester.address)

        async def make() -> bytes:
            made = await self._pool.run(requester, 1, render_captioned, *key)
            self.store.put(digest, made)
            return made

        return await self._making.run(digest, make)

    async def animation(
        self, requester: Requester, key: ImageKey, load: Callable[[], Awaitable[EncodedGame]]
    ) -> bytes | dict[str, int]:
        """Return an animated GIF or, until it is ready, the progress; the first request starts the work."""
        digest = key.digest
        image = self.store.get(digest)
        if image is not None:
            return image
        animation = self._animations.get(digest)
        if animation is None:
            await self._limits.check("animation", requester.key)
            await self._limits.check("address_animation", requester.address)
            self._check_in_progress(requester)
            animation = self._animations.setdefault(digest, Animation(requester.address))
        if animation.task is None:
            animation.task = asyncio.ensure_future(self._animate(animation, requester, key, load))
            animation.task.add_done_callback(lambda _: self._finish(digest))
        done, _ = await asyncio.wait({animation.task}, timeout=PATIENCE_S)
        return animation.task.result() if done else animation.progress()

    def _check_in_progress(self, requester: Requester) -> None:
        addresses = [each.address for each in self._animations.values() if each.task is None or not each.task.done()]
        if addresses.count(requester.address) >= MAX_ANIMATIONS_PER_ADDRESS:
            raise RateLimited("You have other animations in progress; wait for the first to finish.", RETRY_AFTER_S)
        if len(addresses) >= MAX_ANIMATIONS:
            raise Unavailable("The server is making other animations; try again in a minute.")

    async def _animate(
        self, animation: Animation, requester: Requester, key: ImageKey, load: Callable[[], Awaitable[EncodedGame]]
    ) -> bytes:
        async with self._animating:
            game = await load()
            runs = image_tasks.choose_frames(game)
            planned = [*((run, "") for run in runs[:-1]), (runs[-1], key.caption.line)]
            animation.frames = len(planned)
            frames: list[bytes] = []
            for first in range(0, len(planned), FRAMES_PER_TASK):
                part = planned[first : first + FRAMES_PER_TASK]
                cost = sum(1 + len(run.moves) for run, _ in part)
                frames += await self._pool.run_long(
                    requester, cost, image_tasks.render_frames, part, key.caption, key.theme
                )
                animation.made = len(frames)
            image = await self._pool.run_long(requester, 1, join_frames, frames)
        self.store.put(key.digest, image)
        return image

    def _finish(self, digest: str) -> None:
        """Forget an animation that is stored; one that has failed answers for a while, so that all requesters see why.

        A limit concerns only the first requester, so the next one starts again.
        """
        task = self._animations[digest].task
        error = None if task is None or task.cancelled() else task.exception()
        if isinstance(error, RealmtableError) and not isinstance(error, RateLimited):
            asyncio.get_running_loop().call_later(FAILURES_KEPT_S, self._animations.pop, digest, None)
        else:
            self._animations.pop(digest, None)

    async def close(self) -> None:
        """Stop the work in progress and the worker processes."""
        tasks = [animation.task for animation in self._animations.values() if animation.task is not None]
        self._making.cancel()
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, Exception):
                await task
        await self._pool.close()
