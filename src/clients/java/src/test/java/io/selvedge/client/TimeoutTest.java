package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TimeoutTest {

    private static final Duration SHORT = Duration.ofMillis(800);

    private final FakeService service = new FakeService();
    private final CountDownLatch released = new CountDownLatch(1);

    /** The first request of a process loads the classes, which can take longer than the short timeout. */
    @BeforeEach
    void warmUp() {
        service.then(200, "{}");
        service.client().entities().get("item", "i1");
        service.requests.clear();
    }

    @AfterEach
    void stop() {
        released.countDown();
        service.close();
    }

    private SelvedgeClient client(RetryPolicy policy) {
        return client(policy, SHORT);
    }

    private SelvedgeClient client(RetryPolicy policy, Duration timeout) {
        return service.builder()
                .apiKey("app:x")
                .orgSlug("demo")
                .requestTimeout(timeout)
                .retryPolicy(policy)
                .build();
    }

    private FakeService.Answer silence() {
        return (exchange, request) -> hold();
    }

    /** Sends the beginning of a body and then nothing more. */
    private FakeService.Answer stall() {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write("{\"id\":".getBytes());
            exchange.getResponseBody().flush();
            hold();
        };
    }

    private void hold() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anAnswerThatDoesNotComeEndsTheCall() {
        service.always(silence());

        SelvedgeException e = assertThrows(
                SelvedgeException.class,
                () -> client(RetryPolicy.none()).entities().get("item", "i1"));

        assertTrue(e.getMessage().startsWith("no answer within 800 ms"), e.getMessage());
    }

    @Test
    void aRefusedConnectionSaysWhichAddress() throws IOException {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody = socket.getLocalPort();
        }
        SelvedgeClient lost = SelvedgeClient.builder()
                .baseUrl("http://localhost:" + nobody)
                .apiKey("app:k")
                .orgSlug("demo")
                .retryPolicy(RetryPolicy.none())
                .build();

        SelvedgeException e = assertThrows(
                SelvedgeException.class, () -> lost.entities().get("item", "i1"));

        String address = "http://localhost:" + nobody;
        assertEquals(
                "cannot connect to " + address + " (GET " + address
                        + "/api/item/i1): is the service running there?",
                e.getMessage());
    }

    @Test
    void theTimeoutIncludesTheBody() {
        service.always(stall());

        SelvedgeException e = assertThrows(
                SelvedgeException.class,
                () -> client(RetryPolicy.none()).entities().get("item", "i1"));

        assertTrue(e.getMessage().startsWith("no answer within 800 ms"), e.getMessage());
    }

    @Test
    void aTimeoutIsRepeatedWhereThatIsSafe() {
        service.then(silence()).then(200, "{\"id\":\"i1\"}");

        assertEquals(
                "i1",
                client(RetryPolicy.defaults()).entities().get("item", "i1").get("id"));
        assertEquals(2, service.requests.size());
    }

    @Test
    void aDownloadThatStallsEnds() {
        service.always(stall());
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        assertThrows(
                SelvedgeException.class,
                () -> client(RetryPolicy.none()).files().download("f1", target));
        assertEquals("{\"id\":", target.toString());
    }

    @Test
    void aDownloadMayTakeLongerThanTheTimeoutAsLongAsBytesArrive() {
        // Long enough that a busy machine's own pauses are none.
        Duration patient = Duration.ofSeconds(5);
        service.then((exchange, request) -> {
            exchange.sendResponseHeaders(200, 5);
            for (char c : "12345".toCharArray()) {
                exchange.getResponseBody().write(c);
                exchange.getResponseBody().flush();
                pause(patient.dividedBy(4));
            }
            exchange.close();
        });
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        client(RetryPolicy.none(), patient).files().download("f1", target);

        assertEquals("12345", target.toString());
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
