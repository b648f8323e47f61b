package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.selvedge.client.FakeService.Received;
import io.selvedge.client.model.ChangePage;
import io.selvedge.client.model.ChangeRecord;
import io.selvedge.client.model.PropertyChange;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChangeHistoryTest {

    private static final String RECORD =
            """
            {"id":"c1","orgId":"o","entityType":"item","entityReference":"item:i1","changeType":"update",
             "createdOn":"2026-01-02T03:04:05.678Z","createdById":"u1","createdByType":"user","version":2,
             "changes":{"name":{"oldValue":null,"newValue":"Shirt"}}}""";

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void aPageTellsRecordsAndPosition() {
        service.then(200, "{\"results\":[" + RECORD + "],\"nextPageKey\":\"k\",\"syncKey\":\"s9\"}");

        ChangePage page = client.changeHistory().list(ChangeQuery.all());

        ChangeRecord change = page.results().get(0);
        assertEquals("GET /api/change-history", service.only().line());
        assertEquals("s9", page.syncKey());
        assertEquals("k", page.next().orElseThrow());
        assertEquals("i1", change.entityId());
        assertEquals(Instant.parse("2026-01-02T03:04:05.678Z"), change.createdOn());
        assertEquals(Map.of("name", new PropertyChange(null, "Shirt")), change.changes());
    }

    @Test
    void criteriaAndOrderGoAsJson() {
        service.always(FakeService.json(200, "{\"results\":[],\"nextPageKey\":null,\"syncKey\":\"s\"}"));

        client.changeHistory()
                .list(ChangeQuery.all()
                        .entityTypes("item", "color")
                        .order(Order.ASC)
                        .limit(5)
                        .between(LocalDate.of(2026, 1, 1), LocalDate.of(2026, 1, 31)));
        client.changeHistory().list(ChangeQuery.all().entityTypes("item"));
        client.changeHistory().list(ChangeQuery.all().entity("item", "i1").after(""));

        Received first = service.requests.get(0);
        Map<?, ?> criteria = Json.WIRE.members(Json.WIRE.tree(first.parameter("criteria").getBytes()));
        assertEquals(List.of("item", "color"), criteria.get("entityType"));
        assertEquals("BETWEEN 2026-01-01 and 2026-01-31", criteria.get("createdOn"));
        assertEquals(
                Map.of("orderField", "createdOn", "order", "asc"),
                Json.WIRE.members(Json.WIRE.tree(first.parameter("order").getBytes())));
        assertEquals("5", first.parameter("limit"));
        assertNull(first.parameter("after"));
        assertEquals("{\"entityType\":\"item\"}", service.requests.get(1).parameter("criteria"));
        assertEquals("{\"entityReference\":\"item:i1\"}", service.last().parameter("criteria"));
        assertEquals("", service.last().parameter("after"));
    }

    @Test
    void listAllGoesThroughEveryPage() {
        service.then(200, "{\"results\":[" + RECORD + "],\"nextPageKey\":\"k\",\"syncKey\":\"s\"}")
                .then(200, "{\"results\":[" + RECORD + "],\"nextPageKey\":null,\"syncKey\":\"s\"}");

        assertEquals(
                2, client.changeHistory().listAll(ChangeQuery.all()).toList().size());
        assertEquals("k", service.last().parameter("nextPageKey"));
    }
}
