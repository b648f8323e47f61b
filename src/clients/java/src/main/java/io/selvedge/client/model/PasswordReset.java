package io.selvedge.client.model;

import java.time.Instant;

/**
 * A one-time link by which a member sets a new password.
 *
 * @param token what the link carries
 * @param resetUrl the link
 * @param expiresOn when it stops to work
 */
public record PasswordReset(String token, String resetUrl, Instant expiresOn) {

    /** Leaves token and link out: they must not reach a log. */
    @Override
    public String toString() {
        return "PasswordReset[expiresOn=" + expiresOn + "]";
    }
}
