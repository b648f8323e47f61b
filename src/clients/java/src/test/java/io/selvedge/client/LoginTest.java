package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoginTest {

    private final FakeService service = new FakeService();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void aLoginWithAKeyAsksWhetherItIsGood() {
        service.then(200, "{}").then(401, "{\"code\":\"unauthorized\"}");

        SelvedgeClient.login("app:good", "demo", service.baseUrl());
        ApiException e =
                assertThrows(ApiException.class, () -> SelvedgeClient.login("app:bad", "demo", service.baseUrl()));

        assertEquals(401, e.getStatus());
        assertEquals("app:good", service.requests.get(0).header("X-api-key"));
    }

    @Test
    void aLoginAtAnAddressThatIsNotTheApiFails() {
        FakeService.Answer page = (exchange, request) -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.getResponseHeaders().set("X-Request-Id", "r-4");
            FakeService.bytes(200, "<!doctype html>".getBytes()).to(exchange, request);
        };
        service.always(page);

        SelvedgeException e = assertThrows(
                SelvedgeException.class, () -> SelvedgeClient.login("app:good", "demo", service.baseUrl()));

        assertEquals(
                "the server answered 200 with text/html; charset=utf-8 instead of JSON."
                        + " Is baseUrl the address of the API? (request r-4)",
                e.getMessage());
        assertEquals(
                e.getMessage(),
                assertThrows(SelvedgeException.class, () -> service.builder()
                                .orgSlug("demo")
                                .login("a@b.example", "x"))
                        .getMessage());
    }

    @Test
    void aLoginWithEmailAndPasswordGoesOnWithTheTokenItGot() {
        service.then(
                        200,
                        "{\"accessToken\":\"tok\",\"expiresOn\":\"2026-01-01T00:00:00.000Z\",\"user\":{\"email\":\"a@b.example\"}}")
                .then(200, "{\"id\":\"u1\"}")
                .then(204, "");

        SelvedgeClient client = service.builder().orgSlug("demo").login("a@b.example", "pass word");
        client.me();
        client.logout();

        assertEquals("POST /api/auth/login", service.requests.get(0).line());
        assertEquals(
                "pass word", service.requests.get(0).json().path("password").asText());
        assertEquals("demo", service.requests.get(0).json().path("orgSlug").asText());
        assertEquals("Bearer tok", service.requests.get(1).header("Authorization"));
        assertEquals("demo", service.requests.get(1).header("X-api-org"));
        assertEquals("POST /api/auth/logout", service.last().line());
        assertEquals(
                Instant.parse("2026-01-01T00:00:00Z"),
                client.session().orElseThrow().expiresOn());
        assertFalse(client.session().orElseThrow().toString().contains("tok"));
    }

    @Test
    void loginFailsWithTheAnswer() {
        service.then(401, "{\"code\":\"unauthorized\"}");

        SelvedgeClientBuilder builder = service.builder().orgSlug("demo");
        assertEquals(
                401,
                assertThrows(ApiException.class, () -> builder.login("a@b.example", "x"))
                        .getStatus());
    }

    @Test
    void buildingAsksNothing() {
        service.client();

        assertEquals(0, service.requests.size());
    }

    @Test
    void whatIsMissingIsToldWhenBuilding() {
        assertThrows(IllegalStateException.class, () -> service.builder().build());
        assertThrows(
                IllegalStateException.class,
                () -> service.builder().apiKey("app:x").build());
        assertThrows(
                IllegalStateException.class,
                () -> service.builder().apiKey("app:x").accessToken("t").build());
        assertThrows(
                IllegalStateException.class,
                () -> SelvedgeClient.builder().apiKey("app:x").orgSlug("demo").build());
        assertThrows(IllegalStateException.class, () -> service.builder().login("a@b.example", "x"));
    }

    @Test
    void aKeyThatCannotBeOneIsToldWithoutRepeatingIt() {
        IllegalStateException e = assertThrows(
                IllegalStateException.class,
                () -> service.builder().apiKey("app:sec ret\n").orgSlug("demo").build());

        assertFalse(e.getMessage().contains("sec"));
    }

    @ParameterizedTest
    @CsvSource({
        "https://data.example.com, https://data.example.com/api",
        "https://data.example.com/, https://data.example.com/api",
        "https://data.example.com/api/, https://data.example.com/api",
        "http://localhost:8787/other/api, http://localhost:8787/other/api",
    })
    void theBaseAddressMayEndWithASlashAndABareOriginGetsItsPath(String given, String used) {
        assertEquals(used, BaseUrl.of(given).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data.example.com/api",
                "ftp://data.example.com",
                "https://u:p@data.example.com/api",
                "https://x/api?a=1"
            })
    void anythingElseIsNoBaseAddress(String given) {
        assertThrows(IllegalStateException.class, () -> BaseUrl.of(given));
    }
}
