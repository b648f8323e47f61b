package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.ApiKey;
import io.selvedge.client.model.TaskCallback;
import io.selvedge.client.model.TypeCheck;
import io.selvedge.client.model.TypeDefinition;
import io.selvedge.client.model.WorkflowProcess;
import io.selvedge.client.model.WorkflowTask;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workflows, tasks, keys, types, assortments: what goes out and how answers are read. */
class ResourceClientsTest {

    private static final String PROCESS =
            "{\"id\":\"p1\",\"eventWorkflowId\":\"w1\",\"status\":\"active\",\"taskOutputs\":{\"a\":null}}";
    private static final String TASK =
            "{\"id\":\"t1\",\"name\":\"send\",\"status\":\"awaiting\",\"logs\":[\"2026-01-01T00:00:00.000Z"
                    + " hi\"],\"output\":{\"n\":1}}";

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void aWorkflowIsRequestedAndItsRunsRead() {
        service.then(201, "{\"results\":[" + PROCESS + "]}")
                .then(200, PROCESS)
                .then(200, "{\"results\":[" + PROCESS + "]}")
                .then(200, PROCESS);

        List<WorkflowProcess> runs = client.workflows().request("order|ready", Map.of("orderId", 7));
        client.workflows().process("p1");
        client.workflows().processes(ListQuery.all().where("status", "active"));
        client.workflows().cancel("p1");

        assertEquals("w1", runs.get(0).eventWorkflowId());
        assertFalse(runs.get(0).isEnded());
        assertEquals(
                "POST /api/event-workflow-requests", service.requests.get(0).line());
        assertEquals(
                "order|ready", service.requests.get(0).json().path("triggerKey").asText());
        assertEquals(
                7, service.requests.get(0).json().path("event").path("orderId").asInt());
        assertEquals(
                "GET /api/event-workflow-processes/p1", service.requests.get(1).line());
        assertEquals(
                "POST /api/event-workflow-processes/p1/cancel", service.last().line());
    }

    @Test
    void aTaskIsMadeReadAndGivenASubtext() {
        service.always(FakeService.json(200, TASK));

        WorkflowTask task = client.tasks().create("send", Duration.ofMinutes(5));
        client.tasks().get("t1");
        client.tasks().setSubtext("t1", "half way");

        assertTrue(task.isAwaiting());
        assertEquals(Map.of("n", 1), task.output());
        assertEquals(300, service.requests.get(0).json().path("timeoutSeconds").asInt());
        assertTrue(service.requests.get(0).json().path("async").asBoolean());
        assertEquals("PUT /api/event-workflow-tasks/t1", service.last().line());
        assertEquals("{\"subtext\":\"half way\"}", service.last().text());
    }

    @Test
    void aCallbackSendsOnlyWhatWasSaid() {
        service.then(200, TASK).then(200, TASK);

        client.tasks().callback(TaskCallback.success("t1"));
        client.tasks()
                .callback(TaskCallback.failure("t1")
                        .log("a", "b")
                        .log("c")
                        .output(Map.of("n", 2))
                        .subtext("broken"));

        assertEquals(
                "POST /api/external-events/callback", service.requests.get(0).line());
        assertEquals(
                "{\"taskId\":\"t1\",\"status\":\"SUCCESS\"}",
                service.requests.get(0).text());
        assertEquals(
                "{\"taskId\":\"t1\",\"status\":\"FAILURE\",\"logs\":[\"a\",\"b\",\"c\"],\"output\":{\"n\":2},\"subtext\":\"broken\"}",
                service.last().text());
    }

    @Test
    void aCallbackOfAnExternalSystemNeedsOnlyItsToken() {
        service.then(200, TASK);

        service.builder().accessToken("callback-token").build().tasks().callback(TaskCallback.success("t1"));

        assertEquals("Bearer callback-token", service.only().header("Authorization"));
        assertNull(service.only().header("X-api-org"));
    }

