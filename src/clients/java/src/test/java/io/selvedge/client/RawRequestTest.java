package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that the client has no method for. */
class RawRequestTest {

    private static final String ITEM = "{\"id\":\"i1\"}";

    private final FakeService service = new FakeService();
    private final SelvedgeClient client = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    /** N64 */
    @Test
    void aPostCarriesTheKeyOfTheCaller() {
        service.then(201, ITEM);

        client.withIdempotencyKey("order-7").request("POST", "/items", Map.of("name", "a"), Map.class);

        assertEquals("order-7", service.only().header("Idempotency-key"));
    }

    @Test
    void aPostIsRepeatedUnderAKeyOfItsOwn() {
        service.then(FakeService.breakOff()).then(201, ITEM);

        client.request("POST", "/items", Map.of("name", "a"), Map.class);

        assertNotNull(service.last().header("Idempotency-key"));
        assertEquals(
                service.requests.get(0).header("Idempotency-key"), service.last().header("Idempotency-key"));
    }

    @Test
    void nothingButAPostCarriesAKey() {
        service.always(FakeService.json(200, ITEM));

        client.withIdempotencyKey("order-7").request("PUT", "/items/i1", Map.of("name", "a"), Map.class);

        assertNull(service.only().header("Idempotency-key"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api-keys",
                "/api-keys/k1/rotate",
                "/invitations",
                "/invitations/accept",
                "/webhooks?x=1",
                "/webhook/",
                "/auth/login",
                "/auth/sso/token",
                "/auth/password-reset",
                "/operator/orgs/acme/api-keys",
                "/operator/orgs/acme/tokens/",
                "/operator/orgs/acme/password-reset"
            })
    void aPostThatIssuesACredentialIsSentOnceAndWithoutAKey(String path) {
        service.always(FakeService.json(503, "{}"));

        assertThrows(ApiException.class, () -> client.request("POST", path, Map.of(), Map.class));

        assertNull(service.only().header("Idempotency-key"));
    }

    @Test
    void aKeyOfTheCallerIsNeverDroppedInSilence() {
        SelvedgeClient keyed = client.withIdempotencyKey("order-7");

        assertThrows(
                IllegalArgumentException.class, () -> keyed.request("POST", "/webhooks", Map.of("name", "a"), Map.class));
        assertEquals(0, service.requests.size());
    }

    @Test
    void anAnswerWithoutABodyIsNull() {
        service.then(204, "");

        assertNull(client.request("DELETE", "/items/i1", null, Map.class));
    }
}
