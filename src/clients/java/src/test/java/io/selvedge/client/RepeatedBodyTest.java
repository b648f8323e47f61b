package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent under a key of the caller's is the same in every run of a program; other text would be refused (N18). */
class RepeatedBodyTest {

    private final FakeService service = new FakeService().always(FakeService.json(200, "{\"results\":[]}"));
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void mapsWithoutAnOrderGetOne() {
        Map<String, Object> shuffled =
                Map.of("f", 1, "a", Map.of("y", 1, "x", 2, "z", 3, "w", 4), "e", "t", "b", 2, "d", true, "c", 1.5);

        client.entities().create("item", shuffled);

        assertEquals(
                "{\"a\":{\"w\":4,\"x\":2,\"y\":1,\"z\":3},\"b\":2,\"c\":1.5,\"d\":true,\"e\":\"t\",\"f\":1}",
                service.only().text());
    }

    @Test
    void mapsWithAnOrderKeepIt() {
        Map<String, Object> ordered = new LinkedHashMap<>();
        ordered.put("b", 1);
        ordered.put("a", null);

        client.entities().create("item", ordered);

        assertEquals("{\"b\":1,\"a\":null}", service.only().text());
    }

    @Test
    void theClientsOwnBodiesHaveOne() {
        client.workflows().request("order|ready", Map.of("orderId", 7));

        assertEquals(
                "{\"event\":{\"orderId\":7},\"triggerKey\":\"order|ready\"}",
                service.only().text());
    }
}
