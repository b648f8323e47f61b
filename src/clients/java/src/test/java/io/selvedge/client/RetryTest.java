package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.FakeService.Received;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {

    private static final String LIMITED = "{\"code\":\"rate_limited\"}";
    private static final String ITEM = "{\"id\":\"i1\"}";

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a429IsRepeatedAfterTheTimeThatRetryAfterNames() {
        service.then(429, LIMITED, "Retry-After", "1").then(200, ITEM);
        long start = System.nanoTime();

        assertEquals("i1", client.entities().get("item", "i1").get("id"));

        assertTrue(Duration.ofNanos(System.nanoTime() - start).toMillis() >= 1000);
        assertEquals(2, service.requests.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void aPassingErrorIsRepeated(int status) {
        service.then(status, "{}").then(status, "{}").then(200, ITEM);

        assertEquals("i1", client.entities().get("item", "i1").get("id"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 409, 412, 500})
    void anyOtherErrorIsFinal(int status) {
        service.then(status, "{}").then(200, ITEM);

        assertEquals(
                status,
                assertThrows(ApiException.class, () -> client.entities().get("item", "i1"))
                        .getStatus());
        assertEquals(1, service.requests.size());
    }

    @Test
    void aBrokenConnectionIsRepeatedUnderTheSameIdempotencyKeyWithTheSameBody() {
        service.then(FakeService.breakOff()).then(FakeService.breakOff()).then(201, ITEM);

        client.entities().create("item", Map.of("name", "Shirt"));

        assertEquals(3, service.requests.size());
        assertEquals(
                1,
                service.requests.stream()
                        .map(r -> r.header("Idempotency-key"))
                        .collect(Collectors.toSet())
                        .size());
        assertEquals(
                1,
                service.requests.stream()
                        .map(Received::text)
                        .collect(Collectors.toSet())
                        .size());
    }

    @Test
    void anAnswerThatBreaksOffIsRepeated() {
        service.then(FakeService.breakMidway("{\"id\":".getBytes())).then(200, ITEM);

        assertEquals(
                "i1",
                client.entities().update("item", "i1", Map.of("name", "x")).get("id"));
        assertEquals(2, service.requests.size());
    }

    @Test
    void theLastErrorIsRaisedWhenRepeatingDoesNotHelp() {
        service.always(FakeService.json(503, "{\"code\":\"unavailable\"}"));

        ApiException e =
                assertThrows(ApiException.class, () -> client.entities().get("item", "i1"));

        assertEquals("unavailable", e.getCode());
        assertEquals(4, service.requests.size());
    }

    @Test
    void aConnectionThatStaysBrokenIsASelvedgeException() {
        service.always(FakeService.breakOff());

        SelvedgeException e =
                assertThrows(SelvedgeException.class, () -> client.entities().create("item", Map.of()));

        assertTrue(e.getMessage().contains("POST http://localhost"), e.getMessage());
        assertEquals(4, service.requests.size());
    }

    @Test
    void aRetryAfterBeyondPatienceFailsAtOnce() {
        service.always(FakeService.json(429, LIMITED, "Retry-After", "3600"));

        ApiException e =
                assertThrows(ApiException.class, () -> client.entities().get("item", "i1"));

        assertEquals(Duration.ofHours(1), e.getRetryAfter().orElseThrow());
        assertEquals(1, service.requests.size());
    }

    @Test
    void callsThatIssueCredentialsAreSentOnceAndWithoutIdempotencyKey() {
        service.always(FakeService.json(503, "{}"));

        assertThrows(ApiException.class, () -> client.apiKeys().create("sync", "read"));
        assertThrows(ApiException.class, () -> client.apiKeys().rotate("k1", Duration.ZERO));
        assertThrows(ApiException.class, () -> service.builder().orgSlug("demo").login("a@b.example", "secret"));

        assertEquals(3, service.requests.size());
        service.requests.forEach(request -> assertNull(request.header("Idempotency-key")));
    }

    @Test
    void aConditionalWriteIsRepeatedOnlyAfterARefusal() {
        service.then(429, LIMITED).then(503, "{}");

        assertEquals(
                503,
                assertThrows(ApiException.class, () -> client.entities().delete("item", "i1", "\"3\""))
                        .getStatus());
        assertEquals(2, service.requests.size());
    }

    @Test
    void aDeleteThatFindsItsOwnWorkDoneHasSucceeded() {
        service.then(FakeService.breakOff()).then(404, "{\"code\":\"not_found\"}");
        client.entities().delete("item", "i1");

        service.then(429, LIMITED).then(404, "{\"code\":\"not_found\"}");
        assertThrows(ApiException.class, () -> client.entities().delete("item", "i1"));
    }

    @Test
    void aBatchHasBeenDeletedOnlyWhereNoneOfItIsThere() {
        String missing = "{\"path\":\"/%d\",\"message\":\"There is none.\"}";
        String all = "{\"code\":\"not_found\",\"errors\":[" + missing.formatted(0) + "," + missing.formatted(1) + "]}";
        String some = "{\"code\":\"not_found\",\"errors\":[" + missing.formatted(1) + "]}";
        service.then(FakeService.breakOff()).then(404, all);
        client.entities().deleteBatch("item", List.of("i1", "i2"));

        for (String other : List.of(some, "{\"code\":\"not_found\"}")) {
            service.then(FakeService.breakOff()).then(404, other);
            assertThrows(ApiException.class, () -> client.entities().deleteBatch("item", List.of("i1", "i2")));
        }
    }

    @Test
    void withoutRetriesEveryRequestIsSentOnce() {
        service.always(FakeService.json(503, "{}"));
        SelvedgeClient once = service.builder()
                .apiKey("app:x")
                .orgSlug("demo")
                .retryPolicy(RetryPolicy.none())
                .build();

        assertThrows(ApiException.class, () -> once.entities().get("item", "i1"));
        assertEquals(1, service.requests.size());
    }

    @Test
    void aServiceThatIsNotThereIsASelvedgeException() {
        String gone = service.baseUrl();
        service.close();
        SelvedgeClient lonely = SelvedgeClient.builder()
                .baseUrl(gone)
                .apiKey("app:x")
                .orgSlug("demo")
                .retryPolicy(RetryPolicy.none())
                .build();

        assertThrows(SelvedgeException.class, () -> lonely.entities().get("item", "i1"));
    }
}
