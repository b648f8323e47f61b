"""Waiting and working side by side, with asyncio. `_sync/runtime.py` has the same names for threads; both are written by hand."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ..upload_content import Piece, Pieces

T = TypeVar("T")


async def pause(seconds: float) -> None:
    await asyncio.sleep(seconds)


async def notify(listener: Callable[[T], object] | None, value: T) -> None:
    """A listener may be a coroutine function."""
    result = listener(value) if listener is not None else None
    if inspect.isawaitable(result):
        await result


async def next_piece(pieces: Pieces) -> Piece | None:
    """In a thread, since it may read a file."""
    return await asyncio.to_thread(pieces.next)


async def side_by_side(work: Callable[[], Awaitable[None]], count: int) -> None:
    """Runs the same work several times at once; the first failure ends all of them."""
    tasks = [asyncio.ensure_future(work()) for _ in range(count)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
