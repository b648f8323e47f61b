"""N112: the client against the running service."""

from __future__ import annotations

import asyncio
from io import BytesIO
from itertools import islice
from pathlib import Path
from uuid import uuid4

import pytest

from selvedge import ApiError, AsyncClient, Client, LoadError, Operator, UploadProgress, send_callback
from selvedge.models import LoaderConfiguration, LoaderProcess
from selvedge.upload_content import PART_BYTES

CONFIG: LoaderConfiguration = {
    "loadType": ["ITEM"],
    "federatedMappings": {"itemFamilyFederatedId": "style", "name": "style"},
    "propertiesToRemove": ["style"],
}


def unique(prefix: str) -> str:
    return f"{prefix}-{uuid4().hex[:8]}"


def test_n112_login_by_key_and_password_and_a_wrong_key_is_401(env: dict[str, str]) -> None:
    base, org = env["BASE_URL"], env["ORG_SLUG"]
    with Client.login(base, api_key=env["API_KEY"], org_slug=org) as client:
        assert client.me()["org"]["slug"] == org
    with Client.login(base, org_slug=org, email=env["ADMIN_EMAIL"], password=env["ADMIN_PASSWORD"]) as admin:
        assert admin.session is not None and admin.session["user"]["email"] == env["ADMIN_EMAIL"]
        key = admin.keys.create(unique("key"), scope="read")
        assert key["id"] in [each["id"] for each in admin.keys.list()["results"]]
        admin.keys.delete(key["id"])
        assert admin.people.audit(limit=5)["results"]
        trail = admin.people.export_audit()
        assert trail.digest and len(b"".join(trail.pieces).splitlines()) >= trail.number > 0
        admin.logout()
    with pytest.raises(ApiError) as caught:
        Client.login(base, api_key="app:wrong", org_slug=org)
    assert caught.value.status == 401


def test_n112_entities_are_created_changed_found_deleted_and_restored(client: Client) -> None:
    name = unique("Linen shirt")
    shirt = client.entities.create("item", {"name": name, "federatedId": name, "season": "SS27"})
    assert client.entities.get("item", shirt["id"])["season"] == "SS27"
    changed = client.entities.update("item", shirt["id"], {"season": None}, version=shirt["version"])
    assert "season" not in changed or changed["season"] is None
    with pytest.raises(ApiError) as caught:
        client.entities.update("item", shirt["id"], {"name": "late"}, version=shirt["version"])
    assert caught.value.status == 412
    assert client.entities.list("item", criteria={"federatedId": name})["results"][0]["id"] == shirt["id"]
    assert client.entities.count("item", criteria={"federatedId": name}) == {"count": 1, "isExact": True}
    client.entities.delete("item", shirt["id"])
    with pytest.raises(ApiError) as caught:
        client.entities.get("item", shirt["id"])
    assert caught.value.code == "not_found" and caught.value.request_id
    assert client.entities.restore("item", shirt["id"], 1)["season"] == "SS27"


def test_n112_batches_upserts_and_list_all(client: Client) -> None:
    prefix = unique("color")
    objects = [{"federatedId": f"{prefix}-{number}", "name": prefix} for number in range(5)]
    first = client.entities.upsert_batch("color", objects)["results"]
    again = client.entities.upsert_batch("color", [{**each, "hex": "#dc143c"} for each in objects])["results"]
    assert [each["id"] for each in first] == [each["id"] for each in again]
    found = list(client.entities.list_all("color", criteria={"name": prefix}, page_size=2))
    assert {each["id"] for each in found} == {each["id"] for each in first}
    client.entities.update_batch("color", [{"id": each["id"], "name": "none"} for each in first])
    frame = client.entities.to_dataframe("color", criteria={"federatedId": [each["federatedId"] for each in objects]})
    assert list(frame["hex"]) == ["#dc143c"] * 5 and frame["createdOn"].dt.tz is not None
    client.entities.delete_batch("color", [each["id"] for each in first])
    assert client.entities.to_dataframe("color", criteria={"name": prefix}).empty


def test_n112_the_poller_goes_on_from_its_saved_position(client: Client) -> None:
    positions: list[str] = []
    start = client.changes.list(limit=1)["syncKey"]
    created = [client.entities.create("color", {"name": f"c{number}"})["id"] for number in range(5)]

    def polled(position: str, count: int) -> list[str]:
        changes = client.changes.poll(sync_key=position, on_sync_key=positions.append, limit=2, interval=0.05)
        return [change["entityReference"] for change in islice(changes, count)]

    references = [f"color:{each}" for each in created]
    assert polled(start, 5) == references
    # The page that holds the fifth was not finished: its position was not saved.
    assert polled(positions[-1], 1) == references[4:]


