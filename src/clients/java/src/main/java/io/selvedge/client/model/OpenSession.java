package io.selvedge.client.model;

import java.time.Instant;

/**
 * A session that is open.
 *
 * @param id identifier
 * @param userId whose it is
 * @param method how it began: password, invitation or single sign-on
 * @param createdOn when it began
 * @param lastUsedOn when it was last used, to the hour, or null
 * @param expiresOn when it ends
 * @param isCurrent whether it is the one that asks
 */
public record OpenSession(
        String id,
        String userId,
        String method,
        Instant createdOn,
        Instant lastUsedOn,
        Instant expiresOn,
        boolean isCurrent) {}
