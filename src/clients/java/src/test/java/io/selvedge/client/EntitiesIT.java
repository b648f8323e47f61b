package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.Page;
import io.selvedge.client.model.Tagged;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Entities of the real service: every operation of the entity client. */
class EntitiesIT {

    record Item(
            String id,
            String name,
            String typePath,
            String federatedId,
            String fabric,
            Instant createdOn,
            long version) {
        static Item named(String name, String federatedId) {
            return new Item(null, name, "item:shirt", federatedId, "linen", null, 0);
        }
    }

    private static SelvedgeClient client;
    private static EntityClient<Item> items;

    @BeforeAll
    static void login() {
        client = RunningService.get().login();
        items = client.entities(Item.class);
    }

    private static String unique(String prefix) {
        return prefix + "-" + UUID.randomUUID();
    }

    private static Item created() {
        return items.create("item", Item.named("Shirt", unique("S")));
    }

    @Test
    void anEntityIsCreatedReadChangedAndDeleted() {
        Map<String, Object> created =
                client.entities().create("item", Map.of("name", "Shirt", "typePath", "item:shirt"));
        String id = (String) created.get("id");

        assertEquals("Shirt", client.entities().get("item", id).get("name"));
        assertEquals(
                "Linen shirt",
                client.entities()
                        .update("item", id, Map.of("name", "Linen shirt"))
                        .get("name"));
        client.entities().delete("item", id);

        ApiException gone =
                assertThrows(ApiException.class, () -> client.entities().get("item", id));
        assertEquals(404, gone.getStatus());
        assertEquals("not_found", gone.getCode());
        assertFalse(gone.getRequestId().isEmpty());
        assertFalse(gone.getDetail().isEmpty());
    }

    @Test
    void anEntityIsAnObjectOfTheUsersClass() {
        Item item = created();

        assertNotNull(item.id());
        assertEquals("linen", item.fabric());
        assertEquals(1, item.version());
        assertEquals(item, items.get("item", item.id()));
        assertTrue(item.createdOn().isAfter(Instant.parse("2020-01-01T00:00:00Z")));
    }

    @Test
    void aNullInAMapClearsAndAnAbsentFieldStays() {
        Item item = created();
        Map<String, Object> clearing = new HashMap<>();
        clearing.put("fabric", null);

        Item cleared = items.update("item", item.id(), clearing);

        assertEquals(null, cleared.fabric());
        assertEquals(item.name(), cleared.name());
    }

    @Test
    void aStaleTagIsRefused() {
        Tagged<Item> seen = items.getTagged("item", created().id());
        String id = seen.value().id();
        items.update("item", id, Map.of("name", "First"), seen.etag());

        assertEquals(
                412,
                assertThrows(ApiException.class, () -> items.update("item", id, Map.of("name", "Second"), seen.etag()))
                        .getStatus());
        assertEquals(
                412,
                assertThrows(ApiException.class, () -> items.delete("item", id, seen.etag()))
                        .getStatus());
        items.delete("item", id, items.getTagged("item", id).etag());
    }

    @Test
    void everyFaultOfTheInputIsNamed() {
        ApiException e = assertThrows(
                ApiException.class, () -> client.entities().create("item", Map.of("name", 1, "typePath", "color")));

        assertEquals(400, e.getStatus());
        assertEquals(
                List.of("/name", "/typePath"),
                e.getErrors().stream().map(FieldError::path).sorted().toList());
    }

    @Test
    void listsAreFilteredSortedAndPaged() {
        String group = unique("group");
        IntStream.range(0, 5).forEach(i -> client.entities()
                .create("color", Map.of("name", "C" + i, "hex", "#00000" + i, "group", group)));
        ListQuery query = ListQuery.all()
                .where("group", group)
                .orderBy("name", Order.DESC)
                .limit(2);

        Page<Map<String, Object>> first = client.entities().list("color", query);
        List<Object> all = client.entities()
                .listAll("color", query)
                .map(color -> color.get("name"))
                .toList();
        List<Object> some = client.entities()
                .listAll("color", query.whereAnyOf("name", "C1", "C3"))
                .map(color -> color.get("name"))
                .toList();

        assertEquals(2, first.results().size());
        assertTrue(first.next().isPresent());
        assertEquals(List.of("C4", "C3", "C2", "C1", "C0"), all);
        assertEquals(List.of("C3", "C1"), some);
    }

    /** N16, N48 */
    @Test
    void conditionsAddUp() {
        String mark = unique("M");
        for (int price = 1; price <= 4; price++) {
            client.entities().create("item", Map.of("name", "P" + price, "mark", mark, "price", price, "launchOn",
                    LocalDate.of(2026, 1, price)));
        }
        ListQuery marked = ListQuery.all().where("mark", mark);

        assertEquals(List.of("P2", "P3"), names(marked
                .where("price", Criterion.greaterThan(1))
                .where("price", Criterion.below(4))));
        assertEquals(List.of("P2"), names(marked
                .or(ListQuery.all().where("price", Criterion.below(3)), ListQuery.all().where("name", "P4"))
                .or(ListQuery.all().where("price", Criterion.greaterThan(1)), ListQuery.all().where("mark", "none"))
                .where("launchOn", Criterion.between(LocalDate.of(2026, 1, 1), LocalDate.of(2026, 1, 3)))));
    }

    private static List<String> names(ListQuery query) {
        return items.listAll("item", query).map(Item::name).toList();
    }

