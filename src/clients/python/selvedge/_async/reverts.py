"""Taking back a load, or changes by who made them and when (N52)."""

from __future__ import annotations

from collections.abc import Callable

from ..address import segment
from ..call import Call
from ..entity import Criteria, Order, Page
from ..errors import RevertError
from ..models import RestoreChanges, RevertProcess
from .entities import Entities
from .requests import Requests
from .watch import watch


class Reverts:
    """``client.reverts``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._entities = Entities(requests)

    async def start_for_load(
        self, load_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> RevertProcess:
        """Starts to take a load back; ``dry_run`` only counts.

        >>> revert = await client.reverts.start_for_load(load["id"], dry_run=True)
        """
        path = f"/loader-processes/{segment('id', load_id)}/revert"
        return await self._requests.json(Call("POST", path, json={"dryRun": dry_run}, idempotency_key=idempotency_key))

    async def start_for_changes(self, changes: RestoreChanges, *, idempotency_key: str | None = None) -> RevertProcess:
        """Starts to take changes back, such as all that one key has made since a time.

        >>> await client.reverts.start_for_changes({"criteria": {"entityType": "item"}, "since": "2026-11-01T08:00:00Z"})
        """
        call: Call[RevertProcess] = Call(
            "POST", "/change-history/restore", json=changes, idempotency_key=idempotency_key
        )
        return await self._requests.json(call)

    async def get(self, revert_id: str) -> RevertProcess:
        """A revert as it is now.

        >>> print((await client.reverts.get(revert_id))["progress"]["percent"])
        """
        return await self._entities.get("revert-process", revert_id, as_type=RevertProcess)

    async def list(
        self,
        *,
        criteria: Criteria | None = None,
        order: Order | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
    ) -> Page[RevertProcess]:
        """Reverts, earlier ones too.

        >>> page = await client.reverts.list(limit=5)
        """
        return await self._entities.list(
            "revert-process",
            criteria=criteria,
            order=order,
            limit=limit,
            next_page_key=next_page_key,
            as_type=RevertProcess,
        )

    async def cancel(self, revert_id: str) -> RevertProcess:
        """Stops a revert; what it has taken back stays taken back.

        >>> await client.reverts.cancel(revert["id"])
        """
        return await self._requests.json(Call("POST", f"/revert-processes/{segment('id', revert_id)}/cancel"))

    async def wait(
        self, revert_id: str, *, on_progress: Callable[[RevertProcess], object] | None = None
    ) -> RevertProcess:
        """Waits for the end of a revert; raises a RevertError unless it completed.

        >>> done = await client.reverts.wait(revert["id"])
        """

        def has_ended(revert: RevertProcess) -> bool:
            return revert["status"] in ("completed", "failed", "cancelled")

        revert = await watch(lambda: self.get(revert_id), on_progress, has_ended)
        if revert["status"] != "completed":
            raise RevertError(revert)
        return revert
