package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BookmarkTest {

    private static final String ITEM = "{\"id\":\"i1\"}";

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    private List<String> sent() {
        return service.requests.stream()
                .map(request -> request.header(Bookmark.HEADER))
                .toList();
    }

    private void get() {
        client.entities().get("item", "i1");
    }

    @Test
    void theNewestBookmarkOfAnAnswerGoesWithTheNextRequest() {
        service.then(200, ITEM, Bookmark.HEADER, "b1")
                .then(201, ITEM, Bookmark.HEADER, "b2")
                .then(200, ITEM)
                .then(200, ITEM);

        get();
        client.entities().create("item", Map.of());
        get();
        get();

        assertEquals(Arrays.asList(null, "b1", "b2", "b2"), sent());
    }

    @Test
    void aBookmarkIsHandedOverToALaterClient() {
        service.then(201, ITEM, Bookmark.HEADER, "b7")
                .then(200, ITEM)
                .then(200, "{\"accessToken\":\"tok\"}")
                .then(200, ITEM);
        assertEquals(Optional.empty(), client.bookmark());

        client.entities().create("item", Map.of());
        String reached = client.bookmark().orElseThrow();
        SelvedgeClientBuilder later = service.builder().orgSlug("demo").bookmark(reached);
        later.apiKey("app:x").build().entities().get("item", "i1");
        later.login("a@b.example", "x").entities().get("item", "i1");

        assertEquals("b7", reached);
        assertEquals("b7", service.requests.get(1).header(Bookmark.HEADER));
        assertEquals("b7", service.last().header(Bookmark.HEADER));
    }

    @Test
    void aBookmarkThatRunsBackIsThatOfAnotherDatabase() {
        service.then(200, ITEM, Bookmark.HEADER, "b9")
                .then(200, ITEM, Bookmark.HEADER, "b1")
                .then(200, ITEM, Bookmark.HEADER, "DATA_01.b0")
                .then(200, ITEM);

        get();
        get();
        get();
        get();

        assertEquals(Arrays.asList(null, "b9", "b1", "DATA_01.b0"), sent());
    }

    @Test
    void aWriteThatNobodyHasPlacedIsLookedForAtThePrimary() {
        service.then(200, ITEM, Bookmark.HEADER, "b1")
                .then(204, "")
                .then(200, ITEM, Bookmark.HEADER, "b2")
                .then(500, "{}")
                .then(200, ITEM);

        get();
        client.entities().delete("item", "i1");
        get();
        assertThrows(ApiException.class, () -> client.entities().delete("item", "i1"));
        get();

        assertEquals(Arrays.asList(null, "b1", null, "b2", null), sent());
    }

    @Test
    void aWriteThatWasRefusedChangesNothing() {
        service.then(200, ITEM, Bookmark.HEADER, "b1").then(409, "{}").then(200, ITEM);

        get();
        assertThrows(ApiException.class, () -> client.entities().delete("item", "i1"));
        get();

        assertEquals(Arrays.asList(null, "b1", "b1"), sent());
    }
}
