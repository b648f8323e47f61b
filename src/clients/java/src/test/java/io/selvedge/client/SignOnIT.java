package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.selvedge.client.model.IdentityProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Single sign-on to the real service, with an identity provider that is played here, as is the browser. */
class SignOnIT {

    private static final String BACK = "http://127.0.0.1:9/back";

    private final RunningService service = RunningService.get();
    private final OperatorClient operator = service.operator();
    private final String slug = "sso-" + UUID.randomUUID().toString().substring(0, 8);
    private final String email = "ada@" + slug + ".example";

    private HttpServer provider;
    private String issuer;
    private volatile String nonce;

    @BeforeEach
    void start() throws IOException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:" + provider.getAddress().getPort();
        provider.createContext(
                "/.well-known/openid-configuration",
                exchange -> answer(
                        exchange,
                        Map.of(
                                "issuer", issuer,
                                "authorization_endpoint", issuer + "/authorize",
                                "token_endpoint", issuer + "/token",
                                "jwks_uri", issuer + "/jwks")));
        provider.createContext(
                "/token",
                exchange -> answer(
                        exchange, Map.of("access_token", "a", "token_type", "Bearer", "id_token", idToken())));
        provider.start();
        operator.createOrganization(slug, "SSO", email, "correct horse battery");
    }

    @AfterEach
    void stop() {
        provider.stop(0);
    }

    private static void answer(HttpExchange exchange, Map<String, ?> document) throws IOException {
        byte[] body = Json.WIRE.text(document).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The service takes it over the line from the provider itself and does not look at its signature. */
    private String idToken() {
        long now = Instant.now().getEpochSecond();
        Map<String, Object> claims = Map.of(
                "iss", issuer,
                "sub", "ada",
                "aud", "selvedge",
                "iat", now,
                "exp", now + 60,
                "nonce", nonce,
                "email", email,
                "email_verified", true);
        return base64("{\"alg\":\"RS256\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + base64(Json.WIRE.text(claims).getBytes(StandardCharsets.UTF_8)) + "." + base64(new byte[256]);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static URI redirected(URI from) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(from).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(302, answer.statusCode(), answer.body());
        return URI.create(answer.headers().firstValue("Location").orElseThrow());
    }

    private static Map<String, String> queryOf(URI address) {
        return Arrays.stream(address.getRawQuery().split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    @Test
    void aUserComesBackFromTheIdentityProviderSignedIn() throws Exception {
        IdentityProvider set = operator.setIdentityProvider(slug, IdentityProvider.of(issuer, "selvedge", "hush"));
        assertFalse(set.clientSecret().contains("hush"));
        assertEquals(set, operator.identityProvider(slug));
        SelvedgeClientBuilder builder =
                SelvedgeClient.builder().baseUrl(service.baseUrl()).orgSlug(slug);
        String verifier = "v".repeat(50);
        String challenge = base64(
                MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));

        URI atProvider = redirected(builder.ssoAddress(BACK, "my state", challenge));
        Map<String, String> asked = queryOf(atProvider);
        nonce = asked.get("nonce");
        URI back = redirected(URI.create(asked.get("redirect_uri") + "?code=c&state=" + Call.encode(asked.get("state"))));
        assertTrue(back.toString().startsWith(BACK), back.toString());
        Map<String, String> brought = queryOf(back);
        assertEquals("my state", brought.get("state"), back.toString());

        SelvedgeClient client = builder.loginWithCode(brought.get("code"), verifier);

        assertEquals(email, client.me().user().email());
        assertEquals(email, client.session().orElseThrow().user().email());
        assertEquals(
                401,
                assertThrows(ApiException.class, () -> builder.loginWithCode(brought.get("code"), verifier))
                        .getStatus());
        assertEquals(
                true,
                operator.setIdentityProvider(slug, operator.identityProvider(slug).allowingSignUp())
                        .allowSignUp());
        operator.deleteIdentityProvider(slug);
        assertEquals(
                404,
                assertThrows(ApiException.class, () -> operator.identityProvider(slug))
                        .getStatus());
    }
}