    /** N52, N64 */
    @Test
    void anEarlierVersionIsRestoredUnlessSomebodyWasFaster() {
        Item item = created();
        String etag = items.getTagged("item", item.id()).etag();
        items.update("item", item.id(), Map.of("name", "Belt"));

        ApiException stale = assertThrows(
                ApiException.class, () -> items.restore("item", item.id(), 1, etag, List.of("name")));
        String newest = items.getTagged("item", item.id()).etag();

        assertEquals(412, stale.getStatus());
        assertEquals(item.name(), items.restore("item", item.id(), 1, newest, List.of("name")).name());
    }

    @Test
    void aPostByHandUnderTheSameKeyIsCarriedOutOnce() {
        SelvedgeClient keyed = client.withIdempotencyKey(unique("raw"));
        Map<String, ?> color = Map.of("name", "Raw", "hex", "#00ff00", "federatedId", unique("C"));

        Object first = keyed.request("POST", "/colors", color, Map.class).get("id");

        assertEquals(first, keyed.request("POST", "/colors", color, Map.class).get("id"));
        assertTrue(client.request("POST", "/webhooks", Map.of("name", "by hand"), Map.class).containsKey("triggerUrl"));
    }

    @Test
    void aLaterClientGoesOnFromTheBookmarkOfAnother() {
        String id = created().id();
        RunningService service = RunningService.get();

        SelvedgeClient later = SelvedgeClient.builder()
                .baseUrl(service.baseUrl())
                .orgSlug(service.orgSlug())
                .apiKey(service.apiKey())
                .bookmark(client.bookmark().orElseThrow())
                .build();

        assertEquals(id, later.entities().get("item", id).get("id"));
    }

    @Test
    void relationsStandBesideTheirIds() {
        Item family = created();
        Map<String, Object> option = client.entities()
                .create("item", Map.of("name", "Blue", "roles", List.of("option"), "itemFamilyId", family.id()));

        Map<?, ?> related = (Map<?, ?>) client.entities()
                .get("item", (String) option.get("id"), "itemFamily")
                .get("itemFamily");

        assertEquals(family.id(), related.get("id"));
    }

    @Test
    void batchesAreAllOrNothing() {
        List<Item> created =
                items.createBatch("item", List.of(Item.named("A", unique("A")), Item.named("B", unique("B"))));
        List<Map<String, Object>> renamed = created.stream()
                .map(item -> Map.<String, Object>of("id", item.id(), "name", item.name() + "2"))
                .toList();

        assertEquals(
                List.of("A2", "B2"),
                items.updateBatch("item", renamed).stream().map(Item::name).toList());
        List<Item> upserted = items.upsertBatch(
                "item", List.of(Item.named("A3", created.get(0).federatedId()), Item.named("C", unique("C"))));
        assertEquals(created.get(0).id(), upserted.get(0).id());

        List<Map<String, Object>> broken = new ArrayList<>(renamed);
        broken.add(Map.of("id", "absent-absent-ab", "name", "x"));
        assertThrows(ApiException.class, () -> items.updateBatch("item", broken));
        assertEquals("A3", items.get("item", created.get(0).id()).name());

        items.deleteBatch("item", upserted.stream().map(Item::id).toList());
        assertThrows(ApiException.class, () -> items.get("item", created.get(0).id()));
    }

    @Test
    void aCallUnderTheSameKeyIsCarriedOutOnce() {
        SelvedgeClient keyed = client.withIdempotencyKey(unique("key"));
        Map<String, Object> color = Map.of("name", "Once");

        Map<String, Object> first = keyed.entities().create("color", color);

        assertEquals(first.get("id"), keyed.entities().create("color", color).get("id"));
        ApiException other = assertThrows(
                ApiException.class, () -> keyed.entities().create("color", Map.of("name", "Another")));
        assertEquals(409, other.getStatus());
    }

    @Test
    void anyOtherCallOfTheApiIsMadeByHand() {
        Map<?, ?> made = client.request("POST", "/colors", Map.of("name", "Raw"), Map.class);
        String path = "/colors/" + made.get("id");

        assertEquals("Raw", client.request("GET", path, null, Item.class).name());
        client.request("DELETE", path, null, Void.class);

        assertEquals(
                404,
                assertThrows(ApiException.class, () -> client.request("GET", path, null, Map.class))
                        .getStatus());
    }

    @Test
    void batchesAndListsOfOneGroup() {
        String group = unique("group");
        Map<String, Object> fields = Map.of("name", "A", "group", group);
        ListQuery query = ListQuery.all().where("group", group).limit(1);
        EntityClient<Map<String, Object>> entities = client.entities();

        List<String> ids = entities.createBatch("color", List.of(fields, fields)).stream()
                .map(color -> (String) color.get("id"))
                .toList();
        assertEquals(
                "B",
                entities.updateBatch("color", List.of(Map.of("id", ids.get(0), "name", "B")))
                        .get(0)
                        .get("name"));
        assertEquals(
                1, entities.list("color", query).results().size());
        assertEquals(
                ids, entities.listAll("color", query).map(color -> color.get("id")).toList());
        Tagged<Map<String, Object>> tagged =
                entities.getTagged("color", ids.get(0));
        entities.update("color", ids.get(0), Map.of("name", "C"), tagged.etag());
        entities.deleteBatch("color", ids);
        String federatedId = unique("F");
        assertEquals(
                federatedId,
                entities.upsertBatch("color", List.of(Map.of("name", "U", "federatedId", federatedId)))
                        .get(0)
                        .get("federatedId"));
    }
}
