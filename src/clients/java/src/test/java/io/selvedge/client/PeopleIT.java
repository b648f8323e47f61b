package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.ApiKey;
import io.selvedge.client.model.AuditEntry;
import io.selvedge.client.model.Invitation;
import io.selvedge.client.model.Me;
import io.selvedge.client.model.Member;
import io.selvedge.client.model.OpenSession;
import io.selvedge.client.model.Session;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signing in to the real service, its keys and its people. */
class PeopleIT {

    private static RunningService service;
    private static SelvedgeClient admin;

    @BeforeAll
    static void login() {
        service = RunningService.get();
        admin = builder().login(service.adminEmail(), service.adminPassword());
    }

    private static SelvedgeClientBuilder builder() {
        return SelvedgeClient.builder().baseUrl(service.baseUrl()).orgSlug(service.orgSlug());
    }

    private static SelvedgeClient withKey(ApiKey key) {
        return builder().apiKey(key.key()).build();
    }

    @Test
    void aUserSignsInAndOut() {
        SelvedgeClient client = builder()
                .login(service.adminEmail(), service.adminPassword());
        Session session = client.session().orElseThrow();
        Me me = client.me();

        assertEquals(service.adminEmail(), session.user().email());
        assertEquals(service.orgSlug(), session.org().slug());
        assertTrue(session.expiresOn().isAfter(Instant.now()));
        assertEquals("session", me.credential().kind());
        assertEquals(session.user(), me.user());
        assertEquals("admin", me.role());
        assertEquals("write", me.scope());

        client.logout();
        assertEquals(401, assertThrows(ApiException.class, client::me).getStatus());
    }

    @Test
    void openSessionsAreListedAndEnded() {
        SelvedgeClient client = builder().login(service.adminEmail(), service.adminPassword());
        OpenSession own = client.people().sessions(null, ListQuery.all()).results().stream()
                .filter(OpenSession::isCurrent)
                .findFirst()
                .orElseThrow();
        assertEquals("password", own.method());
        assertTrue(admin.people().sessions(own.userId(), ListQuery.all().limit(1000)).results().stream()
                .anyMatch(one -> one.id().equals(own.id())));

        admin.people().endSession(own.id());
        assertEquals(401, assertThrows(ApiException.class, client::me).getStatus());
    }

    @Test
    void aWrongPasswordIs401() {
        ApiException refused =
                assertThrows(ApiException.class, () -> builder().login(service.adminEmail(), "not the password"));
        assertEquals(401, refused.getStatus());
        assertEquals("unauthorized", refused.getCode());
    }

    @Test
    void aKeyTellsWhoItIs() {
        Me me = service.login().me();

        assertEquals("app", me.credential().kind());
        assertEquals(service.orgSlug(), me.org().slug());
        assertNull(me.user());
        assertNull(me.role());
        assertEquals("internal", me.tier());
    }

    @Test
    void aWrongKeyIs401() {
        assertEquals(
                401,
                assertThrows(
                                ApiException.class,
                                () -> SelvedgeClient.login("app:wrong", service.orgSlug(), service.baseUrl()))
                        .getStatus());
    }

    @Test
    void anAccessTokenIsACredential() {
        String token = admin.session().orElseThrow().accessToken();

        SelvedgeClient client = SelvedgeClient.builder()
                .baseUrl(service.baseUrl())
                .accessToken(token)
                .login();

        assertEquals(service.adminEmail(), client.me().user().email());
    }

    @Test
    void keysAreIssuedListedRotatedAndRevoked() {
        ApiKey issued = admin.apiKeys()
                .create("nightly sync", "read", Map.of("kind", "user"));
        assertTrue(issued.key().startsWith("user:"));
        assertEquals("read", issued.scope());
        assertEquals(admin.me().user().id(), issued.userId());
        ApiKey listed = listed(issued.id());
        assertEquals("nightly sync", listed.name());
        assertTrue(issued.key().contains(listed.start()), listed.start());
        assertNull(listed.key());

        withKey(issued).entities().list("item", ListQuery.all());
        ApiException readOnly = assertThrows(
                ApiException.class, () -> withKey(issued).entities().create("item", Map.of("name", "x")));
        assertEquals(403, readOnly.getStatus());

        ApiKey successor = admin.apiKeys().rotate(issued.id(), Duration.ofHours(1));
        assertEquals(successor.id(), listed(issued.id()).replacedById());
        withKey(issued).me();
        assertEquals("user", withKey(successor).me().credential().kind());

        admin.apiKeys().delete(successor.id());
        assertEquals(
                401,
                assertThrows(ApiException.class, () -> withKey(successor).me()).getStatus());
        assertNotNull(listed(successor.id()).revokedOn());
        admin.apiKeys().delete(issued.id());
    }

