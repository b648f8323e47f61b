package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.ChangeRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ChangePollerTest {

    private final FakeService service = new FakeService();
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        service.close();
    }

    private static String page(String syncKey, String... ids) {
        String records = Stream.of(ids)
                .map(id -> "{\"id\":\"" + id + "\",\"entityReference\":\"item:" + id + "\"}")
                .collect(Collectors.joining(","));
        return "{\"results\":[" + records + "],\"nextPageKey\":null,\"syncKey\":\"" + syncKey + "\"}";
    }

    private ChangePoller.Builder poller() {
        service.always(FakeService.json(200, page("end")));
        return service.client()
                .changeHistory()
                .poller()
                .interval(Duration.ofMillis(5))
                .pageSize(2)
                .onChanges(changes ->
                        log.add(changes.stream().map(ChangeRecord::id).collect(Collectors.joining("+"))))
                .onSyncKey(key -> log.add("at " + key))
                .onError(failure -> log.add("error"));
    }

    private List<String> next(int count) throws InterruptedException {
        String[] entries = new String[count];
        for (int i = 0; i < count; i++) {
            entries[i] = log.take();
        }
        return List.of(entries);
    }

    @Test
    void followsFromAStoredKeyAndHandsTheKeyOverAfterTheChanges() throws InterruptedException {
        service.then(200, page("s2", "a", "b"))
                .then(200, page("s3", "c"))
                .then(200, page("s3"))
                .then(200, page("s4", "d"));

        try (ChangePoller poller = poller().query(
                        ChangeQuery.all().entityTypes("item").order(Order.DESC))
                .from("s1")
                .start()) {
            assertEquals(List.of("a+b", "at s2", "c", "at s3", "d", "at s4", "at end"), next(7));
        }
        assertEquals("s1", service.requests.get(0).parameter("after"));
        assertEquals("s2", service.requests.get(1).parameter("after"));
        assertEquals("2", service.requests.get(0).parameter("limit"));
        assertEquals("{\"entityType\":\"item\"}", service.requests.get(0).parameter("criteria"));
        assertNull(service.requests.get(0).parameter("order"), "after cannot be combined with an order");
    }

    @Test
    void beginsNowWithoutAKey() throws InterruptedException {
        service.then(200, page("s5", "old")).then(200, page("s6", "new"));

        try (ChangePoller poller = poller().start()) {
            assertEquals(List.of("at s5", "new", "at s6"), next(3));
        }
        assertNull(service.requests.get(0).parameter("after"));
        assertEquals("s5", service.requests.get(1).parameter("after"));
    }

    @Test
    void beginsAtTheBeginningWithAnEmptyKey() throws InterruptedException {
        service.then(200, page("s1", "first"));

        try (ChangePoller poller = poller().from("").start()) {
            assertEquals(List.of("first", "at s1"), next(2));
        }
        assertEquals("", service.requests.get(0).parameter("after"));
    }

    @Test
    void aCancellationOfTheHandlersOwnIsAFailureLikeAnyOther() throws InterruptedException {
        service.then(200, page("s2", "a")).then(200, page("s2", "a"));
        AtomicBoolean failed = new AtomicBoolean();

        ChangePoller.Builder builder = poller().from("s1").onChanges(changes -> {
            if (failed.compareAndSet(false, true)) {
                throw new CancellationException("of a future of the handler's");
            }
            log.add("handled");
        });
        try (ChangePoller poller = builder.start()) {
            assertEquals(List.of("error", "handled", "at s2"), next(3));
        }
    }

    @Test
    void anErrorEndsThePollerAndIsTold() throws InterruptedException {
        service.then(200, page("s2", "a"));
        Error fatal = new NoClassDefFoundError("x");
        BlockingQueue<RuntimeException> told = new LinkedBlockingQueue<>();

        ChangePoller poller = poller().from("s1")
                .onChanges(changes -> {
                    throw fatal;
                })
                .onError(told::add)
                .start();

        assertSame(fatal, told.take().getCause());
        assertSame(
                fatal,
                assertThrows(CompletionException.class, () -> poller.ended().join()).getCause());
    }

    @Test
    void aHandlerThatFailsGetsTheSamePageAgain() throws InterruptedException {
        service.then(200, page("s2", "a")).then(200, page("s2", "a"));
        AtomicBoolean failed = new AtomicBoolean();

        ChangePoller.Builder builder = poller().from("s1").onChanges(changes -> {
            if (failed.compareAndSet(false, true)) {
                throw new ApiException(404, new Problem("", "", "not_found", "", List.of(), Map.of()), null);
            }
            log.add("handled");
        });
        try (ChangePoller poller = builder.start()) {
            assertEquals(List.of("error", "handled", "at s2"), next(3));
        }
        assertEquals("s1", service.requests.get(1).parameter("after"));
    }

    @Test
    void aPassingErrorOfTheServiceIsReportedAndOutlived() throws InterruptedException {
        service.then(500, "{}").then(200, page("s2", "a"));

        try (ChangePoller poller = poller().from("s1").start()) {
            assertEquals(List.of("error", "a", "at s2"), next(3));
        }
    }

    @Test
    void anExpiredKeyEndsThePoller() throws InterruptedException {
        service.then(410, "{\"code\":\"sync_key_expired\"}");

        ChangePoller poller = poller().from("ancient").start();

        CompletionException e =
                assertThrows(CompletionException.class, () -> poller.ended().join());
        assertEquals(
                "sync_key_expired",
                assertInstanceOf(ApiException.class, e.getCause()).getCode());
        assertEquals(List.of("error"), next(1));
        poller.close();
    }

    @Test
    void closeWaitsForTheHandlerAndNoneRunsAfterwards() throws InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean running = new AtomicBoolean();
        service.then(200, page("s2", "a"));
        ChangePoller poller = poller().from("s1")
                .onChanges(changes -> {
                    running.set(true);
                    handling.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    running.set(false);
                })
                .start();
        handling.await();

        Thread releasing = new Thread(goOn::countDown);
        releasing.start();
        poller.close();

        assertFalse(running.get());
        assertTrue(poller.ended().isDone() && !poller.ended().isCompletedExceptionally());
        assertEquals(List.of("at s2"), next(1), "what was handled is kept");
        assertEquals(1, service.requests.size());
    }

    @Test
    void closeGivesUpARequestUnderWay() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        ChangePoller.Builder builder = poller().from("s1");
        service.always((exchange, request) -> {
            asked.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        ChangePoller poller = builder.start();
        asked.await();

        poller.close();

        assertTrue(poller.ended().isDone());
        assertTrue(log.isEmpty());
    }

    @Test
    void aHandlerMayCloseItsPoller() throws InterruptedException {
        service.then(200, page("s2", "a"));
        BlockingQueue<ChangePoller> self = new LinkedBlockingQueue<>();
        ChangePoller poller = poller().from("s1")
                .onChanges(changes -> {
                    try {
                        self.take().close();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                })
                .start();
        self.add(poller);

        poller.ended().join();

        assertEquals(1, service.requests.size());
    }
}
