package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.Backup;
import io.selvedge.client.model.DeadLetter;
import io.selvedge.client.model.DeploymentStatus;
import io.selvedge.client.model.NewOrganization;
import io.selvedge.client.model.NewRestore;
import io.selvedge.client.model.OutboundEndpoint;
import io.selvedge.client.model.Page;
import io.selvedge.client.model.Restore;
import io.selvedge.client.model.SealedSecrets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator's calls: what goes out and how answers are read. */
class OperatorClientTest {

    private static final String RESTORE = """
            {"id":"r1","organizationId":"o1","slug":"acme","state":"receiving","nextPart":1,"isShifted":true,\
            "leftOut":{"passwords":2,"endpoints":["erp"],"identityProvider":true},\
            "createdOn":"2026-05-01T00:00:00.000Z","touchedOn":"2026-05-01T00:00:00.000Z"}""";

    private final FakeService service = new FakeService();
    private final OperatorClient operator = service.builder().operator("operator-key");

    @AfterEach
    void stop() {
        service.close();
    }

    private List<String> lines() {
        return service.requests.stream().map(FakeService.Received::line).toList();
    }

    @Test
    void anOrganizationIsMadeWithItsTierAndDatabase() {
        service.always(FakeService.json(201, "{\"slug\":\"acme\",\"database\":\"DB_2\"}"));
        NewOrganization acme = NewOrganization.of("acme", "Acme")
                .admin("a@b.c", "correct horse")
                .tier("high")
                .database("DB_2");

        assertEquals("DB_2", operator.createOrganization(acme).database());
        operator.createOrganization("acme", "Acme", "a@b.c", "correct horse");

        assertEquals("operator-key", service.last().header("X-operator-key"));
        assertEquals(
                """
                {"slug":"acme","name":"Acme","admin":{"email":"a@b.c","password":"correct horse"},\
                "tier":"high","database":"DB_2"}""",
                sorted(service.requests.get(0)));
        assertFalse(service.last().json().has("database"));
        assertFalse(service.last().json().has("tier"));
        assertFalse(acme.toString().contains("horse"));
    }

    /** The order of a map's keys is by chance. */
    private static String sorted(FakeService.Received request) {
        return request.text()
                .replace(
                        "{\"password\":\"correct horse\",\"email\":\"a@b.c\"}",
                        "{\"email\":\"a@b.c\",\"password\":\"correct horse\"}");
    }

    @Test
    void aMakingThatFailedIsNotRepeated() {
        service.then(503, "{}");

        assertThrows(ApiException.class, () -> operator.createOrganization(NewOrganization.of("acme", "Acme")));

        assertNull(service.only().header("Idempotency-key"));
    }

    @Test
    void theStatusIsRead() {
        service.then(200, """
                {"status":"degraded","version":"1.2.3","environment":"production",
                 "schema":{"expected":"0007_search","applied":null},"missingBindings":["FILES"],
                 "checks":[{"name":"database","isOk":true,"ms":12}],"organizations":{"total":3,"suspended":1},
                 "loads":{"waiting":2,"oldestStepOn":"2026-05-01T00:00:00.000Z"},
                 "deliveries":{"since":"2026-05-01T00:00:00.000Z","delivered":120,"pending":1,"failed":4},
                 "deadLetters":{"total":5,"oldestOn":null}}""");

        DeploymentStatus status = operator.deployment().status();

        assertFalse(status.isOk());
        assertNull(status.schema().applied());
        assertEquals(List.of("FILES"), status.missingBindings());
        assertEquals(List.of(new DeploymentStatus.Check("database", true, 12)), status.checks());
        assertEquals(1, status.organizations().suspended());
        assertEquals(
                Instant.parse("2026-05-01T00:00:00Z"), status.loads().oldestStepOn());
        assertEquals(4, status.deliveries().failed());
        assertEquals(5, status.deadLetters().total());
        assertEquals("GET /api/operator/status", service.only().line());
    }