    @Test
    void aCallbackGoesToTheAddressThatWasHandedOver() {
        service.then(200, TASK);

        SelvedgeClient.builder()
                .callback(service.baseUrl() + "/external-events/callback/", "callback-token")
                .build()
                .tasks()
                .callback(TaskCallback.success("t1"));

        assertEquals("POST /api/external-events/callback", service.only().line());
        assertEquals("Bearer callback-token", service.only().header("Authorization"));
        assertThrows(IllegalArgumentException.class, () -> SelvedgeClient.builder()
                .callback("https://data.example.com/api", "callback-token"));
    }

    @Test
    void aKeyOfTheCallersStandsOnWhatIsMadeAndOnNothingElse() {
        service.always(FakeService.json(200, "{\"id\":\"i1\",\"results\":[]}"));
        SelvedgeClient keyed = client.withIdempotencyKey("order-7");

        keyed.entities().create("item", Map.of());
        keyed.workflows().request("order|ready", Map.of());
        keyed.entities().get("item", "i1");
        keyed.files().upload(new byte[1], "a", "text/plain");
        keyed.workflows().createWebhook("shop");

        assertEquals("order-7", service.requests.get(0).header("Idempotency-key"));
        assertEquals("order-7", service.requests.get(1).header("Idempotency-key"));
        assertNull(service.requests.get(2).header("Idempotency-key"));
        assertNotEquals("order-7", service.requests.get(3).header("Idempotency-key"));
        assertNull(service.last().header("Idempotency-key"));
    }

    @Test
    void aWebhookIsNeverMadeTwice() {
        service.then(503, "{}");

        assertThrows(ApiException.class, () -> client.entities().create("webhook", Map.of("name", "shop")));

        assertNull(service.only().header("Idempotency-key"));
    }

    @Test
    void keysAreIssuedRotatedListedAndRevoked() {
        String key = "{\"id\":\"k1\",\"name\":\"sync\",\"key\":\"app:secret\",\"scope\":\"read\"}";
        service.then(201, key)
                .then(201, key)
                .then(200, "{\"results\":[{\"id\":\"k1\",\"name\":\"sync\"}]}")
                .then(204, "");

        ApiKey issued = client.apiKeys().create("sync", "read", Map.of("expiresOn", "2027-01-01T00:00:00.000Z"));
        client.apiKeys().rotate("k1", Duration.ofHours(1));
        ApiKey listed = client.apiKeys().list(ListQuery.all()).results().get(0);
        client.apiKeys().delete("k1");

        assertEquals("app:secret", issued.key());
        assertFalse(issued.toString().contains("secret"));
        assertNull(listed.key());
        assertEquals("read", service.requests.get(0).json().path("scope").asText());
        assertEquals(
                "2027-01-01T00:00:00.000Z",
                service.requests.get(0).json().path("expiresOn").asText());
        assertEquals("POST /api/api-keys/k1/rotate", service.requests.get(1).line());
        assertEquals("DELETE /api/api-keys/k1", service.last().line());
    }

    @Test
    void typesAreDefinedAndReadByPath() {
        String type =
                "{\"id\":\"y1\",\"typePath\":\"item:shirt\",\"label\":\"Shirt\",\"properties\":[{\"slug\":\"price\",\"propertyType\":\"currency\"}]}";
        service.always(FakeService.json(200, type));

        client.types()
                .create(TypeDefinition.of(
                        "item:shirt", "Shirt", TypeDefinition.Property.of("price", "Price", "currency")));
        TypeDefinition read = client.types().get("item:shirt");

        assertEquals(
                """
                {"typePath":"item:shirt","label":"Shirt","properties":[{"slug":"price","label":"Price",\
                "propertyType":"currency"}]}""",
                service.requests.get(0).text());
        assertEquals("GET /api/types/item%3Ashirt", service.last().line());
        assertEquals("currency", read.properties().get(0).propertyType());
    }

