package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.FakeService.Received;
import io.selvedge.client.model.LoadType;
import io.selvedge.client.model.LoaderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A load of a file under a key of the caller's, run again by a program that was restarted (N18, N64). */
class RepeatedLoadTest {

    private static final String FAULTLESS = "{\"columns\":null,\"issues\":[]}";
    private static final String PENDING = "{\"id\":\"f1\",\"status\":\"pending\"}";
    private static final String READY = "{\"id\":\"f1\",\"status\":\"ready\"}";
    private static final String STARTED = "{\"id\":\"l1\",\"status\":\"pending\"}";
    private static final String DONE = "{\"id\":\"l1\",\"status\":\"completed\"}";

    private final FakeService service = new FakeService();
    private final LoaderConfig config = LoaderConfig.builder(LoadType.ITEM).build();

    @TempDir
    Path folder;

    private Path csv;

    @BeforeEach
    void write() throws IOException {
        csv = Files.writeString(folder.resolve("items.csv"), "name\nShirt\n");
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private List<Received> run() {
        int before = service.requests.size();
        service.client().withIdempotencyKey("night-7").loads().run(csv, config, load -> {});
        return service.requests.subList(before, service.requests.size());
    }

    private static String key(Received request) {
        return request.header("Idempotency-key");
    }

    private List<Received> first() {
        service.then(200, FAULTLESS)
                .then(201, PENDING)
                .then(200, PENDING)
                .then(200, READY)
                .then(202, STARTED)
                .then(200, DONE);
        return run();
    }

    @Test
    void eachStepThatMakesSomethingHasAKeyOfItsOwn() {
        List<Received> sent = first();

        assertEquals(
                List.of(
                        "POST /api/loader-processes/check",
                        "POST /api/files",
                        "GET /api/files/f1",
                        "PUT /api/files/f1/content",
                        "POST /api/loader-processes",
                        "GET /api/loader-processes/l1"),
                sent.stream().map(Received::line).toList());
        assertNull(key(sent.get(0)), "the configuration is only looked at");
        assertTrue(key(sent.get(1)).length() > 20);
        assertNotEquals("night-7", key(sent.get(1)));
        assertEquals("night-7", key(sent.get(4)));
    }

    @Test
    void aRepetitionSendsTheSameAndNoContentThatIsThere() {
        List<Received> sent = List.copyOf(first());
        service.then(200, FAULTLESS)
                .then(201, PENDING)
                .then(200, READY)
                .then(202, STARTED)
                .then(200, DONE);

        List<Received> again = run();

        assertEquals("GET /api/files/f1", again.get(2).line());
        assertEquals(key(sent.get(1)), key(again.get(1)));
        assertEquals(key(sent.get(4)), key(again.get(3)));
        assertEquals(sent.get(4).text(), again.get(3).text());
    }

    @Test
    void aFileThatWasDeletedSinceIsNotSentAgain() {
        service.then(200, FAULTLESS)
                .then(201, PENDING)
                .then(404, "{\"code\":\"not_found\"}")
                .then(202, STARTED)
                .then(200, DONE);

        assertEquals("f1", run().get(3).json().path("fileLocation").asText());
    }

    @Test
    void otherContentIsAnotherFile() throws IOException {
        String key = key(first().get(1));
        Files.writeString(csv, "name\nBelt\n");

        assertNotEquals(key, key(first().get(1)));
    }

    @Test
    void withoutAKeyNothingIsAskedTwice() {
        service.then(200, FAULTLESS)
                .then(201, PENDING)
                .then(200, READY)
                .then(202, STARTED)
                .then(200, DONE);

        service.client().loads().run(csv, config, load -> {});

        assertEquals("PUT /api/files/f1/content", service.requests.get(2).line());
    }
}
