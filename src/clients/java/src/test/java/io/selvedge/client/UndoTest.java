package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.RevertProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports, restores and reverts: what goes out and how answers are read. */
class UndoTest {

    private static final String ENDED =
            "{\"id\":\"r1\",\"status\":\"completed\",\"endedOn\":\"2026-01-01T00:00:00.000Z\",\"issueCount\":1,"
                    + "\"results\":{\"item\":{\"deleted\":2,\"restored\":0,\"updated\":1,\"unchanged\":0,\"kept\":1}},"
                    + "\"issues\":[{\"entityReference\":\"item:i\",\"property\":null,\"reason\":\"in_use\","
                    + "\"message\":\"m\"}]}";

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void anExportGoesIntoAFileOrAStream() throws IOException {
        byte[] csv = "a,b\r\n1,2\r\n".getBytes(StandardCharsets.UTF_8);
        service.then(FakeService.bytes(200, csv)).then(FakeService.bytes(200, csv));
        Path target = folder.resolve("items.csv");
        ByteArrayOutputStream stream = new ByteArrayOutputStream();

        client.exports().csv("item", ListQuery.all().where("season", "SS27"), target);
        client.exports().jsonLines("item", ListQuery.all(), stream);

        service.then(FakeService.bytes(200, csv)).then(FakeService.bytes(200, csv));
        client.exports().csvForLoad("item", ListQuery.all(), folder.resolve("items-edit.csv"));
        client.exports().csvForLoad("item", ListQuery.all(), new ByteArrayOutputStream());
        assertTrue(service.requests.get(2).query().contains("format=csv-load"));
        assertTrue(service.requests.get(3).query().contains("format=csv-load"));
        assertEquals("a,b\r\n1,2\r\n", Files.readString(target));
        assertEquals("a,b\r\n1,2\r\n", stream.toString(StandardCharsets.UTF_8));
        assertEquals("GET /api/item/export", service.requests.get(0).line().split("\\?")[0]);
        assertTrue(service.requests.get(0).query().contains("format=csv"));
        assertTrue(service.requests.get(0).query().contains("SS27"));
        assertTrue(service.requests.get(1).query().contains("format=jsonl"));
    }

    @Test
    void anExportThatSaysThatItBrokeOffIsRepeatedIntoAFileAndFailsIntoAStream() throws IOException {
        String whole = "a,b\r\n\"1,\n\"\"x\",2\r\n";
        service.then(text("a,b\r\n1,2\r\n(broken off),(broken off),(broken off)\r\n"))
                .then(text("a,b\r\n1,2"))
                .then(text(whole));
        Path target = folder.resolve("items.csv");

        client.exports().csv("item", ListQuery.all(), target);

        assertEquals(whole, Files.readString(target));
        assertEquals(3, service.requests.size());
        service.then(text("{\"id\":\"1\"}\n{\"problem\":\"It broke off here.\"}\n"));
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        assertThrows(
                SelvedgeException.class, () -> client.exports().jsonLines("item", ListQuery.all(), stream));
        service.then(text("{\"id\":\"1\",\"problem\":\"none\"}\n"));
        client.exports().jsonLines("item", ListQuery.all(), stream);
    }

    private static FakeService.Answer text(String body) {
        return FakeService.bytes(200, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theConfigurationOfAnExportIsOneOfALoad() {
        service.then(200, "{\"loadType\":[\"ITEM\"],\"unchangedMark\":\"(unchanged)\"}");

        Map<String, Object> properties =
                client.exports().configuration("item", ListQuery.all()).properties();

        assertEquals(List.of("ITEM"), properties.get("loadType"));
        assertEquals("(unchanged)", properties.get("unchangedMark"));
    }

    @Test
    void anEarlierVersionIsRestored() {
        service.then(200, "{\"id\":\"i1\",\"version\":4}");

        assertEquals(
                4, client.entities().restore("item", "i1", 2, "name", "price").get("version"));

        assertEquals("POST /api/item/i1/restore", service.requests.get(0).line());
        assertEquals(2, service.requests.get(0).json().path("version").asInt());
        assertEquals(
                "price",
                service.requests.get(0).json().path("properties").get(1).asText());
    }

    @Test
    void aRevertIsStartedAndWaitedFor() {
        service.then(202, "{\"id\":\"r1\",\"status\":\"pending\"}").then(200, ENDED);

        RevertProcess started = client.reverts().startForLoad("l1", true);
        RevertProcess done = client.reverts().waitFor(started.id(), state -> {});

        assertEquals(2, done.results().get("item").deleted());
        assertEquals("in_use", done.issues().get(0).reason());
        assertEquals(
                "POST /api/loader-processes/l1/revert", service.requests.get(0).line());
        assertTrue(service.requests.get(0).json().path("dryRun").asBoolean());
    }

    @Test
    void aRevertThatFailsIsAnException() {
        service.then(200, ENDED.replace("completed\"", "failed\",\"failure\":\"The load is gone.\""));

        RevertException e =
                assertThrows(RevertException.class, () -> client.reverts().waitFor("r1", state -> {}));

        assertEquals("the revert r1 is failed: The load is gone.", e.getMessage());
        assertEquals("in_use", e.getProcess().issues().get(0).reason());
    }

    @Test
    void revertsAreListed() {
        service.then(200, "{\"results\":[" + ENDED + "],\"nextPageKey\":null}");

        assertEquals("r1", client.reverts().list(ListQuery.all().limit(5)).results().get(0).id());

        assertEquals("GET /api/revert-processes?limit=5", service.only().line());
    }

    @Test
    void anExportMayBeOfSomePropertiesOnly() {
        service.always(FakeService.json(200, "{}\n"));
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        client.exports().csv("item", ListQuery.all(), target, "name", "price");
        client.exports().jsonLines("item", ListQuery.all(), folder.resolve("items.jsonl"), "name", "price");
        client.exports().configuration("item", ListQuery.all(), "name", "price");
        client.exports().csv("item", ListQuery.all(), target);

        service.requests.subList(0, 3).forEach(request -> assertEquals("name,price", request.parameter("properties")));
        assertNull(service.last().parameter("properties"));
    }

    @Test
    void aRestoreMayBeGuarded() {
        service.then(412, "{\"code\":\"precondition_failed\"}");

        ApiException e = assertThrows(
                ApiException.class, () -> client.entities().restore("item", "i1", 2, "\"3\"", List.of()));

        assertEquals(412, e.getStatus());
        assertEquals("\"3\"", service.only().header("If-match"));
        assertEquals("{\"version\":2}", service.only().text());
    }
}
