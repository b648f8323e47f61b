package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.ChangePage;
import io.selvedge.client.model.ChangeRecord;
import io.selvedge.client.model.PropertyChange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The change history of the real service, by query and by polling. */
@Timeout(120)
class ChangeHistoryIT {

    private static SelvedgeClient client;

    @BeforeAll
    static void login() {
        client = RunningService.get().login();
    }

    private static String createColor(String name) {
        return (String) client.entities().create("color", Map.of("name", name)).get("id");
    }

    @Test
    void theHistoryOfOneEntityTellsEveryChange() {
        String id = createColor("Red");
        client.entities().update("color", id, Map.of("name", "Rose"));
        client.entities().delete("color", id);

        List<ChangeRecord> changes = client.changeHistory()
                .listAll(ChangeQuery.all().entity("color", id).order(Order.ASC).limit(1))
                .toList();

        assertEquals(
                List.of("create", "update", "delete"),
                changes.stream().map(ChangeRecord::changeType).toList());
        assertEquals(new PropertyChange("Red", "Rose"), changes.get(1).changes().get("name"));
        assertEquals(id, changes.get(0).entityId());
        assertEquals("color", changes.get(0).entityType());
        assertEquals("app", changes.get(0).createdByType());
        assertFalse(changes.get(0).createdById().isEmpty());
    }

    @Test
    void criteriaOfTypeAndTimeAreUnderstood() {
        createColor("Blue");
        Instant now = Instant.now();
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        ChangeQuery colors =
                ChangeQuery.all().entityTypes("color", "custom-entity").limit(1000);

        assertTrue(client.changeHistory()
                        .list(colors.between(today.minusDays(1), today.plusDays(1)))
                        .results()
                        .size()
                > 0);
        assertTrue(client.changeHistory()
                        .list(colors.between(now.minusSeconds(60), now.plusSeconds(60)))
                        .results()
                        .size()
                > 0);
        assertEquals(
                0,
                client.changeHistory()
                        .list(colors.between(today.minusDays(9), today.minusDays(8)))
                        .results()
                        .size());
    }

    @Test
    void aSyncKeyGoesOnWhereThePageEnded() {
        ChangePage before = client.changeHistory().list(ChangeQuery.all().limit(1));
        String id = createColor("Green");

        ChangePage after = client.changeHistory()
                .list(ChangeQuery.all().entityTypes("color").after(before.syncKey()));

        assertTrue(after.results().stream().anyMatch(change -> change.entityId().equals(id)));
        assertEquals(
                0,
                client.changeHistory()
                        .list(ChangeQuery.all().entity("color", id).after(after.syncKey()))
                        .results()
                        .size());
    }

    @Test
    void aPollerSeesEveryChangeOnceAndGoesOnFromItsKey() throws InterruptedException {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        BlockingQueue<String> keys = new LinkedBlockingQueue<>();
        AtomicReference<String> stored = new AtomicReference<>();
        ChangePoller.Builder builder = client.changeHistory()
                .poller()
                .query(ChangeQuery.all().entityTypes("size-range-template"))
                .interval(Duration.ofMillis(50))
                .pageSize(3)
                .onChanges(changes -> changes.forEach(change -> seen.add(change.entityId())))
                .onSyncKey(key -> {
                    stored.set(key);
                    keys.add(key);
                });

        List<String> made = new ArrayList<>();
        try (ChangePoller first = builder.start()) {
            keys.take();
            for (int i = 0; i < 7; i++) {
                made.add(createSizes());
            }
            assertEquals(made, take(seen, 7));
        }
        made.clear();
        for (int i = 0; i < 2; i++) {
            made.add(createSizes());
        }
        try (ChangePoller second = builder.from(stored.get()).start()) {
            assertEquals(made, take(seen, 2));
        }
        assertTrue(seen.isEmpty());
    }

    private static String createSizes() {
        return (String) client.entities()
                .create("size-range-template", Map.of("name", "Sizes", "sizes", List.of("S", "M")))
                .get("id");
    }

    private static List<String> take(BlockingQueue<String> queue, int count) throws InterruptedException {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(queue.take());
        }
        return taken;
    }
}
