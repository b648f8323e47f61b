package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.selvedge.client.model.DeploymentStatus;
import io.selvedge.client.model.NewOrganization;
import io.selvedge.client.model.NewRestore;
import io.selvedge.client.model.Organization;
import io.selvedge.client.model.Restore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The deployment as the operator sees it, and an organization that is taken out, deleted and brought back. */
@Timeout(120)
class BackupIT {

    private static final String PASSWORD = "correct horse battery";

    private final RunningService service = RunningService.get();
    private final OperatorClient operator = service.operator();
    private final String slug = "java-" + UUID.randomUUID().toString().substring(0, 8);

    @Test
    void theDeploymentIsLookedAt() {
        DeploymentStatus status = operator.deployment().status();

        assertEquals(status.schema().expected(), status.schema().applied());
        assertFalse(status.checks().isEmpty());
        assertTrue(status.organizations().total() > 0);
        assertEquals(
                status.deadLetters().total() > 0,
                !operator.deployment().deadLetters(ListQuery.all()).results().isEmpty());
        assertEquals(
                404,
                assertThrows(ApiException.class, () -> operator.deployment().replay("nothing"))
                        .getStatus());
        assertTrue(operator.deployment().secrets().stream().allMatch(one -> one.secrets() > 0));
        // A local start binds no bucket for backups.
        for (Runnable call : List.<Runnable>of(
                () -> operator.backups().list(ListQuery.all()),
                () -> operator.backups().begin(service.orgSlug()))) {
            assertEquals(409, assertThrows(ApiException.class, call::run).getStatus());
        }
    }

    @Test
    void anOrganizationGoesToTheDatabaseItIsGiven() {
        String database = operator.deployment().databases().get(0).name();
        NewOrganization asked =
                NewOrganization.of(slug, "Java").admin("a@b.example", PASSWORD).tier("high");

        Organization made = operator.createOrganization(asked.database(database));

        assertEquals(List.of("high", database), List.of(made.tier(), made.database()));
        operator.rebuildSearchIndex(slug);
        NewOrganization nowhere = NewOrganization.of(slug + "-2", "Java").database("NOWHERE");
        assertEquals(
                400,
                assertThrows(ApiException.class, () -> operator.createOrganization(nowhere))
                        .getStatus());
    }

    @Test
    void anOrganizationIsTakenOutDeletedAndBroughtBack() {
        operator.createOrganization(slug, "Java", "a@" + slug + ".example", PASSWORD);
        String key = operator.createKey(slug, "sync", "write", Map.of()).key();
        SelvedgeClient client = SelvedgeClient.builder()
                .baseUrl(service.baseUrl())
                .orgSlug(slug)
                .apiKey(key)
                .build();
        String color = (String) client.entities().create("color", Map.of("name", "Red")).get("id");
        String file = client.files()
                .upload("a,b\n".getBytes(StandardCharsets.UTF_8), "a.csv", "text/csv")
                .id();

        List<String> pages = pages();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        operator.backups().content(slug, file, 2, content);
        assertEquals("b\n", content.toString(StandardCharsets.UTF_8));
        operator.deleteOrganization(slug);
        assertTrue(operator.audit().list(ListQuery.all()).results().stream()
                .anyMatch(entry -> entry.detail().containsValue(slug)));

        assertEquals(1, pages.size());
        List<String> lines = pages.get(0).lines().toList();
        JsonNode end = tree(lines.get(lines.size() - 2));
        String digest = tree(lines.get(lines.size() - 1)).path("digest").asText();
        Restore restore = operator.restores()
                .begin(NewRestore.of(Json.WIRE.members(end), digest).heldBack());
        RestoreClient restores = operator.restores();
        restores.sendLines(restore.id(), 0, pages.get(0).getBytes(StandardCharsets.UTF_8));
        restores.sendPiece(restore.id(), 1, file, 1, true, "a,b\n".getBytes(StandardCharsets.UTF_8));
        assertEquals(2, restores.get(restore.id()).nextPart());
        while (!restore.isComplete()) {
            restore = restores.complete(restore.id());
        }

        // Passwords are no part of an archive without secrets.
        assertEquals(1, restore.leftOut().passwords());
        assertEquals(
                403,
                assertThrows(ApiException.class, () -> client.entities().get("color", color))
                        .getStatus());
        operator.updateOrganization(slug, Map.of("suspended", false));
        assertEquals("Red", client.entities().get("color", color).get("name"));
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        client.files().download(file, back);
        assertEquals("a,b\n", back.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aRestoreIsGivenUp() {
        operator.createOrganization(slug, "Java", "a@" + slug + ".example", PASSWORD);
        List<String> lines = pages().get(0).lines().toList();
        JsonNode end = tree(lines.get(lines.size() - 2));
        NewRestore again =
                NewRestore.of(Json.WIRE.members(end), tree(lines.get(lines.size() - 1)).path("digest").asText());
        assertEquals(
                409,
                assertThrows(ApiException.class, () -> operator.restores().begin(again))
                        .getStatus());
        operator.deleteOrganization(slug);

        String id = operator.restores().begin(again).id();
        operator.restores().abandon(id);

        assertEquals(
                404,
                assertThrows(ApiException.class, () -> operator.restores().get(id))
                        .getStatus());
    }

    /** Pages of lines, each with its mark. */
    private List<String> pages() {
        List<String> pages = new ArrayList<>();
        String after = null;
        do {
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            operator.backups().lines(slug, after, null, answer);
            StringBuilder page = new StringBuilder();
            after = null;
            for (String line : answer.toString(StandardCharsets.UTF_8).lines().toList()) {
                page.append(line).append('\n');
                JsonNode read = tree(line);
                if (read.path("table").asText().equals("mark")) {
                    pages.add(page.toString());
                    page.setLength(0);
                    after = read.path("after").textValue();
                }
            }
        } while (after != null);
        return pages;
    }

    private static JsonNode tree(String line) {
        return Json.WIRE.tree(line.getBytes(StandardCharsets.UTF_8));
    }
}
