package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ErrorTest {

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    private ApiException raised() {
        return assertThrows(ApiException.class, () -> client.entities().create("item", Map.of("name", 1)));
    }

    @Test
    void aProblemDocumentBecomesAnApiException() {
        service.then(
                400,
                """
                {"type":"/docs/errors/invalid_input","title":"Invalid input","status":400,"detail":"Two faults.",
                 "code":"invalid_input","requestId":"r-1",
                 "errors":[{"path":"/name","message":"Expected text."},{"path":"/typePath","message":"Unknown."}]}""");

        ApiException e = raised();

        assertEquals(400, e.getStatus());
        assertEquals("invalid_input", e.getCode());
        assertEquals("Two faults.", e.getDetail());
        assertEquals("r-1", e.getRequestId());
        assertEquals(
                List.of(new FieldError("/name", "Expected text."), new FieldError("/typePath", "Unknown.")),
                e.getErrors());
        assertEquals(
                "400 invalid_input: Two faults. [/name: Expected text.; /typePath: Unknown.] (request r-1)",
                e.getMessage());
    }

    @Test
    void theStackTraceLeadsToTheCaller() {
        service.then(404, "{\"code\":\"not_found\"}");

        ApiException e = raised();

        assertTrue(List.of(e.getStackTrace()).stream()
                .anyMatch(frame -> frame.getClassName().contains("ErrorTest")));
    }

    @Test
    void anErrorPageOfAGatewayIsAnApiExceptionToo() {
        service.then((exchange, request) -> {
            exchange.getResponseHeaders().set("X-Request-Id", "r-2");
            FakeService.bytes(500, "<html>Bad</html>".getBytes(StandardCharsets.UTF_8))
                    .to(exchange, request);
        });

        ApiException e = raised();

        assertEquals(500, e.getStatus());
        assertEquals(ApiException.UNKNOWN_CODE, e.getCode());
        assertEquals("r-2", e.getRequestId());
        assertEquals("", e.getDetail());
        assertEquals(List.of(), e.getErrors());
    }

    @Test
    void anErrorWithoutBodyIsAnApiException() {
        service.then(403, "");

        assertEquals(403, raised().getStatus());
    }

    @Test
    void anAnswerThatIsNotJsonIsNoApiException() {
        service.then(200, "<html>Sign in</html>");

        SelvedgeException e =
                assertThrows(SelvedgeException.class, () -> client.entities().get("item", "i1"));

        assertFalse(e instanceof ApiException);
        assertEquals(1, service.requests.size());
    }

    @Test
    void anAnswerThatCannotBeReadNamesWhatCameAndItsRequest() {
        service.then(200, "[]", "X-Request-Id", "r-3");

        SelvedgeException e =
                assertThrows(SelvedgeException.class, () -> client.entities().get("item", "i1"));

        assertEquals(
                "the answer 200 with application/json cannot be read as"
                        + " java.util.Map<java.lang.String,java.lang.Object> (request r-3)",
                e.getMessage());
    }

    @Test
    void aRedirectIsNotFollowedBecauseItWouldCarryTheKey() {
        service.then(307, "", "Location", service.baseUrl() + "/elsewhere");

        assertEquals(307, raised().getStatus());
        assertEquals(1, service.requests.size());
    }

    @Test
    void whatCannotBeWrittenAsJsonIsToldBeforeAnythingIsSent() {
        class Selfish {
            public Selfish getSelf() {
                return this;
            }
        }

        assertThrows(SelvedgeException.class, () -> client.entities().create("item", new Selfish()));
        assertEquals(0, service.requests.size());
    }
}
