"""One call of the API before it is sent, and what its answer means. Shared by both clients; nothing here waits for the network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar
from uuid import uuid4

import httpx

from .address import json_text, query_string
from .errors import ApiError, FieldError
from .retry import Repeat

Method = Literal["GET", "POST", "PUT", "DELETE"]
DEFAULT_TIMEOUT_S = 30.0


T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """``T`` is what its answer holds, for type checkers alone: nothing is converted."""

    method: Method
    path: str
    """Below the base address, with a slash at its beginning."""
    query: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    content: bytes | None = None
    """A body as it is; held in memory, so that it can be sent again."""
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str | None = None
    """The client makes one for each POST unless it is given here."""
    repeat: Repeat | None = None
    is_idempotent: bool = False
    """A POST that does no harm when it is carried out twice: it needs no idempotency key."""
    done_status: Literal[404, 409] | None = None
    """A repeat that gets this status after an attempt in doubt has found its own work done: it has no answer then."""
    is_done: Callable[[ApiError], bool] | None = None
    """Whether such an answer means all that was sent; None: always."""

    @property
    def repeats(self) -> Repeat:
        is_conditional = any(name.lower() == "if-match" for name in self.headers)
        return self.repeat or ("refused" if is_conditional else "always")

    def has_been_done(self, error: ApiError) -> bool:
        return error.status == self.done_status and (self.is_done is None or self.is_done(error))


@dataclass(frozen=True)
class Prepared:
    """What every attempt of a call sends."""

    url: str
    headers: dict[str, str]
    body: bytes | None


def prepare(call: Call[Any], base_url: str, credentials: Mapping[str, str]) -> Prepared:
    headers = {"accept": "application/json", **credentials, **call.headers}
    body = call.content
    if call.json is not None:
        headers["content-type"] = "application/json"
        body = json_text(call.json).encode()
    if call.method == "POST" and call.repeats != "never" and not call.is_idempotent:
        headers["idempotency-key"] = call.idempotency_key or str(uuid4())
    return Prepared(f"{base_url}{call.path}{query_string(call.query)}", headers, body)


def if_match(version: int | str | None) -> dict[str, str]:
    if version is None:
        return {}
    return {"if-match": f'"{version}"' if isinstance(version, int) else version}


def refuse_redirect(response: httpx.Response) -> None:
    """A redirect is not followed: it would carry the key to another host."""
    if response.is_redirect or 300 <= response.status_code < 400:
        target = response.headers.get("location", "an unknown address")
        message = f"{response.url} redirects to {target}. Is base_url the address of the API itself?"
        raise ApiError(response.status_code, "unexpected_redirect", message)


def json_of(response: httpx.Response) -> Any:
    """The parsed JSON of a success that was read; None for an empty answer."""
    if response.content == b"":
        return None
    body = parsed(response)
    if body is None:
        kind = response.headers.get("content-type", "no content type")
        message = f"The server answered {response.status_code} with {kind} instead of JSON. Is base_url the address of the API?"
        raise ApiError(response.status_code, "invalid_answer", message, request_id=request_id_of(response))
    return body


def error_of(response: httpx.Response) -> ApiError:
    """The error of an answer that was read and is no success."""
    status = response.status_code
    document = parsed(response)
    if not isinstance(document, dict):
        kind = response.headers.get("content-type", "no content type")
        message = f"The server answered {status} with {kind} where a JSON error was expected."
        return ApiError(status, "invalid_answer", message, request_id=request_id_of(response))
    body: dict[str, Any] = document
    errors: list[dict[str, str]] = body.get("errors") or []
    return ApiError(
        status,
        body.get("code") or f"http_{status}",
        body.get("detail") or body.get("title") or f"The server answered {status}.",
        request_id=body.get("requestId") or request_id_of(response),
        errors=tuple(FieldError(each.get("path", ""), each.get("message", "")) for each in errors),
        body=body,
    )


def unanswered(url: httpx.URL | str, cause: httpx.RequestError) -> ApiError:
    """The error of a call whose connection broke, or that took too long."""
    origin = httpx.URL(url).copy_with(raw_path=b"/")
    if isinstance(cause, httpx.TimeoutException):
        return ApiError(0, "timeout", f"{origin} did not answer in time ({type(cause).__name__}).")
    reason = str(cause) or type(cause).__name__
    return ApiError(0, "connection_failed", f"The connection to {origin} failed: {reason}")


def request_id_of(response: httpx.Response) -> str | None:
    request_id: str | None = response.headers.get("x-request-id")
    return request_id


def parsed(response: httpx.Response) -> Any:
    if not re.match(r"application/([\w.-]+\+)?json\b", response.headers.get("content-type", ""), re.IGNORECASE):
        return None
    try:
        return json.loads(response.content)
    except ValueError:
        return None
