package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.FakeService.Received;
import io.selvedge.client.model.AssortmentSplit;
import io.selvedge.client.model.ColumnDefinition;
import io.selvedge.client.model.LoadType;
import io.selvedge.client.model.LoaderConfig;
import io.selvedge.client.model.LoaderProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadClientTest {

    private static final String PENDING = load("pending", 0, "");
    private static final String DONE = load("completed", 100, ",\"results\":{\"item\":{\"created\":2,\"updated\":1}}");
    private static final String FAILED = load(
            "failed",
            50,
            """
            ,"failureArea":"VALIDATING_DATA","issues":[{"rowNumber":3,"columnName":"price","message":"Not a number.",\
            "issueType":"INVALID_DATA","severity":"error"}]""");

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();
    private final LoaderConfig config =
            LoaderConfig.builder(LoadType.ITEM).fileLocation("f1").build();

    @AfterEach
    void stop() {
        service.close();
    }

    private static String load(String status, int percent, String more) {
        return "{\"id\":\"l1\",\"status\":\"" + status
                + "\",\"progress\":{\"phase\":\"x\",\"rowsTotal\":3,\"rowsDone\":1,\"percent\":" + percent + "}" + more
                + "}";
    }

    @Test
    void aConfigurationGoesOverTheWireAsTheSpecificationNamesIt() {
        service.then(202, PENDING);
        LoaderConfig whole = LoaderConfig.builder(LoadType.ITEM, LoadType.ASSORTMENT)
                .fileLocation("f1")
                .mapping("name", "Style Name")
                .mapping("itemFamilyFederatedId", "Style No")
                .column(ColumnDefinition.of("season")
                        .when("{month} < 7", "spring")
                        .otherwise("autumn"))
                .column(ColumnDefinition.of("copy").from("name"))
                .remove("a", "b")
                .assortmentSplit(AssortmentSplit.on("region")
                        .toIdentifier("EU", "fall")
                        .toId("US", "a1")
                        .partial(null, "drop"))
                .dryRun(true)
                .build();

        client.loads().start(whole);

        assertEquals("POST /api/loader-processes", service.only().line());
        assertEquals(
                """
                {"loadType":["ITEM","ASSORTMENT"],"fileLocation":"f1",\
                "federatedMappings":{"name":"Style Name","itemFamilyFederatedId":"Style No"},\
                "conditionalColumns":[{"toProperty":"season","conditions":[{"conditional":"{month} < 7","value":"spring"}],\
                "default":"autumn"},{"toProperty":"copy","fromProperty":"name"}],\
                "propertiesToRemove":["a","b"],\
                "assortmentSplit":{"fieldToSplitOn":"region","values":[{"value":"EU","assortmentIdentifier":"fall"},\
                {"value":"US","assortmentId":"a1"}],"partialAssortmentUpdate":true,"dropField":"drop"},\
                "dryRun":true}""",
                service.only().text());
    }

    @Test
    void aConditionMayGiveNull() {
        service.then(202, PENDING);

        client.loads()
                .start(LoaderConfig.builder(LoadType.ITEM)
                        .column(ColumnDefinition.of("season").when("{month} > 12", null))
                        .build());

        assertEquals(
                "[{\"toProperty\":\"season\",\"conditions\":[{\"conditional\":\"{month} > 12\",\"value\":null}]}]",
                service.only().json().path("conditionalColumns").toString());
    }

    @Test
    void aLoadTypeOfANewerServiceCanBeRead() {
        service.then(200, "{\"results\":[{\"id\":\"l1\",\"loadType\":[\"ITEM\",\"BRAND\"]}]}");

        assertEquals(
                List.of(LoadType.ITEM, LoadType.UNKNOWN),
                client.loads().list(ListQuery.all()).results().get(0).loadType());
        assertThrows(IllegalArgumentException.class, () -> LoaderConfig.builder(LoadType.UNKNOWN));
    }

    @Test
    void aConfigurationDoesNotChangeWithItsBuilder() {
        LoaderConfig.Builder builder = LoaderConfig.builder(LoadType.COLOR).mapping("name", "Name");
        LoaderConfig before = builder.build();
        builder.mapping("hex", "Hex").dryRun(true);

        assertEquals(Map.of("name", "Name"), before.properties().get("federatedMappings"));
        assertTrue(!before.properties().containsKey("dryRun"));
    }

    @Test
    void runWaitsForTheEndAndTellsTheProgress() {
        service.then(202, PENDING)
                .then(200, PENDING)
                .then(200, load("running", 40, ""))
                .then(200, DONE);
        List<String> seen = new ArrayList<>();

        LoaderProcess done = client.loads()
                .run(
                        config,
                        load -> seen.add(load.status() + " " + load.progress().percent()));

        assertTrue(done.isCompleted());
        assertEquals(new LoaderProcess.Counts(2, 1, 0, 0), done.results().get("item"));
        assertEquals(List.of("pending 0.0", "running 40.0", "completed 100.0"), seen);
        assertEquals("GET /api/loader-processes/l1", service.last().line());
    }

    @Test
    void aLoadThatFailsIsALoadException() {
        service.then(202, PENDING).then(200, FAILED);

        LoadException e = assertThrows(LoadException.class, () -> client.loads().run(config, load -> {}));

        assertEquals("the load l1 is failed: Not a number.", e.getMessage());
        assertEquals("VALIDATING_DATA", e.getProcess().failureArea());
        assertEquals(
                new LoaderProcess.Issue(3L, "price", "Not a number.", "INVALID_DATA", "error"),
                e.getIssues().get(0));
    }

    @Test
    void runOfAPathUploadsItFirst(@TempDir Path folder) throws IOException {
        Path csv = Files.writeString(folder.resolve("items.csv"), "name\nShirt\n");
        service.then(200, FAULTLESS)
                .then(201, "{\"id\":\"f7\"}")
                .then(200, "{\"id\":\"f7\"}")
                .then(202, PENDING)
                .then(200, DONE);

        client.loads().run(csv, config, load -> {});

        assertEquals("f7", service.requests.get(3).json().path("fileLocation").asText());
        assertEquals("f1", config.properties().get("fileLocation"));
    }

    @Test
    void aFaultyConfigurationIsRefusedBeforeTheUpload(@TempDir Path folder) throws IOException {
        Path csv = Files.writeString(folder.resolve("items.csv"), "name\nShirt\n");
        String fault = "{\"path\":\"/loadType\",\"message\":\"Only ITEM can be combined.\"}";
        service.then(400, refusal(fault)).then(400, refusal(fault));

        ApiException e = assertThrows(ApiException.class, () -> client.loads().run(csv, config, load -> {}));

        assertEquals(List.of(new FieldError("/loadType", "Only ITEM can be combined.")), e.getErrors());
        assertEquals(e.getErrors(), client.loads().check(config));
        assertEquals(2, service.requests.size());
        for (Received request : service.requests) {
            assertEquals("POST /api/loader-processes/check", request.line());
            assertFalse(request.json().has("fileLocation"), "the file is not there yet");
        }
    }

    private static final String FAULTLESS = "{\"columns\":null,\"issues\":[]}";

    private static String refusal(String errors) {
        return "{\"code\":\"invalid_input\",\"detail\":\"Not valid.\",\"errors\":[" + errors + "]}";
    }

    @Test
    void aLoadCanBeReadListedWaitedForAndCancelled() {
        service.then(200, DONE)
                .then(200, "{\"results\":[" + DONE + "]}")
                .then(200, DONE)
                .then(200, load("cancelled", 3, ""));

        assertEquals("l1", client.loads().get("l1").id());
        assertEquals(1, client.loads().list(ListQuery.all()).results().size());
        assertTrue(client.loads().waitFor("l1", load -> {}).isEnded());
        assertEquals("cancelled", client.loads().cancel("l1").status());
        assertEquals("POST /api/loader-processes/l1/cancel", service.last().line());
    }

    @Test
    void runAsyncCompletesAtTheEnd() {
        service.then(202, PENDING).then(200, DONE);

        assertTrue(client.loads().run(config, load -> {}).isCompleted());
    }
}
