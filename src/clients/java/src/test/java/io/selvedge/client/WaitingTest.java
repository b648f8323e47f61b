package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.transport.Transport;
import io.selvedge.client.transport.TransportResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WaitingTest {

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
    void everyCallWaitsForItsAnswer() {
        for (Class<?> type : CLIENTS) {
            List<String> futures = Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()))
                    .filter(method -> Future.class.isAssignableFrom(method.getReturnType()))
                    .map(Method::getName)
                    .toList();
            assertEquals(List.of(), futures, type.getSimpleName());
        }
    }

    @Test
    void manyCallsRunAtOnce() throws InterruptedException, ExecutionException {
        service.always((exchange, request) -> FakeService.json(
                        200, "{\"id\":\"" + request.path().substring(10) + "\"}")
                .to(exchange, request));
        EntityClient<Map<String, Object>> entities = service.client().entities();

        ExecutorService threads = Executors.newFixedThreadPool(50);
        List<Future<Map<String, Object>>> calls = IntStream.range(0, 50)
                .mapToObj(i -> threads.submit(() -> entities.get("item", "i" + i)))
                .toList();
        threads.shutdown();

        for (int i = 0; i < calls.size(); i++) {
            assertEquals("i" + i, calls.get(i).get().get("id"));
        }
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
