"""Workflow tasks: look at them, tell how far the job is, call them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..address import without_none
from ..call import Call
from ..entity import Criteria, Order, Page, Properties
from ..errors import ArgumentError
from ..models import EventWorkflowTask
from .entities import Entities
from .requests import Connection, Requests

CALLBACK_PATH = "/external-events/callback/"
Outcome = Literal["SUCCESS", "FAILURE"]


class Tasks:
    """``client.tasks``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._entities = Entities(requests)

    async def get(self, task_id: str) -> EventWorkflowTask:
        """A task as it is now.

        >>> print((await client.tasks.get(task["id"]))["status"])
        """
        return await self._entities.get("event-workflow-task", task_id, as_type=EventWorkflowTask)

    async def list(
        self,
        *,
        criteria: Criteria | None = None,
        order: Order | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
    ) -> Page[EventWorkflowTask]:
        """Tasks, ended ones too.

        >>> page = await client.tasks.list(criteria={"status": "awaiting"})
        """
        return await self._entities.list(
            "event-workflow-task",
            criteria=criteria,
            order=order,
            limit=limit,
            next_page_key=next_page_key,
            as_type=EventWorkflowTask,
        )

    async def create(
        self, name: str, *, timeout_seconds: int | None = None, idempotency_key: str | None = None
    ) -> EventWorkflowTask:
        """A task of its own that waits for its callback.

        >>> task = await client.tasks.create("Render images")
        """
        body = {"name": name, "async": True, **without_none(timeoutSeconds=timeout_seconds)}
        call: Call[EventWorkflowTask] = Call(
            "POST", "/event-workflow-tasks", json=body, idempotency_key=idempotency_key
        )
        return await self._requests.json(call)

    async def set_subtext(self, task_id: str, subtext: str) -> EventWorkflowTask:
        """Tells people how far the job is.

        >>> await client.tasks.set_subtext(task["id"], "120 of 400")
        """
        body = {"subtext": subtext}
        return await self._entities.update("event-workflow-task", task_id, body, as_type=EventWorkflowTask)

    async def callback(
        self,
        task_id: str,
        status: Outcome,
        *,
        logs: str | Sequence[str] | None = None,
        output: Properties | None = None,
        subtext: str | None = None,
    ) -> EventWorkflowTask:
        """Completes or fails a waiting task; an identical repeat changes nothing (N38).

        >>> await client.tasks.callback(task["id"], "SUCCESS", logs=["400 images"], output={"images": 400})
        """
        body = without_none(taskId=task_id, status=status, logs=logs, output=output, subtext=subtext)
        return await self._requests.json(Call("POST", CALLBACK_PATH, json=body, is_idempotent=True))


async def send_callback(
    callback_url: str,
    callback_token: str,
    task_id: str,
    status: Outcome,
    *,
    logs: str | Sequence[str] | None = None,
    output: Properties | None = None,
    subtext: str | None = None,
) -> EventWorkflowTask:
    """For a system that an async task has called: answers with the address and token that it was handed, without a login (N39).

    >>> await send_callback(call["callbackUrl"], call["callbackToken"], call["taskId"], "SUCCESS")
    """
    end = callback_url.rfind(CALLBACK_PATH.rstrip("/"))
    if end < 0:
        raise ArgumentError(f'callback_url must lead to {CALLBACK_PATH}, and "{callback_url}" does not.')
    requests = Requests(Connection(callback_url[:end]), {"authorization": f"Bearer {callback_token}"})
    try:
        return await Tasks(requests).callback(task_id, status, logs=logs, output=output, subtext=subtext)
    finally:
        await requests.close()
