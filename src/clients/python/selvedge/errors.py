"""What can go wrong: with a call, before it, or with a load or revert that a call waits for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .models import LoaderProcess, LoadIssue, RevertProcess


class SelvedgeError(Exception):
    """The base of every error of this client."""


class ArgumentError(SelvedgeError, ValueError):
    """A value that no call can be made with, such as an empty id. Nothing has been sent."""


SHOWN_FAULTS = 3
"""Of an invalid input, in the message; ``errors`` has all of them."""


class FieldError(NamedTuple):
    """One fault of an invalid input."""

    path: str
    """JSON Pointer to the faulty value, for example ``/properties/0/slug``."""
    message: str


class ApiError(SelvedgeError):
    """A call that failed: an answer that is not a success, or none at all.

    >>> try:
    ...     client.entities.get("item", "gone")
    ... except ApiError as error:
    ...     print(error.status, error.code, error.request_id)
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        request_id: str | None = None,
        errors: tuple[FieldError, ...] = (),
        body: Mapping[str, Any] | None = None,
    ) -> None:
        faults = "".join(f" {path or '/'}: {fault}" for path, fault in errors[:SHOWN_FAULTS])
        super().__init__(message + faults)
        self.status = status
        """HTTP status; 0 where the connection failed or timed out."""
        self.code = code
        """Stable; the client's own are connection_failed, timeout, invalid_answer, unexpected_redirect and broken_off."""
        self.request_id = request_id
        """Quote it when you ask the operator about this call."""
        self.errors = errors
        """Every fault of an invalid input, at once."""
        self.body = body
        """The whole problem document, where there was one."""


class LoadError(SelvedgeError):
    """A load that ended as failed or cancelled; ``process`` has all of it.

    >>> try:
    ...     client.loads.run({"loadType": ["ITEM"]}, file=Path("styles.csv"))
    ... except LoadError as error:
    ...     for issue in error.issues:
    ...         print(issue["rowNumber"], issue["message"])
    """

    def __init__(self, process: LoaderProcess) -> None:
        self.process = process
        self.issues: list[LoadIssue] = process["issues"]
        first = next((issue["message"] for issue in self.issues if issue["severity"] == "error"), None)
        super().__init__(f"The load {process['id']} {process['status']}" + (f": {first}" if first else ""))


class RevertError(SelvedgeError):
    """A revert that ended as failed or cancelled.

    >>> try:
    ...     client.reverts.wait(revert_id)
    ... except RevertError as error:
    ...     print(error.process["issues"])
    """

    def __init__(self, process: RevertProcess) -> None:
        self.process = process
        failure = process.get("failure")
        super().__init__(f"The revert {process['id']} {process['status']}" + (f": {failure}" if failure else ""))