    @Test
    void anAppKeyHasAKindAndAnEnd() {
        Instant end = Instant.parse("2999-01-01T00:00:00Z");

        // An admin who says nothing else makes a key of the organization's.
        ApiKey key = admin.apiKeys()
                .create("shop", "write", Map.of("expiresOn", end.toString()));

        assertEquals("app", key.kind());
        assertEquals(end, key.expiresOn());
        assertNull(key.userId());
        admin.apiKeys().delete(key.id());
    }

    @Test
    void aKeyIssuesNoKeys() {
        assertEquals(
                403,
                assertThrows(ApiException.class, () -> service.login().apiKeys().create("x", "read"))
                        .getStatus());
    }

    @Test
    void somebodyIsInvitedJoinsChangesAndGoes() {
        String email = "ada-" + UUID.randomUUID() + "@example.com";
        Invitation invitation = admin.people().invite(email, "member");
        assertNotNull(invitation.acceptUrl());
        assertFalse(invitation.toString().contains(invitation.token()));
        SelvedgeClient anybody = service.login();
        Map<?, ?> joined = anybody.request(
                "POST",
                "/invitations/accept",
                Map.of("token", invitation.token(), "password", "correct horse battery"),
                Map.class);
        assertNotNull(joined.get("accessToken"));

        SelvedgeClient ada = builder().login(email, "correct horse battery");
        assertEquals("member", ada.me().role());
        ada.people().changePassword("correct horse battery", "another horse battery");
        ada = builder().login(email, "another horse battery");

        Member member = everybody().stream()
                .filter(one -> one.email().equals(email))
                .findFirst()
                .orElseThrow();
        assertNotNull(member.joinedOn());
        assertEquals("admin", admin.people().setRole(member.id(), "admin").role());
        assertEquals("admin", ada.me().role());
        admin.people().remove(member.id());
        assertEquals(401, assertThrows(ApiException.class, ada::me).getStatus());
        assertTrue(everybody().stream().noneMatch(one -> one.email().equals(email)));
    }

    @Test
    void anInvitationIsRevoked() {
        Invitation open = admin.people()
                .invite("bo-" + UUID.randomUUID() + "@example.com", "admin");

        admin.people().revokeInvitation(open.id());

        Invitation listed = admin.people().invitations(ListQuery.all().limit(1000)).results().stream()
                .filter(one -> one.id().equals(open.id()))
                .findFirst()
                .orElseThrow();
        assertNotNull(listed.revokedOn());
        assertNull(listed.token());
    }

    @Test
    void theAuditTrailTellsOfSignIns() {
        List<AuditEntry> entries = admin.people().audit(ListQuery.all().limit(1000)).results();

        AuditEntry signIn = entries.stream()
                .filter(entry -> entry.action().equals("sign_in"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(entries.toString()));
        assertNotNull(signIn.createdOn());
        assertEquals("user", signIn.actorType());
    }

    @Test
    void theAuditTrailIsTakenOutWithItsHead() {
        ByteArrayOutputStream trail = new ByteArrayOutputStream();
        String head = admin.people().exportAudit(trail);

        String[] lines = trail.toString(StandardCharsets.UTF_8).split("\n");
        assertTrue(lines[lines.length - 1].endsWith("\"digest\":\"" + head.substring(head.indexOf(':') + 1) + "\"}"), head);

        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        admin.people().exportAudit(AuditFormat.CSV, lines.length - 1, rest);
        String csv = rest.toString(StandardCharsets.UTF_8);
        assertTrue(csv.startsWith("number,") && csv.lines().count() < lines.length, csv);
    }

    @Test
    void aCodeOfSingleSignOnThatNobodyGaveIs401() {
        URI address = builder().ssoAddress("http://127.0.0.1:9799/back", "state", "a".repeat(43));
        assertTrue(address.toString().startsWith(service.baseUrl() + "/auth/sso/start?orgSlug=demo&"));

        assertEquals(
                401,
                assertThrows(ApiException.class, () -> builder().loginWithCode("nobody-gave-it", "v".repeat(43)))
                        .getStatus());
    }

    private static ApiKey listed(String id) {
        return admin.apiKeys().list(ListQuery.all().limit(1000)).results().stream()
                .filter(key -> key.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static List<Member> everybody() {
        return admin.people().list(ListQuery.all().limit(1000)).results();
    }
}
