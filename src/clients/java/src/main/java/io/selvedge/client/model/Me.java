package io.selvedge.client.model;

import java.time.Instant;

/**
 * Who the service takes a client for.
 *
 * @param credential what it authenticated with
 * @param org the organization
 * @param user the person, null for an app key or an operator's token
 * @param role role of the person, or null
 * @param scope {@code read} or {@code write}
 * @param tier rate tier
 */
public record Me(Credential credential, Org org, User user, String role, String scope, String tier) {

    /**
     * What a client authenticated with.
     *
     * @param id identifier
     * @param kind {@code app}, {@code user}, {@code token} or {@code session}
     * @param expiresOn when it stops to work, or null
     */
    public record Credential(String id, String kind, Instant expiresOn) {}

    /**
     * An organization.
     *
     * @param id identifier
     * @param slug slug
     * @param name name, null where only id and slug are told
     */
    public record Org(String id, String slug, String name) {}
}
