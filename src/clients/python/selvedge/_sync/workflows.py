# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
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

    def request(
        self, trigger_key: str, event: Properties | None = None, *, idempotency_key: str | None = None
    ) -> Batch[EventWorkflowProcess]:
        """Starts every active workflow with this trigger key.

        >>> runs = client.workflows.request("nightly", {"region": "eu"})
        """
        body = {"triggerKey": trigger_key, **({} if event is None else {"event": event})}
        call: Call[Batch[EventWorkflowProcess]] = Call(
            "POST", "/event-workflow-requests", json=body, idempotency_key=idempotency_key
        )
        return self._requests.json(call)

    def get_process(self, process_id: str) -> EventWorkflowProcess:
        """A run as it is now.

        >>> print((client.workflows.get_process(run["id"]))["status"])
        """
        return self._entities.get("event-workflow-process", process_id, as_type=EventWorkflowProcess)

    def list_processes(
        self,
        *,
        criteria: Criteria | None = None,
        order: Order | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
    ) -> Page[EventWorkflowProcess]:
        """Runs, earlier ones too.

        >>> page = client.workflows.list_processes(criteria={"status": "failed"})
        """
        return self._entities.list(
            "event-workflow-process",
            criteria=criteria,
            order=order,
            limit=limit,
            next_page_key=next_page_key,
            as_type=EventWorkflowProcess,
        )

    def cancel_process(self, process_id: str) -> EventWorkflowProcess:
        """Stops a run.

        >>> client.workflows.cancel_process(run["id"])
        """
        path = f"/event-workflow-processes/{segment('id', process_id)}/cancel"
        return self._requests.json(Call("POST", path))

    def wait(
        self, process_id: str, *, on_progress: Callable[[EventWorkflowProcess], object] | None = None
    ) -> EventWorkflowProcess:
        """Waits until a run is complete, failed or cancelled; look at its ``status``.

        >>> ended = client.workflows.wait(run["id"])
        """

        def has_ended(run: EventWorkflowProcess) -> bool:
            return run["status"] in ("complete", "failed", "cancelled")

        return watch(lambda: self.get_process(process_id), on_progress, has_ended)

    def create_webhook(self, name: str) -> CreatedWebhook:
        """An address that outside systems call without credentials. It is shown this once, so the call is sent once.

        >>> print((client.workflows.create_webhook("shop"))["triggerUrl"])
        """
        return self._requests.json(Call("POST", "/webhooks", json={"name": name}, repeat="never"))