    @Test
    void deadLettersArePagedAndReplayed() {
        service.then(200, "{\"results\":[{\"id\":\"d1\",\"organization\":null,\"kind\":\"load\"}],\"nextPageKey\":\"p2\"}")
                .then(503, "{}")
                .then(204, "");

        Page<DeadLetter> page = operator.deployment().deadLetters(ListQuery.all().limit(1).nextPageKey("p1"));
        operator.deployment().replay("d1");

        assertNull(page.results().get(0).organization());
        assertEquals("p2", page.nextPageKey());
        String replay = "POST /api/operator/dead-letters/d1/replay";
        assertEquals(List.of("GET /api/operator/dead-letters?limit=1&nextPageKey=p1", replay, replay), lines());
        assertEquals(
                service.requests.get(1).header("Idempotency-key"), service.last().header("Idempotency-key"));
        assertNotNull(service.last().header("Idempotency-key"));
    }

    @Test
    void databasesAndSecretsAreListed() {
        service.then(200, "{\"results\":[{\"name\":\"DB\",\"state\":\"open\",\"bytes\":null,\"organizations\":1}]}")
                .then(200, "{\"results\":[{\"key\":\"k1\",\"isInForce\":true,\"secrets\":7}]}");

        assertNull(operator.deployment().databases().get(0).bytes());
        assertEquals(List.of(new SealedSecrets("k1", true, 7)), operator.deployment().secrets());
        assertEquals(List.of("GET /api/operator/databases", "GET /api/operator/secrets"), lines());
    }

    @Test
    void bothTrailsAreListed() {
        service.always(FakeService.json(200, "{\"results\":[{\"id\":\"a1\",\"action\":\"org.delete\"}]}"));

        operator.audit().list("acme", ListQuery.all());
        assertEquals(
                "org.delete",
                operator.audit().list(ListQuery.all().limit(5)).results().get(0).action());

        assertEquals(List.of("GET /api/operator/orgs/acme/audit", "GET /api/operator/audit?limit=5"), lines());
    }

    @Test
    void theSearchIndexIsMadeAnew() {
        service.then(503, "{}").then(202, "{\"slug\":\"acme\"}");

        operator.rebuildSearchIndex("acme");

        assertEquals("POST /api/operator/orgs/acme/search-index", service.last().line());
        assertNull(service.last().header("Idempotency-key"));
    }

    @Test
    void backupsAreBegunListedAndDownloaded(@TempDir Path folder) throws IOException {
        byte[] archive = "an archive".getBytes(StandardCharsets.UTF_8);
        service.then(202, "{}")
                .then(200, "{\"results\":[{\"id\":\"b1\",\"organizationId\":\"o1\",\"bytes\":5000000000}]}")
                .then(FakeService.breakMidway(archive))
                .then(FakeService.bytes(200, archive))
                .then(FakeService.bytes(200, archive))
                .then(FakeService.breakMidway(archive));

        operator.backups().begin("acme");
        Backup backup = operator.backups().list(ListQuery.all()).results().get(0);
        operator.backups().download("o1", "b1", folder.resolve("acme.selvedge"));
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        operator.backups().download("o1", "b1", stream);

        assertEquals(5_000_000_000L, backup.bytes());
        assertEquals("an archive", Files.readString(folder.resolve("acme.selvedge")));
        assertEquals("an archive", stream.toString(StandardCharsets.UTF_8));
        assertThrows(SelvedgeException.class, () -> operator.backups().download("o1", "b1", stream));
        String download = "GET /api/operator/backups/o1/b1";
        assertEquals(
                List.of(
                        "POST /api/operator/orgs/acme/backups",
                        "GET /api/operator/backups",
                        download,
                        download,
                        download,
                        download),
                lines());
    }

    @Test
    void linesAndContentsAreTakenFromWhereTheyBrokeOff() {
        service.always(FakeService.bytes(200, "x".getBytes(StandardCharsets.UTF_8)));
        ByteArrayOutputStream taken = new ByteArrayOutputStream();

        operator.backups().lines("acme", null, null, taken);
        operator.backups().lines("acme", "k 1", "open", taken);
        operator.backups().content("acme", "f1", 0, taken);
        operator.backups().content("acme", "f1", 100, taken);

        assertEquals("xxxx", taken.toString(StandardCharsets.UTF_8));
        String export = "GET /api/operator/orgs/acme/export";
        assertEquals(
                List.of(export, export + "?after=k%201&secrets=open", export + "/files/f1", export + "/files/f1"),
                lines());
        assertNull(service.requests.get(2).header("Range"));
        assertEquals("bytes=100-", service.last().header("Range"));
    }

