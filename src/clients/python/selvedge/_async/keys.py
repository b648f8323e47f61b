"""API keys. Calls that issue a key are sent once: the answer to a repeat could not show the key again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..address import segment, without_none
from ..call import Call
from ..entity import Page
from ..models import ApiKey, IssuedApiKey
from .requests import Requests

Scope = Literal["read", "write"]


class Keys:
    """``client.keys``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def list(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[ApiKey]:
        """Keys that the caller may see, without their secrets.

        >>> for key in (await client.keys.list())["results"]:
        ...     print(key["name"], key["lastUsedOn"])
        """
        return await self._requests.json(Call("GET", "/api-keys", {"limit": limit, "nextPageKey": next_page_key}))

    async def create(
        self,
        name: str,
        *,
        kind: Literal["app", "user"] | None = None,
        scope: Scope | None = None,
        expires_on: str | None = None,
        entity_types: Sequence[str] | None = None,
        addresses: Sequence[str] | None = None,
    ) -> IssuedApiKey:
        """A new key, whose ``key`` is shown this once. It can be limited to entity types and to addresses.

        >>> key = (await client.keys.create("nightly sync", scope="read"))["key"]
        """
        body = without_none(
            name=name, kind=kind, scope=scope, expiresOn=expires_on, entityTypes=entity_types, addresses=addresses
        )
        return await self._requests.json(Call("POST", "/api-keys", json=body, repeat="never"))

    async def rotate(self, key_id: str, *, overlap_seconds: int | None = None) -> IssuedApiKey:
        """A new key in place of the old one, which keeps working for ``overlap_seconds``.

        >>> successor = await client.keys.rotate(key_id, overlap_seconds=86_400)
        """
        path = f"/api-keys/{segment('id', key_id)}/rotate"
        body = without_none(overlapSeconds=overlap_seconds)
        return await self._requests.json(Call("POST", path, json=body, repeat="never"))

    async def delete(self, key_id: str) -> None:
        """Revokes a key at once.

        >>> await client.keys.delete(key_id)
        """
        await self._requests.json(Call("DELETE", f"/api-keys/{segment('id', key_id)}", done_status=404))
