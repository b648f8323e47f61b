"""N112: repeats, idempotency keys, bookmarks and errors, against a service that answers as the test says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import httpx
import pytest

from selvedge import ApiError, ArgumentError, AsyncClient, Client
from selvedge.models import LoaderConfiguration
from selvedge.retry import backoff_s, delay_s, may_repeat, retry_after_s

BASE = "https://selvedge.test"
Answer = httpx.Response | Exception


class FakeService:
    """Gives its answers one after the other, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, max_retries: int = 4) -> Client:
        http = httpx.Client(transport=httpx.MockTransport(self.answer))
        return Client(BASE, api_key="app:1", org_slug="demo", http_client=http, max_retries=max_retries)

    def async_client(self) -> AsyncClient:
        http = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        return AsyncClient(BASE, api_key="app:1", org_slug="demo", http_client=http)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Instead of pauses, what they would have been."""
    found: list[float] = []

    async def pause(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr("selvedge._sync.requests.pause", found.append)
    monkeypatch.setattr("selvedge._async.requests.pause", pause)
    return found


def ok(body: object, **headers: str) -> httpx.Response:
    return httpx.Response(200, json=body, headers=headers)


def problem(status: int, code: str = "some_code", **headers: str) -> httpx.Response:
    body = {"status": status, "code": code, "detail": "It did not work.", "requestId": "r1"}
    return httpx.Response(status, json=body, headers={"content-type": "application/problem+json", **headers})


@pytest.mark.parametrize("first", [problem(429), problem(502), problem(503), problem(504), httpx.ReadError("reset")])
def test_n112_a_create_that_fails_is_repeated_under_the_same_idempotency_key(first: Answer) -> None:
    service = FakeService(first, ok({"id": "1"}))
    assert service.client().entities.create("item", {"name": "Shirt"}) == {"id": "1"}
    keys = [request.headers["idempotency-key"] for request in service.asked]
    assert len(keys) == 2 and keys[0] == keys[1] and len(keys[0]) == 36


def test_n112_the_async_client_repeats_like_the_other(pauses: list[float]) -> None:
    service = FakeService(problem(503, **{"retry-after": "7"}), ok({"id": "1"}))
    assert asyncio.run(service.async_client().entities.get("item", "1")) == {"id": "1"}
    assert 7 <= pauses[0] < 8


def test_n112_calls_that_issue_credentials_are_sent_once() -> None:
    service = FakeService(problem(503))
    with pytest.raises(ApiError) as caught:
        service.client().keys.create("sync")
    assert caught.value.status == 503 and len(service.asked) == 1
    assert "idempotency-key" not in service.asked[0].headers


def test_n112_a_write_with_a_version_is_repeated_after_429_only() -> None:
    service = FakeService(problem(429), problem(503))
    with pytest.raises(ApiError):
        service.client().entities.update("item", "1", {"name": "Shirt"}, version=3)
    assert [request.headers["if-match"] for request in service.asked] == ['"3"', '"3"']


def test_n112_a_delete_that_finds_its_own_work_done_succeeds() -> None:
    service = FakeService(httpx.ReadError("reset"), problem(404))
    service.client().entities.delete("item", "1")
    with pytest.raises(ApiError):
        FakeService(problem(404)).client().entities.delete("item", "1")


def test_n112_a_batch_delete_is_done_only_where_all_are_gone() -> None:
    faults = [{"path": f"/{number}", "message": "not there"} for number in range(2)]
    body = {"status": 404, "code": "not_found", "errors": faults}
    service = FakeService(httpx.ReadError("reset"), httpx.Response(404, json=body))
    service.client().entities.delete_batch("item", ["1", "2"])
    partly = FakeService(httpx.ReadError("reset"), httpx.Response(404, json={**body, "errors": faults[1:]}))
    with pytest.raises(ApiError):
        partly.client().entities.delete_batch("item", ["1", "2"])


def test_n112_max_retries_ends_the_repeats_and_with_options_changes_them() -> None:
    service = FakeService(*[problem(503)] * 9)
    with pytest.raises(ApiError):
        service.client(max_retries=2).me()
    assert len(service.asked) == 3
    with pytest.raises(ApiError):
        service.client().with_options(max_retries=0).me()
    assert len(service.asked) == 4


def test_n112_a_server_that_asks_for_more_than_two_minutes_is_not_waited_for() -> None:
    service = FakeService(problem(429, **{"retry-after": "121"}))
    with pytest.raises(ApiError):
        service.client().me()


@pytest.mark.parametrize(
    ("cause", "code"), [(httpx.ReadTimeout("slow"), "timeout"), (httpx.ConnectError("refused"), "connection_failed")]
)
def test_n112_a_call_without_an_answer_is_an_error_with_status_0(cause: Exception, code: str) -> None:
    with pytest.raises(ApiError) as caught:
        FakeService(cause).client(max_retries=0).me()
    assert (caught.value.status, caught.value.code) == (0, code)
    assert "app:1" not in str(caught.value)


def test_n112_an_error_carries_the_problem_document() -> None:
    errors = [{"path": "/name", "message": "It is too long."}]
    document = {
        "status": 400,
        "code": "invalid_input",
        "detail": "It is not valid.",
        "requestId": "r1",
        "errors": errors,
    }
    with pytest.raises(ApiError) as caught:
        FakeService(httpx.Response(400, json=document)).client().me()
    error = caught.value
    assert (error.status, error.code, str(error), error.request_id) == (
        400,
        "invalid_input",
        "It is not valid. /name: It is too long.",
        "r1",
    )
    assert error.errors[0].path == "/name" and error.body == document


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (httpx.Response(200, text="<html>"), "invalid_answer"),
        (httpx.Response(404, text="<html>"), "invalid_answer"),
        (httpx.Response(302, headers={"location": "https://elsewhere.test"}), "unexpected_redirect"),
    ],
)
def test_n112_an_answer_that_is_not_the_api_is_an_error(answer: httpx.Response, code: str) -> None:
    with pytest.raises(ApiError) as caught:
        FakeService(answer).client().me()
    assert caught.value.code == code


def test_n112_the_bookmark_of_an_answer_is_sent_with_the_next_call_and_given_up_after_a_lost_write() -> None:
    service = FakeService(
        ok({"id": "1"}, **{"x-d1-bookmark": "a.2"}),
        ok({"id": "1"}, **{"x-d1-bookmark": "a.3"}),
        httpx.ReadError("reset"),
        ok({"id": "1"}),
        ok({"id": "1"}),
    )
    client = service.client()
    client.entities.create("item", {})
    client.entities.get("item", "1")
    assert client.bookmark == "a.3"
    client.entities.update("item", "1", {})
    assert client.bookmark is None
    client.entities.get("item", "1")
    sent = [request.headers.get("x-d1-bookmark") for request in service.asked]
    assert sent == [None, "a.2", "a.3", None, None]


def test_n112_a_list_reads_on_where_a_page_ended_before_it_was_full() -> None:
    service = FakeService(
        ok({"results": [{"id": "1"}], "nextPageKey": "k1", "isPartial": True}),
        ok({"results": [{"id": "2"}], "nextPageKey": None}),
    )
    page = service.client().entities.list("item", limit=3, criteria={"season": None}, relations=["a", "a.b"])
    assert page == {"results": [{"id": "1"}, {"id": "2"}], "nextPageKey": None}
    first, second = (request.url.params for request in service.asked)
    assert (first["criteria"], first["relations"], first["limit"]) == ('{"season":null}', "a,a.b", "3")
    assert (second["nextPageKey"], second["limit"]) == ("k1", "2")


def test_n112_an_export_that_broke_off_raises() -> None:
    def export(text: str, name: str) -> list[object]:
        client = FakeService(httpx.Response(200, text=text)).client()
        return list(client.exports.pieces("item") if name == "csv" else client.exports.entities("item"))

    assert export('id,name\n1,"a, ""b""\n"\n', "csv")
    assert export('{"id":"1"}\n{"id":"2"}\n', "jsonl") == [{"id": "1"}, {"id": "2"}]
    for text in ("id,name\n1,a,broken off\n", "id,name\n1,a", 'id,name\n1,"a\n'):
        with pytest.raises(ApiError, match="broke off"):
            export(text, "csv")
    for text in ('{"id":"1"}\n{"problem":{}}\n', '{"id":"1"}\n{"id"'):
        with pytest.raises(ApiError, match="broke off"):
            export(text, "jsonl")


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.entities.get("item", ""),
        lambda client: client.entities.get("item", ".."),
        lambda client: client.entities.create("item", {"price": float("nan")}),
        lambda client: client.files.upload("a text", file_name="a.txt"),
        lambda client: client.files.upload(b"bytes"),
    ],
)
def test_n112_a_value_that_no_call_can_be_made_with_is_an_argument_error(call: Callable[[Client], object]) -> None:
    with pytest.raises(ArgumentError):
        call(FakeService().client())


@pytest.mark.parametrize("base", ["selvedge.test", "ftp://selvedge.test", "https://a:b@selvedge.test"])
def test_n112_a_base_url_that_is_no_address_is_an_argument_error(base: str) -> None:
    with pytest.raises(ArgumentError):
        Client(base, api_key="app:1", org_slug="demo")


def test_n112_a_key_with_a_line_break_is_refused_without_being_shown() -> None:
    with pytest.raises(ArgumentError) as caught:
        Client(BASE, api_key="app:secret\n", org_slug="demo")
    assert "secret" not in str(caught.value)


def test_n112_pauses_grow_and_keep_to_retry_after() -> None:
    assert [backoff_s(retry, 1) for retry in (0, 1, 2, 20)] == [0.25, 0.5, 1, 20]
    assert delay_s(0, 3, 0.5) == 3 + 0.1875 * 0.5
    assert delay_s(0, 121, 0.5) is None
    now = datetime(2026, 1, 1, tzinfo=timezone.utc)
    assert retry_after_s("5", now) == 5
    assert retry_after_s("Thu, 01 Jan 2026 00:00:09 GMT", now - timedelta(seconds=1)) == 10
    assert retry_after_s("soon", now) is None
    assert [may_repeat("always", status) for status in (0, 429, 500, 503)] == [True, True, False, True]
    assert [may_repeat("refused", status) for status in (0, 429, 503)] == [False, True, False]
    assert not may_repeat("never", 429)


def test_n81_a_configuration_is_checked_by_its_own_call_before_a_file_goes_up() -> None:
    fault = {"path": "/mode", "message": "There is no such mode."}
    refused = httpx.Response(400, json={"status": 400, "code": "invalid_input", "detail": "No.", "errors": [fault]})
    service = FakeService(refused, refused, ok({"columns": None, "issues": []}), problem(400))
    client = service.client()
    config: LoaderConfiguration = {"loadType": ["ITEM"], "fileLocation": "of-last-time"}
    assert [each.path for each in client.loads.check(config)] == ["/mode"]
    with pytest.raises(ApiError):
        client.loads.run(config, file=b"name\n", file_name="styles.csv")
    assert client.loads.check(config) == ()
    with pytest.raises(ApiError):
        client.loads.check(config)
    asked = [(each.url.path, json.loads(each.content)) for each in service.asked]
    assert asked == [("/api/loader-processes/check", {"loadType": ["ITEM"]})] * 4
