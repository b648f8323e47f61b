"""Every call of the client goes through ``Requests``: it sends, repeats where that is safe, and gives a value or an ApiError."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, TypeVar

import httpx

from ..address import base_address
from ..bookmark import BOOKMARK_HEADER, Bookmark
from ..call import DEFAULT_TIMEOUT_S, Call, Prepared, error_of, json_of, prepare, refuse_redirect, unanswered
from ..errors import ApiError, ArgumentError
from ..retry import DEFAULT_MAX_RETRIES, delay_s, leaves_in_doubt, may_repeat, retry_after_s
from .runtime import pause

T = TypeVar("T")
OnBookmark = Callable[[str | None], None]


@dataclass(frozen=True)
class Connection:
    """Where the service is, and how patient the client is with it."""

    base_url: str
    timeout: float = DEFAULT_TIMEOUT_S
    max_retries: int = DEFAULT_MAX_RETRIES
    headers: Mapping[str, str] | None = None
    bookmark: str | None = None
    on_bookmark: OnBookmark | None = None
    http_client: httpx.AsyncClient | None = None


class Requests:
    def __init__(self, connection: Connection, credentials: Mapping[str, str]) -> None:
        self.base_url = base_address(connection.base_url)
        self.bookmark = Bookmark(connection.bookmark, connection.on_bookmark)
        self._connection = connection
        self._headers = {**(connection.headers or {}), **credentials}
        self._http = connection.http_client or httpx.AsyncClient()
        for name, value in self._headers.items():
            if not value.isascii() or "\n" in value or "\r" in value:
                raise ArgumentError(f"The header {name} cannot hold the value that was given for it.")

    def with_options(self, timeout: float | None, max_retries: int | None) -> Requests:
        """The same connection, credentials and bookmark with other patience."""
        other = copy(self)
        mine = self._connection
        other._connection = replace(
            mine,
            timeout=mine.timeout if timeout is None else timeout,
            max_retries=mine.max_retries if max_retries is None else max_retries,
        )
        return other

    async def close(self) -> None:
        """An HTTP client of the caller's stays open."""
        if self._connection.http_client is None:
            await self._http.aclose()

    async def json(self, call: Call[T], timeout: float | None = None) -> T:
        """The parsed JSON answer; None for an empty one."""
        response = await self._answer(call, is_streamed=False, timeout=timeout)
        body: Any = None if response is None else json_of(response)
        found: T = body
        return found

    async def open(self, call: Call[Any]) -> httpx.Response:
        """The answer with its body unread: read it with ``pieces``, which closes it."""
        response = await self._answer(call, is_streamed=True)
        assert response is not None
        return response

    async def pieces(self, response: httpx.Response) -> AsyncIterator[bytes]:
        try:
            async for piece in response.aiter_bytes():
                yield piece
        except httpx.RequestError as cause:
            raise unanswered(response.url, cause) from cause
        finally:
            await response.aclose()

    async def _answer(
        self, call: Call[Any], *, is_streamed: bool, timeout: float | None = None
    ) -> httpx.Response | None:
        prepared = prepare(call, self.base_url, self._headers)
        is_in_doubt = False
        retry = 0
        while True:
            asked = None
            try:
                response = await self._attempt(call, prepared, timeout or self._connection.timeout)
                if response.is_success:
                    if not is_streamed:
                        await response.aread()
                    return response
                asked = retry_after_s(response.headers.get("retry-after"), datetime.now(timezone.utc))
                await response.aread()
                error = error_of(response)
            except httpx.RequestError as cause:
                error = unanswered(prepared.url, cause)
            if is_in_doubt and call.has_been_done(error):
                return None
            is_in_doubt = is_in_doubt or leaves_in_doubt(error.status)
            delay = delay_s(retry, asked, random.random())
            if retry >= self._connection.max_retries or delay is None or not may_repeat(call.repeats, error.status):
                raise error
            retry += 1
            await pause(delay)

    async def _attempt(self, call: Call[Any], prepared: Prepared, timeout: float) -> httpx.Response:
        begun = self.bookmark.begin()
        headers = prepared.headers if begun.sent is None else {**prepared.headers, BOOKMARK_HEADER: begun.sent}
        request = self._http.build_request(
            call.method, prepared.url, headers=headers, content=prepared.body, timeout=timeout
        )
        is_write = call.method != "GET"
        try:
            response = await self._http.send(request, stream=True, follow_redirects=False)
        except httpx.RequestError:
            if is_write:
                self.bookmark.give_up()
            raise
        try:
            refuse_redirect(response)
        except ApiError:
            await response.aclose()
            raise
        is_refused = 400 <= response.status_code < 500
        self.bookmark.answered(begun, response.headers.get(BOOKMARK_HEADER), is_write and not is_refused)
        return response
