"""Types: which properties the entities of a type path have. They are written as entities named ``type``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..address import segment, without_none
from ..call import Call
from ..models import PlannedType, ResolvedType, TypeCheck, TypeList
from .requests import Requests


class EntityTypes:
    """``client.types``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def list(self, *, limit: int | None = None, next_page_key: str | None = None) -> TypeList:
        """The types that the organization describes, and beside them every entity type of the service.

        >>> for root in (await client.types.list())["entityTypes"]:
        ...     print(root["rootTypePath"])
        """
        return await self._requests.json(Call("GET", "/types", {"limit": limit, "nextPageKey": next_page_key}))

    async def get(self, type_path: str) -> ResolvedType:
        """The type of a path with the properties of the paths above it.

        >>> shoe = await client.types.get("item:shoe")
        """
        return await self._requests.json(Call("GET", f"/types/{segment('type_path', type_path)}"))

    async def schema(
        self, type_path: str | None = None, *, variant: Literal["create", "update", "read"] | None = None
    ) -> dict[str, Any]:
        """Entities of a type as JSON Schema; without a path those of all types under ``$defs``.

        >>> schema = await client.types.schema("item:shoe", variant="create")
        """
        path = "/types" if type_path is None else f"/types/{segment('type_path', type_path)}"
        return await self._requests.json(Call("GET", path, {"format": "json-schema", "variant": variant}))

    async def check(self, types: Sequence[PlannedType], *, next_page_key: str | None = None) -> TypeCheck:
        """Which stored entities would no longer fit if the types were these. Nothing is written.

        >>> check = await client.types.check([{"typePath": "item:shoe", "properties": []}])
        """
        body = without_none(types=list(types), nextPageKey=next_page_key)
        return await self._requests.json(Call("POST", "/types/check", json=body, is_idempotent=True))
