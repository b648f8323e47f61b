# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""What assortments can do beyond being entities: publish, and show what a publish changed (N33)."""

from __future__ import annotations

from ..address import segment
from ..call import Call
from ..entity import Page
from ..models import AssortmentPublish
from .requests import Requests


class Assortments:
    """``client.assortments``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def publish(self, assortment_id: str) -> AssortmentPublish:
        """Publishes an assortment, and answers what that changed.

        >>> print((client.assortments.publish(assortment["id"]))["detail"]["adds"])
        """
        return self._requests.json(Call("POST", f"/assortments/{segment('id', assortment_id)}/publish"))

    def publish_record(self, assortment_id: str, change_id: str) -> AssortmentPublish:
        """One publish of an assortment.

        >>> record = client.assortments.publish_record(assortment["id"], published["id"])
        """
        path = f"/assortments/{segment('id', assortment_id)}/history/{segment('change_id', change_id)}"
        return self._requests.json(Call("GET", path))

    def publish_records(
        self, assortment_id: str, *, limit: int | None = None, next_page_key: str | None = None
    ) -> Page[AssortmentPublish]:
        """The publishes of an assortment, newest first.

        >>> page = client.assortments.publish_records(assortment["id"], limit=5)
        """
        path = f"/assortments/{segment('id', assortment_id)}/history"
        return self._requests.json(Call("GET", path, {"limit": limit, "nextPageKey": next_page_key}))
