package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.selvedge.client.model.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PagingTest {

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    private static String page(String next, String... ids) {
        List<String> results = new ArrayList<>();
        for (String id : ids) {
            results.add("{\"id\":\"" + id + "\"}");
        }
        return "{\"results\":[" + String.join(",", results) + "],\"nextPageKey\":"
                + (next == null ? "null" : "\"" + next + "\"") + "}";
    }

    private static String partial(String next, String... ids) {
        return page(next, ids).replaceFirst("\\}$", ",\"isPartial\":true}");
    }

    private List<Object> ids(ListQuery query) {
        return client.entities()
                .listAll("item", query)
                .map(item -> item.get("id"))
                .toList();
    }

    @Test
    void listAllGoesThroughEveryPageAlsoAnEmptyOneInBetween() {
        service.then(200, page("k 1", "a", "b")).then(200, page("k2")).then(200, page(null, "c"));

        assertEquals(List.of("a", "b", "c"), ids(ListQuery.all().limit(2).where("name", "x")));

        assertNull(service.requests.get(0).parameter("nextPageKey"));
        assertEquals("k 1", service.requests.get(1).parameter("nextPageKey"));
        assertEquals("k2", service.requests.get(2).parameter("nextPageKey"));
        service.requests.forEach(request -> assertEquals("{\"name\":\"x\"}", request.parameter("criteria")));
    }

    @Test
    void listAllFetchesAPageOnlyWhenItIsNeeded() {
        service.then(200, page("k1", "a", "b"));

        assertEquals(
                2, client.entities().listAll("item", ListQuery.all()).limit(2).count());
        assertEquals(1, service.requests.size());
    }

    @Test
    void aPageThatTheServiceCouldNotFillIsReadOnUpToItsLimit_N71() {
        service.then(200, partial("k1", "a")).then(200, partial("k2")).then(200, page("k3", "b", "c"));

        Page<Map<String, Object>> found =
                client.entities().list("item", ListQuery.all().limit(3).where("price", 5));

        assertEquals(
                List.of("a", "b", "c"),
                found.results().stream().map(item -> item.get("id")).toList());
        assertEquals("k3", found.nextPageKey());
        assertEquals(
                List.of("3", "2", "2"),
                service.requests.stream().map(request -> request.parameter("limit")).toList());
        assertEquals("k2", service.requests.get(2).parameter("nextPageKey"));
    }

    @Test
    void listAllBeginsAtAGivenPage() {
        service.then(200, page(null, "z"));

        assertEquals(List.of("z"), ids(ListQuery.all().nextPageKey("k9")));
        assertEquals("k9", service.only().parameter("nextPageKey"));
    }

    @Test
    void anErrorOnALaterPageReachesTheCaller() {
        service.then(200, page("k1", "a")).then(400, "{\"code\":\"invalid_input\"}");

        assertEquals(
                400,
                assertThrows(ApiException.class, () -> ids(ListQuery.all())).getStatus());
    }
}
