"""Entities of every type by its singular name: get, list, create, update, delete, restore, and batches of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..address import entity_path, one_path
from ..call import Call, Method, if_match
from ..entity import Batch, Criteria, Order, Page, Properties, Relations, T, relations_text
from ..errors import ApiError
from ..models import EntityCount
from ..retry import Repeat
from .requests import Requests

if TYPE_CHECKING:
    import pandas

LIST_ALL_PAGE_SIZE = 200
DEFAULT_PAGE_SIZE = 100
FAULTS_MAX = 100
"""As many faults as the service names at once."""


class Entities:
    """``client.entities``. ``as_type`` says as what an entity is read: it converts nothing and only informs type checkers."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def get(
        self, entity_name: str, entity_id: str, *, relations: Relations | None = None, as_type: type[T] | None = None
    ) -> T:
        """One entity by its id.

        >>> shirt = await client.entities.get("item", item_id, relations=["itemFamily"])
        """
        query = {"relations": relations_text(relations)}
        return await self._requests.json(Call("GET", one_path(entity_name, entity_id), query))

    async def list(
        self,
        entity_name: str,
        *,
        criteria: Criteria | None = None,
        q: str | None = None,
        order: Order | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
        relations: Relations | None = None,
        as_type: type[T] | None = None,
    ) -> Page[T]:
        """Up to ``limit`` entities (100 unless given). Where the service stops looking earlier, the list reads on (N71).

        >>> page = await client.entities.list("item", criteria={"season": "SS27"}, order={"orderField": "name", "order": "asc"})
        >>> for item in page["results"]:
        ...     print(item["name"])
        """
        query = {"criteria": criteria, "q": q, "order": order, "relations": relations_text(relations)}
        return await self._whole(entity_path(entity_name), query, limit, next_page_key)

    async def list_all(
        self,
        entity_name: str,
        *,
        criteria: Criteria | None = None,
        q: str | None = None,
        order: Order | None = None,
        page_size: int = LIST_ALL_PAGE_SIZE,
        relations: Relations | None = None,
        as_type: type[T] | None = None,
    ) -> AsyncIterator[T]:
        """Every entity that fits, page by page as they are read.

        >>> async for item in client.entities.list_all("item", criteria={"season": "SS27"}):
        ...     print(item["name"])
        """
        query = {"criteria": criteria, "q": q, "order": order, "relations": relations_text(relations)}
        key: str | None = None
        while True:
            page: Page[T] = await self._whole(entity_path(entity_name), query, page_size, key)
            for entity in page["results"]:
                yield entity
            key = page["nextPageKey"]
            if key is None:
                return

    async def search(
        self,
        q: str,
        *,
        entity_type: str | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
        as_type: type[T] | None = None,
    ) -> Page[T]:
        """Entities of all types that hold all words of ``q``, or have it as their key; each has its ``entityType``.

        >>> found = await client.entities.search("linen shi", limit=5)
        """
        return await self._whole("/search", {"q": q, "entityType": entity_type}, limit, next_page_key)

    async def count(self, entity_name: str, *, criteria: Criteria | None = None, q: str | None = None) -> EntityCount:
        """How many entities fit, exact up to 10,000.

        >>> count = (await client.entities.count("item", criteria={"price": {"gte": 20}}))["count"]
        """
        query = {"criteria": criteria, "q": q}
        return await self._requests.json(Call("GET", f"{entity_path(entity_name)}/count", query))

    async def create(
        self,
        entity_name: str,
        properties: Properties,
        *,
        idempotency_key: str | None = None,
        as_type: type[T] | None = None,
    ) -> T:
        """A new entity.

        >>> shirt = await client.entities.create("item", {"name": "Linen shirt", "federatedId": "LS-7"})
        """
        path = entity_path(entity_name)
        # Creating a webhook gives a secret away, which is not kept for a repeat.
        repeat: Repeat | None = "never" if path == "/webhooks" else None
        call: Call[T] = Call("POST", path, json=properties, idempotency_key=idempotency_key, repeat=repeat)
        return await self._requests.json(call)

    async def update(
        self,
        entity_name: str,
        entity_id: str,
        properties: Properties,
        *,
        version: int | str | None = None,
        as_type: type[T] | None = None,
    ) -> T:
        """Replaces the fields sent and keeps the others. With ``version``, an entity that has changed since is refused (412).

        >>> await client.entities.update("item", shirt["id"], {"season": None}, version=shirt["version"])
        """
        path = one_path(entity_name, entity_id)
        return await self._requests.json(Call("PUT", path, json=properties, headers=if_match(version)))

    async def delete(self, entity_name: str, entity_id: str, *, version: int | str | None = None) -> None:
        """Deletes one entity; its history stays.

        >>> await client.entities.delete("item", shirt["id"])
        """
        path = one_path(entity_name, entity_id)
        await self._requests.json(Call("DELETE", path, headers=if_match(version), done_status=404))

    async def restore(
        self,
        entity_name: str,
        entity_id: str,
        version: int,
        *,
        properties: Sequence[str] | None = None,
        if_version: int | str | None = None,
        idempotency_key: str | None = None,
        as_type: type[T] | None = None,
    ) -> T:
        """An earlier version again, or some properties of it; a deleted entity returns under its id.

        >>> await client.entities.restore("item", shirt["id"], 3, properties=["price"])
        """
        path = f"{one_path(entity_name, entity_id)}/restore"
        body = {"version": version, **({} if properties is None else {"properties": list(properties)})}
        headers = if_match(if_version)
        return await self._requests.json(
            Call("POST", path, json=body, headers=headers, idempotency_key=idempotency_key)
        )

    async def create_batch(
        self,
        entity_name: str,
        objects: Sequence[Properties],
        *,
        idempotency_key: str | None = None,
        as_type: type[T] | None = None,
    ) -> Batch[T]:
        """Up to 1,000 new entities, all or none.

        >>> await client.entities.create_batch("item", [{"name": "Scarf"}, {"name": "Hat"}])
        """
        return await self._batch("POST", entity_name, objects, idempotency_key=idempotency_key)

    async def upsert_batch(
        self,
        entity_name: str,
        objects: Sequence[Properties],
        *,
        idempotency_key: str | None = None,
        as_type: type[T] | None = None,
    ) -> Batch[T]:
        """Creates the entities whose federatedId is new and updates the others; up to 1,000, all or none.

        >>> await client.entities.upsert_batch("color", [{"federatedId": "crimson", "hex": "#dc143c"}])
        """
        query = {"upsertBy": "federatedId"}
        return await self._batch("POST", entity_name, objects, query, idempotency_key)

    async def update_batch(
        self, entity_name: str, objects: Sequence[Properties], *, as_type: type[T] | None = None
    ) -> Batch[T]:
        """Each object has the id of its entity beside the fields to change.

        >>> await client.entities.update_batch("item", [{"id": shirt["id"], "season": "FW27"}])
        """
        return await self._batch("PUT", entity_name, objects)

    async def delete_batch(self, entity_name: str, ids: Sequence[str]) -> None:
        """Up to 1,000 entities, all or none.

        >>> await client.entities.delete_batch("item", [item["id"] for item in page["results"]])
        """

        def names_all(error: ApiError) -> bool:
            """Where only some of them are missing, the first attempt has deleted none."""
            most = min(len(ids), FAULTS_MAX)
            paths = [fault.path for fault in error.errors]
            return paths[:most] == [f"/{number}" for number in range(most)]

        path = f"{entity_path(entity_name)}/batch"
        await self._requests.json(Call("DELETE", path, json=list(ids), done_status=404, is_done=names_all))

    async def to_dataframe(
        self,
        entity_name: str,
        *,
        criteria: Criteria | None = None,
        q: str | None = None,
        order: Order | None = None,
        relations: Relations | None = None,
    ) -> pandas.DataFrame:
        """Every entity that fits as a table of pandas, one row for each id. Needs ``pip install selvedge[pandas]``.

        >>> frame = await client.entities.to_dataframe("item", criteria={"season": "SS27"})
        """
        from ..dataframe import to_dataframe

        found = self.list_all(entity_name, criteria=criteria, q=q, order=order, relations=relations, page_size=1000)
        return to_dataframe([entity async for entity in found])

    async def _batch(
        self,
        method: Method,
        entity_name: str,
        objects: Sequence[Properties],
        query: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> Batch[T]:
        path = f"{entity_path(entity_name)}/batch"
        call: Call[Batch[T]] = Call(method, path, query or {}, json=list(objects), idempotency_key=idempotency_key)
        return await self._requests.json(call)

    async def _whole(self, path: str, query: Mapping[str, Any], limit: int | None, key: str | None) -> Page[T]:
        """Reads on where a page ended before it was full."""
        page: Page[T] = await self._requests.json(Call("GET", path, {**query, "limit": limit, "nextPageKey": key}))
        results, is_partial = page["results"], page.pop("isPartial", False)
        while is_partial and page["nextPageKey"] is not None and len(results) < (limit or DEFAULT_PAGE_SIZE):
            rest = (limit or DEFAULT_PAGE_SIZE) - len(results)
            more: Page[T] = await self._requests.json(
                Call("GET", path, {**query, "limit": rest, "nextPageKey": page["nextPageKey"]})
            )
            results.extend(more["results"])
            page["nextPageKey"] = more["nextPageKey"]
        return page