    @Test
    void anOrganizationIsBroughtBackPartByPart() {
        service.always(FakeService.json(200, RESTORE));
        byte[] bytes = "{}\n".getBytes(StandardCharsets.UTF_8);
        Map<String, Object> end = Map.of("table", "end");

        Restore restore = operator.restores().begin(NewRestore.of(end, "d").slug("drill").shifted().heldBack());
        operator.restores().begin(NewRestore.of(end, "d"));
        operator.restores().get("r1");
        operator.restores().sendLines("r1", 0, bytes);
        operator.restores().sendPiece("r1", 1, "f1", 2, true, bytes);
        operator.restores().sendGone("r1", 2, "f2");
        operator.restores().complete("r1");
        operator.restores().complete("r1", "other");
        operator.restores().abandon("r1");

        assertEquals(1, restore.nextPart());
        assertTrue(restore.isShifted());
        assertFalse(restore.isComplete());
        assertEquals(new Restore.LeftOut(2, List.of("erp"), true), restore.leftOut());
        assertEquals(
                List.of(
                        "POST /api/operator/restores",
                        "POST /api/operator/restores",
                        "GET /api/operator/restores/r1",
                        "PUT /api/operator/restores/r1/parts/0",
                        "PUT /api/operator/restores/r1/parts/1?fileId=f1&piece=2&isLast=true",
                        "PUT /api/operator/restores/r1/parts/2?fileId=f2&isGone=true",
                        "POST /api/operator/restores/r1/complete",
                        "POST /api/operator/restores/r1/complete",
                        "DELETE /api/operator/restores/r1"),
                lines());
        assertEquals(
                "{\"end\":{\"table\":\"end\"},\"digest\":\"d\",\"slug\":\"drill\",\"positions\":\"shift\",\"suspended\":true}",
                service.requests.get(0).text());
        assertEquals(
                "{\"end\":{\"table\":\"end\"},\"digest\":\"d\"}",
                service.requests.get(1).text());
        assertEquals("application/x-ndjson", service.requests.get(3).header("Content-type"));
        assertEquals("application/octet-stream", service.requests.get(4).header("Content-type"));
        assertEquals("{}", service.requests.get(6).text());
        assertEquals("{\"slug\":\"other\"}", service.requests.get(7).text());
    }

    @Test
    void anAuditTrailOfAnOrganizationOrOfTheOperatorsIsTakenOutInParts() {
        service.always(FakeService.json(200, "{}\n"));
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        operator.audit().export("acme", AuditFormat.CSV, 12, target);
        operator.audit().export(AuditFormat.JSON_LINES, 3, target);

        assertEquals(
                List.of(
                        "GET /api/operator/orgs/acme/audit/export?format=csv&after=12",
                        "GET /api/operator/audit/export?format=jsonl&after=3"),
                lines());
    }

    @Test
    void anyOtherCallCanBeMadeWithTheOperatorKey() {
        service.then(503, "{}").then(202, "{\"id\":\"x\"}");

        assertEquals("x", operator.request("POST", "/operator/later", Map.of("a", 1), Map.class).get("id"));

        assertEquals("operator-key", service.last().header("X-operator-key"));
        assertNotNull(service.last().header("Idempotency-key"));
    }

    @Test
    void aSecretMayBeReplacedWithAnOverlap() {
        service.always(FakeService.json(200, "{\"name\":\"shop\",\"oldSecretUntil\":\"2026-05-01T00:00:00.000Z\"}"));

        OutboundEndpoint endpoint = operator.endpoints()
                .set("acme", "shop", OutboundEndpoint.securedByHmac("https://a.example", "whsec_x", Duration.ofHours(1)));

        assertEquals(3600, service.only().json().path("auth").path("overlapSeconds").asInt());
        assertEquals(Instant.parse("2026-05-01T00:00:00Z"), endpoint.oldSecretUntil());
    }
}
