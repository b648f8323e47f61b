package io.selvedge.client.model;

import java.time.Instant;
import java.util.List;

/**
 * An organization on its way back from an archive. Nothing of it can be seen before it is complete.
 *
 * @param id identifier
 * @param organizationId the organization that it brings back
 * @param slug slug that it will have
 * @param state {@code receiving}, {@code completing} or {@code complete}
 * @param nextPart number of the part that comes next
 * @param isShifted whether its records have other places than they had: sync keys from before are answered with 410
 * @param leftOut secrets that did not come with the archive, or that this deployment cannot open
 * @param createdOn when it was begun
 * @param touchedOn when it last moved
 */
public record Restore(
        String id,
        String organizationId,
        String slug,
        String state,
        int nextPart,
        boolean isShifted,
        LeftOut leftOut,
        Instant createdOn,
        Instant touchedOn) {

    /** Whether the organization is back. */
    public boolean isComplete() {
        return "complete".equals(state);
    }

    /**
     * Secrets to be set anew.
     *
     * @param passwords how many members need a new password
     * @param endpoints names of endpoints without their secret
     * @param identityProvider whether the identity provider is missing
     */
    public record LeftOut(int passwords, List<String> endpoints, boolean identityProvider) {

        /** Reads absent endpoints as none. */
        public LeftOut {
            endpoints = Lists.orEmpty(endpoints);
        }
    }
}
