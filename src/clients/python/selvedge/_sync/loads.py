# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""Loads: check a configuration, start a load, watch it, or do all of it with ``run``."""

from __future__ import annotations

from collections.abc import Callable

from ..address import segment
from ..call import Call
from ..entity import Criteria, Order, Page
from ..errors import ApiError, FieldError, LoadError
from ..models import LoaderConfiguration, LoaderProcess
from ..upload_content import Content, OnUpload
from .entities import Entities
from .files import Files
from .requests import Requests
from .watch import watch

OnLoad = Callable[[LoaderProcess], object]


class Loads:
    """``client.loads``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._entities = Entities(requests)
        self._files = Files(requests)

    def check(self, config: LoaderConfiguration) -> tuple[FieldError, ...]:
        """What is wrong with a configuration, before there is a file to load with it. Nothing is written.

        >>> for fault in client.loads.check({"loadType": ["ITEM"]}):
        ...     print(fault.path, fault.message)
        """
        try:
            self._refuse_faults(config)
        except ApiError as error:
            if error.status != 400 or not error.errors:
                raise
            return error.errors
        return ()

    def start(self, config: LoaderConfiguration, *, idempotency_key: str | None = None) -> LoaderProcess:
        """Starts a load of a file that is uploaded already.

        >>> load = client.loads.start({"loadType": ["ITEM"], "fileLocation": file["id"]})
        """
        call: Call[LoaderProcess] = Call("POST", "/loader-processes", json=config, idempotency_key=idempotency_key)
        return self._requests.json(call)

    def get(self, load_id: str) -> LoaderProcess:
        """A load as it is now.

        >>> print((client.loads.get(load_id))["progress"]["percent"])
        """
        return self._entities.get("loader-process", load_id, as_type=LoaderProcess)

    def list(
        self,
        *,
        criteria: Criteria | None = None,
        order: Order | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
    ) -> Page[LoaderProcess]:
        """Loads, earlier ones too.

        >>> page = client.loads.list(criteria={"status": "failed"}, limit=5)
        """
        return self._entities.list(
            "loader-process",
            criteria=criteria,
            order=order,
            limit=limit,
            next_page_key=next_page_key,
            as_type=LoaderProcess,
        )

    def cancel(self, load_id: str) -> LoaderProcess:
        """Stops a load; what it has written stays.

        >>> client.loads.cancel(load["id"])
        """
        return self._requests.json(Call("POST", f"/loader-processes/{segment('id', load_id)}/cancel"))

    def wait(self, load_id: str, *, on_progress: OnLoad | None = None) -> LoaderProcess:
        """Waits for the end of a load; raises a LoadError unless it completed.

        >>> done = client.loads.wait(load["id"], on_progress=lambda load: print(load["progress"]["percent"]))
        """

        def has_ended(load: LoaderProcess) -> bool:
            return load["status"] in ("completed", "failed", "cancelled")

        load = watch(lambda: self.get(load_id), on_progress, has_ended)
        if load["status"] != "completed":
            raise LoadError(load)
        return load

    def run(
        self,
        config: LoaderConfiguration,
        *,
        file: Content | None = None,
        file_name: str | None = None,
        content_type: str | None = None,
        on_progress: OnLoad | None = None,
        on_upload: OnUpload | None = None,
    ) -> LoaderProcess:
        """Uploads the file, starts the load and waits for its end; raises a LoadError unless it completed.

        A configuration that is refused is refused before the upload.

        >>> load = client.loads.run({"loadType": ["ITEM"]}, file=Path("styles.csv"))
        >>> print(load["results"]["item"]["created"])
        """
        if file is not None:
            self._refuse_faults(config)
            uploaded = self._files.upload(file, file_name=file_name, content_type=content_type, on_progress=on_upload)
            config = {**config, "fileLocation": uploaded["id"]}
        started = self.start(config)
        return self.wait(started["id"], on_progress=on_progress)

    def _refuse_faults(self, config: LoaderConfiguration) -> None:
        body = {name: value for name, value in config.items() if name != "fileLocation"}
        self._requests.json(Call("POST", "/loader-processes/check", json=body, is_idempotent=True))
