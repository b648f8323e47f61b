package io.selvedge.client.model;

import java.time.Instant;

/**
 * An invitation to join the organization.
 *
 * @param id identifier
 * @param email who is invited
 * @param role what they will be: {@code admin} or {@code member}
 * @param createdOn when it was made
 * @param createdById who made it
 * @param expiresOn when it stops to work
 * @param acceptedOn when it was accepted, or null
 * @param revokedOn when it was revoked, or null
 * @param token what accepts it, null in every answer but the first
 * @param acceptUrl the one-time link to hand over, null in every answer but the first
 */
public record Invitation(
        String id,
        String email,
        String role,
        Instant createdOn,
        String createdById,
        Instant expiresOn,
        Instant acceptedOn,
        Instant revokedOn,
        String token,
        String acceptUrl) {

    /** Leaves token and link out: they must not reach a log. */
    @Override
    public String toString() {
        return "Invitation[id=" + id + ", email=" + email + ", role=" + role + "]";
    }
}
