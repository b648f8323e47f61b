package io.selvedge.client.model;

import java.time.Instant;
import java.util.List;

/**
 * A key of the organization. The key itself is shown once, in the answer that issues it.
 *
 * @param id identifier
 * @param kind {@code app} or {@code user}
 * @param name name to recognize it by
 * @param start its first characters, to recognize it by
 * @param key the key itself, null in every answer but the first
 * @param scope {@code read} or {@code write}
 * @param tier rate tier, or null for the organization's
 * @param userId the user in whose name it acts, null for an app key
 * @param createdOn when it was issued
 * @param createdById who issued it
 * @param lastUsedOn when it was last used, to the hour, or null
 * @param expiresOn when it stops to work, or null
 * @param revokedOn when it was revoked, or null
 * @param replacedById the key that a rotation put in its place, or null
 * @param entityTypes the only entity types that it can read and write; null for everything
 * @param addresses the only addresses, or blocks of them, that it can be used from; null for all
 */
public record ApiKey(
        String id,
        String kind,
        String name,
        String start,
        String key,
        String scope,
        String tier,
        String userId,
        Instant createdOn,
        String createdById,
        Instant lastUsedOn,
        Instant expiresOn,
        Instant revokedOn,
        String replacedById,
        List<String> entityTypes,
        List<String> addresses) {

    /** Leaves the key out: it must not reach a log. */
    @Override
    public String toString() {
        return "ApiKey[id=" + id + ", name=" + name + ", scope=" + scope + "]";
    }
}
