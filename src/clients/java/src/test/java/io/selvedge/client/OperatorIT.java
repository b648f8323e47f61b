package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.AccessToken;
import io.selvedge.client.model.ApiKey;
import io.selvedge.client.model.Delivery;
import io.selvedge.client.model.Organization;
import io.selvedge.client.model.OutboundEndpoint;
import io.selvedge.client.model.PasswordReset;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operator's calls of the real service, each test with an organization of its own. */
@Timeout(120)
class OperatorIT {

    private static final String PASSWORD = "correct horse battery";

    private static RunningService service;
    private static OperatorClient operator;

    private final String slug = "java-" + UUID.randomUUID().toString().substring(0, 8);
    private final String email = "admin@" + slug + ".example";

    @BeforeAll
    static void start() {
        service = RunningService.get();
        operator = service.operator();
    }

    @BeforeEach
    void createOrganization() {
        Organization made = operator.createOrganization(slug, "Java", email, PASSWORD);
        assertEquals(slug, made.slug());
        assertEquals("standard", made.tier());
    }

    private SelvedgeClientBuilder builder() {
        return SelvedgeClient.builder().baseUrl(service.baseUrl()).orgSlug(slug);
    }

    @Test
    void anOrganizationIsListedChangedSuspendedExportedAndDeleted() {
        assertTrue(operator.organizations(ListQuery.all().limit(1000)).results().stream()
                .anyMatch(org -> org.slug().equals(slug)));
        assertEquals("high", operator.setTier(slug, "high").tier());
        Organization suspended =
                operator.updateOrganization(slug, Map.of("suspended", true, "historyRetentionDays", 30, "historyArchiveDays", 7));
        assertNotNull(suspended.suspendedOn());
        assertEquals(30, suspended.historyRetentionDays());
        assertEquals(7, suspended.historyArchiveDays());
        assertEquals(
                403,
                assertThrows(ApiException.class, () -> builder().login(email, PASSWORD))
                        .getStatus());
        assertNull(operator.updateOrganization(slug, Map.of("suspended", false))
                .suspendedOn());
        assertFalse(operator.audit().list(slug, ListQuery.all()).results().isEmpty());
        ByteArrayOutputStream trail = new ByteArrayOutputStream();
        String head = operator.audit().export(slug, trail);
        long lines = trail.toString(StandardCharsets.UTF_8).lines().count();
        assertTrue(head.startsWith(lines + ":"), head);

        ByteArrayOutputStream export = new ByteArrayOutputStream();
        operator.backups().lines(slug, null, null, export);
        assertTrue(export.toString(StandardCharsets.UTF_8).contains(slug));
        operator.deleteOrganization(slug);
        assertEquals(
                404,
                assertThrows(ApiException.class, () -> operator.organization(slug))
                        .getStatus());
    }

    @Test
    void aWrongOperatorKeyIs401() {
        OperatorClient stranger =
                SelvedgeClient.builder().baseUrl(service.baseUrl()).operator("wrong");
        assertEquals(
                401,
                assertThrows(ApiException.class, () -> stranger.organization(slug))
                        .getStatus());
    }

    @Test
    void keysAndTokensAreIssuedListedAndRevoked() {
        ApiKey key = operator.createKey(slug, "sync", "write", Map.of("tier", "high"));
        AccessToken token = operator.createToken(slug, "callback", "read", Duration.ofMinutes(5));
        SelvedgeClient byKey = builder().apiKey(key.key()).login();
        SelvedgeClient byToken = builder().accessToken(token.accessToken()).login();
        assertEquals("high", byKey.me().tier());
        assertEquals("token", byToken.me().credential().kind());
        assertFalse(token.toString().contains(token.accessToken()));
        assertTrue(operator.keys(slug, ListQuery.all()).results().stream()
                .anyMatch(one -> one.id().equals(key.id())));
        assertTrue(operator.tokens(slug, ListQuery.all()).results().stream()
                .anyMatch(one -> one.id().equals(token.id())));

        operator.deleteKey(slug, key.id());
        operator.deleteToken(slug, token.id());
        assertEquals(401, assertThrows(ApiException.class, byKey::me).getStatus());
        assertEquals(401, assertThrows(ApiException.class, byToken::me).getStatus());
    }

    @Test
    void aForgottenPasswordIsReset() {
        PasswordReset reset = operator.passwordReset(slug, email);
        assertNotNull(reset.resetUrl());
        Map<String, String> body = Map.of("token", reset.token(), "newPassword", "another horse battery");

        service.login().request("POST", "/auth/password-reset", body, Void.class);

        assertEquals("admin", builder().login(email, "another horse battery").me().role());
    }

    @Test
    void anEndpointIsSetAndWhatIsDeliveredIsListedAndSentAgain() {
        String secret = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]);
        // Nothing listens there: a delivery is made and fails, which is all that this needs.
        OutboundEndpoint endpoint = OutboundEndpoint.securedByHmac("https://nothing.invalid/hook", secret)
                .events("color|create");
        OutboundEndpoint set = operator.endpoints().set(slug, "shop", endpoint);
        assertEquals(List.of("color|create"), set.events());
        assertEquals("hmac", set.auth().get("kind"));
        assertFalse(set.auth().containsValue(secret));
        assertEquals(set, operator.endpoints().get(slug, "shop"));
        assertEquals(List.of(set), operator.endpoints().list(slug));
        assertEquals(
                List.of("color|create", "item|*"),
                operator.endpoints().set(slug, "shop", set.events("item|*")).events());

        builder().login(email, PASSWORD).entities().create("color", Map.of("name", "Blue"));
        Delivery delivery = Looks.until(
                        () -> operator.endpoints()
                                .deliveries(slug, "shop", null, ListQuery.all())
                                .results(),
                        found -> !found.isEmpty() && found.get(0).error() != null,
                        found -> {})
                .get(0);
        assertEquals("color|create", delivery.triggerKey());
        assertEquals(
                delivery.id(),
                operator.endpoints().resend(slug, "shop", delivery.id()).id());

        operator.endpoints().delete(slug, "shop");
        assertEquals(List.of(), operator.endpoints().list(slug));
    }
}
