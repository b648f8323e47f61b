"""Workflows: start runs, watch and cancel them. The workflows themselves are entities named ``event-workflow``."""

from __future__ import annotations

from collections.abc import Callable

from ..address import segment
from ..call import Call
from ..entity import Batch, Criteria, Order, Page, Properties
from ..models import CreatedWebhook, EventWorkflowProcess
from .entities import Entities
from .requests import Requests
from .watch import watch


class Workflows:
    """``client.workflows``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._entities = Entities(requests)

    async def request(
        self, trigger_key: str, event: Properties | None = None, *, idempotency_key: str | None = None
    ) -> Batch[EventWorkflowProcess]:
        """Starts every active workflow with this trigger key.

        >>> runs = await client.workflows.request("nightly", {"region": "eu"})
        """
        body = {"triggerKey": trigger_key, **({} if event is None else {"event": event})}
        call: Call[Batch[EventWorkflowProcess]] = Call(
            "POST", "/event-workflow-requests", json=body, idempotency_key=idempotency_key
        )
        return await self._requests.json(call)

    async def get_process(self, process_id: str) -> EventWorkflowProcess:
        """A run as it is now.

        >>> print((await client.workflows.get_process(run["id"]))["status"])
        """
        return await self._entities.get("event-workflow-process", process_id, as_type=EventWorkflowProcess)

    async def list_processes(
        self,
        *,
        criteria: Criteria | None = None,
        order: Order | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
    ) -> Page[EventWorkflowProcess]:
        """Runs, earlier ones too.

        >>> page = await client.workflows.list_processes(criteria={"status": "failed"})
        """
        return await self._entities.list(
            "event-workflow-process",
            criteria=criteria,
            order=order,
            limit=limit,
            next_page_key=next_page_key,
            as_type=EventWorkflowProcess,
        )

    async def cancel_process(self, process_id: str) -> EventWorkflowProcess:
        """Stops a run.

        >>> await client.workflows.cancel_process(run["id"])
        """
        path = f"/event-workflow-processes/{segment('id', process_id)}/cancel"
        return await self._requests.json(Call("POST", path))

    async def wait(
        self, process_id: str, *, on_progress: Callable[[EventWorkflowProcess], object] | None = None
    ) -> EventWorkflowProcess:
        """Waits until a run is complete, failed or cancelled; look at its ``status``.

        >>> ended = await client.workflows.wait(run["id"])
        """

        def has_ended(run: EventWorkflowProcess) -> bool:
            return run["status"] in ("complete", "failed", "cancelled")

        return await watch(lambda: self.get_process(process_id), on_progress, has_ended)

    async def create_webhook(self, name: str) -> CreatedWebhook:
        """An address that outside systems call without credentials. It is shown this once, so the call is sent once.

        >>> print((await client.workflows.create_webhook("shop"))["triggerUrl"])
        """
        return await self._requests.json(Call("POST", "/webhooks", json={"name": name}, repeat="never"))
