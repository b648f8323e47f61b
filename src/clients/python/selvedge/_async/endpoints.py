"""The outbound endpoints of an organization, and the deliveries to them (N41)."""

from __future__ import annotations

from typing import Literal

from ..address import org_path, segment
from ..call import Call
from ..entity import Batch, Page
from ..models import Delivery, Endpoint, PutEndpoint
from .requests import Requests


class Endpoints:
    """``operator.endpoints``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def list(self, slug: str) -> Batch[Endpoint]:
        """The endpoints of an organization.

        >>> endpoints = await operator.endpoints.list("acme")
        """
        return await self._requests.json(Call("GET", endpoint_path(slug)))

    async def get(self, slug: str, name: str) -> Endpoint:
        """One endpoint, its secrets masked.

        >>> endpoint = await operator.endpoints.get("acme", "shop")
        """
        return await self._requests.json(Call("GET", endpoint_path(slug, name)))

    async def set(self, slug: str, name: str, endpoint: PutEndpoint) -> Endpoint:
        """Makes or replaces an endpoint.

        >>> auth = {"kind": "hmac", "secret": secret}
        >>> await operator.endpoints.set("acme", "shop", {"url": url, "events": ["item|*"], "auth": auth})
        """
        return await self._requests.json(Call("PUT", endpoint_path(slug, name), json=endpoint))

    async def delete(self, slug: str, name: str) -> None:
        """Deletes an endpoint; nothing more is delivered to it.

        >>> await operator.endpoints.delete("acme", "shop")
        """
        await self._requests.json(Call("DELETE", endpoint_path(slug, name), done_status=404))

    async def deliveries(
        self,
        slug: str,
        name: str,
        *,
        status: Literal["pending", "delivered", "failed"] | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
    ) -> Page[Delivery]:
        """Deliveries to an endpoint, newest first.

        >>> failed = await operator.endpoints.deliveries("acme", "shop", status="failed")
        """
        query = {"limit": limit, "nextPageKey": next_page_key, "status": status}
        return await self._requests.json(Call("GET", f"{endpoint_path(slug, name)}/deliveries", query))

    async def resend(self, slug: str, name: str, delivery_id: str) -> Delivery:
        """Sends a delivery again.

        >>> await operator.endpoints.resend("acme", "shop", delivery["id"])
        """
        path = f"{endpoint_path(slug, name)}/deliveries/{segment('id', delivery_id)}/resend"
        return await self._requests.json(Call("POST", path))


def endpoint_path(slug: str, name: str | None = None) -> str:
    path = f"{org_path(slug)}/endpoints"
    return path if name is None else f"{path}/{segment('name', name)}"
