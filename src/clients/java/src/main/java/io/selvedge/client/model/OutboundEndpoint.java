package io.selvedge.client.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An address that the service calls for an organization.
 *
 * <pre>{@code
 * OutboundEndpoint.securedByHmac("https://shop.example.com/hook", secret).events("item|*", "assortment|publish")
 * }</pre>
 *
 * @param name on reading, its name
 * @param url where it is
 * @param events trigger keys of what is delivered to it: {@code item|create}, {@code item|*} or {@code *}
 * @param includeLoads whether changes made by loads are delivered too, null for no
 * @param allowedFor who may call it: {@code events}, {@code workflows} or {@code both}; null for both
 * @param oldSecretUntil on reading, until when calls are signed with the secret before it as well, or null
 * @param auth how calls are secured; its secrets are masked on reading and stay when sent back so
 * @param createdOn on reading, when it was made
 * @param updatedOn on reading, when it was last changed
 */
public record OutboundEndpoint(
        String name,
        String url,
        List<String> events,
        Boolean includeLoads,
        String allowedFor,
        Instant oldSecretUntil,
        Map<String, Object> auth,
        Instant createdOn,
        Instant updatedOn) {

    /** Reads absent events as none. */
    public OutboundEndpoint {
        events = Lists.orEmpty(events);
        auth = Lists.orEmpty(auth);
    }

    /** Calls carry a header with a key. */
    public static OutboundEndpoint securedByHeader(String url, String header, String value) {
        return of(url, Map.of("kind", "header", "name", header, "value", value));
    }

    /** Calls carry a signature in the Standard Webhooks form, made with a secret {@code whsec_…}. */
    public static OutboundEndpoint securedByHmac(String url, String secret) {
        return of(url, Map.of("kind", "hmac", "secret", secret));
    }

    /**
     * {@link #securedByHmac(String, String)} with another time than the usual day.
     *
     * @param overlap how long calls are signed with the secret before it as well
     */
    public static OutboundEndpoint securedByHmac(String url, String secret, Duration overlap) {
        return of(url, Map.of("kind", "hmac", "secret", secret, "overlapSeconds", overlap.toSeconds()));
    }

    /** Calls leave from fixed addresses. */
    public static OutboundEndpoint securedByAllowlist(String url) {
        return of(url, Map.of("kind", "allowlist"));
    }

    private static OutboundEndpoint of(String url, Map<String, Object> auth) {
        return new OutboundEndpoint(null, url, List.of(), null, null, null, auth, null, null);
    }

    /** Adds trigger keys to deliver. */
    public OutboundEndpoint events(String... triggerKeys) {
        List<String> more = new ArrayList<>(events);
        more.addAll(List.of(triggerKeys));
        return new OutboundEndpoint(name, url, more, includeLoads, allowedFor, oldSecretUntil, auth, createdOn, updatedOn);
    }

    /** Sets whether changes made by loads are delivered too. */
    public OutboundEndpoint includeLoads(boolean include) {
        return new OutboundEndpoint(name, url, events, include, allowedFor, oldSecretUntil, auth, createdOn, updatedOn);
    }

    /** Sets who may call it: {@code events}, {@code workflows} or {@code both}. */
    public OutboundEndpoint allowedFor(String callers) {
        return new OutboundEndpoint(name, url, events, includeLoads, callers, oldSecretUntil, auth, createdOn, updatedOn);
    }

    /** Leaves the secrets out: they must not reach a log. */
    @Override
    public String toString() {
        return "OutboundEndpoint[name=" + name + ", url=" + url + ", events=" + events + "]";
    }
}
