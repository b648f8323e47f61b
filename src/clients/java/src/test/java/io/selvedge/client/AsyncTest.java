package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.transport.Transport;
import io.selvedge.client.transport.TransportResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AsyncTest {

    /** Methods that send nothing, so there is nothing to wait for. */
    private static final Set<String> LOCAL = Set.of(
            "as",
            "poller",
            "session",
            "entities",
            "changeHistory",
            "files",
            "loads",
            "workflows",
            "tasks",
            "apiKeys",
            "people",
            "endpoints",
            "withIdempotencyKey",
            "types",
            "assortments",
            "exports",
            "reverts",
            "bookmark",
            "builder");

    private static final List<Class<?>> CLIENTS = List.of(
            SelvedgeClient.class,
            EntityClient.class,
            ChangeHistoryClient.class,
            FileClient.class,
            LoadClient.class,
            WorkflowClient.class,
            TaskClient.class,
            ApiKeyClient.class,
            PeopleClient.class,
            OperatorClient.class,
            EndpointClient.class,
            TypeClient.class,
            AssortmentClient.class,
            DeploymentClient.class,
            OperatorAuditClient.class,
            BackupClient.class,
            RestoreClient.class,
            ExportClient.class,
            RevertClient.class);

    private final FakeService service = new FakeService();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void everyCallHasAnAsyncVariant() {
        for (Class<?> type : CLIENTS) {
            Map<String, Long> sync = count(type, false);
            Map<String, Long> async = count(type, true);
            assertTrue(sync.size() > 0);
            assertEquals(sync, async, type.getSimpleName());
        }
    }

    private static Map<String, Long> count(Class<?> type, boolean async) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !LOCAL.contains(method.getName()))
                // Leads to another client without a call.
                .filter(method -> !CLIENTS.contains(method.getReturnType()) || method.getParameterCount() > 0)
                .filter(method -> (method.getReturnType() == CompletableFuture.class) == async)
                .map(Method::getName)
                .collect(Collectors.groupingBy(name -> name.replaceAll("Async$", ""), Collectors.counting()));
    }

    @Test
    void manyCallsRunAtOnce() {
        service.always((exchange, request) -> FakeService.json(
                        200, "{\"id\":\"" + request.path().substring(10) + "\"}")
                .to(exchange, request));
        EntityClient<Map<String, Object>> entities = service.client().entities();

        List<CompletableFuture<Map<String, Object>>> calls = IntStream.range(0, 50)
                .mapToObj(i -> entities.getAsync("item", "i" + i))
                .toList();

        for (int i = 0; i < calls.size(); i++) {
            assertEquals("i" + i, calls.get(i).join().get("id"));
        }
    }

    @Test
    void aFailureIsTheSameExceptionThatWaitingThrows() {
        service.then(404, "{\"code\":\"not_found\"}");

        CompletionException e = assertThrows(
                CompletionException.class,
                () -> service.client().entities().getAsync("item", "i1").join());

        assertEquals(
                "not_found", assertInstanceOf(ApiException.class, e.getCause()).getCode());
    }

    @Test
    void cancellingGivesTheRequestUp() {
        CompletableFuture<TransportResponse> underWay = new CompletableFuture<>();
        SelvedgeClient client = clientOver(request -> underWay);

        CompletableFuture<Map<String, Object>> call = client.entities().getAsync("item", "i1");
        call.cancel(true);

        assertTrue(underWay.isCancelled());
        assertThrows(CancellationException.class, call::join);
    }

    @Test
    void anInterruptEndsTheWaitAndGivesTheRequestUp() throws InterruptedException {
        CompletableFuture<TransportResponse> underWay = new CompletableFuture<>();
        CountDownLatch sent = new CountDownLatch(1);
        SelvedgeClient client = clientOver(request -> {
            sent.countDown();
            return underWay;
        });
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            assertThrows(SelvedgeException.class, () -> client.entities().get("item", "i1"));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });

        caller.start();
        sent.await();
        caller.interrupt();

        assertTrue(interrupted.join());
        assertTrue(underWay.isCancelled());
    }

    @Test
    void cancellingAProcedureOfSeveralCallsStopsIt() throws InterruptedException {
        CompletableFuture<TransportResponse> underWay = new CompletableFuture<>();
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch givenUp = new CountDownLatch(1);
        underWay.whenComplete((answer, failure) -> givenUp.countDown());
        SelvedgeClient client = clientOver(request -> {
            sent.countDown();
            return underWay;
        });

        CompletableFuture<Long> listing = client.entities().listAllAsync("item", ListQuery.all(), item -> {});
        sent.await();
        listing.cancel(true);

        givenUp.await();
        assertTrue(underWay.isCancelled());
    }

    @Test
    void aTransportThatThrowsFailsTheCall() {
        SelvedgeClient client = clientOver(request -> {
            throw new IllegalStateException("closed");
        });

        assertThrows(IllegalStateException.class, () -> client.entities().get("item", "i1"));
    }

    @Test
    void aTransportOfTheUserNeedsNoNetwork() {
        SelvedgeClient client = clientOver(request -> CompletableFuture.completedFuture(TransportResponse.json(
                200, "{\"id\":\"i1\",\"name\":\"" + request.method() + " " + request.uri() + "\"}")));

        assertEquals(
                "GET https://data.example.com/api/item/i1",
                client.entities().get("item", "i1").get("name"));
    }

    private static SelvedgeClient clientOver(Transport transport) {
        return SelvedgeClient.builder()
                .baseUrl("https://data.example.com/api/")
                .apiKey("app:x")
                .orgSlug("demo")
                .transport(transport)
                .build();
    }
}
