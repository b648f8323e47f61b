package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.AssortmentSplit;
import io.selvedge.client.model.ColumnDefinition;
import io.selvedge.client.model.LoadType;
import io.selvedge.client.model.LoaderConfig;
import io.selvedge.client.model.LoaderProcess;
import io.selvedge.client.model.PublishRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loads into the real service, and the publishes of assortments that they make. */
@Timeout(300)
class LoadsIT {

    private static SelvedgeClient client;

    @TempDir
    Path folder;

    private final String mark = UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void login() {
        client = RunningService.get().login();
    }

    private static String create(String entityName, Map<String, ?> fields) {
        return (String) client.entities().create(entityName, fields).get("id");
    }

    private static String upload(String csv) {
        return client.files()
                .upload(csv.getBytes(StandardCharsets.UTF_8), "rows.csv", "text/csv")
                .id();
    }

    private static LoaderConfig colors() {
        return LoaderConfig.builder(LoadType.COLOR)
                .mapping("federatedId", "Code")
                .mapping("name", "Label")
                .remove("Internal")
                .build();
    }

    private String colorRows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> mark + "-" + i + ",Color " + i + ",#0000ff,x\n")
                .collect(Collectors.joining("", "Code,Label,hex,Internal\n", ""));
    }

    /** N64 */
    @Test
    void aLoadOfAFileThatIsRepeatedUnderItsKeyIsTheFirstOne() throws IOException {
        Path csv = Files.writeString(folder.resolve("colors.csv"), colorRows(2));
        SelvedgeClient keyed = client.withIdempotencyKey("night-" + mark);

        LoaderProcess first = keyed.loads().run(csv, colors(), load -> {});
        LoaderProcess again = keyed.loads().run(csv, colors(), load -> {});
        Files.writeString(csv, colorRows(3));
        ApiException other = assertThrows(ApiException.class, () -> keyed.loads().run(csv, colors(), load -> {}));

        assertEquals(first, again);
        assertEquals(2, first.results().get("color").created());
        assertEquals(409, other.getStatus());
        assertEquals("idempotency_key_reused", other.getCode());
    }

    @Test
    void aFileIsUploadedLoadedAndFollowedToItsEnd() throws IOException {
        Path csv = Files.writeString(folder.resolve("items.csv"), """
                Style No,Color No,Style Name,month
                %1$s,%1$s-blue,Linen shirt,3
                %1$s,%1$s-red,Linen shirt,4
                """.formatted(mark));
        LoaderConfig config = LoaderConfig.builder(LoadType.ITEM)
                .name("shirts " + mark)
                .mapping("itemFamilyFederatedId", "Style No")
                .mapping("itemOptionFederatedId", "Color No")
                .mapping("name", "Style Name")
                .column(ColumnDefinition.of("typePath").otherwise("item:shirt"))
                .column(ColumnDefinition.of("season")
                        .when("{month} < 7", "SS27")
                        .otherwise("FW27"))
                .build();
        List<LoaderProcess> seen = new ArrayList<>();

        LoaderProcess done = client.loads().run(csv, config, seen::add);

        assertTrue(done.isCompleted());
        assertEquals("shirts " + mark, done.name());
        assertEquals(List.of(LoadType.ITEM), done.loadType());
        assertEquals("NONE", done.failureArea());
        assertEquals(3, done.results().get("item").created());
        assertEquals(100, done.progress().percent());
        assertFalse(done.steps().isEmpty());
        assertEquals(0, done.errorCount());
        assertNotNull(done.startedOn());
        assertNotNull(done.endedOn());
        assertEquals(done, seen.get(seen.size() - 1));
        assertEquals(done, client.loads().get(done.id()));
        assertEquals(
                List.of("SS27"),
                client.entities()
                        .listAll("item", ListQuery.all().where("federatedId", mark + "-blue"))
                        .map(item -> item.get("season"))
                        .toList());
    }

    @Test
    void aDryRunCountsAndWritesNothing() {
        LoaderConfig dry = LoaderConfig.builder(LoadType.COLOR)
                .fileLocation(upload(colorRows(2)))
                .mapping("federatedId", "Code")
                .mapping("name", "Label")
                .mode("create")
                .dryRun(true)
                .build();

        LoaderProcess done = client.loads().run(dry, load -> {});

        assertEquals(2, done.results().get("color").created());
        assertEquals(0, found("color", mark + "-0"));
    }

    @Test
    void aConfigurationInAFileIsUsedAgain() {
        String yaml = """
                loadType: [COLOR]
                federatedMappings: {federatedId: Code, name: Label}
                """;
        String configuration = client.files()
                .upload(yaml.getBytes(StandardCharsets.UTF_8), "colors.yaml", "application/yaml")
                .id();
        LoaderConfig config = LoaderConfig.fromFile(configuration)
                .fileLocation(upload(colorRows(1)))
                .build();

        LoaderProcess started = client.loads().start(config);
        LoaderProcess done = client.loads().waitFor(started.id(), load -> {});

        assertEquals(1, done.results().get("color").created());
        assertEquals(1, found("color", mark + "-0"));
        assertTrue(client.loads()
                .list(ListQuery.all().orderBy("createdOn", Order.DESC).limit(50))
                .results()
                .stream()
                .anyMatch(listed -> listed.id().equals(done.id())));
    }

    @Test
    void aLoadThatFailsTellsItsIssuesAndWritesNothing() throws IOException {
        Path csv = Files.writeString(
                folder.resolve("colors.csv"), "Code,Label,hex\n%1$s-0,Blue,#0000ff\n%1$s-1,Red,reddish\n".formatted(mark));

        LoadException failed =
                assertThrows(LoadException.class, () -> client.loads().run(csv, colors(), load -> {}));

        LoaderProcess process = failed.getProcess();
        LoaderProcess.Issue issue = failed.getIssues().stream()
                .filter(one -> one.severity().equals("error"))
                .findFirst()
                .orElseThrow();
        assertEquals("failed", process.status());
        assertEquals("VALIDATING_DATA", process.failureArea());
        assertEquals(1, process.errorCount());
        assertEquals(3, issue.rowNumber());
        assertEquals("hex", issue.columnName());
        assertEquals("INVALID_DATA", issue.issueType());
        assertTrue(failed.getMessage().contains(issue.message()), failed.getMessage());
        assertEquals(0, found("color", mark + "-0"));
        ByteArrayOutputStream annotated = new ByteArrayOutputStream();
        client.files().download(process.annotatedFileId(), annotated);
        assertTrue(annotated.toString(StandardCharsets.UTF_8).contains("_issues"));
        assertTrue(client.files().get(process.issuesFileId()).isReady());
    }

    @Test
    void aConfigurationThatCannotBeIsRefusedAtOnce() {
        LoaderConfig impossible = LoaderConfig.builder(LoadType.PROJECT_ITEM)
                .fileLocation(upload(colorRows(1)))
                .set("lodeType", "typing error")
                .build();

        ApiException refused =
                assertThrows(ApiException.class, () -> client.loads().start(impossible));

        assertEquals(400, refused.getStatus());
        assertFalse(refused.getErrors().isEmpty());
    }

    @Test
    void aConditionMayGiveNull() {
        assertEquals(
                List.of(),
                client.loads().check(LoaderConfig.builder(LoadType.ITEM)
                        .mapping("itemFamilyFederatedId", "Style No")
                        .column(ColumnDefinition.of("season").when("{month} > 12", null))
                        .build()));
    }

    /** N51 */
    @Test
    void anExportMayBeOfSomePropertiesOnly() {
        create("color", Map.of("name", "Blue", "hex", "#0000ff", "federatedId", mark));
        ListQuery one = ListQuery.all().where("federatedId", mark);
        ByteArrayOutputStream csv = new ByteArrayOutputStream();

        client.exports().csv("color", one, csv, "name");

        assertTrue(csv.toString().contains("Blue") && !csv.toString().contains("#0000ff"), csv.toString());
        assertFalse(client.exports().configuration("color", one, "name").properties().isEmpty());
    }

    @Test
    void aLoadThatWaitsOrRunsIsCancelled() {
        LoaderProcess started =
                client.loads().start(colors().withFileLocation(upload(colorRows(20_000))));

        client.loads().cancel(started.id());

        LoadException stopped = assertThrows(
                LoadException.class,
                () -> client.loads().waitFor(started.id(), load -> {}));
        assertEquals(
                "cancelled", stopped.getProcess().status());
        // Under a key of its own, as this client sends one, it is cancelled already.
        assertEquals("cancelled", client.loads().cancel(started.id()).status());
    }

    @Test
    void anAssortmentIsLoadedAndPublished() {
        String project = create("project", Map.of("name", "Fall " + mark));
        create("workspace", Map.of("name", "Fall", "identifier", "ws-" + mark, "projectId", project));
        String workspace = (String) client.entities()
                .list("workspace", ListQuery.all().where("identifier", "ws-" + mark))
                .results()
                .get(0)
                .get("id");
        String assortment = create(
                "assortment", Map.of("name", "EU", "identifier", "eu-" + mark, "workspaceId", workspace));
        String csv = "itemFamilyFederatedId,name,region\n%1$s-a,Shirt,EU\n%1$s-b,Belt,EU\n".formatted(mark);
        LoaderConfig config = LoaderConfig.builder(LoadType.ITEM, LoadType.PROJECT_ITEM, LoadType.ASSORTMENT)
                .fileLocation(upload(csv))
                .workspaceIdentifier("ws-" + mark)
                .assortmentSplit(AssortmentSplit.on("region").toIdentifier("EU", "eu-" + mark))
                .build();

        LoaderProcess done = client.loads().run(config, load -> {});

        assertEquals(2, done.results().get("assortment-item").created());
        assertEquals(0, done.unrecordedWrites());
        PublishRecord byLoad = client.assortments()
                .publishRecord(assortment, done.assortmentPublishChangeIds().get(0));
        assertEquals(2, byLoad.detail().adds());
        assertEquals("loader", byLoad.createdByType());
        PublishRecord byHand = client.assortments().publish(assortment);
        assertEquals(assortment, byHand.assortmentId());
        assertEquals(0, byHand.detail().adds());
        assertNotNull(byHand.detail().baselineUrl());
        assertEquals(
                byHand,
                client.assortments()
                        .publishRecord(assortment, byHand.id()));
    }

    private static long found(String entityName, String federatedId) {
        return client.entities()
                .listAll(entityName, ListQuery.all().where("federatedId", federatedId))
                .count();
    }
}