    /** N49 */
    @Test
    void aTypeTellsOfItsIndexesAndIsSentBackWithoutThem() {
        service.always(FakeService.json(200, """
                {"id":"y1","typePath":"item:shirt","rootTypePath":"item","label":"Shirt","properties":[],\
                "indexes":[{"property":"price","state":"filling","done":7,"total":null}]}"""));

        TypeDefinition read = client.types().get("item:shirt");
        client.types().update("y1", read);

        assertEquals(List.of(new TypeDefinition.Index("price", "filling", 7, null)), read.indexes());
        assertFalse(read.indexes().get(0).isReady());
        assertFalse(service.last().text().contains("indexes"), service.last().text());
    }

    @Test
    void typesAreSchemas() {
        service.always(FakeService.json(200, "{\"$defs\":{}}"));

        assertEquals(Map.of("$defs", Map.of()), client.types().schema(null, null));
        client.types().schema("item:shirt", "update");

        assertEquals("GET /api/types?format=json-schema", service.requests.get(0).line());
        assertEquals(
                "GET /api/types/item%3Ashirt?format=json-schema&variant=update",
                service.last().line());
    }

    @Test
    void plannedTypesAreChecked() {
        service.then(200, """
                {"checked":40,"unfit":1,"nextPageKey":"k","examples":[{"entityType":"item","id":"i1",\
                "typePath":"item:shirt","name":null,"errors":[{"path":"/price","message":"Required."}]}]}""");
        TypeDefinition stored = new TypeDefinition("y1", "item:shirt", "item", "Shirt", List.of());

        TypeCheck check = client.types().check(List.of(stored), null);

        assertEquals(1, check.unfit());
        assertEquals("k", check.nextPageKey());
        assertEquals("/price", check.examples().get(0).errors().get(0).path());
        assertEquals("POST /api/types/check", service.only().line());
        assertEquals(
                "{\"types\":[{\"typePath\":\"item:shirt\",\"label\":\"Shirt\",\"properties\":[]}]}",
                service.only().text());
    }

    @Test
    void aKeyTellsWhatItIsLimitedTo() {
        service.then(200, "{\"results\":[{\"id\":\"k1\",\"entityTypes\":[\"item\"],\"addresses\":null}]}");

        ApiKey key = client.apiKeys().list(ListQuery.all()).results().get(0);

        assertEquals(List.of("item"), key.entityTypes());
        assertNull(key.addresses());
    }

    @Test
    void anAuditTrailIsTakenOutInParts() {
        service.then(200, "a,b\n", "Selvedge-Audit-Head", "57:kq").then(200, "{}\n");
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        assertEquals("57:kq", client.people().exportAudit(AuditFormat.CSV, 12, target));
        client.people().exportAudit(target);

        assertEquals("a,b\n{}\n", target.toString());
        assertEquals("GET /api/audit/export?format=csv&after=12", service.requests.get(0).line());
        assertEquals("jsonl", service.last().parameter("format"));
    }

    @Test
    void anAssortmentIsPublished() {
        service.always(FakeService.json(200, "{\"id\":\"h1\",\"detail\":{\"adds\":2,\"updates\":1,\"deletes\":0}}"));

        assertEquals(2, client.assortments().publish("a1").detail().adds());
        client.assortments().publishRecord("a1", "h1");

        assertEquals("POST /api/assortments/a1/publish", service.requests.get(0).line());
        assertEquals("GET /api/assortments/a1/history/h1", service.last().line());
    }

    @Test
    void thePublishesOfAnAssortmentAreListed() {
        service.always(FakeService.json(
                200, "{\"results\":[{\"id\":\"h1\",\"detail\":{\"adds\":2}}],\"nextPageKey\":null}"));

        assertEquals(
                2,
                client.assortments()
                        .publishRecords("a1", ListQuery.all().limit(5))
                        .results()
                        .get(0)
                        .detail()
                        .adds());
        assertEquals("GET /api/assortments/a1/history?limit=5", service.last().line());
    }
}