def test_n112_files_go_up_and_down_whole_in_parts_and_as_streams(client: Client, tmp_path: Path) -> None:
    seen: list[UploadProgress] = []
    small = client.files.upload(b"style,price\n", file_name="styles.csv", on_progress=seen.append)
    assert (small["contentType"], small["size"], seen[-1].bytes_done) == ("text/csv", 12, 12)
    assert client.files.download(small["id"], start=6, end=11) == b"price"
    content = bytes(range(256)) * (2 * PART_BYTES // 256) + b"end"
    large = client.files.upload(BytesIO(content), file_name="large.bin", on_progress=seen.append)
    assert (large["size"], max(each.bytes_done for each in seen)) == (len(content), len(content))
    assert client.files.save(large["id"], tmp_path / "large.bin").read_bytes() == content
    empty = client.files.upload(b"", file_name="empty.txt")
    assert client.files.download(empty["id"]) == b""
    client.files.delete(small["id"])


def test_n112_a_load_is_checked_run_watched_and_taken_back(client: Client, tmp_path: Path) -> None:
    style = unique("LS")
    file = tmp_path / "styles.csv"
    file.write_text(f"style,season\n{style},SS27\n")
    assert client.loads.check(CONFIG) == ()
    wrong: LoaderConfiguration = {"loadType": ["ITEM"], "mode": "sideways"}  # type: ignore[typeddict-item]  # pyright: ignore
    assert [fault.path for fault in client.loads.check(wrong)] == ["/mode"]
    with pytest.raises(ApiError):
        client.loads.run(wrong, file=file)
    states: list[LoaderProcess] = []
    load = client.loads.run(CONFIG, file=file, on_progress=states.append)
    assert load["results"]["item"]["created"] >= 1 and states[-1]["progress"]["percent"] == 100
    revert = client.reverts.start_for_load(load["id"])
    assert client.reverts.wait(revert["id"])["results"]["item"]["deleted"] >= 1


def test_n112_a_load_that_fails_raises_with_its_issues(client: Client) -> None:
    with pytest.raises(LoadError) as caught:
        client.loads.run(CONFIG, file=b"style\n", file_name="styles.csv")
    assert caught.value.process["status"] == "failed" and "has no rows" in caught.value.issues[0]["message"]


def test_n112_exports_are_files_entities_and_configurations(client: Client, tmp_path: Path) -> None:
    key = unique("export")
    client.entities.create("color", {"federatedId": key, "name": "Cri,mson"})
    criteria = {"federatedId": key}
    assert [each["name"] for each in client.exports.entities("color", criteria=criteria)] == ["Cri,mson"]
    assert '"Cri,mson"' in client.exports.save("color", tmp_path / "c.csv", criteria=criteria).read_text()
    assert client.exports.configuration("color", criteria=criteria).get("loadType") == ["COLOR"]


def test_n112_tasks_and_workflows(client: Client) -> None:
    trigger = unique("trigger")
    tasks = [{"name": "approve", "action": "wait", "async": True}]
    workflow = {"name": "W", "isActive": True, "triggerKey": trigger, "paths": [{"tasks": tasks}]}
    client.entities.create("event-workflow", workflow)
    (run,) = client.workflows.request(trigger, {"order": 7})["results"]
    client.workflows.cancel_process(run["id"])
    assert client.workflows.wait(run["id"])["status"] == "cancelled"
    task = client.tasks.create("Render images")
    client.tasks.set_subtext(task["id"], "half way")
    done = client.tasks.callback(task["id"], "SUCCESS", logs=["done"], output={"images": 4})
    assert (done["status"], done["output"]) == ("complete", {"images": 4})
    with pytest.raises(ApiError) as caught:
        send_callback(f"{client.base_url}/external-events/callback/", "wrong", task["id"], "SUCCESS")
    assert caught.value.status == 401


def test_n112_types_assortments_search_and_any_other_call(client: Client) -> None:
    path = f"item:{unique('shoe')}"
    properties = [{"slug": "heel", "propertyType": "number"}]
    client.entities.create("type", {"typePath": path, "label": "Shoe", "properties": properties})
    assert client.types.get(path).get("label") == "Shoe"
    assert client.types.list(limit=1)["entityTypes"]
    assert client.types.schema(path)["properties"]["heel"]
    assert client.types.check([{"typePath": path, "label": "Shoe", "properties": []}])["unfit"] == 0
    assortment = client.entities.create("assortment", {"name": "Fall"})
    published = client.assortments.publish(assortment["id"])
    assert client.assortments.publish_record(assortment["id"], published["id"])["detail"]["adds"] == 0
    assert client.request("GET", "/projects", query={"limit": 1})["nextPageKey"] is None


def test_n112_the_operator_manages_organizations(operator: Operator) -> None:
    slug = unique("org")
    admin = {"email": f"a@{slug}.example", "password": "correct horse battery"}
    assert operator.create_org(slug, "Acme", admin=admin)["slug"] == slug
    key = operator.create_key(slug, "sync", scope="read")
    assert key["id"] in [each["id"] for each in operator.list_keys(slug)["results"]]
    assert operator.quotas(slug)["entities"]["used"] == 0
    operator.endpoints.set(
        slug,
        "shop",
        {
            "url": "https://shop.example.com",
            "events": ["item|*"],
            "auth": {"kind": "header", "name": "X-Key", "value": "secret"},
        },
    )
    assert [each["name"] for each in operator.endpoints.list(slug)["results"]] == ["shop"]
    assert operator.status()["status"] == "ok" and operator.audit(slug)["results"]


def test_n112_the_async_client_does_the_same(env: dict[str, str]) -> None:
    async def main() -> None:
        base, key, org = env["BASE_URL"], env["API_KEY"], env["ORG_SLUG"]
        async with await AsyncClient.login(base, api_key=key, org_slug=org) as client:
            start = (await client.changes.list(limit=1))["syncKey"]
            name = unique("async")
            created = await client.entities.create_batch("color", [{"name": name}, {"name": name}])
            found = [each async for each in client.entities.list_all("color", criteria={"name": name}, page_size=1)]
            assert len(found) == len(created["results"]) == 2
            position: list[str] = []

            async def save(sync_key: str) -> None:
                position.append(sync_key)

            async for change in client.changes.poll(sync_key=start, on_sync_key=save, limit=1, interval=0.05):
                assert change["changeType"] == "create"
                if position:
                    break
            content = b"x" * (PART_BYTES + 1)
            file = await client.files.upload(BytesIO(content), file_name="large.bin")
            assert await client.files.download(file["id"]) == content
            load = await client.loads.run(CONFIG, file=f"style\n{name}\n".encode(), file_name="styles.csv")
            assert load["status"] == "completed"

    asyncio.run(main())
