package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.selvedge.client.FakeService.Received;
import io.selvedge.client.model.EntityCount;
import io.selvedge.client.model.Page;
import io.selvedge.client.model.Tagged;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EntityClientTest {

    record Item(String id, String name, String color, Instant createdOn) {}

    record Box<T>(String id, T content) {}

    private static final String SHIRT =
            "{\"id\":\"i1\",\"name\":\"Shirt\",\"version\":3,\"createdOn\":\"2026-01-02T03:04:05.678Z\"}";

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void everyRequestCarriesKeyAndOrganization() {
        service.then(200, SHIRT);
        client.entities().get("item", "i1");

        Received request = service.only();
        assertEquals("app:test", request.header("X-api-key"));
        assertEquals("demo", request.header("X-api-org"));
        assertTrue(request.header("User-agent").startsWith("selvedge-java/"));
    }

    @Test
    void getReadsAnEntityAsMap() {
        service.then(200, SHIRT);

        Map<String, Object> item = client.entities().get("item", "i1");

        assertEquals("Shirt", item.get("name"));
        assertEquals(3, item.get("version"));
        assertEquals("GET /api/item/i1", service.only().line());
    }

    @Test
    void getReadsAnEntityAsAClassAndPassesOverWhatTheClassLacks() {
        service.then(200, SHIRT);

        Item item = client.entities(Item.class).get("item", "i1");

        assertEquals(new Item("i1", "Shirt", null, Instant.parse("2026-01-02T03:04:05.678Z")), item);
    }

    @Test
    void daysGoOutAndComeBackAsDates() {
        record Launch(String name, LocalDate launchOn) {}
        Launch launch = new Launch("Shirt", LocalDate.of(2026, 1, 2));
        service.then(201, "{\"name\":\"Shirt\",\"launchOn\":\"2026-01-02\"}").then(200, "{\"launchOn\":\"soon\"}");

        assertEquals(launch, client.entities(Launch.class).create("item", launch));

        assertEquals("2026-01-02", service.only().json().path("launchOn").asText());
        assertThrows(SelvedgeException.class, () -> client.entities(Launch.class).get("item", "i1"));
    }

    @Test
    void getReadsAnEntityAsAGenericType() {
        service.then(200, "{\"id\":\"i1\",\"content\":[1,2]}");

        Box<List<Integer>> box =
                client.entities(new TypeReference<Box<List<Integer>>>() {}).get("custom-entity", "i1");

        assertEquals(new Box<>("i1", List.of(1, 2)), box);
    }

    @Test
    void getAsksForRelations() {
        service.then(200, SHIRT);
        client.entities().get("project-item", "p1", "item", "item.itemFamily");

        assertEquals("item,item.itemFamily", service.only().parameter("relations"));
    }

    @Test
    void idsAreEncodedAndNeverChangeThePath() {
        service.then(200, SHIRT);
        client.entities().get("item", "a/b c?d+é");

        assertEquals("/api/item/a%2Fb%20c%3Fd%2B%C3%A9", service.only().path());
        for (String id : List.of("", " ", ".", "..")) {
            assertThrows(IllegalArgumentException.class, () -> client.entities().delete("item", id));
        }
        assertEquals(1, service.requests.size());
    }

    @Test
    void createPostsWithAnIdempotencyKeyOfItsOwn() {
        service.then(201, SHIRT).then(201, SHIRT);

        Map<String, Object> created =
                client.entities().create("item", Map.of("name", "Shirt", "typePath", "item:shirt"));
        client.entities().create("item", Map.of("name", "Shirt"));

        Received first = service.requests.get(0);
        assertEquals("i1", created.get("id"));
        assertEquals("POST /api/item", first.line());
        assertEquals("application/json", first.header("Content-type"));
        assertEquals("item:shirt", first.json().path("typePath").asText());
        assertTrue(first.header("Idempotency-key").length() >= 32);
        assertNotEquals(first.header("Idempotency-key"), service.last().header("Idempotency-key"));
    }

    @Test
    void updateSendsNullsOfMapsAndLeavesOutNullFieldsOfClasses() {
        service.always(FakeService.json(200, SHIRT));
        Map<String, Object> clearing = new HashMap<>();
        clearing.put("color", null);

        client.entities().update("item", "i1", clearing);
        client.entities(Item.class).update("item", "i1", new Item(null, "Linen shirt", null, null));

        assertEquals("{\"color\":null}", service.requests.get(0).text());
        assertEquals("{\"name\":\"Linen shirt\"}", service.requests.get(1).text());
        assertEquals("PUT /api/item/i1", service.last().line());
        assertNull(service.last().header("Idempotency-key"));
    }

    @Test
    void aTaggedEntityGuardsALaterWrite() {
        service.then(200, SHIRT, "ETag", "\"3\"")
                .then(412, "{\"code\":\"precondition_failed\"}")
                .then(204, "");

        Tagged<Item> item = client.entities(Item.class).getTagged("item", "i1");
        ApiException stale = assertThrows(
                ApiException.class, () -> client.entities().update("item", "i1", Map.of("name", "x"), item.etag()));
        client.entities().delete("item", "i1", item.etag());

        assertEquals(412, stale.getStatus());
        assertEquals("\"3\"", service.requests.get(1).header("If-match"));
        assertEquals("\"3\"", service.last().header("If-match"));
    }

    @Test
    void deleteNeedsNoBody() {
        service.then(204, "");
        client.entities().delete("item", "i1");

        assertEquals("DELETE /api/item/i1", service.only().line());
    }

    @Test
    void batchesAreBareArraysAndKeepTheirOrder() {
        String both = "{\"results\":[{\"id\":\"a\",\"name\":\"A\"},{\"id\":\"b\",\"name\":\"B\"}]}";
        service.then(201, both).then(200, both).then(201, both).then(204, "");
        List<Map<String, String>> entities = List.of(Map.of("name", "A"), Map.of("name", "B"));
        EntityClient<Item> items = client.entities(Item.class);

        assertEquals(
                List.of("a", "b"),
                items.createBatch("item", entities).stream().map(Item::id).toList());
        assertEquals(2, items.updateBatch("item", entities).size());
        assertEquals(2, items.upsertBatch("item", entities).size());
        items.deleteBatch("item", List.of("a", "b"));

        assertEquals(
                List.of(
                        "POST /api/item/batch",
                        "PUT /api/item/batch",
                        "POST /api/item/batch?upsertBy=federatedId",
                        "DELETE /api/item/batch"),
                service.requests.stream().map(Received::line).toList());
        assertEquals(
                "[{\"name\":\"A\"},{\"name\":\"B\"}]", service.requests.get(0).text());
        assertEquals("[\"a\",\"b\"]", service.last().text());
    }

    @Test
    void queryObjectsGoAsUrlEncodedJson() {
        service.then(200, "{\"results\":[],\"nextPageKey\":null}");
        ListQuery query = ListQuery.all()
                .limit(20)
                .where("name", "A & B")
                .whereAnyOf("status", "draft", 7)
                .whereAbsent("color")
                .whereBetween("createdOn", "2026-01-01", "2026-01-31")
                .orderBy("name", Order.DESC)
                .relations("itemFamily");

        Page<Map<String, Object>> page = client.entities().list("item", query);

        Received request = service.only();
        assertTrue(page.next().isEmpty());
        assertEquals("20", request.parameter("limit"));
        assertEquals("itemFamily", request.parameter("relations"));
        assertEquals(
                "{\"name\":\"A & B\",\"status\":[\"draft\",7],\"color\":null,\"createdOn\":\"BETWEEN 2026-01-01 and"
                        + " 2026-01-31\"}",
                request.parameter("criteria"));
        assertEquals(Map.of("orderField", "name", "order", "desc"), asMap(request.parameter("order")));
        assertFalse(request.query().contains("{"));
    }

    @Test
    void aMapperOfTheUserReadsTheUsersClassesAndNothingElse() {
        record Snake(String id, String fabricWeight) {}
        ObjectMapper snake = new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
        SelvedgeClient own = service.builder()
                .apiKey("app:test")
                .orgSlug("demo")
                .objectMapper(snake)
                .build();
        service.then(
                200, "{\"results\":[{\"id\":\"i1\",\"fabric_weight\":\"180\"}],\"nextPageKey\":\"k\",\"later\":1}");

        Page<Snake> page = own.entities(Snake.class).list("item", ListQuery.all());

        assertEquals(List.of(new Snake("i1", "180")), page.results());
        assertEquals("k", page.nextPageKey());
        service.then(200, "{\"count\":7,\"isExact\":true,\"later\":1}");
        assertEquals(new EntityCount(7, true), own.entities().count("item", ListQuery.all()));
    }

    @Test
    void anyOtherCallCanBeMade() {
        service.then(200, "{\"id\":\"w1\"}").then(204, "");

        Map<?, ?> webhook = client.request("POST", "/webhooks?x=1", Map.of("name", "in"), Map.class);
        client.request("DELETE", "/webhooks/w1", null, Void.class);

        assertEquals("w1", webhook.get("id"));
        assertEquals("POST /api/webhooks?x=1", service.requests.get(0).line());
        assertNull(service.requests.get(0).header("Idempotency-key"));
        assertThrows(IllegalArgumentException.class, () -> client.request("GET", "@evil.example", null, Map.class));
    }

    private static Map<?, ?> asMap(String json) {
        return Json.WIRE.members(Json.WIRE.tree(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** N48, N50 */
    @Test
    void operatorsWordsAndCountsTravelAsTheServiceReadsThem() {
        service.then(200, "{\"count\": 3, \"isExact\": true}");
        ListQuery query = ListQuery.all()
                .where("price", Criterion.atLeast(20).lessThan(50))
                .where("name", Criterion.contains("shirt").and(Criterion.not("Shirt")))
                .or(ListQuery.all().where("season", "SS27"), ListQuery.all().where("tags", Criterion.exists(false)))
                .search("linen");
        EntityCount count = client.entities().count("item", query);
        assertEquals(3, count.count());
        assertTrue(count.isExact());
        Received request = service.only();
        assertEquals("/api/item/count", request.path());
        assertEquals("linen", request.parameter("q"));
        assertEquals(
                "{\"price\":{\"gte\":20,\"lt\":50},\"name\":{\"contains\":\"shirt\",\"not\":\"Shirt\"},"
                        + "\"or\":[{\"season\":\"SS27\"},{\"tags\":{\"exists\":false}}]}",
                request.parameter("criteria"));
    }

    /** N50 */
    @Test
    void aSearchOverAllTypesReadsOnByItself() {
        service.then(200, "{\"results\": [{\"id\": \"a\"}], \"nextPageKey\": \"k\", \"isPartial\": true}");
        service.then(200, "{\"results\": [{\"id\": \"b\"}], \"nextPageKey\": null}");
        var page = client.entities().search("linen", ListQuery.all().limit(5));
        assertEquals(List.of("a", "b"), page.results().stream().map(each -> each.get("id")).toList());
        assertEquals("/api/search", service.requests.get(1).path());
        assertEquals("k", service.requests.get(1).parameter("nextPageKey"));
        assertNull(service.requests.get(1).parameter("entityType"));

        service.then(200, "{\"results\": [], \"nextPageKey\": null}");
        client.entities().search("linen", "item", ListQuery.all());
        assertEquals("item", service.last().parameter("entityType"));
    }
}
